import '@mantine/core/styles/Popover.layer.css';
import { Popover } from '@mantine/core';
import { AgentIcon, NoteIcon, PlugIcon, SlidersIcon, VersionsIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { placeMarks, widthOf } from '../../charts/mark-labels.ts';
import { useUser } from '../../session/session.tsx';
import { formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './happenings.module.css';
import type { Happening } from './happenings.ts';

const icons = {
  repository_connected: PlugIcon,
  ai_reviewer: AgentIcon,
  definitions: VersionsIcon,
  thresholds: SlidersIcon,
  note: NoteIcon,
} as const satisfies Record<Happening['kind'], unknown>;
/** What words are cut at. */
const MOST_LETTERS = 40;

function HappeningIcon({ kind }: Pick<Happening, 'kind'>) {
  const Icon = icons[kind];
  return <Icon size={12} />;
}

const cut = (words: string) => (words.length > MOST_LETTERS ? `${words.slice(0, MOST_LETTERS - 1).trimEnd()}…` : words);

interface MarksProps {
  readonly happenings: readonly Happening[];
  /** In percent of the plot. */
  readonly x: (place: number) => number;
  /** The room of labels and that of the plot, in pixels. */
  readonly room: number;
  readonly width: number;
}

/** The labels of what happened, above the plot. */
export function HappeningMarks({ happenings, x, room, width }: MarksProps) {
  const placed = placeMarks(
    happenings.map(({ place, words }) => ({ x: (x(place) / 100) * width, width: widthOf(cut(words)) })),
    room,
  );
  return (
    <ul className={classes.marks} aria-label="What happened meanwhile">
      {happenings.map((happening, at) => (
        <li
          key={happening.key}
          className={placed[at]!.hasWords ? classes.worded : classes.bare}
          // In parts of the room: paper is of another width.
          style={{ left: `${(100 * placed[at]!.left) / width}%` }}
        >
          <Mark happening={happening} hasWords={placed[at]!.hasWords} />
        </li>
      ))}
    </ul>
  );
}

function Mark({ happening, hasWords }: { readonly happening: Happening; readonly hasWords: boolean }) {
  const [opened, setOpened] = useState(false);
  const { kind, words } = happening;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={288}
      position="bottom-start"
      offset={4}
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal={false}
    >
      <Popover.Target>
        <button
          type="button"
          data-on-paper
          className={classes.mark}
          aria-haspopup="dialog"
          aria-expanded={opened}
          aria-label={hasWords ? undefined : words}
          data-tip={hasWords && cut(words) === words ? undefined : words}
          onClick={() => setOpened(!opened)}
        >
          <HappeningIcon kind={kind} />
          {hasWords && cut(words)}
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="What happened">
        <HappeningText happening={happening} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Day and full text of what happened. */
function HappeningText({ happening: { day, events } }: { readonly happening: Happening }) {
  const now = useNow();
  return (
    // With the focus in it, Escape closes the dialog.
    <div className={classes.text} tabIndex={-1} data-autofocus>
      <strong>{formatDay(Date.parse(`${day}T12:00:00Z`), now, 'UTC')}</strong>
      {events.map(({ at, text }) => (
        <p key={`${at} ${text}`}>{text}</p>
      ))}
    </div>
  );
}

/** The same as a list, where there is no room above the plot. */
export function HappeningList({ happenings }: { readonly happenings: readonly Happening[] }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <ul className={classes.list}>
      {happenings.map(({ key, kind, words, events }) => (
        <li key={key}>
          <HappeningIcon kind={kind} />
          <span>{kind === 'definitions' || kind === 'thresholds' ? events[0]!.text : words}</span>
          <time dateTime={events[0]!.at}>{formatDay(Date.parse(events[0]!.at), now, time_zone)}</time>
        </li>
      ))}
    </ul>
  );
}
