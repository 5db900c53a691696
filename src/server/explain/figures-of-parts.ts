import { sql } from 'kysely';
import { CALENDAR_DAYS } from '#domain/activity-calendar.ts';
import { dateIn, lastCalendarDays } from '#domain/calendar-days.ts';
import type { FigureKey } from '#domain/definitions.ts';
import { lastSixWeeks } from '#domain/period.ts';
import { type SizeBucket, sizeBuckets } from '#domain/size.ts';
import { contributions } from '../metrics/contributions.ts';
import { type Figure, type Frame, figure, nothing, type Part, type Parts, type Sql } from './figure.ts';
import { closedUnmerged, given, inScope, latestPerKey, others, pulls, replies } from './items.ts';

const linesOf: Readonly<Record<SizeBucket, Sql>> = {
  '0-50': sql`p.lines_changed <= 50`,
  '51-200': sql`p.lines_changed between 51 and 200`,
  '201-500': sql`p.lines_changed between 201 and 500`,
  '501-1000': sql`p.lines_changed between 501 and 1000`,
  '1000+': sql`p.lines_changed > 1000`,
};
const sizes: Parts = {
  named: () => `a size: ${sizeBuckets.join(', ')}`,
  find: (name) => (sizeBuckets.some((bucket) => bucket === name) ? { name } : null),
};

/** The days of the calendar; the last goes on for as long as now lasts, for a date later than now counts as now. */
const days: Parts = {
  named: ({ now, time_zone }) => {
    const all = daysOf(now, time_zone);
    return `one of the last ${CALENDAR_DAYS} days: ${all[0]!.name} to ${all.at(-1)!.name}`;
  },
  find: (name, { now, time_zone }) => daysOf(now, time_zone).find((day) => day.name === name) ?? null,
};
const daysOf = (now: Date, timeZone: string): Part[] =>
  lastCalendarDays(now.getTime(), CALENDAR_DAYS, timeZone).map(({ date, from, to }, index) => ({
    name: date,
    from,
    to: index === CALENDAR_DAYS - 1 ? null : to,
  }));

/** Half-open the other way round, as all windows are: after `from`, up to and including `to`. */
const weeks: Parts = {
  named: ({ now, time_zone }) => {
    const names = weeksOf(now, time_zone).map(({ name }) => name);
    return `the first day of one of the last six weeks: ${names.join(', ')}`;
  },
  find: (name, { now, time_zone }) => weeksOf(now, time_zone).find((week) => week.name === name) ?? null,
};
const weeksOf = (now: Date, timeZone: string): Part[] =>
  lastSixWeeks(now.getTime()).map(({ after, until }) => ({
    name: dateIn(timeZone, after),
    from: after,
    to: until === now.getTime() ? null : until,
  }));

const hourName = /^([1-7])-(\d|1\d|2[0-3])$/;
const hours: Parts = {
  named: () => 'a weekday and an hour: 1-0, Monday at midnight, to 7-23',
  find: (name) => (hourName.test(name) ? { name } : null),
};

/** The first two folders of a path, as the figure itself takes them. */
const areas: Parts = {
  named: () => 'a folder, at most two levels deep, or . for the root',
  find: (name) => (/^[^/]+(\/[^/]+)?$/.test(name) ? { name } : null),
};

const reviewers: Parts = { named: () => 'the login of a reviewer', find: (name) => ({ name }), arePeople: true };

function partOf({ part }: Frame): Part {
  if (part === null) throw new Error('A figure of many parts is asked for without one.');
  return part;
}

const upTo = (column: Sql, { to }: Part) => (to == null ? sql`true` : sql`${column} <= ${new Date(to)}`);
const inWeek = (column: Sql, condition: Sql) => (frame: Frame) => {
  const week = partOf(frame);
  return sql`${column} > ${new Date(week.from!)} and ${upTo(column, week)} and ${condition}`;
};

/** Of rows with a moment those at the part's weekday and hour of the viewer's time zone. */
const atHour = (rows: (frame: Frame) => Sql) => (frame: Frame) => {
  const [, weekday, hour] = hourName.exec(partOf(frame).name)!;
  return sql`
    select repository_id, number, at, ${nothing} as value from (
      select *, least(at, ${frame.now}::timestamptz) at time zone ${frame.time_zone} as local from (${rows(frame)}) every
    ) placed
    where extract(isodow from local) = ${Number(weekday)} and extract(hour from local) = ${Number(hour)}`;
};

/** What counts on a day: each sha once, all else each time. */
const onDay = latestPerKey(sql`coalesce(sha, '#' || row_number() over ())`, (frame) => {
  const { from, to } = partOf(frame);
  return contributions(
    ({ person, at }) =>
      sql`${frame.scope.filter()} and ${person} = ${frame.person_id}
        and ${at} >= ${new Date(from!)} and ${to == null ? sql`true` : sql`${at} < ${new Date(to)}`}`,
    true,
  );
});

const reviewsBy = (condition: Sql) => (frame: Frame) =>
  sql`
  select r.repository_id, r.number, r.submitted_at as at, ${nothing} as value
  from reviews r
  join pull_requests p on p.repository_id = r.repository_id and p.number = r.number
  where ${inScope(frame)} and ${frame.scope.filter('r')}
    and r.author_id = ${partOf(frame).person_id!} and p.author_id = ${frame.person_id}
    and r.submitted_at > ${frame.after} and ${condition}`;

/** Merged pull requests with the lines that they changed in the area, or anywhere. */
const linesIn = (area: (frame: Frame) => Sql) => (frame: Frame) =>
  sql`
  select p.repository_id, p.number, p.ended_at as at, sum(file.additions + file.deletions)::float8 as value
  from pull_requests p
  join changed_files file on file.repository_id = p.repository_id and file.number = p.number
  where ${inScope(frame)} and p.author_id = ${frame.person_id} and p.ended_at > ${frame.after} and p.merged_at is not null
    and ${area(frame)}
  group by p.repository_id, p.number
  having sum(file.additions + file.deletions) > 0`;
const inArea = (frame: Frame) =>
  sql`coalesce(substring(file.path from '^([^/]*(?:/[^/]*)?)/'), '.') = ${partOf(frame).name}`;

/** The figures that are drawn in many parts, each of which is one number over pull requests (docs/metrics.md#one-person). */
export const figuresOfParts = {
  'contributor.pr_size_distribution': {
    ...figure(
      'period',
      'count',
      pulls(
        sql`p.created_at`,
        nothing,
        (frame) => sql`p.created_at > ${frame.after} and ${linesOf[partOf(frame).name as SizeBucket]}`,
      ),
    ),
    parts: sizes,
  },
  'contributor.activity_calendar': { ...figure(null, 'count', onDay), parts: days },
  'contributor.review_heatmap': {
    ...figure(
      90,
      'count',
      atHour(given),
      { reason: replies.reason, rows: atHour(replies.rows) },
      { reason: others.reason, rows: atHour(others.rows) },
    ),
    parts: hours,
  },
  'contributor.top_reviewed_by': {
    ...figure('period', 'count', reviewsBy(sql`r.counts`), {
      reason: replies.reason,
      rows: reviewsBy(sql`r.is_reply`),
    }),
    parts: reviewers,
  },
  'contributor.code_ownership_areas': {
    ...figure('period', { of: linesIn(() => sql`true`) }, linesIn(inArea), closedUnmerged),
    parts: areas,
  },
  'contributor.velocity_opened': {
    ...figure(null, 'count', pulls(sql`p.created_at`, nothing, inWeek(sql`p.created_at`, sql`true`))),
    parts: weeks,
  },
  'contributor.velocity_merged': {
    ...figure(null, 'count', pulls(sql`p.ended_at`, nothing, inWeek(sql`p.ended_at`, sql`p.merged_at is not null`)), {
      reason: closedUnmerged.reason,
      rows: pulls(sql`p.ended_at`, nothing, inWeek(sql`p.ended_at`, sql`p.merged_at is null`)),
    }),
    parts: weeks,
  },
} satisfies Partial<Record<FigureKey, Figure>>;
