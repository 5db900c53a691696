import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const shape = new RegExp(`^mgl_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** `mgl_`, 40 random characters of base62 (238 bits), and the CRC32 (IEEE) of these 40 in 6 of base62, so that scanners know one for sure. */
export function newToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `mgl_${random}${checksumOf(random)}`;
}

/** False of what cannot be a token, for which nobody has to be asked. */
export function isWellFormed(token: string): boolean {
  const [, random, checksum] = shape.exec(token) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / DIGITS.length)) digits = DIGITS[rest % DIGITS.length] + digits;
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
