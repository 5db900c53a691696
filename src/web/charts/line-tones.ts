const tones = ['first', 'second', 'third'] as const;

/** The colour of a line: at most three have one, all others are grey. */
export type LineTone = (typeof tones)[number] | 'rest';

/**
 * Colours of lines that are given with most things first: the first three, and those that are pinned (keys, the earliest first), which take the
 * colours of the smallest that are not. No more than three are pinned at once: the latest.
 */
export function tonesOf(keys: readonly string[], pinned: readonly string[]): LineTone[] {
  const held = pinned.filter((key) => keys.includes(key)).slice(-tones.length);
  const byTone: (string | undefined)[] = tones.map((_, at) => keys[at]);
  for (const key of held) {
    if (byTone.includes(key)) continue;
    const taken = byTone.findLastIndex((owner) => owner === undefined || !held.includes(owner));
    byTone[taken] = key;
  }
  return keys.map((key) => {
    const at = byTone.indexOf(key);
    return at < 0 ? 'rest' : tones[at]!;
  });
}
