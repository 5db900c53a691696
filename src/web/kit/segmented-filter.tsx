import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import { SegmentedControl } from '@mantine/core';
import { formatCount } from '../time/moment.ts';
import classes from './segmented-filter.module.css';

interface Props<Value extends string> {
  /** What is filtered, for assistive technology. */
  readonly label: string;
  /** A count that is not known yet, undefined, has its room kept. */
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly count?: number | undefined;
    /** Why it cannot be chosen. */
    readonly why?: string | undefined;
  }[];
  /** Why none of them can be chosen. */
  readonly why?: string | undefined;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** The filter of small sets: a few words side by side, each with its count; scrolls sideways where there is no room. */
export function SegmentedFilter<Value extends string>({ label, options, value, onChange, why }: Props<Value>) {
  const data = options.map((option) => ({
    value: option.value,
    disabled: option.why !== undefined,
    label: (
      <>
        {option.why === undefined ? option.label : <span data-tip={option.why}>{option.label}</span>}
        {'count' in option && (
          <span className={`${classes.count} ${option.count === undefined ? classes.unknown : ''}`}>
            {` ${option.count === undefined ? '0' : formatCount(option.count)}`}
          </span>
        )}
      </>
    ),
  }));
  return (
    <div className={classes.scroll} data-tip={why} data-tips tabIndex={why === undefined ? undefined : 0}>
      <SegmentedControl<Value>
        aria-label={why === undefined ? label : `${label}: ${why}`}
        disabled={why !== undefined}
        data={data}
        value={value}
        onChange={onChange}
        withItemsBorders={false}
      />
    </div>
  );
}
