import type { AiReviewer } from '#contract/ai-reviewers.ts';
import { ENOUGH_FINDINGS, type OfSize, reviewerWords } from '#domain/ai-reviewers.ts';
import type { creditRules } from '#domain/credit.ts';
import { durationParts, NOT_AVAILABLE } from '#domain/duration.ts';
import { nameOfReviewer } from '#domain/known-tools.ts';
import { percentWords, shareWords } from '#domain/percent.ts';
import { type Fate, fates } from '#domain/reviewer-acts.ts';
import { pointsWords } from '../../explain/format-value.ts';
import { formatCount, formatMean } from '../../time/moment.ts';

/** Of a group or of findings: too few for more than a grey value that is compared with nothing. */
export const isFew = ({ n }: { readonly n: number }) => n < ENOUGH_FINDINGS;

/** Over how many something is: "n 231", of few "(n = 7)". */
export const countWords = (n: number) => (isFew({ n }) ? `(n = ${n})` : `n ${formatCount(n)}`);

export const NO_REVIEWER = 'No AI reviewer has been seen in this window.';
export const NO_TRACE = 'No trace of an agent in this window. Traces can be stripped; this says at least.';
export const FAILED = 'Failed to fetch AI figures';
export const TOO_EARLY = 'Too early to say';

/** How a reviewer is called: by its tool where that is known, else by its account. */
export function reviewerName({ reviewer, tools }: Pick<AiReviewer, 'reviewer' | 'tools'>): string {
  return nameOfReviewer(tools[0], reviewer);
}

/** "at most 41 %", of what can only be less; null is 'N/A'. */
export const atMost = (share: number | null): string =>
  share === null ? NOT_AVAILABLE : `at most ${shareWords(share)}`;

/** A share of n, as a count. */
export const countOf = ({ value, n }: OfSize): number => Math.round((value ?? 0) * n);

/** A difference of shares in points, with its sign: "−14 points"; null is null. */
export const pointsText = (lift: number | null): string | null => (lift === null ? null : pointsWords(lift));

/** How much more one value is than another, in percent, of the same values 0; null where there is nothing to compare with. */
export function differenceOf(one: number | null, other: number | null): number | null {
  if (one !== null && one === other) return 0;
  return one === null || other === null || other === 0 ? null : (100 * (one - other)) / other;
}

export const fateWords = Object.fromEntries(fates.map((fate) => [fate, reviewerWords[fate].name])) as Readonly<
  Record<Fate, string>
>;

/** What it is called and means by which rule the person who started an agent's pull request is known. */
export const creditRuleWords: Readonly<Record<(typeof creditRules)[number], readonly [string, string]>> = {
  session: ['Session', 'who started Copilot’s session'],
  trailer: ['Trailer', 'who is named in its commits'],
  line: ['Line', '“Requested by” in the description'],
  assignee: ['Assignee', 'the only person assigned'],
  asked: ['Asked first', 'the only person it asked for a review'],
  issue: ['Issue', 'who gave it the issue'],
  corrected: ['Said by hand', 'who was named by somebody who knows'],
};

/** How a figure's value is written. */
export type Unit = 'share' | 'hours' | 'lines' | 'mean' | 'files';

/** A value with its unit apart: "12.4" "h"; null without one. */
export function partsOf(value: number | null, unit: Unit): { figure: string; unit?: string } | null {
  if (value === null) return null;
  if (unit === 'share') return { figure: percentWords(value), unit: '%' };
  if (unit === 'hours') return durationParts(value);
  if (unit === 'mean') return { figure: formatMean(value) };
  const whole = Math.round(value);
  const noun = unit === 'lines' ? ['line', 'lines'] : ['file', 'files'];
  return { figure: formatCount(whole), unit: (whole === 1 ? noun[0] : noun[1]) ?? '' };
}

/** The same as one text. */
export function valueText(value: number | null, unit: Unit): string {
  const parts = partsOf(value, unit);
  if (parts === null) return NOT_AVAILABLE;
  return parts.unit === undefined ? parts.figure : `${parts.figure} ${parts.unit}`;
}
