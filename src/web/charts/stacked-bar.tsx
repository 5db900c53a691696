import { percentWords } from '#domain/percent.ts';
import { type RampTone, rampClass } from './ramp.tsx';
import classes from './stacked-bar.module.css';

/** From this share on there is room for it with its unit, and from the other for the number alone. */
const WITH_UNIT = 0.05;
const NUMBER_ALONE = 0.03;

interface Props {
  /** From left to right; their counts make up the whole. `part` names one for who presses it. */
  readonly parts: readonly {
    readonly key: string;
    readonly tone: RampTone;
    readonly count: number;
    readonly part?: string;
  }[];
}

/** One bar of the parts of a whole, their shares inside where there is room. */
export function StackedBar({ parts }: Props) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <span className={classes.bar}>
      {parts.map(({ key, tone, count, part }) => {
        const share = total === 0 ? 0 : count / total;
        return count === 0 ? null : (
          <span key={key} className={`${rampClass(tone)} ${classes.part}`} style={{ flexGrow: count }} data-part={part}>
            {share >= NUMBER_ALONE && (
              <span>
                {percentWords(share)}
                {share >= WITH_UNIT && <span className={classes.unit}> %</span>}
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}
