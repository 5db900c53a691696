import { type ReactNode, useState } from 'react';
import type { Trend } from '#contract/trends.ts';
import { ENOUGH_FOR_A_POINT, USUAL } from '#domain/trends.ts';
import { Swatch } from '../../charts/line-ends.tsx';
import { tonesOf } from '../../charts/line-tones.ts';
import { Card } from '../../kit/card.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './numbers.module.css';
import { useShown } from './shown.ts';
import { Change, Value } from './value.tsx';
import {
  aggregateWords,
  bucketWords,
  incompleteWords,
  lineWords,
  meanBefore,
  nounOf,
  rangeWords,
  readingWords,
  startWords,
  valueText,
} from './words.ts';

/** So many rows of numbers are shown at first. */
const AT_FIRST = 8;

function useToday(): string {
  const now = useNow();
  const { time_zone } = useUser();
  return dayOf(now, time_zone);
}

interface Named {
  readonly name: string;
  readonly trend: Trend;
}

/** The last full point of each line, or of each figure's lines, beside the ones before it. */
export function LastFull({ trends }: { readonly trends: readonly Named[] }) {
  const { search, isOutdated } = useShown();
  const { bucket, split, pinned } = search;
  const today = useToday();
  const [{ trend: first }] = trends as readonly [Named];
  const last = first.complete.lastIndexOf(true);
  const isOne = trends.length === 1;
  const range = last < 0 ? '' : rangeWords(first.buckets[last]!, bucket, today);
  return (
    <Card
      title={`Last full ${bucket}`}
      caption={
        last < 0
          ? `no ${bucket} of this window is over and whole`
          : `against the mean of the 4 ${bucket}s before; the usual range is the lowest to the highest of the ${USUAL.buckets} before`
      }
      outdated={isOutdated}
      flush
    >
      <Scrolled label={`Last full ${bucket}, line by line`}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{isOne ? lineWords[split] : 'Figure'}</th>
              <th scope="col">{range}</th>
              <th scope="col">{isOne ? nounOf(first).head : 'n'}</th>
              <th scope="col">Mean of 4 before</th>
              <th scope="col">Change</th>
              <th scope="col">Usual range</th>
              <th scope="col" className={classes.words}>
                Reading
              </th>
            </tr>
          </thead>
          <tbody>
            {trends.flatMap(({ name, trend }) => {
              const tones = tonesOf(
                trend.lines.map(({ key }) => key),
                pinned,
              );
              return trend.lines.map((line, at) => {
                const point = line.points[last] ?? { value: null, n: 0 };
                const reading = readingWords(trend, line, bucket, today);
                const few = point.n < ENOUGH_FOR_A_POINT;
                return (
                  <tr key={`${trend.figure} ${line.key}`}>
                    <th scope="row">
                      <Swatch tone={tones[at]!} />
                      {isOne ? line.name : split === 'none' ? name : `${name}: ${line.name}`}
                    </th>
                    <td>
                      <Value text={valueText(trend, point.value)} few={few} />
                    </td>
                    <td className={few ? classes.few : undefined}>{formatCount(point.n)}</td>
                    <td className={classes.quiet}>
                      <Value text={valueText(trend, meanBefore(trend, line))} />
                    </td>
                    <td className={classes.quiet}>
                      <Change trend={trend} change={few ? null : line.change} />
                    </td>
                    <td className={classes.quiet}>
                      {line.usual === null
                        ? 'N/A'
                        : `${valueText(trend, line.usual.from)} to ${valueText(trend, line.usual.to)}`}
                    </td>
                    <td className={`${classes.words} ${reading.direction === 0 ? classes.quiet : classes.strong}`}>
                      {reading.direction === 0 ? '' : reading.direction > 0 ? '↑ ' : '↓ '}
                      {reading.words}
                    </td>
                  </tr>
                );
              });
            })}
          </tbody>
        </table>
      </Scrolled>
    </Card>
  );
}

/** Every point of a trend: eight at first, on paper all of them. */
export function EveryNumber({ trend, name }: { readonly trend: Trend; readonly name?: string }) {
  const { search, isOutdated } = useShown();
  const { bucket } = search;
  const [unfolded, setUnfolded] = useState(false);
  const isPrinting = useIsPrinting();
  const { length } = trend.buckets;
  const shown = unfolded || isPrinting ? length : Math.min(length, AT_FIRST);
  return (
    <Card
      title={name === undefined ? 'Every number' : `Every number: ${name}`}
      caption={`${aggregateWords[trend.aggregate] || 'value'} and count per ${bucket}`}
      foot={
        <>
          <span>
            {formatCount(shown)} of {formatCount(length)} {bucket}s. Grey: fewer than {ENOUGH_FOR_A_POINT}.
          </span>
          {length > AT_FIRST && (
            <FoldButton unfolded={unfolded} onToggle={setUnfolded}>
              {unfolded ? `Show the newest ${AT_FIRST}` : `Show all ${bucket}s`}
            </FoldButton>
          )}
        </>
      }
      outdated={isOutdated}
      flush
    >
      <NumbersTable trend={trend} newestFirst={shown} {...(name !== undefined && { name })} />
    </Card>
  );
}

interface TableProps {
  readonly trend: Trend;
  /** How many points, the newest first. */
  readonly newestFirst: number;
  readonly name?: string;
}

/** Points down, lines across: value and count. */
export function NumbersTable({ trend, newestFirst, name = 'Every number' }: TableProps) {
  const { search } = useShown();
  const { bucket, pinned } = search;
  const today = useToday();
  const places = trend.buckets.map((_, at) => at).reverse();
  const tones = tonesOf(
    trend.lines.map(({ key }) => key),
    pinned,
  );
  return (
    <Scrolled label={`${name}, point by point`}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{bucketWords[bucket]}</th>
            {trend.lines.map(({ key, name: line }, at) => (
              <th key={key} scope="col">
                <Swatch tone={tones[at]!} />
                {line}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.slice(0, newestFirst).map((at) => (
            <tr key={trend.buckets[at]}>
              <th scope="row">
                {startWords(trend.buckets[at]!, bucket, today)}
                {!trend.complete[at] && (
                  <span className={classes.note}> {incompleteWords(trend, at, search, today)}</span>
                )}
              </th>
              {trend.lines.map(({ key, points }) => {
                const { value, n } = points[at]!;
                return (
                  <td key={key}>
                    <Value text={valueText(trend, value)} few={n < ENOUGH_FOR_A_POINT} />{' '}
                    <span className={classes.n}>n {formatCount(n)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

/** Scrolls sideways where there is no room, by keyboard, too. */
function Scrolled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
