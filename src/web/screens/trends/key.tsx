import type { Trend, TrendFigureDescription } from '#contract/trends.ts';
import { ENOUGH_FOR_A_POINT } from '#domain/trends.ts';
import type { LineTone } from '../../charts/line-tones.ts';
import classes from './key.module.css';
import { useShown } from './shown.ts';
import { gapWords, type Line, nounOf, valueText } from './words.ts';

interface Props {
  readonly trend: Trend;
  readonly figure: TrendFigureDescription | undefined;
  /** Whose usual range is drawn. */
  readonly banded: Line | null;
  readonly tone: LineTone;
  readonly isRunning: boolean;
  readonly asTable: boolean;
  readonly onTurn: () => void;
  readonly onAddNote: () => void;
}

/** What is drawn how, with a small piece of each, and the way to the same as a table. */
export function Key({ trend, figure, banded, tone, isRunning, asTable, onTurn, onAddNote }: Props) {
  const { bucket } = useShown().search;
  const isOne = trend.lines.length === 1;
  const isCut = trend.complete.some((complete, at) => !complete && !(isRunning && at === trend.complete.length - 1));
  const gap = gapWords(figure, trend.lines);
  const dashed = isRunning ? `the ${bucket} that runs, in no change` : isCut ? 'cut by the window, in no change' : null;
  return (
    <div className={classes.key}>
      <ul>
        <li>
          <span className={classes.hollow} />
          fewer than {ENOUGH_FOR_A_POINT} {nounOf(trend).many}
        </li>
        {dashed !== null && (
          <li>
            <span className={classes.dashed} />
            {isRunning && isCut ? `${dashed}, or cut` : dashed}
          </li>
        )}
        {banded?.usual != null && (
          <li>
            <span className={`${classes.band} ${classes[tone]}`} />
            usual range{isOne ? '' : ` of ${banded.name}`}, {valueText(trend, banded.usual.from)} to{' '}
            {valueText(trend, banded.usual.to)}
          </li>
        )}
        {gap !== null && <li>{gap}</li>}
      </ul>
      <div className={classes.actions} data-screen-only>
        <button type="button" onClick={onAddNote}>
          Add a note
        </button>
        <button type="button" aria-pressed={asTable} onClick={onTurn}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </div>
    </div>
  );
}
