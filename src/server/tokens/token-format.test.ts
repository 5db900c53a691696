import { expect, test } from 'vitest';
import { hashOf } from '../sha256.ts';
import { isWellFormed, newToken } from './token-format.ts';

test('a token is mgl_, forty random characters and their checksum', () => {
  const tokens = Array.from({ length: 200 }, newToken);

  for (const token of tokens) {
    expect(token).toMatch(/^mgl_[0-9A-Za-z]{46}$/);
    expect(isWellFormed(token)).toBe(true);
  }
  expect(new Set(tokens).size).toBe(200);
});

test('the checksum is the CRC32 of the forty characters, in base62 with zeros in front', () => {
  expect(isWellFormed(`mgl_${'0'.repeat(40)}${base62(crc('0'.repeat(40)))}`)).toBe(true);
  // One whose checksum is below 62 to the power of 5 has a zero in front.
  let n = 0;
  while (crc(String(n).padStart(40, 'a')) >= 62 ** 5) n += 1;
  const random = String(n).padStart(40, 'a');
  expect(base62(crc(random))).toMatch(/^0/);
  expect(isWellFormed(`mgl_${random}${base62(crc(random))}`)).toBe(true);
});

test('one wrong character, another length or other letters are no token', () => {
  const token = newToken();
  for (let at = 4; at < token.length; at += 1) {
    const other = token[at] === 'x' ? 'y' : 'x';
    expect(isWellFormed(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
  }
  for (const wrong of ['', 'mgl_', token.slice(1), `${token}0`, token.slice(0, -1), token.toLowerCase(), ` ${token}`])
    expect(isWellFormed(wrong)).toBe(false);
});

test('only the hash of a token is kept', () => {
  expect(hashOf('mgl_')).toBe('b8fe2c8c6ca34682bf8ecd0bc295173fba88a58138c0216d292c2a4ab6b1c783');
});

/** CRC32 (IEEE 802.3) bit by bit. */
function crc(text: string): number {
  let value = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

function base62(number: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const text = Array.from({ length: 6 }, (_, place) => digits[Math.floor(number / 62 ** (5 - place)) % 62]);
  return text.join('');
}
