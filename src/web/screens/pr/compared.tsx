import { ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import type { FigureKey } from '#domain/definitions.ts';
import { NamedBars } from '../../charts/named-bars.tsx';
import { formatCount } from '../../panels/moment.ts';
import { PressableParts } from '../../panels/pressable-parts.tsx';
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
  readonly format: (value: number | null) => string;
  /** In percent; positive is faster or smaller. */
  readonly difference: number | null;
  /** "Much Faster", "Larger" and the like. */
  readonly label: string | null;
  /** Why there is nothing to compare with. */
  readonly none: string;
}

/** This pull request's figure beside what it is compared with, and in words how they differ. */
export function Compared({ detail, what, figure, reference, value, format, difference, label, none }: Props) {
  return (
    <div className={classes.compared}>
      <div className={tabClasses.words}>
        <ComparedFigure of={figure} detail={detail}>
          {what}
        </ComparedFigure>
        {difference === null || label === null ? (
          <NotAvailable why={reference.value === null ? none : 'What it is compared with is 0.'} />
        ) : (
          <Difference difference={difference} label={label} />
        )}
      </div>
      <PressableParts explain={() => comparison(figure, detail)}>
        <NamedBars
          thin
          bars={[
            { name: 'This PR', value: value ?? 0, text: format(value), isThis: true },
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

function Difference({ difference, label }: { difference: number; label: string }) {
  const Icon = difference === 0 ? DashIcon : difference > 0 ? ArrowDownIcon : ArrowUpIcon;
  const meaning = difference > 0 ? classes.better : label.startsWith('Much') ? classes.muchWorse : classes.worse;
  return (
    <span className={`${classes.difference} ${meaning}`}>
      <Icon size={12} />
      {label} {formatCount(Math.round(Math.abs(difference)))}%
    </span>
  );
}
