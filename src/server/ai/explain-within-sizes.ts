import { type Kysely, sql } from 'kysely';
import type { Explanation } from '#contract/explain.ts';
import { groupName } from '#domain/ai-authorship.ts';
import { ENOUGH_OF_A_SIZE } from '#domain/ai-reviewers.ts';
import {
  compareWithinSizes,
  type FigureWithinSizes,
  figuresWithinSizes,
  NO_TRACE,
  wordsWithinSizes,
} from '#domain/ai-within-sizes.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import type { Database } from '../db/database.ts';
import { invalidValue } from '../http/errors.ts';
import { countedOf, ownStatistic } from '../metrics/catalogue.ts';
import { explainSides } from '../metrics/explain-sides.ts';
import { compileLeftOutThings, compileThings, type Lines } from '../metrics/lines.ts';
import {
  type AskedAuthorship,
  type AskedToExplain,
  authorshipAskedToExplain,
  figureBySize,
  linesIn,
  measuredBy,
  spanOf,
  windowTold,
} from './authorship.ts';

/** A figure of a group within the sizes in which it is compared, beside that of pull requests without a trace, by the keys of its explanations. */
export const withinSizesExplanations = Object.fromEntries(
  figuresWithinSizes.map((figure) => [
    `ai.within_sizes.${figure}`,
    async (db: Kysely<Database>, asked: AskedToExplain) => await explain(db, figure, asked),
  ]),
);

/** @throws HttpError 400 for a window that makes no sense, or where no group is named that is compared */
async function explain(
  db: Kysely<Database>,
  figure: FigureWithinSizes,
  toExplain: AskedToExplain,
): Promise<Explanation> {
  const { query } = toExplain;
  const { statistic: percentile = 'p50' } = query;
  const question = await authorshipAskedToExplain(db, toExplain);
  const group = groupIn(question, query.group);
  const byGroup = { ...question, by: 'group' as const };
  const [own, ofGroups] = await Promise.all([figureBySize(db, question, figure), figureBySize(db, byGroup, figure)]);
  const { sizes, ...sides } = compareWithinSizes(
    sizeBuckets
      .filter((size) => query.size?.includes(size) ?? true)
      .map((size) => ({ size, group: own(group, size), no_trace: ofGroups(NO_TRACE, size) })),
    percentile,
  );
  const asked = { ...question.asked, window: spanOf(figure, question) };
  const compared = sizes.filter(({ weight }) => weight > 0).map(({ size }) => size);
  const few = sizes.filter(({ weight }) => weight === 0);
  const { leftOut = [] } = countedOf(measuredBy[figure]);
  const told = await Promise.all(
    (
      [
        { part: 'group', line: group, of: question },
        { part: 'no_trace', line: NO_TRACE, of: byGroup },
      ] as const
    ).map(async ({ part, line, of }) => {
      const name = groupName(line);
      const lines = linesOf(figure, of, query.size);
      const things = compileThings(asked, { ...lines, only: { ...lines.only, size: compared } }, line);
      const without = leftOut.map(async (each) => {
        const { rows } = await sql<{ count: number }>`
          select count from ${compileLeftOutThings(asked, lines, line, each)} left_out`.execute(db);
        return { reason: `${each.reason}: ${name}`, count: rows[0]!.count };
      });
      return {
        side: { part, name, ...sides[part] },
        things: sql`select things.*, ${part}::text as part from (${things}) things`,
        leftOut: [
          ...(await Promise.all(without)),
          {
            reason: `Of sizes with fewer than ${ENOUGH_OF_A_SIZE} on one side: ${name}`,
            count: few.reduce((sum, size) => sum + size[part].n, 0),
          },
        ],
      };
    }),
  );
  const { name, definition, unit } = wordsWithinSizes(figure, percentile);
  const [one, other] = [sides.group.value, sides.no_trace.value];
  return {
    metric: `ai.within_sizes.${figure}`,
    ...{ name, definition, unit, part: query.part ?? group },
    window: windowTold(figure, question),
    ...(await explainSides(db, asked, query, {
      sides: told.map(({ side }) => side),
      value: one === null || other === null ? null : one - other,
      things: sql.join(
        told.map(({ things }) => things),
        sql` union all `,
      ),
      leftOut: told.flatMap((each) => each.leftOut),
    })),
    sizes: sizes.map(({ size, weight, ...each }) => ({
      ...{ size, weight },
      sides: told.map(({ side: { part } }) => ({ part, ...each[part] })),
    })),
  };
}

/** The group or tool that is compared. */
function groupIn({ by, authorship }: AskedAuthorship, group: string | undefined): string {
  const groups: readonly string[] = authorship.filter((one) => one !== NO_TRACE);
  if (group === undefined || (by === 'group' && !groups.includes(group)))
    throw invalidValue('group', by === 'group' ? `must be one of: ${groups.join(', ')}` : 'must be a tool');
  return group;
}

function linesOf(figure: FigureWithinSizes, question: AskedAuthorship, size: readonly string[] | undefined): Lines {
  const { split, only } = linesIn(question);
  const metric = measuredBy[figure];
  return {
    ...{ metric, statistic: ownStatistic(metric), split, shown: null },
    only: { ...only, ...(size && { size }) },
  };
}
