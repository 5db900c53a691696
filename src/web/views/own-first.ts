import type { KeptView } from '#contract/views.ts';

/** One's own views before those of others, whatever they are called. */
export function ownFirst<View extends Pick<KeptView, 'mine'>>(views: readonly View[]): View[] {
  return views.toSorted((a, b) => Number(b.mine) - Number(a.mine));
}
