import type { RepositoryName } from './people.ts';

/** How the pull requests of people get reviewed and merged in a repository. Shares are between 0 and 1. */
export interface Practice {
  /** Merged though nobody looked. */
  readonly unreviewed: number;
  /** Merged after somebody commented, with no approval. */
  readonly unapproved: number;
  /** Approved within minutes, without a word. */
  readonly stamped: number;
  /** Of approvals, those without a word. */
  readonly silence: number;
  /** Commented and pushed to again and again before the approval. */
  readonly debated: number;
  /** Of those whom somebody passing by reviews: they ask for changes, and it is merged with the other approval. */
  readonly objections: number;
  /** Pushed to between the approval and the merge. */
  readonly latePushes: number;
  /** Reverted later, and followed by a fix of the same files within days. */
  readonly reverted: number;
  readonly followedUp: number;
  /** Multiplies the lines changed. */
  readonly size: number;
  /** Hours until somebody gets to the first review, at the least and at the most; nights and weekends come on top. */
  readonly firstReview: readonly [least: number, most: number];
  /** The login of whoever gives nearly all reviews; null where several do. */
  readonly soleReviewer: string | null;
}

/** 60 % of approvals say nothing. */
export const SILENCE = 0.6;

const USUAL: Practice = {
  unreviewed: 0,
  unapproved: 0,
  stamped: 0,
  silence: SILENCE,
  debated: 0.01,
  objections: 0.16,
  latePushes: 0.12,
  reverted: 0.012,
  followedUp: 0.02,
  size: 1,
  firstReview: [0, Number.POSITIVE_INFINITY],
  soleReviewer: null,
};

/** A quarter before a launch: large changes, merged after a glance. */
const HURRY: Practice = {
  ...USUAL,
  unreviewed: 0.12,
  unapproved: 0.36,
  stamped: 0.2,
  latePushes: 0.3,
  reverted: 0.05,
  followedUp: 0.12,
  size: 2.5,
  firstReview: [3, Number.POSITIVE_INFINITY],
};

/** What the team agreed on after it: an approval before every merge, and small pull requests. */
const CARE: Practice = {
  ...USUAL,
  silence: 0.2,
  objections: 0.02,
  latePushes: 0.05,
  reverted: 0.006,
  followedUp: 0.01,
  size: 0.28,
  firstReview: [0, 1.5],
};

interface Period {
  readonly repositories: readonly RepositoryName[];
  /** Weeks of the demo's history: the first, and the one in which it is over. */
  readonly from: number;
  readonly until: number;
  readonly practice: Practice;
}

/** The week in which the field team changes how it works: six weeks before the demo is opened for the first time. */
export const CHANGE_WEEK = 72;

/** Before the change, the team's hurry lasted a little over a quarter. */
const HURRY_WEEKS = 15;

const PERIODS: readonly Period[] = [
  {
    repositories: ['courier', 'courier-web'],
    from: CHANGE_WEEK - HURRY_WEEKS,
    until: CHANGE_WEEK,
    practice: HURRY,
  },
  {
    repositories: ['courier', 'courier-web'],
    from: CHANGE_WEEK,
    until: Number.POSITIVE_INFINITY,
    practice: CARE,
  },
  // Its few maintainers merge what they write.
  {
    repositories: ['depot-tools'],
    from: 40,
    until: Number.POSITIVE_INFINITY,
    practice: { ...USUAL, unreviewed: 0.55 },
  },
  // One person has come to review all of the infrastructure.
  {
    repositories: ['quayside'],
    from: 50,
    until: Number.POSITIVE_INFINITY,
    practice: { ...USUAL, soleReviewer: 'aleks-w' },
  },
];

export function practiceOf(repository: RepositoryName, week: number): Practice {
  const period = PERIODS.find((one) => one.repositories.includes(repository) && week >= one.from && week < one.until);
  return period?.practice ?? USUAL;
}
