import { ActionIcon, Button } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Note } from '#contract/notes.ts';
import { api } from '../api/client.ts';
import { ask, keyOf } from '../api/query.ts';
import { Banner } from '../kit/banner.tsx';
import { Card } from '../kit/card.tsx';
import { Chip } from '../kit/chip.tsx';
import { ErrorState, OldAnswerNote } from '../kit/error-state.tsx';
import { LossDialog } from '../kit/loss-dialog.tsx';
import { Late, Line } from '../kit/skeleton.tsx';
import { useUser } from '../session/session.tsx';
import { dayOf, formatCount, formatDay } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import { midnightOf } from '../time/zone-days.ts';
import { AddNote } from './add-note.tsx';
import classes from './notes.module.css';

const HEAD = 'notes';
/** So many are shown at first. */
const SHOWN = 8;

interface Props {
  /** The window, by its first day and the day after its last; without an end nothing bounds it there. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Whether the form stands open. */
  readonly adding: boolean;
  readonly onAdding: (adding: boolean) => void;
}

/** Notes about moments of a window, one's own and everyone's, the latest first, and a form that adds one: the foot of figures over time. */
export default function Notes({ from, to, adding, onAdding }: Props) {
  const notes = useQuery(ask('listNotes', { query: { ...(from && { from }), ...(to && { to }) } }));
  const [all, setAll] = useState(false);
  const [added, setAdded] = useState<Note | null>(null);
  const now = useNow();
  const { time_zone } = useUser();
  const today = dayOf(now, time_zone);
  const addedOn = added === null ? null : dayOf(Date.parse(added.at), time_zone);
  const isOutside = addedOn !== null && ((from !== undefined && addedOn < from) || (to !== undefined && addedOn >= to));
  const listed = notes.data?.toReversed();
  const shown = all ? listed : listed?.slice(0, SHOWN);
  return (
    <Card
      title={
        <span id={HEAD} tabIndex={-1}>
          Notes
        </span>
      }
      caption="yours, and everyone’s"
      controls={
        !adding && (
          <Button variant="default" leftSection={<PlusIcon size={14} />} onClick={() => onAdding(true)}>
            Add a note
          </Button>
        )
      }
    >
      {adding && (
        <AddNote
          start={to === undefined || to > today ? today : dayOf(midnightOf(to, time_zone) - 1, time_zone)}
          onAdded={setAdded}
          onClose={() => onAdding(false)}
          otherwise={HEAD}
        />
      )}
      {added !== null && isOutside && (
        <Banner meaning="note" onClose={() => setAdded(null)}>
          Added for {formatDay(Date.parse(added.at), now, time_zone)}, which is not among the days shown.
        </Banner>
      )}
      <OldAnswerNote title="Failed to fetch notes" answer={notes} />
      {listed === undefined || shown === undefined ? (
        notes.error ? (
          <ErrorState title="Failed to fetch notes" error={notes.error} onRetry={() => void notes.refetch()} />
        ) : (
          <Late>
            <div className={classes.note}>
              <Line width="14rem" />
            </div>
          </Late>
        )
      ) : listed.length === 0 ? (
        !adding && (
          <p className={classes.none}>
            No notes in this time. A note says what happened on a day: a release, a new rule, half the team away.
          </p>
        )
      ) : (
        <ul aria-label="Notes">
          {shown.map((note) => (
            <OneNote key={note.id} note={note} />
          ))}
        </ul>
      )}
      {listed !== undefined && listed.length > SHOWN && (
        <Button
          className={classes.all ?? ''}
          variant="subtle"
          color="gray"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? `Show the latest ${SHOWN}` : `Show all ${formatCount(listed.length)}`}
        </Button>
      )}
    </Card>
  );
}

function OneNote({ note: { id, at, text, visibility, mine } }: { readonly note: Note }) {
  const now = useNow();
  const { time_zone } = useUser();
  const [deleting, setDeleting] = useState(false);
  return (
    <li className={classes.note}>
      <time className={classes.day} dateTime={at}>
        {formatDay(Date.parse(at), now, time_zone)}
      </time>
      <span className={classes.text} dir="auto">
        {text}
      </span>
      <span className={classes.end}>
        {visibility === 'everyone' && <Chip meaning="neutral">For everyone</Chip>}
        {mine && (
          <ActionIcon
            className={classes.delete ?? ''}
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Delete the note “${text}”`}
            data-tip="Delete"
            onClick={() => setDeleting(true)}
          >
            <TrashIcon size={14} />
          </ActionIcon>
        )}
      </span>
      {deleting && <DeleteNote id={id} text={text} onClose={() => setDeleting(false)} />}
    </li>
  );
}

interface DeleteProps {
  readonly id: number;
  readonly text: string;
  readonly onClose: () => void;
}

function DeleteNote({ id, text, onClose }: DeleteProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteNote({ params: { id } }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: keyOf('getTrends') });
      await queries.invalidateQueries({ queryKey: keyOf('listNotes') });
      onClose();
    },
  });
  return (
    <LossDialog
      title="Delete note"
      action="Delete note"
      failure="The note could not be deleted."
      loss={remove}
      onClose={onClose}
      otherwise={HEAD}
    >
      <p className={classes.quoted} dir="auto">
        {text}
      </p>
    </LossDialog>
  );
}
