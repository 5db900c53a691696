import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Explanation } from '#contract/explain.ts';
import { isOfFindings, isOfReviewers } from '#domain/ai-reviewers.ts';
import { FEW } from '#domain/change.ts';
import { definitionOf } from '#domain/metrics/definitions.ts';
import { windows } from '#domain/metrics/metric.ts';
import { mergeTimeRating, type Rating, reviewResponseRating } from '#domain/ratings.ts';
import { ask, noPlaceholder } from '../api/query.ts';
import { Histogram } from '../charts/histogram.tsx';
import { ErrorState } from '../kit/error-state.tsx';
import { useUser } from '../session/session.tsx';
import { formatCount } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import { documentationOf } from './documentation.ts';
import classes from './explain.module.css';
import { binsOf } from './explain-bins.ts';
import { ExplainPair, LeftOut } from './explain-dialog.tsx';
import { ExplainedItems, type ExplainQuestion, ItemList, unitOfItems } from './explained-items.tsx';
import { formatDifference, formatValue, sizeWords } from './format-value.ts';
import { restsOn } from './rests-on.ts';
import { windowWords } from './window-words.ts';

interface Props {
  readonly explanation: Explanation;
  /** What it answers. */
  readonly question: ExplainQuestion;
  /** Drawn in place of the distribution. */
  readonly distribution: ((explanation: Explanation) => ReactNode) | undefined;
}

/** An explanation below its head: distribution, what it is based on, what was left out; its items or its making at a press. */
export function Explained({ explanation, question, distribution }: Props) {
  const [open, setOpen] = useState<string | null>(null);
  const { metric, value, n, total, left_out, sides } = explanation;
  const turn = (part: string) => setOpen(open === part ? null : part);
  const side = sides?.find(({ part }) => part === open);
  const lists = sides?.map(({ part, name, total: of }) => ({
    key: part,
    of,
    words: `${seeThe(metric, of, of)}: ${name}`,
  })) ?? [{ key: 'items', of: n, words: seeThe(metric, n, total) }];
  return (
    <>
      {/* A figure that is based on few items says so (docs/product.md#words-and-errors), unless it is their number. */}
      {n < FEW && n > 0 && value !== n && <p className={classes.few}>Fewer than five: one can change it a lot.</p>}
      {open === 'items' ? (
        <ExplainedItems explanation={explanation} question={question} />
      ) : side !== undefined ? (
        <SideItems explanation={explanation} question={question} part={side.part} />
      ) : open === 'making' ? (
        <Making metric={metric} question={question} />
      ) : (
        <>
          {distribution ? distribution(explanation) : <Distribution explanation={explanation} />}
          <Figures explanation={explanation} />
          <SizesCompared explanation={explanation} />
          {left_out.length > 0 && (
            <LeftOut>
              {left_out.map(({ reason, count }) => (
                <li key={reason}>
                  <b>{formatCount(count)}</b> {reason}
                </li>
              ))}
            </LeftOut>
          )}
        </>
      )}
      <div className={classes.foot}>
        {lists.map(({ key, of, words }) =>
          of === 0 ? null : (
            <button key={key} type="button" aria-expanded={open === key} onClick={() => turn(key)}>
              {open === key ? 'Back to the figures' : words}
            </button>
          ),
        )}
        <button type="button" aria-expanded={open === 'making'} onClick={() => turn('making')}>
          {open === 'making' ? 'Back to the figures' : 'How it is computed'}
        </button>
      </div>
    </>
  );
}

/** What a figure is based on, counted. */
function basisOf(metric: string, n: number): string {
  return restsOn(isOfFindings(metric) ? { noun: ['finding', 'findings'] } : definitionOf(metric), n, formatCount(n));
}

/** Of findings the pull requests are listed that have them. */
function seeThe(metric: string, n: number, total: number): string {
  return `See the ${isOfFindings(metric) ? restsOn(null, total, formatCount(total)) : basisOf(metric, n)}`;
}

/** The pull requests of one side of a difference. */
function SideItems({ explanation, question, part }: Omit<Props, 'distribution'> & { readonly part: string }) {
  const asked: ExplainQuestion = { ...question, query: { ...question.query, part } };
  const answer = useQuery({ ...ask('explainMetric', asked), placeholderData: noPlaceholder, refetchInterval: false });
  if (answer.data !== undefined) return <ExplainedItems explanation={answer.data} question={asked} />;
  if (answer.error !== null)
    return (
      <ErrorState title="This figure could not be explained" error={answer.error} onRetry={() => answer.refetch()} />
    );
  const shown = explanation.items.filter((item) => item.part === part);
  return <ItemList items={shown} unit={unitOfItems(explanation)} isBusy />;
}

/** How the values of the items are distributed; nothing where they have none. */
export function Distribution({ explanation }: { explanation: Explanation }) {
  const { items, total, unit, mean, median, sides } = explanation;
  // What two sides hold is no distribution.
  if (sides !== undefined) return null;
  const bins = binsOf(
    items.flatMap(({ value }) => value ?? []),
    unit,
    mean,
    median,
  );
  if (bins === null) return null;
  const label = `Distribution: ${bins.map(({ label: bin, count }) => `${bin}: ${count}`).join(', ')}`;
  return (
    <div className={classes.distribution}>
      <Histogram bins={bins} label={label} />
      {total > items.length && <p className={classes.note}>Of the latest {formatCount(items.length)}.</p>}
    </div>
  );
}

/** What both sides of a difference come to in each size, and how much it weighs; nothing where sizes make no difference. */
function SizesCompared({ explanation: { sizes, sides = [], unit } }: { explanation: Explanation }) {
  const told = sizes?.filter((size) => size.sides.some(({ n }) => n > 0)) ?? [];
  if (told.length === 0) return null;
  return (
    <table className={classes.sizes}>
      <thead>
        <tr>
          <th scope="col">Size</th>
          {sides.map(({ part, name }) => (
            <th key={part} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">Weight</th>
        </tr>
      </thead>
      <tbody>
        {told.map(({ size, weight, sides: both }) => (
          <tr key={size} className={weight === 0 ? classes.uncounted : undefined}>
            <th scope="row">{sizeWords(size)}</th>
            {both.map(({ part, value, n }) => (
              <td key={part}>
                {formatValue(value, unit)} <small>{`n ${formatCount(n)}`}</small>
              </td>
            ))}
            <td>{weight === 0 ? 'none' : formatCount(weight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a figure's rating stands in its tooltip only. */
const ratings: Readonly<Record<string, (hours: number | null) => Rating | null>> = {
  'developer.avg_merge_time_hours': mergeTimeRating,
  'developer.avg_review_response_hours': reviewResponseRating,
};

function Figures({ explanation }: { explanation: Explanation }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { metric, value, mean, median, n, unit, sides } = explanation;
  const rating = ratings[metric]?.(value) ?? null;
  const isOfAllTime = definitionOf(metric)?.window === windows.allTime;
  return (
    <dl className={classes.rows}>
      {sides === undefined ? (
        (mean === null || value !== mean) && <ExplainPair label="Value">{formatValue(value, unit)}</ExplainPair>
      ) : (
        <>
          {sides.map((side) => (
            <ExplainPair key={side.part} label={side.name}>
              {`${formatValue(side.value, unit)}, n ${formatCount(side.n)}`}
            </ExplainPair>
          ))}
          <ExplainPair label="Difference">{formatDifference(value, unit)}</ExplainPair>
        </>
      )}
      {mean !== null && (
        <>
          <ExplainPair label="Mean">{formatValue(mean, unit)}</ExplainPair>
          <ExplainPair label="Median">{formatValue(median, unit)}</ExplainPair>
        </>
      )}
      {rating !== null && <ExplainPair label="Rated">{rating}</ExplainPair>}
      <ExplainPair label="Based on">{basisOf(metric, n)}</ExplainPair>
      <ExplainPair label="Window">{windowWords(explanation.window, isOfAllTime, now, time_zone)}</ExplainPair>
    </dl>
  );
}

/** Where the documents tell of a figure: in a row of its own, or in a section. */
function anchorOf(metric: string): string {
  if (metric.startsWith('my_work.')) return 'my-work';
  if (!metric.startsWith('ai.')) return metric;
  return isOfReviewers(metric) ? 'ai-reviewers' : 'agents-pull-requests-beside-peoples';
}

/** The rule in words, and where all of them are explained. */
function Making({ metric, question }: { metric: string; question: ExplainQuestion }) {
  const rule = definitionOf(metric);
  const { period, from, to } = question.query ?? {};
  const isChosen = rule?.window.isChoice && (period ?? from ?? to) !== undefined;
  return (
    <dl className={classes.making}>
      {rule !== null && (
        <>
          <dt>Covers</dt>
          <dd>{isChosen ? windows.period.words : rule.window.words}</dd>
        </>
      )}
      {rule !== null && rule.leftOut !== null && (
        <>
          <dt>Does not count</dt>
          <dd>{rule.leftOut}</dd>
        </>
      )}
      <dt>In full</dt>
      <dd>
        <a href={documentationOf.figure(anchorOf(metric))} target="_blank" rel="noreferrer">
          Every number, and how it is computed
        </a>
      </dd>
    </dl>
  );
}
