import type { ReviewLoadRow } from '#contract/team.ts';
import { counted } from '#domain/counted.ts';
import { BarPairs, BarPairsKey } from '../../charts/bar-pairs.tsx';
import { Chart } from '../../charts/chart.tsx';
import { Explain } from '../../explain/explain.tsx';
import type { Choice, WindowWords } from '../../filters/choice-of-figures.ts';
import { Card } from '../../kit/card.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { accountsWords } from '../../people/accounts-foot.tsx';
import { PeopleFigures, partOf } from '../../people/people-figures.tsx';
import { personKeys } from '../../people/person-keys.ts';
import { bothNames, nameOf, shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatMoment } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './review-load.module.css';

const WEEK = 7 * 24 * 3_600_000;
const series = [
  { metric: 'load.reviews_last_week', count: (row: ReviewLoadRow) => row.reviews_last_week },
  { metric: 'load.merged_last_week', count: (row: ReviewLoadRow) => row.merged_last_week },
] as const;
const SERIES = ['Reviews', 'Merged'] as const;
const EXPECTED_ROWS = 10;

interface Props {
  readonly rows: readonly ReviewLoadRow[] | undefined;
  /** Everybody, also those who are folded away: what the sentence sums up. */
  readonly everyone: readonly ReviewLoadRow[] | undefined;
  readonly chosen: Choice;
  readonly words: WindowWords;
}

/** What each person reviewed and merged in the chosen window, in the order and at the height of the list beside it. */
export function LoadChart({ rows, everyone, chosen, words }: Props) {
  const now = useNow();
  const { time_zone } = useUser();
  const busiest = everyone?.reduce<ReviewLoadRow | undefined>(
    (most, row) => (most === undefined || row.reviews_last_week > most.reviews_last_week ? row : most),
    undefined,
  );
  const rowKey = personKeys(rows, (row) => row.reviewer);
  const reviews = everyone?.reduce((sum, row) => sum + row.reviews_last_week, 0) ?? 0;
  const merged = everyone?.reduce((sum, row) => sum + row.merged_last_week, 0) ?? 0;
  const most =
    busiest !== undefined && busiest.reviews_last_week > 0
      ? `; most reviews: ${nameOf(busiest.reviewer, busiest.display_name)}, ${formatCount(busiest.reviews_last_week)}`
      : '';
  return (
    <Card
      title={words.isChosen ? 'Reviews & Merges' : 'Reviews & Merges Last Week'}
      caption={words.isChosen ? words.caption : `last 7 days, since ${formatMoment(now - WEEK, now, time_zone)}`}
      controls={<BarPairsKey series={SERIES} />}
      flush
    >
      {rows === undefined ? (
        <Late>
          {Array.from({ length: EXPECTED_ROWS }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
            <div key={row} className={classes.pending}>
              <Line width={`${80 - ((row * 23) % 60)}%`} />
            </div>
          ))}
        </Late>
      ) : (
        <Chart
          summary={`${counted(reviews, 'review')} and ${counted(merged, 'merge')} by ${accountsWords(everyone ?? [])}${most}.`}
          heads={['Reviewer', ...SERIES]}
          rows={rows.map((row) => [
            bothNames(row.reviewer, row.display_name),
            ...series.map(({ metric, count }) => (
              <Explain
                key={metric}
                metric={metric}
                username={row.reviewer}
                named={shownLogin(row.reviewer)}
                {...chosen}
              >
                {formatCount(count(row))}
              </Explain>
            )),
          ])}
        >
          <PeopleFigures chosen={chosen}>
            <BarPairs
              series={SERIES}
              format={formatCount}
              rows={rows.map((row) => ({
                key: rowKey(row),
                label: nameOf(row.reviewer, row.display_name),
                values: [series[0].count(row), series[1].count(row)],
                parts: [partOf(series[0].metric, row.reviewer), partOf(series[1].metric, row.reviewer)],
              }))}
            />
          </PeopleFigures>
        </Chart>
      )}
    </Card>
  );
}
