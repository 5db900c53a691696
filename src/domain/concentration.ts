/** Who carries what people do: how few of them half of it (docs/metrics.md#concentration). */
export interface Concentration {
  readonly reviewers: number;
  /** The fewest people to whom at least half belongs; it and what follows null where too few people are active. */
  readonly half: number | null;
  /** The part of whoever has most, 0–1. */
  readonly top_share: number | null;
  /** 0 where all have as much, towards 1 the less even it is. */
  readonly gini: number | null;
}

/** With fewer people active it is not told. */
export const ENOUGH_PEOPLE = 3;

/** Thresholds of areas, the first folders of changed files (docs/metrics.md#concentration). */
export const areaThresholds = {
  /** An area is told of where so many of its pull requests were reviewed. */
  reviewed: 20,
  /** One person gives so large a part of so many reviews, or all of the last pull requests. */
  atRisk: { share: 0.8, reviews: 20, last: 10 },
  /** Who merged so many there and gave less than so much of its reviews could review it. */
  could: { merged: 3, below: 0.05 },
} as const;

/** Of how much each of some people did; `active` are how many people there were to do it. */
export function concentrationOf(counts: readonly number[], active: number): Concentration {
  const reviewers = counts.length;
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (active < ENOUGH_PEOPLE || total === 0) return { reviewers, half: null, top_share: null, gini: null };
  const most = counts.toSorted((a, b) => b - a);
  let half = 0;
  for (let sum = 0; sum * 2 < total; half += 1) sum += most[half]!;
  // Of each pair the difference, twice: whoever has more comes first.
  const differences = 2 * most.reduce((sum, count, place) => sum + (reviewers - 1 - 2 * place) * count, 0);
  return { reviewers, half, top_share: most[0]! / total, gini: differences / (2 * reviewers * total) };
}
