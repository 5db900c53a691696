import '@mantine/core/styles/Popover.layer.css';
import { Button, Popover } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useUser } from '../../session/session.tsx';
import { zoneWords } from '../../time/moment.ts';
import { momentOf } from '../../time/zone-days.ts';
import classes from './snooze-menu.module.css';
import { useSnoozeOfRow } from './snooze-of.ts';
import { fieldValueOf, LONGEST_SNOOZE, snoozeTimes, whyNotUntil } from './snooze-times.ts';
import { focusSnooze } from './work-keys.ts';

/** A day and a time by the person's clocks, until which an item is put aside. */
export function PickTime({ onClose }: { readonly onClose: () => void }) {
  const around = useRef<HTMLSpanElement>(null);
  const snooze = useSnoozeOfRow();
  const { time_zone } = useUser();
  const [now] = useState(() => Date.now());
  const [picked, setPicked] = useState(() => fieldValueOf(snoozeTimes(now, time_zone)[0]?.until ?? now, time_zone));
  const [isUntilChange, setUntilChange] = useState(false);
  const id = useId();
  const until = momentOf(picked, time_zone);
  const problem = whyNotUntil(until, now);
  // What had the focus, an entry of the menu, is gone.
  const close = () => {
    focusSnooze(around.current);
    onClose();
  };
  return (
    <Popover
      opened
      onChange={(open) => !open && close()}
      width={316}
      position="bottom-end"
      withArrow={false}
      trapFocus
      withRoles={false}
      withinPortal={false}
      hideDetached={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <span ref={around} aria-hidden="true" className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Pick a time" className={classes.pick ?? ''}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (problem !== null) return;
            snooze({ until: new Date(until).toISOString(), until_change: isUntilChange });
            close();
          }}
        >
          <label htmlFor={id}>
            Snooze until <small>{zoneWords(time_zone)}</small>
          </label>
          <input
            id={id}
            type="datetime-local"
            className={classes.field}
            data-autofocus
            value={picked}
            min={fieldValueOf(now, time_zone)}
            max={fieldValueOf(now + LONGEST_SNOOZE, time_zone)}
            aria-describedby={problem === null ? undefined : `${id}-problem`}
            aria-invalid={problem !== null}
            onChange={({ currentTarget }) => setPicked(currentTarget.value)}
          />
          {problem !== null && (
            <p id={`${id}-problem`} className={classes.problem} role="alert">
              {problem}
            </p>
          )}
          <label className={classes.change}>
            <input
              type="checkbox"
              checked={isUntilChange}
              onChange={({ currentTarget }) => setUntilChange(currentTarget.checked)}
            />
            or until it changes, if that is sooner
          </label>
          <div className={classes.buttons}>
            <Button variant="subtle" color="gray" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={problem !== null}>
              Snooze
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
