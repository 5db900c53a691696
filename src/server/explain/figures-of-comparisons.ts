import { sql } from 'kysely';
import type { FigureKey } from '#domain/definitions.ts';
import { ENOUGH_TO_COMPARE } from '#domain/metrics/thresholds.ts';
import type { Compared } from '../db/compared.ts';
import { hoursToMerge } from '../db/hours-to-merge.ts';
import { type Figure, type Frame, figure, type Sql } from './figure.ts';
import { inScope } from './items.ts';

const TEAM_DAYS = 90;
const AUTHOR_DAYS = 180;

function comparedIn({ compared }: Frame): Compared {
  if (compared === null) throw new Error('A comparison is asked for without a pull request.');
  return compared;
}

/** What ended in the window before the end of the compared pull request, that one itself aside. */
const endedBefore = (condition: (frame: Frame) => Sql, value: (compared: Compared) => Sql) => (frame: Frame) => {
  const it = comparedIn(frame);
  return sql`
    select p.repository_id, p.number, p.ended_at as at, ${value(it)} as value
    from pull_requests p
    left join people author on author.id = p.author_id
    where ${inScope(frame)} and p.ended_at > ${frame.after} and ${it.ends_now ? sql`true` : sql`p.ended_at <= ${it.end}`}
      and (p.repository_id, p.number) <> (${it.repository_id}::int, ${it.number}::int) and ${condition(frame)}`;
};

const unvalued = () => sql`null::float8`;
const ofTeam = sql`author.kind = 'human'`;
const ofAuthor = (frame: Frame) => sql`p.author_id = ${comparedIn(frame).author_id}::int`;
const isMerged = sql`p.merged_at is not null`;

const amongTeam = (made: Figure['made'], value: (compared: Compared) => Sql): Figure => ({
  ...figure(
    TEAM_DAYS,
    made,
    endedBefore(() => sql`${isMerged} and ${ofTeam}`, value),
    {
      reason: 'Merged, by bots, agents and deleted accounts',
      rows: endedBefore(() => sql`${isMerged} and (${ofTeam}) is not true`, unvalued),
    },
    { reason: 'Closed without merging', rows: endedBefore(() => sql`p.merged_at is null`, unvalued) },
  ),
  at_least: ENOUGH_TO_COMPARE,
});
const amongAuthors = (value: () => Sql): Figure =>
  figure(
    AUTHOR_DAYS,
    'mean',
    endedBefore((frame) => sql`${isMerged} and ${ofAuthor(frame)}`, value),
    {
      reason: 'Closed without merging',
      rows: endedBefore((frame) => sql`p.merged_at is null and ${ofAuthor(frame)}`, unvalued),
    },
  );

const cycleTime = () => hoursToMerge;
const size = () => sql`p.lines_changed::float8`;

/** What one pull request is compared with (docs/metrics.md#one-pull-request). */
export const figuresOfComparisons = {
  'pull_request.cycle_time_percentile': amongTeam(
    'percent',
    ({ hours }) => sql`(${hoursToMerge} < ${hours}::float8)::int::float8`,
  ),
  'pull_request.size_percentile': amongTeam(
    'percent',
    ({ lines_changed }) => sql`(p.lines_changed < ${lines_changed}::int)::int::float8`,
  ),
  'pull_request.team_p50_cycle_time': amongTeam({ percentile: 0.5 }, cycleTime),
  'pull_request.team_p75_cycle_time': amongTeam({ percentile: 0.75 }, cycleTime),
  'pull_request.team_p90_cycle_time': amongTeam({ percentile: 0.9 }, cycleTime),
  'pull_request.team_p50_pr_size': amongTeam({ percentile: 0.5 }, size),
  'pull_request.author_avg_cycle_time': amongAuthors(cycleTime),
  'pull_request.author_avg_pr_size': amongAuthors(size),
} satisfies Partial<Record<FigureKey, Figure>>;
