import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal: what is stored of a secret that only has to be recognised. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
