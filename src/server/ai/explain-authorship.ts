import { type Kysely, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation, explainMetric } from '#contract/explain.ts';
import { type AuthorshipFigure, authorshipFigures } from '#domain/ai-authorship.ts';
import { hasPercentiles, wordsAt } from '#domain/ai-within-sizes.ts';
import type { Database } from '../db/database.ts';
import { invalidValue } from '../http/errors.ts';
import { countedOf, ownStatistic } from '../metrics/catalogue.ts';
import { pageOf, type Summary } from '../metrics/explain.ts';
import { compileLeftOutThings, compileThings, type Lines } from '../metrics/lines.ts';
import type { Asked } from '../metrics/sources/source.ts';
import {
  type AskedAuthorship,
  type AskedToExplain,
  authorshipAskedToExplain,
  linesIn,
  measuredBy,
  spanOf,
  windowTold,
} from './authorship.ts';
import { explainCredited } from './explain-credited.ts';
import { withinSizesExplanations } from './explain-within-sizes.ts';

type ExplainQuery = QueryOf<typeof explainMetric>;

/**
 * The figures of agents' pull requests beside people's, by the keys of their explanations: of a group, `part`, or of all groups that are
 * asked for, and of these sizes (docs/metrics.md#agents-pull-requests-beside-peoples). Within the same sizes they are
 * `ai.within_sizes.…`; who started agents' pull requests is `ai.credited`.
 */
export const authorshipExplanations = {
  ...Object.fromEntries(
    authorshipFigures.map((figure) => [
      `ai.${figure}`,
      async (db: Kysely<Database>, asked: AskedToExplain) => await explain(db, figure, asked),
    ]),
  ),
  ...withinSizesExplanations,
  'ai.credited': explainCredited,
};

/** @throws HttpError 400 for a window that makes no sense, or no group */
async function explain(
  db: Kysely<Database>,
  figure: AuthorshipFigure,
  toExplain: AskedToExplain,
): Promise<Explanation> {
  const { query } = toExplain;
  const question = await authorshipAskedToExplain(db, toExplain);
  const asked = { ...question.asked, window: spanOf(figure, question) };
  const metric = measuredBy[figure];
  const part = query.part ?? null;
  const percentile = hasPercentiles(figure) ? query.statistic : undefined;
  const lines = linesOf(figure, question, part, query.size);
  const line = part ?? 'all';
  const { summary, items } = await pageOf(
    db,
    compileThings(asked, lines, line),
    percentile === undefined ? 0.5 : Number(percentile.slice(1)) / 100,
    asked,
    query,
  );
  const isShareOfAll = figure === 'share_opened' || figure === 'share_merged';
  const all = isShareOfAll ? await countOf(db, asked, { ...lines, split: null }) : 0;
  const { made, leftOut = [] } = countedOf(metric);
  const { name, definition, unit } = wordsAt(figure, percentile);
  const value = percentile === undefined ? valueTold(figure, summary) : summary.percentile;
  return {
    metric: `ai.${figure}`,
    ...{ name, definition, unit, part },
    window: windowTold(figure, question),
    value: isShareOfAll ? (all === 0 ? null : summary.n / all) : value,
    mean: made === 'mean' ? summary.mean : null,
    median: made === 'mean' ? summary.median : null,
    n: summary.n,
    left_out: isShareOfAll
      ? [{ reason: 'Of the other groups', count: all - summary.n }]
      : await Promise.all(
          leftOut.map(async (things) => {
            const { rows } = await sql<{ count: number }>`
              select count from ${compileLeftOutThings(asked, lines, line, things)} left_out`.execute(db);
            return { reason: things.reason, count: rows[0]!.count };
          }),
        ),
    items,
    total: summary.n,
    hasMore: query.offset + items.length < summary.n,
  };
}

function linesOf(
  figure: AuthorshipFigure,
  question: AskedAuthorship,
  part: string | null,
  size: ExplainQuery['size'],
): Lines {
  const { split, only } = linesIn(question);
  if (part !== null && question.by === 'group' && !question.authorship.some((group) => group === part))
    throw invalidValue('part', `must be one of: ${question.authorship.join(', ')}`);
  const metric = measuredBy[figure];
  return {
    ...{ metric, statistic: ownStatistic(metric), shown: null },
    split: part === null ? null : split,
    only: { ...only, ...(size && { size }) },
  };
}

function valueTold(figure: AuthorshipFigure, { n, mean, median }: Summary): number | null {
  const metric = measuredBy[figure];
  if (ownStatistic(metric) === 'p50') return median;
  return countedOf(metric).made === 'count' ? n : mean;
}

async function countOf(db: Kysely<Database>, asked: Asked, lines: Lines): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${compileThings(asked, lines, 'all')}) things`.execute(db);
  return rows[0]!.count;
}
