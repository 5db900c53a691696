/** Numbers that look random and are the same in every run. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [low, high]. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** A generator that repeats itself for the same seed. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('Nothing to pick from: the list is empty.');
      return item;
    },
  };
}

/** A stable 31-bit number for a text: the ids of accounts whose real id isn't known, colours, draws by name. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) & 0x7fffffff;
}

/** A stable 40-digit commit id for a text. */
export function shaOf(text: string): string {
  let sha = '';
  for (let part = 0; sha.length < 40; part += 1) {
    sha += hashOf(`${part}/${text}`).toString(16).padStart(8, '0');
  }
  return sha.slice(0, 40);
}
