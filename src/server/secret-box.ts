import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps secrets at rest: AES-256-GCM under the server's keys. The first key seals, any of them opens. */
export interface SecretBox {
  /** Text that only these keys open, and only as what it was sealed as. */
  seal(secret: string, as: string): string;
  /** @throws Error when it was changed, belongs to another place, or was sealed with none of these keys */
  open(sealed: string, as: string): string;
  /** Null where `open` throws, as a rule since this server does not have the key any more. */
  openOrNull(sealed: string, as: string): string | null;
  /** Whether the first key opens it. */
  isSealedWithFirst(sealed: string, as: string): boolean;
  /** The first one seals. */
  readonly keys: readonly Buffer[];
  /** Goes on with other keys. @throws Error when there is none, or one is not 32 bytes */
  replaceKeys(keys: readonly Buffer[]): void;
}

/** What a secret is sealed as: moved to another row it does not open. */
export const sealedAs = {
  token: (user_id: number) => `token of user ${user_id}`,
  refreshToken: (user_id: number) => `refresh token of user ${user_id}`,
  revocation: 'token to be revoked',
  channelTarget: (channel_id: number) => `address of channel ${channel_id}`,
  channelSecret: (channel_id: number) => `secret of channel ${channel_id}`,
  unsubscribeToken: (token_hash: string) => `unsubscribe token ${token_hash}`,
  webhookSecret: (webhook_key: string) => `secret of webhook ${webhook_key}`,
  signInState: 'sign-in state',
} as const;

const version = 'v1';
const ivLength = 12;
const tagLength = 16;
export const KEY_BYTES = 32;

/** @throws Error when there is no key, or one is not 32 bytes */
export function secretBox(initial: Buffer | readonly Buffer[]): SecretBox {
  let keys: readonly Buffer[] = checked(Buffer.isBuffer(initial) ? [initial] : initial);

  function open(sealed: string, as: string): string {
    const bytes = bytesOf(sealed);
    let failure: unknown;
    for (const key of keys) {
      try {
        return opened(bytes, as, key);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  return {
    seal(secret, as) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', keys[0]!, iv);
      cipher.setAAD(Buffer.from(as));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },

    open,

    openOrNull(sealed, as) {
      try {
        return open(sealed, as);
      } catch {
        // The cipher cannot tell a key that is gone from a text that was changed.
        return null;
      }
    },

    isSealedWithFirst(sealed, as) {
      try {
        opened(bytesOf(sealed), as, keys[0]!);
        return true;
      } catch {
        // The cipher's way to say that it is another key.
        return false;
      }
    },

    get keys() {
      return keys;
    },
    replaceKeys(next) {
      keys = checked(next);
    },
  };
}

function checked(keys: readonly Buffer[]): readonly Buffer[] {
  if (keys.length === 0) throw new Error('There has to be a key.');
  if (keys.some((key) => key.length !== KEY_BYTES)) throw new Error('The key must have 32 bytes.');
  return keys;
}

function bytesOf(sealed: string): Buffer {
  const [start, content = ''] = sealed.split('.');
  const bytes = Buffer.from(content, 'base64url');
  if (start !== version || bytes.length < ivLength + tagLength) throw new Error('This is no sealed secret.');
  return bytes;
}

function opened(bytes: Buffer, as: string, key: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength));
  decipher.setAAD(Buffer.from(as));
  decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  return Buffer.concat([decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]).toString('utf8');
}
