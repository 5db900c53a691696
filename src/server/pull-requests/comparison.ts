import { type Kysely, sql } from 'kysely';
import type { ComparativeMetrics } from '#contract/pull-requests.ts';
import { ENOUGH_TO_COMPARE } from '#domain/metrics/thresholds.ts';
import { lastDays } from '#domain/period.ts';
import type { Compared } from '../db/compared.ts';
import type { Database } from '../db/database.ts';
import { asking, NO_PERSON } from '../metrics/asked.ts';
import { compile } from '../metrics/compile.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * Where a pull request stands among those that the team's people merged in the 90 days before its end, and against its author's
 * others of 180 days (docs/metrics.md#one-pull-request). The team's figures are null with fewer than `ENOUGH_TO_COMPARE` others.
 */
export async function comparisonOf(db: Kysely<Database>, scope: Scope, it: Compared): Promise<ComparativeMetrics> {
  const before = (days: number) => ({
    after: new Date(lastDays(it.end.getTime(), days).after),
    until: it.ends_now ? null : it.end,
  });
  const team = compile(
    asking(scope, it.end, 'UTC', { window: before(90), people: 'humans', compared: it }),
    {
      comparison_set_size: { metric: 'time_to_merge', statistic: 'n' },
      cycle_time_percentile: 'faster',
      size_percentile: 'smaller',
      team_p50_cycle_time: { metric: 'time_to_merge', statistic: 'p50' },
      team_p75_cycle_time: { metric: 'time_to_merge', statistic: 'p75' },
      team_p90_cycle_time: { metric: 'time_to_merge', statistic: 'p90' },
      team_p50_pr_size: { metric: 'merged_size', statistic: 'p50' },
    },
    'whole',
  );
  const author = compile(
    asking(scope, it.end, 'UTC', { window: before(180), person: it.author_id ?? NO_PERSON, compared: it }),
    {
      author_set_size: { metric: 'time_to_merge', statistic: 'n' },
      author_avg_cycle_time: 'time_to_merge',
      author_avg_pr_size: 'merged_size',
    },
    'whole',
  );
  const { rows } = await sql<ComparativeMetrics>`select * from ${team} team, ${author} author`.execute(db);
  const figures = rows[0]!;
  if (figures.comparison_set_size >= ENOUGH_TO_COMPARE) return figures;
  return {
    ...figures,
    cycle_time_percentile: null,
    size_percentile: null,
    team_p50_cycle_time: null,
    team_p75_cycle_time: null,
    team_p90_cycle_time: null,
    team_p50_pr_size: null,
  };
}
