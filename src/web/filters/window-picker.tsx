import { Button } from '@mantine/core';
import { CalendarIcon } from '@primer/octicons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { type Period, periodLabel, periods } from '#domain/period.ts';
import { part } from '../api/part.ts';
import { useScreen } from '../kit/is-printing.ts';
import { LazyPart } from '../kit/lazy-part.tsx';
import { SegmentedFilter } from '../kit/segmented-filter.tsx';
import { Select } from '../kit/select.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { onPage, type RawSearch } from '../url/url-state.ts';
import { type Choice, useChoice, useWindowWords } from './choice-of-figures.ts';
import classes from './window-picker.module.css';

const WindowDates = lazy(part(() => import('./window-dates.tsx')));
const WindowDatesPopover = lazy(part(() => import('./window-dates-popover.tsx')));

/** The value of the select where days are chosen. */
const DAYS = 'days';
/** The value where each figure has a window of its own. */
const DEFAULT = '';

export interface OwnWindow {
  /** The window of the page's figures where nothing is chosen. */
  readonly own: Period;
  /** Some of its figures have another one of their own: choosing `own` is a choice, too, beside that of the default. */
  readonly mixed?: boolean;
  /** Its figures are over periods alone, never over chosen days. */
  readonly withoutDays?: boolean;
  /** How many chosen days there may be at most; unless said, two years. */
  readonly longest?: number;
}

/** Over which time a page's figures are, kept in the address: a period or the days from one to another. */
export function WindowPicker({ own, mixed = false, withoutDays = false, longest }: OwnWindow) {
  const { period, from } = useChoice();
  const words = useWindowWords(own);
  const choose = useChooseWindow();
  const phone = usePhone();
  const wide = useScreen('(min-width: 75em)', true);
  const byDays = !withoutDays && from !== undefined;
  const byDefault = mixed ? DEFAULT : own;
  const shown = byDays ? DAYS : (period ?? byDefault);
  const take = (value: string) => {
    const wanted = periods.find((known) => known === value);
    if (value === byDefault) choose({});
    else if (wanted !== undefined) choose({ period: wanted });
  };
  const isChosen = byDays || (period !== undefined && period !== byDefault);
  if (wide) {
    return (
      <div className={`${classes.picker} ${isChosen ? classes.chosen : ''}`}>
        <SegmentedFilter<string>
          label="Time period"
          options={[
            ...(mixed ? [{ value: DEFAULT, label: 'Default' }] : []),
            ...periods.map((value) => ({ value, label: value })),
          ]}
          value={shown}
          onChange={take}
        />
        {!withoutDays && <DaysButton words={byDays ? words.alone : null} choose={choose} longest={longest} />}
      </div>
    );
  }
  const select = (
    <Select
      className={`${classes.period} ${byDays ? classes.byDays : ''} ${isChosen ? classes.chosen : ''}`}
      aria-label="Time period"
      value={shown}
      onChange={({ currentTarget }) => take(currentTarget.value)}
      data={[
        ...(byDays ? [{ value: DAYS, label: words.alone }] : []),
        ...(mixed ? [{ value: DEFAULT, label: 'Default periods' }] : []),
        ...periods.map((value) => ({ value, label: periodLabel(value) })),
      ]}
    />
  );
  if (phone) {
    return (
      <>
        {select}
        {!withoutDays && (
          <LazyPart>
            <WindowDates key={from} longest={longest} onChoose={(first, next) => choose(daysOf(first, next))} />
          </LazyPart>
        )}
      </>
    );
  }
  return (
    <div className={classes.picker}>
      {select}
      {!withoutDays && <DaysButton words={null} choose={choose} longest={longest} />}
    </div>
  );
}

interface DaysProps {
  /** The chosen days; null where the button does not say them. */
  readonly words: string | null;
  readonly choose: (window: Pick<Choice, 'period' | 'from' | 'to'>) => void;
  readonly longest: number | undefined;
}

function DaysButton({ words, choose, longest }: DaysProps) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <span className={classes.days}>
      <Button
        variant="default"
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpened(true)}
        {...(words === null
          ? { className: classes.icon ?? '', 'aria-label': 'Choose days', 'data-tip': 'Choose days' }
          : { className: classes.active ?? '', leftSection: <CalendarIcon size={14} /> })}
      >
        {words ?? <CalendarIcon size={16} />}
      </Button>
      {opened && (
        <LazyPart onFail={close}>
          <WindowDatesPopover
            onClose={close}
            longest={longest}
            onChoose={(from, to) => {
              close();
              choose(daysOf(from, to));
            }}
          />
        </LazyPart>
      )}
    </span>
  );
}

const daysOf = (from?: string, to?: string) => (from === undefined || to === undefined ? {} : { from, to });

function useChooseWindow() {
  const navigate = useNavigate();
  return ({ period, from, to }: Pick<Choice, 'period' | 'from' | 'to'>) =>
    void navigate({
      to: '.',
      search: (before: RawSearch): RawSearch => ({ ...before, page: undefined, period, from, to }),
      ...onPage,
    });
}
