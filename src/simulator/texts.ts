import { createHash } from 'node:crypto';

const WORDS = 'this reads well to me but the second half could say why it waits before it asks again'.split(' ');

/** Made-up text of an exact length, since the worlds hold lengths and no texts. Empty for 0. */
export function filler(length: number): string {
  let text = '';
  for (let word = 0; text.length < length; word += 1) text += `${word === 0 ? '' : ' '}${WORDS[word % WORDS.length]}`;
  return text.slice(0, length).replace(/ $/, '.');
}

/** Six hexadecimal digits that stay the same for a label. */
export function colourOf(label: string): string {
  return createHash('sha1').update(label).digest('hex').slice(0, 6);
}
