import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keeps secrets at rest: AES-256-GCM under the server's key (server specification, section 3). */
export interface SecretBox {
  /** Text that only this key opens, and only as what it was sealed as. */
  seal(secret: string, as: string): string;
  /** @throws Error when it was changed, belongs to another place, or was sealed with another key */
  open(sealed: string, as: string): string;
}

/** What a secret is sealed as: moved to another row it does not open. */
export const sealedAs = {
  token: (user_id: number) => `token of user ${user_id}`,
  webhookSecret: (webhook_key: string) => `secret of webhook ${webhook_key}`,
  signInState: 'sign-in state',
} as const;

const version = 'v1';
const ivLength = 12;
const tagLength = 16;

/** @throws Error when the key is not 32 bytes */
export function secretBox(key: Buffer): SecretBox {
  if (key.length !== 32) throw new Error('The key must have 32 bytes.');
  return {
    seal(secret, as) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      cipher.setAAD(Buffer.from(as));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },

    open(sealed, as) {
      const [start, content = ''] = sealed.split('.');
      const bytes = Buffer.from(content, 'base64url');
      if (start !== version || bytes.length < ivLength + tagLength) throw new Error('This is no sealed secret.');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength));
      decipher.setAAD(Buffer.from(as));
      decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
      return Buffer.concat([decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]).toString('utf8');
    },
  };
}
