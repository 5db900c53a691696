import { Menu } from '@mantine/core';
import { useState } from 'react';
import { AnchoredMenu } from '../../kit/anchored-menu.tsx';
import type { MenuState } from '../../kit/menu-button.tsx';
import { useUser } from '../../session/session.tsx';
import { formatMoment } from '../../time/moment.ts';
import { PickTime } from './pick-time.tsx';
import classes from './snooze-menu.module.css';
import { useSnoozeOfRow } from './snooze-of.ts';
import { snoozeTimes } from './snooze-times.ts';

/** For how long an item may be put aside, each with when it comes back. */
export default function SnoozeMenu({ opened, onClose }: MenuState) {
  const snooze = useSnoozeOfRow();
  const { time_zone } = useUser();
  const [isPicking, setPicking] = useState(false);
  const now = Date.now();
  if (isPicking && opened)
    return (
      <PickTime
        onClose={() => {
          setPicking(false);
          onClose();
        }}
      />
    );
  return (
    <AnchoredMenu opened={opened} onClose={() => isPicking || onClose()} label="Snooze" width={316}>
      <Menu.Label>Snooze · only you see it, no figure changes</Menu.Label>
      {snoozeTimes(now, time_zone).map(({ title, until }) => (
        <Menu.Item
          key={title}
          rightSection={<Ends>{formatMoment(until, now, time_zone)}</Ends>}
          onClick={() => snooze({ until: new Date(until).toISOString() })}
        >
          {title}
        </Menu.Item>
      ))}
      <Menu.Item rightSection={<Ends>or until it ends</Ends>} onClick={() => snooze({ until_change: true })}>
        Until it changes
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item rightSection={<Ends>at most 90 days</Ends>} closeMenuOnClick={false} onClick={() => setPicking(true)}>
        Pick a time …
      </Menu.Item>
    </AnchoredMenu>
  );
}

function Ends({ children }: { readonly children: string }) {
  return <span className={classes.ends}>{children}</span>;
}
