import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import { SegmentedControl } from '@mantine/core';
import { formatCount } from './moment.ts';
import classes from './segmented-filter.module.css';

interface Props<Value extends string> {
  /** What is filtered, for assistive technology. */
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly count?: number | undefined }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** The filter of small sets: a few words side by side, each with its count; scrolls sideways where there is no room. */
export function SegmentedFilter<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const data = options.map(({ value: option, label: word, count }) => ({
    value: option,
    label: (
      <>
        {word}
        {count !== undefined && <span className={classes.count}>{` ${formatCount(count)}`}</span>}
      </>
    ),
  }));
  return (
    <div className={classes.scroll}>
      <SegmentedControl<Value>
        aria-label={label}
        data={data}
        value={value}
        onChange={onChange}
        withItemsBorders={false}
      />
    </div>
  );
}
