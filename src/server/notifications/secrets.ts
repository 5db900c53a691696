import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';
import { hashOf } from '../sha256.ts';

/** A token for an address: 256 random bits, and what the database keeps of it. */
export function newToken(): { readonly token: string; readonly token_hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, token_hash: hashOf(token) };
}

/** Whether a mail address is another one does not depend on how its letters are written. */
export function hashOfAddress(address: string): string {
  return hashOf(address.toLowerCase());
}

/** What a webhook's messages are signed with: 256 random bits in hexadecimal. */
export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/** An address as its owner recognises it, without what makes it a secret: `https://hooks.slack.com/…a1b2`, `t…@lists.example.org`. */
export function shortened(target: string): string {
  const at = target.lastIndexOf('@');
  if (!/^https:\/\//i.test(target) && at > 0) return `${target.slice(0, 1)}…${target.slice(at)}`;
  const { origin, pathname, search } = new URL(target);
  const rest = `${pathname}${search}`;
  // Of a short one the end would be all of it.
  return `${origin}/…${rest.length > 12 ? rest.slice(-4) : ''}`;
}

type Sealed = Pick<Selectable<Database['notification_channels']>, 'id' | 'target_encrypted' | 'secret_encrypted'>;

/** The address and the secret of a channel; null where they were sealed with a key that is gone. */
export function openChannel(
  box: SecretBox,
  { id, target_encrypted, secret_encrypted }: Sealed,
): { readonly target: string; readonly secret: string | null } | null {
  try {
    const secret = secret_encrypted === null ? null : box.open(secret_encrypted, sealedAs.channelSecret(id));
    return { target: box.open(target_encrypted, sealedAs.channelTarget(id)), secret };
  } catch {
    // As after a backup was restored without its key: the owner has to give the address again.
    return null;
  }
}
