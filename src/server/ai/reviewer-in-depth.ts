import type { Kysely } from 'kysely';
import type { AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import { liftOf } from '#domain/ai-reviewers.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { bucketsOf } from '#domain/trends.ts';
import type { Database } from '../db/database.ts';
import { PEOPLE_LINE } from '../metrics/dimensions.ts';
import type { SeenReviewer } from '../metrics/seen-reviewers.ts';
import { beforeAfterOf, groupsOf } from './human-time.ts';
import {
  besidePeople,
  comparedIn,
  coverageOf,
  figuresIn,
  firstActsOf,
  foundBy,
  type Numbers,
  told,
} from './reviewers.ts';
import type { AskedReviewers } from './reviewers-view.ts';

/** The ways in which it is told, by their numbers. */
const WEEKS = 1;
const SIZES = 2;

/** One AI reviewer over the window, by week and by size, with the time of people beside it (docs/metrics.md#ai-reviewers). */
export async function reviewerInDepth(
  db: Kysely<Database>,
  reviewers: AskedReviewers,
  seen: SeenReviewer,
): Promise<AiReviewerInDepth> {
  const { window, timeZone, now } = reviewers;
  const weeks = bucketsOf(window, 'week', timeZone, now.getTime());
  const ways = [{ starts: weeks.map(({ from }) => new Date(from)) }, 'size'] as const;
  const [found, coverage, firstActs, groups, before_after] = await Promise.all([
    foundBy(db, reviewers, [seen], ways),
    coverageOf(db, reviewers, seen, ways),
    firstActsOf(db, reviewers, seen),
    groupsOf(db, reviewers, seen),
    beforeAfterOf(db, reviewers, seen),
  ]);
  const coverageIn = (way?: number, key?: string) => told(coverage('all', way, key), 'coverage');
  const figures = figuresIn({ ...coverage('all'), ...firstActs, ...found(seen.tool) });
  return {
    ...besidePeople(seen, figures, comparedIn(found(PEOPLE_LINE))),
    series: weeks.map(({ date }, at) => {
      const week = String(at + 1);
      return {
        week: date,
        coverage: coverageIn(WEEKS, week),
        ...weeklyIn(found(seen.tool, WEEKS, week)),
        control: weeklyIn(found(PEOPLE_LINE, WEEKS, week)),
      };
    }),
    sizes: sizeBuckets.map((size) => {
      const own = comparedIn(found(seen.tool, SIZES, size));
      const control = comparedIn(found(PEOPLE_LINE, SIZES, size));
      const lift = liftOf(own.acted_on, control.acted_on);
      return { size, ...own, coverage: coverageIn(SIZES, size), control, lift };
    }),
    groups,
    before_after,
  };
}

function weeklyIn(numbers: Numbers | undefined): AiReviewerInDepth['series'][number]['control'] {
  const { acted_on, noise, findings_per_pr, fates } = comparedIn(numbers);
  return { acted_on, noise, findings_per_pr, fates };
}
