import type { Trend } from '#contract/trends.ts';
import { ENOUGH_FOR_A_POINT } from '#domain/trends.ts';
import { Swatch } from '../../charts/line-ends.tsx';
import type { TimeLine } from '../../charts/time-plot.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './line-rows.module.css';
import { useShown } from './shown.ts';
import { Value } from './value.tsx';
import { lineWords, rangeWords, readingWords, valueText } from './words.ts';

interface Props {
  readonly trend: Trend;
  /** The same lines as they are drawn. */
  readonly lines: readonly TimeLine[];
  readonly onPin: (key: string) => void;
}

/** On a phone a row for each line: name, reading, how many, and the last full value; a press pins the line. */
export function LineRows({ trend, lines, onPin }: Props) {
  const { bucket, split } = useShown().search;
  const now = useNow();
  const { time_zone } = useUser();
  const today = dayOf(now, time_zone);
  const last = trend.complete.lastIndexOf(true);
  const range = last < 0 ? '' : rangeWords(trend.buckets[last]!, bucket, today);
  return (
    <div className={classes.rows}>
      <div className={classes.head}>
        <span>
          {lineWords[split]}, last full {bucket}
        </span>
        <span>n</span>
        <span>{range}</span>
      </div>
      <ul>
        {trend.lines.map((line, at) => {
          const point = line.points[last] ?? { value: null, n: 0 };
          const { words, direction, few } = readingWords(trend, line, bucket, today);
          const { key, name, tone, pinned } = lines[at]!;
          return (
            <li key={key}>
              <button
                type="button"
                data-on-paper
                className={classes.row}
                aria-pressed={pinned}
                onClick={() => onPin(key)}
              >
                <Swatch tone={tone} />
                <span className={classes.words}>
                  <span className={`${classes.name} ${classes[tone]}`}>{name}</span>
                  <span className={direction === 0 ? classes.reading : classes.strong}>
                    {direction === 0 ? '' : direction > 0 ? '↑ ' : '↓ '}
                    {few && point.value !== null ? 'Too few to say' : words}
                  </span>
                </span>
                <span className={classes.n}>{formatCount(point.n)}</span>
                <Value text={valueText(trend, point.value)} few={point.n < ENOUGH_FOR_A_POINT} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
