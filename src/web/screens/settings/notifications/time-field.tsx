import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TimeOfDay } from '#domain/notifications/subscriptions.ts';
import classes from './notifications.module.css';
import { timeOf } from './words.ts';

interface Props {
  readonly label: string;
  /** The label is for assistive technology alone. */
  readonly hiddenLabel?: boolean;
  readonly value: TimeOfDay;
  readonly error?: string | undefined;
  readonly onChange: (time: TimeOfDay) => void;
}

/**
 * A time of day as clocks of 24 hours show it, taken when the field is left or Enter is pressed. Anything else is taken as it was typed: the
 * server says so, and no other time is saved in its place.
 */
export function TimeField({ label, hiddenLabel = false, value, error, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const time = typed === null ? value : timeOf(typed);
  const take = () => {
    if (typed === null) return;
    const taken = time ?? typed.trim();
    if (taken !== value) onChange(taken);
    setTyped(null);
  };
  return (
    <TextInput
      {...(hiddenLabel ? { 'aria-label': label } : { label })}
      className={classes.time ?? ''}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      value={typed ?? value}
      error={time === null && typed !== null && typed.length >= 4 ? 'a time such as 09:00' : error}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}
