import { type Kysely, sql } from 'kysely';
import type { AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import { liftOf } from '#domain/ai-reviewers.ts';
import { fates } from '#domain/reviewer-acts.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { bucketsOf } from '#domain/trends.ts';
import type { Database } from '../db/database.ts';
import { compile } from '../metrics/compile.ts';
import { type SeenReviewer, viewOf } from '../metrics/seen-reviewers.ts';
import { beforeAfterOf, groupsOf } from './human-time.ts';
import {
  allColumns,
  besidePeople,
  comparedColumns,
  comparedIn,
  controlOf,
  fatesIn,
  figuresOf,
  type Numbers,
  spreadIn,
  told,
} from './reviewers.ts';
import type { AskedReviewers } from './reviewers-view.ts';

/** One AI reviewer over the window, by week and by size, with the time of people beside it (docs/metrics.md#ai-reviewers). */
export async function reviewerInDepth(
  db: Kysely<Database>,
  reviewers: AskedReviewers,
  seen: SeenReviewer,
): Promise<AiReviewerInDepth> {
  const [control, figures, series, sizes, groups, before_after] = await Promise.all([
    controlOf(db, reviewers),
    figuresOf(db, reviewers, seen),
    seriesOf(db, reviewers, seen),
    sizesOf(db, reviewers, seen),
    groupsOf(db, reviewers, seen),
    beforeAfterOf(db, reviewers, seen),
  ]);
  return { ...besidePeople(seen, figures, control), series, sizes, groups, before_after };
}

/** The columns of some figures, with what is told beside them. */
const columnsOf = (figures: readonly string[]) =>
  Object.fromEntries(Object.entries(allColumns).filter(([name]) => figures.includes(name.split(' ')[0]!)));

const weeklyOfPeople = columnsOf(['acted_on', 'noise', 'findings_per_pr', ...fates]);
const weekly = { ...weeklyOfPeople, ...columnsOf(['coverage']) };
const bySize = { ...comparedColumns, ...columnsOf(['coverage']) };

async function seriesOf(
  db: Kysely<Database>,
  { of, window, timeZone, now }: AskedReviewers,
  seen: SeenReviewer,
): Promise<AiReviewerInDepth['series']> {
  const weeks = bucketsOf(window, 'week', timeZone, now.getTime());
  const starts = weeks.map(({ from }) => new Date(from));
  const [own, people] = await Promise.all([
    sql<Numbers>`select * from ${compile(of(viewOf(seen)), weekly, { starts })} weeks order by key`.execute(db),
    sql<Numbers>`select * from ${compile(of('people'), weeklyOfPeople, { starts })} weeks order by key`.execute(db),
  ]);
  const alike = (numbers: Numbers) => ({
    acted_on: told(numbers, 'acted_on'),
    noise: told(numbers, 'noise'),
    findings_per_pr: spreadIn(numbers),
    fates: fatesIn(numbers),
  });
  return weeks.map(({ date }, at) => ({
    week: date,
    coverage: told(own.rows[at], 'coverage'),
    ...alike(own.rows[at]!),
    control: alike(people.rows[at]!),
  }));
}

async function sizesOf(
  db: Kysely<Database>,
  { of }: AskedReviewers,
  seen: SeenReviewer,
): Promise<AiReviewerInDepth['sizes']> {
  type Sized = Numbers & { readonly key: string };
  const [own, people] = await Promise.all([
    sql<Sized>`select * from ${compile(of(viewOf(seen)), bySize, 'size')} sizes`.execute(db),
    sql<Sized>`select * from ${compile(of('people'), comparedColumns, 'size')} sizes`.execute(db),
  ]);
  return sizeBuckets.map((size) => {
    const [numbers, theirs] = [own, people].map(({ rows }) => rows.find(({ key }) => (key as string) === size));
    const [figures, control] = [comparedIn(numbers), comparedIn(theirs)];
    return {
      size,
      ...figures,
      coverage: told(numbers, 'coverage'),
      control,
      lift: liftOf(figures.acted_on, control.acted_on),
    };
  });
}
