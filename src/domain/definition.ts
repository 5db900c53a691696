/** What kind of number a figure is; `share` is 0–1, `percent` 0–100. */
export type Unit = 'hours' | 'days' | 'lines' | 'share' | 'percent' | 'count' | 'moment' | 'word';

/** What a figure means, in words for the person who reads it. */
export interface Definition {
  readonly name: string;
  /** One sentence. */
  readonly definition: string;
  readonly unit: Unit;
  /** Which time it covers; "Now" for a state, "One pull request" for a fact about one. */
  readonly window: string;
  /** What doesn't count; null when nothing is left out. */
  readonly leftOut: string | null;
  /** Where it is shown. */
  readonly shown: string;
  /** Where the rule stands. */
  readonly file: string;
}
