import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import type { Explanation } from '#contract/explain.ts';
import type { Trend } from '#contract/trends.ts';
import { counted } from '#domain/counted.ts';
import { ENOUGH_FOR_A_POINT } from '#domain/trends.ts';
import { ask } from '../../api/query.ts';
import classes from '../../explain/explain.module.css';
import { ExplainDialog, ExplainHead, ExplainPair, LeftOut } from '../../explain/explain-dialog.tsx';
import { Distribution } from '../../explain/explained.tsx';
import { ItemList, largestFirst } from '../../explain/explained-items.tsx';
import { formatValue } from '../../explain/format-value.ts';
import { ErrorState } from '../../kit/error-state.tsx';
import { Late, Line as Skeleton } from '../../kit/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { linesQuery } from './questions.ts';
import { useShown } from './shown.ts';
import { aggregateWords, incompleteWords, type Line, nounOf, rangeWords, valueText } from './words.ts';

/** So many of what is behind a point are listed. */
const LISTED = 100;

interface Props {
  readonly trend: Trend;
  readonly name: string;
  readonly line: Line;
  readonly place: number;
  readonly anchor: CSSProperties;
  readonly onClose: () => void;
}

/** What one point of a trend means, how many things it is over, and which. */
export default function PointExplanation({ trend, name, line, place, anchor, onClose }: Props) {
  const { search } = useShown();
  const now = useNow();
  const { time_zone } = useUser();
  /** What is listed: `items`, or one side of a difference; null: the figures. */
  const [listed, setListed] = useState<string | null>(null);
  const today = dayOf(now, time_zone);
  const { figure, unit, aggregate, buckets, complete } = trend;
  const isAmount = unit !== 'count' || aggregate !== 'value';
  const question = (of: { readonly part?: string; readonly order?: 'value' } = {}) => ({
    ...ask('explainTrendPoint', {
      params: { figure },
      query: {
        ...linesQuery(search, today),
        aggregate,
        point: buckets[place]!,
        ...(search.split !== 'none' && { line: line.key }),
        ...of,
        limit: LISTED,
      },
    }),
    refetchInterval: false as const,
    placeholderData: () => undefined,
  });
  // The latest, as they come: the largest of many would be distributed otherwise.
  const answer = useQuery(question());
  const side = answer.data?.sides?.find(({ part }) => part === listed);
  const latest = answer.data?.items.filter(({ part }) => side === undefined || part === side.part) ?? [];
  const largest = useQuery({
    ...question({ order: 'value', ...(side !== undefined && { part: side.part }) }),
    enabled: listed !== null && isAmount && answer.data !== undefined && answer.data.total > answer.data.items.length,
  });
  const items = largest.data?.items ?? (isAmount ? largestFirst(latest) : latest);
  const total = side?.total ?? answer.data?.total ?? 0;
  const sides = answer.data?.sides?.map(({ name: side, part, ...of }) => ({
    ...{ ...of, part },
    name: part === 'reviewer' && search.split === 'reviewer' ? line.name : side,
  }));
  const lists = (explanation: Explanation) =>
    sides?.map(({ part, name: side, total }) => ({
      ...{ key: part, total },
      words: `See the ${countedAs(listedOf(trend), total)}: ${side}`,
    })) ?? [{ key: 'items', total: explanation.n, words: seeWords(trend, explanation) }];
  const stay = () => undefined;
  const range = rangeWords(buckets[place]!, search.bucket, today);
  return (
    <ExplainDialog opened withFocus anchor={anchor} onClose={onClose} onPointerEnter={stay} onPointerLeave={stay}>
      <ExplainHead
        name={search.split === 'none' ? name : `${name}: ${line.name}`}
        definition={answer.data?.definition}
        onClose={onClose}
      />
      {answer.data ? (
        <>
          {answer.data.n > 0 && answer.data.n < ENOUGH_FOR_A_POINT && (
            <p className={classes.few}>Fewer than five: one can change it a lot.</p>
          )}
          {listed !== null ? (
            largest.error !== null ? (
              <ErrorState
                title="This figure could not be explained"
                error={largest.error}
                onRetry={() => void largest.refetch()}
              />
            ) : (
              <>
                <ItemList
                  items={items}
                  unit={!isAmount ? null : sides === undefined ? answer.data.unit : 'share'}
                  isBusy={largest.isLoading}
                />
                {total > items.length && !largest.isLoading && (
                  <p className={classes.note}>
                    The {isAmount ? 'largest' : 'latest'} {formatCount(items.length)} of {formatCount(total)}.
                  </p>
                )}
              </>
            )
          ) : (
            <>
              {unit !== 'share' && unit !== 'points' && <Distribution explanation={answer.data} />}
              <dl className={classes.rows}>
                {sides?.map(({ part, name: side, value, n }) => (
                  <ExplainPair key={part} label={side}>
                    {`${formatValue(value, 'share')}, n ${formatCount(n)}`}
                  </ExplainPair>
                ))}
                <ExplainPair
                  label={
                    sides !== undefined
                      ? 'Difference'
                      : aggregate === 'value'
                        ? 'Value'
                        : capitalized(aggregateWords[aggregate])
                  }
                >
                  {valueText(trend, answer.data.value)}
                </ExplainPair>
                <ExplainPair label="Based on">{countedAs(nounOf(trend), answer.data.n)}</ExplainPair>
                <ExplainPair label="Window">
                  {range}
                  {complete[place] ? '' : `, ${incompleteWords(trend, place, search, today)}`}
                </ExplainPair>
              </dl>
              {answer.data.left_out.some(({ count }) => count > 0) && (
                <LeftOut>
                  {answer.data.left_out
                    .filter(({ count }) => count > 0)
                    .map(({ reason, count }) => (
                      <li key={reason}>
                        <b>{formatCount(count)}</b> {reason}
                      </li>
                    ))}
                </LeftOut>
              )}
            </>
          )}
          {answer.data.n > 0 && (
            <div className={classes.foot}>
              {lists(answer.data).map(({ key, total, words }) =>
                total === 0 ? null : (
                  <button
                    key={key}
                    type="button"
                    aria-expanded={listed === key}
                    onClick={() => setListed(listed === key ? null : key)}
                  >
                    {listed === key ? 'Back to the figures' : words}
                  </button>
                ),
              )}
            </div>
          )}
        </>
      ) : answer.error ? (
        <ErrorState
          title="This figure could not be explained"
          error={answer.error}
          onRetry={() => void answer.refetch()}
        />
      ) : (
        <Late>
          <div className={classes.pending}>
            <Skeleton width="100%" />
            <Skeleton width="60%" />
          </div>
        </Late>
      )}
    </ExplainDialog>
  );
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function listedOf(trend: Trend): ReturnType<typeof nounOf> {
  const noun = nounOf(trend);
  return noun.listed ?? noun;
}

function seeWords(trend: Trend, { n, total }: { readonly n: number; readonly total: number }): string {
  return `See the ${countedAs(listedOf(trend), nounOf(trend).listed === undefined ? n : total)}`;
}

function countedAs({ one, many }: ReturnType<typeof nounOf>, n: number): string {
  return counted(n, one, many);
}
