/**
 * Seeded draws from the distributions that the demo's company is made of: the same seed parts give the same sequence
 * on every run. Not for secrets.
 */
export class Dice {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spareNormal: number | null = null;

  /** Different parts, or the same in another order, give an unrelated sequence. */
  constructor(...seedParts: readonly (string | number)[]) {
    const text = seedParts.join('\u0000');
    let [a, b, c, d] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a];
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      a = Math.imul(a ^ code, 0x9e3779b1) ^ (b >>> 15);
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (c >>> 13);
      c = Math.imul(c ^ code, 0xc2b2ae35) ^ (d >>> 16);
      d = Math.imul(d ^ code, 0x27d4eb2f) ^ (a >>> 14);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    for (let round = 0; round < 15; round++) this.#uint32();
  }

  /** The small fast counter generator of 128 bits: 32 bits a step. */
  #uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0, included, to 1, excluded. */
  next(): number {
    return this.#uint32() / 2 ** 32;
  }

  /** Any number between the two. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number, both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Throws on an empty list. */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('Cannot pick from an empty list: give at least one item.');
    return item;
  }

  /** One of the items, in proportion to its weight; null when no weight is above 0. */
  weighted<T>(items: readonly T[], weight: (item: T) => number): T | null {
    const weights = items.map((item) => Math.max(0, weight(item)));
    let left = this.next() * weights.reduce((sum, each) => sum + each, 0);
    for (const [index, item] of items.entries()) {
      left -= weights[index] ?? 0;
      if (left < 0) return item;
    }
    return null;
  }

  /** Standard normal: mean 0, standard deviation 1. */
  normal(): number {
    if (this.#spareNormal !== null) {
      const spare = this.#spareNormal;
      this.#spareNormal = null;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    const angle = 2 * Math.PI * this.next();
    this.#spareNormal = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** 0, 1, 2 …: failures before the first success, with the given mean. */
  geometric(mean: number): number {
    return Math.floor(Math.log(1 - this.next()) / Math.log(mean / (1 + mean)));
  }

  /** A Poisson count; for means below about 500. */
  poisson(mean: number): number {
    const limit = Math.exp(-mean);
    let count = 0;
    let product = this.next();
    while (product > limit) {
      count += 1;
      product *= this.next();
    }
    return count;
  }

  /** Lower-case hexadecimal digits; 40 of them make a commit sha. */
  hex(length: number): string {
    let digits = '';
    while (digits.length < length) digits += this.#uint32().toString(16).padStart(8, '0');
    return digits.slice(0, length);
  }
}
