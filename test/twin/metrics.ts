import type { AuthorshipMetric } from '#domain/ai-authorship.ts';
import type { MetricKey } from '#domain/metrics/metric.ts';
import type { PersonRef } from '#domain/pull-request.ts';
import { dateOf, meanOf, percentileOf } from './arithmetic.ts';
import {
  humanFindings,
  independentReviews,
  isFailing,
  isMergedOfAgent,
  isOnOwnWord,
  isTried,
  shareByAgents,
} from './outcomes.ts';
import { AWAITING, DAY, HOUR, isHuman, STUCK, type TwinPull } from './pull-request.ts';
import { halfOf, measuring } from './signals.ts';

/** One thing that a metric counts. */
export interface Thing {
  readonly on: TwinPull;
  readonly at: number;
  readonly person: PersonRef | null;
  readonly value: number | null;
  /** What makes it another one; absent: it is one by itself, null: it is none. */
  readonly key?: string | null;
}

/** Whose view: of the team reviews by bots and agents are none, of people theirs are. */
export type View = 'team' | 'people';

const address = ({ repository, pull }: TwinPull) => `${repository}#${pull.number}`;
const isOpen = ({ pull }: TwinPull) => pull.state === 'open';
const isMerged = ({ pull }: TwinPull) => pull.state === 'merged';
const yes = (fits: boolean) => (fits ? 1 : 0);

type Things = (pulls: readonly TwinPull[], view: View, now: number, zone: string) => Thing[];

const authored =
  (
    at: (pull: TwinPull) => number | null,
    value: (pull: TwinPull) => number | null = () => null,
    counts: (pull: TwinPull, now: number) => boolean = () => true,
  ): Things =>
  (pulls, _view, now) =>
    pulls.flatMap((on) => {
      const moment = at(on);
      return moment === null || !counts(on, now) ? [] : [{ on, at: moment, person: on.pull.author, value: value(on) }];
    });
const opened = (value?: (pull: TwinPull) => number | null, counts?: (pull: TwinPull) => boolean) =>
  authored(({ createdAt }) => createdAt, value, counts);
const ended = (value?: (pull: TwinPull) => number | null, counts?: (pull: TwinPull) => boolean) =>
  authored(({ endedAt }) => endedAt, value, counts);

interface Given extends Thing {
  readonly by: PersonRef;
  readonly comments: number;
  readonly state: string;
}
function given(pulls: readonly TwinPull[], view: View): Given[] {
  return pulls.flatMap((on) =>
    [...on.counting, ...(view === 'people' ? on.automated : [])].map(({ at, by, response, comments, review }) => ({
      on,
      at,
      by,
      person: by,
      value: response,
      comments,
      state: review.state,
    })),
  );
}

/** Everything in timelines, and inline comments where they are asked for. */
function happenings(pulls: readonly TwinPull[], now: number, withInline: boolean): Thing[] {
  return pulls.flatMap((on) => [
    ...on.moments.map(({ at, by }) => ({ on, at, person: by, value: null })),
    ...on.pull.comments
      .filter(({ kind, reviewId }) => withInline && kind === 'inline' && reviewId !== null)
      .map(({ createdAt, author }) => ({ on, at: Math.min(createdAt, now), person: author, value: null })),
  ]);
}

function commits(pulls: readonly TwinPull[], now: number): Thing[] {
  return pulls.flatMap((on) =>
    on.pull.commits
      .filter(({ author, authorIsBot }) => !(authorIsBot && isHuman(author)))
      .map(({ authoredAt, author, sha }) => ({
        on,
        at: Math.min(authoredAt, now),
        person: author,
        value: null,
        key: sha,
      })),
  );
}

function doings(pulls: readonly TwinPull[], now: number): Thing[] {
  return [
    ...opened()(pulls, 'people', now, 'UTC'),
    ...commits(pulls, now),
    ...given(pulls, 'people').map(({ on, at, person }) => ({ on, at, person, value: null })),
    ...pulls.flatMap((on) =>
      on.pull.comments.map(({ createdAt, author }) => ({
        on,
        at: Math.min(createdAt, now),
        person: author,
        value: null,
      })),
    ),
  ];
}

/** Of each metric the things that it counts, of all time; a state's are those that are in it now. */
export const things: Readonly<
  Record<
    Exclude<MetricKey, 'faster' | 'smaller' | 'review_ratio' | 'from_outside' | 'to_outside'> | AuthorshipMetric,
    Things
  >
> = {
  opened: opened(),
  opened_small: opened(undefined, ({ size }) => size < 200),
  size: opened(({ size }) => size),
  large_share: opened(({ size }) => yes(size > 500)),
  merged: ended(undefined, isMerged),
  closed: ended(undefined, (pull) => !isMerged(pull)),
  merge_rate: ended((pull) => yes(isMerged(pull))),
  time_to_merge: ended(({ mergeHours }) => mergeHours, isMerged),
  merged_size: ended(({ size }) => size, isMerged),
  rounds: ended(
    ({ rounds }) => rounds,
    (pull) => isMerged(pull) && pull.counting.length > 0,
  ),
  first_time_approval_rate: ended(
    ({ approvedFirst }) => yes(approvedFirst === true),
    ({ approvedFirst }) => approvedFirst !== null,
  ),
  approval_rate: (pulls) =>
    pulls.flatMap((on) =>
      [on.createdAt, on.endedAt].flatMap((at) =>
        at === null || on.latestOpinion === null
          ? []
          : [{ on, at, person: on.pull.author, value: yes(on.latestOpinion === 'approved'), key: address(on) }],
      ),
    ),
  open: opened(undefined, isOpen),
  stuck: authored(
    ({ createdAt }) => createdAt,
    undefined,
    (pull, now) => isOpen(pull) && now - pull.createdAt > STUCK,
  ),
  awaiting: authored(
    ({ createdAt }) => createdAt,
    undefined,
    ({ pull, phases: { turn } }, now) =>
      pull.state === 'open' && !pull.draft && turn?.on === 'reviewers' && now - turn.since > AWAITING,
  ),
  stale: authored(
    ({ createdAt }) => createdAt,
    undefined,
    (on, now) => isOpen(on) && !on.pull.draft && now - on.humanActivityAt >= 7 * DAY,
  ),
  time_to_first_review: authored(
    ({ firstReviewAt }) => firstReviewAt,
    ({ firstReviewHours }) => firstReviewHours,
  ),
  reviews: given,
  counting_reviews: (pulls) => given(pulls, 'team'),
  response_time: (pulls, view) => given(pulls, view).filter(({ value }) => value !== null),
  complex_reviews: (pulls, view) =>
    given(pulls, view).filter(({ comments, state }) => comments >= 5 || state === 'changes_requested'),
  pull_requests_reviewed: (pulls, view) => given(pulls, view).map((review) => ({ ...review, key: address(review.on) })),
  developers_helped: (pulls, view) =>
    given(pulls, view).flatMap((review) => {
      const { author } = review.on.pull;
      return isHuman(author) ? [{ ...review, key: author.id }] : [];
    }),
  active_reviewers: (pulls, view) => given(pulls, view).map((review) => ({ ...review, key: review.by.id })),
  reviews_received: (pulls) => given(pulls, 'team').map((review) => ({ ...review, person: review.on.pull.author })),
  outstanding_reviews: (pulls) =>
    pulls
      .filter((on) => isOpen(on) && !on.pull.draft)
      .flatMap((on) =>
        on.pull.requested.map((request) => ({
          on,
          at: on.createdAt,
          person: 'person' in request ? request.person : null,
          value: null,
        })),
      ),
  contributors: (pulls, _view, now) =>
    happenings(pulls, now, true).flatMap((thing) =>
      isHuman(thing.person) ? [{ ...thing, key: thing.person.id }] : [],
    ),
  active_pull_requests: (pulls, _view, now) =>
    happenings(pulls, now, false).map((thing) => ({ ...thing, key: address(thing.on) })),
  active_days: (pulls, _view, now, zone) =>
    doings(pulls, now).map((thing) => ({ ...thing, key: dateOf(zone, thing.at) })),
  contributions: (pulls, _view, now) => doings(pulls, now),
  commits: (pulls, _view, now) => commits(pulls, now),
  repositories: (pulls) =>
    [...opened()(pulls, 'people', 0, 'UTC'), ...given(pulls, 'people')].map((thing) => ({
      ...thing,
      key: thing.on.repository,
    })),
  code_area_share: (pulls) =>
    pulls.filter(isMerged).flatMap((on) => {
      const lines = new Map<string, number>();
      for (const { path, additions, deletions } of on.pull.files) {
        const area = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
        lines.set(area, (lines.get(area) ?? 0) + additions + deletions);
      }
      return [...lines.values()]
        .filter((value) => value > 0)
        .map((value) => ({ on, at: on.endedAt!, person: on.pull.author, value }));
    }),
  changed_files: opened(
    ({ pull }) => pull.changedFiles,
    ({ pull }) => pull.changedFiles !== null,
  ),
  commits_by_agent: opened(shareByAgents, (on) => shareByAgents(on) !== null),
  merged_on_own_word: ended((on) => yes(isOnOwnWord(on)), isMergedOfAgent),
  independent_reviews: ended(independentReviews, isMergedOfAgent),
  waiting_for_review_time: ended(({ phases }) => phases.waiting / HOUR),
  review_cycles: ended(
    ({ rounds }) => rounds,
    ({ counting }) => counting.length > 0,
  ),
  human_findings: ended(humanFindings),
  failing_at_last_push: ended(
    (on) => yes(isFailing(on) === true),
    (on) => isFailing(on) !== null,
  ),
  tried: ended(undefined, isTried),
};

/** What is so now, and had no moment. */
export const states = ['open', 'stuck', 'awaiting', 'stale', 'outstanding_reviews', 'repositories'];

/** How many were open, or stuck, at an instant of the past. */
export function inState(metric: string, pulls: readonly TwinPull[], at: number): number {
  // Stuck is what is older, not what is exactly as old.
  const since = metric === 'stuck' ? STUCK + 1 : 0;
  return pulls.filter(({ createdAt, endedAt }) => createdAt + since < at && (endedAt === null || endedAt >= at)).length;
}

/** How many things these are. */
export function countOf(counted: readonly Thing[]): number {
  const alone = counted.filter(({ key }) => key === undefined).length;
  return alone + new Set(counted.flatMap(({ key }) => key ?? [])).size;
}

const means = [
  ...['size', 'time_to_merge', 'merged_size', 'rounds', 'time_to_first_review', 'response_time'],
  ...['changed_files', 'commits_by_agent', 'independent_reviews', 'waiting_for_review_time', 'review_cycles'],
  'human_findings',
];
const shares = ['large_share', 'merge_rate', 'merged_on_own_word', 'failing_at_last_push'];

/** What is said of the things of one group, of all of which together `total` is the sum of values. */
export function statisticsOf(metric: string, counted: readonly Thing[], total: number, isSignal = false) {
  const n = countOf(counted);
  const values = counted.flatMap(({ value }) => value ?? []);
  const mean = meanOf(values);
  const isMean = [...means, ...measuring].includes(metric);
  const isShare = shares.includes(metric) || (isSignal && metric !== 'concentration');
  const isPercent = ['first_time_approval_rate', 'approval_rate'].includes(metric);
  const percent = n === 0 ? null : (100 * countOf(counted.filter(({ value }) => value === 1))) / n;
  const sum = values.reduce((all, value) => all + value, 0);
  if (metric === 'concentration') return { value: halfOf(counted), n, mean: null, p50: null, p75: null, p90: null };
  const ownValue = isPercent ? percent : isMean || isShare ? mean : n;
  const percentile = (share: number) => (isMean ? percentileOf(values, share) : null);
  return {
    value: metric === 'code_area_share' ? (values.length === 0 ? null : (100 * sum) / total) : ownValue,
    n,
    mean: isMean ? mean : null,
    p50: percentile(0.5),
    p75: percentile(0.75),
    p90: percentile(0.9),
  };
}
