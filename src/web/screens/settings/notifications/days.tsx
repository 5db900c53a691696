import { dayName } from '#domain/notifications/day-words.ts';
import type { Weekday } from '#domain/notifications/subscriptions.ts';
import classes from './notifications.module.css';

/** Monday is 1. */
export const weekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

interface Props {
  /** What they are days of, for assistive technology. */
  readonly label: string;
  /** Monday is 1. */
  readonly value: readonly Weekday[];
  readonly onChange: (weekdays: Weekday[]) => void;
}

/** Any days of the week, each a button. */
export function Days({ label, value, onChange }: Props) {
  return (
    <fieldset className={classes.days} aria-label={label}>
      {weekdays.map((day) => {
        const isOn = value.includes(day);
        return (
          <button
            key={day}
            type="button"
            className={classes.day}
            aria-pressed={isOn}
            aria-label={dayName(day)}
            onClick={() => onChange(isOn ? value.filter((one) => one !== day) : [...value, day].sort((a, b) => a - b))}
          >
            {dayName(day).slice(0, 2)}
          </button>
        );
      })}
    </fieldset>
  );
}
