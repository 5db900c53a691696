import { ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { differenceText } from '#domain/comparison.ts';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import type { PullRequestState } from '#domain/pull-request.ts';
import { NamedBars } from '../../charts/named-bars.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import classes from './comparative-tab.module.css';
import { ComparedFigure, comparison } from './compared-figure.tsx';
import { NotAvailable } from './not-available.tsx';
import tabClasses from './tab.module.css';

interface Props {
  readonly detail: PullRequestDetail;
  readonly what: string;
  readonly figure: FigureKey;
  readonly reference: { readonly name: string; readonly value: number | null };
  readonly value: number | null;
  /** Of a cycle time: that of an open one grows on, so to lie below means nothing yet; one that was closed was neither fast nor slow. */
  readonly state?: PullRequestState;
  readonly format: (value: number | null) => string;
  /** In percent; positive is faster or smaller. */
  readonly difference: number | null;
  /** "Much Faster", "Larger" and the like. */
  readonly label: string | null;
  /** What the reference is, for "Equal to the median". */
  readonly equal: 'average' | 'median';
  /** Why there is nothing to compare with. */
  readonly none: string;
}

/** This pull request's figure beside what it is compared with, and in words how they differ. */
export function Compared({
  detail,
  what,
  figure,
  reference,
  value,
  state = 'merged',
  format,
  difference,
  label,
  equal,
  none,
}: Props) {
  return (
    <div className={classes.compared}>
      <div className={tabClasses.words}>
        <ComparedFigure of={figure} detail={detail}>
          {what}
        </ComparedFigure>
        {difference === null || label === null ? (
          <NotAvailable why={reference.value === null ? none : 'What it is compared with is 0.'} />
        ) : (
          <Difference difference={difference} label={label} equal={equal} state={state} />
        )}
      </div>
      <PressableParts explain={() => comparison(figure, detail)}>
        <NamedBars
          thin
          bars={[
            {
              name: 'This PR',
              value: value ?? 0,
              text: `${format(value)}${state === 'open' ? ' so far' : ''}`,
              isThis: true,
            },
            ...(reference.value === null
              ? []
              : [
                  {
                    name: reference.name,
                    value: reference.value,
                    text: format(reference.value),
                    isThis: false,
                    part: figure,
                  },
                ]),
          ]}
        />
      </PressableParts>
    </div>
  );
}

interface DifferenceProps extends Required<Pick<Props, 'equal' | 'state'>> {
  readonly difference: number;
  readonly label: string;
}

function Difference({ difference, label, equal, state }: DifferenceProps) {
  const isEqual = Math.round(difference) === 0;
  if (state === 'open' && difference > 0) return <span className={classes.difference}>Below the {equal} so far</span>;
  if (state === 'closed' && !isEqual) {
    return (
      <span className={classes.difference}>
        {difference > 0 ? 'Below' : 'Above'} the {equal}
      </span>
    );
  }
  const Icon = isEqual ? DashIcon : difference > 0 ? ArrowDownIcon : ArrowUpIcon;
  const meaning = isEqual
    ? ''
    : difference > 0
      ? classes.better
      : label.startsWith('Much')
        ? classes.muchWorse
        : classes.worse;
  return (
    <span className={`${classes.difference} ${meaning}`}>
      <Icon size={12} />
      {isEqual ? `Equal to the ${equal}` : `${label} ${differenceText(difference)}`}
    </span>
  );
}
