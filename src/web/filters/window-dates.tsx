import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePhone } from '../kit/use-phone.ts';
import { useUser } from '../session/session.tsx';
import { dayOf } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import { daysLater, useChoice, whyNoWindow } from './choice-of-figures.ts';
import classes from './window-picker.module.css';

export interface WindowDatesProps {
  /** The first day and the day after the last one; nothing: the page's own window again. */
  readonly onChoose: (from?: string, to?: string) => void;
  /** How many days at most; unless said, two years. */
  readonly longest?: number | undefined;
}

/** The first and the last day of a window, both of them in it. */
export default function WindowDates({ onChoose, longest }: WindowDatesProps) {
  const chosen = useChoice();
  const phone = usePhone();
  const now = useNow();
  const { time_zone } = useUser();
  const today = dayOf(now, time_zone);
  const [first, setFirst] = useState(chosen.from ?? daysLater(today, -29));
  const [last, setLast] = useState(chosen.to === undefined ? today : daysLater(chosen.to, -1));
  const [from, to] = [first, daysLater(last, 1)];
  const missing = first === '' || last === '';
  const wrong = missing ? null : first > today ? 'The first day must not lie ahead.' : whyNoWindow(from, to, longest);
  return (
    <form
      className={classes.dates}
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing && wrong === null) onChoose(from, to);
      }}
    >
      <div className={classes.ends}>
        <TextInput
          type="date"
          label="First day"
          max={today}
          value={first}
          onChange={({ currentTarget }) => setFirst(currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Last day"
          max={today}
          value={last}
          onChange={({ currentTarget }) => setLast(currentTarget.value)}
        />
      </div>
      {wrong !== null && (
        <p className={classes.wrong} role="alert">
          {wrong}
        </p>
      )}
      <div className={classes.foot}>
        {chosen.from !== undefined && (
          <Button variant="default" onClick={() => onChoose()}>
            Clear dates
          </Button>
        )}
        <Button type="submit" variant={phone ? 'default' : 'filled'} disabled={missing || wrong !== null}>
          Show these days
        </Button>
      </div>
    </form>
  );
}
