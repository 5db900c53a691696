import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Note } from '#contract/notes.ts';
import { api } from '../api/client.ts';
import { keyOf } from '../api/query.ts';
import { Banner } from '../kit/banner.tsx';
import { causeOf } from '../kit/error-state.tsx';
import { useFocusBack } from '../kit/focus-back.ts';
import { type Audience, ForWhom } from '../kit/for-whom.tsx';
import { useIsVisitor } from '../session/session.tsx';
import classes from './notes.module.css';

/** The longest note, in letters. */
const LONGEST = 140;

interface Props {
  /** The day that it begins with, yyyy-MM-dd. */
  readonly start: string;
  readonly onAdded: (note: Note) => void;
  readonly onClose: () => void;
  /** The id of what gets the focus once it is closed. */
  readonly otherwise: string;
}

/** The form of a new note: the day that it tells of, the words, and for whom they are. */
export function AddNote({ start, onAdded, onClose, otherwise }: Props) {
  // The button that opens it makes way for it.
  useFocusBack(otherwise);
  const words = useRef<HTMLInputElement>(null);
  useEffect(() => words.current?.focus(), []);
  const isVisitor = useIsVisitor();
  const queries = useQueryClient();
  const [day, setDay] = useState(start);
  const [text, setText] = useState('');
  const [visibility, setVisibility] = useState<Audience>('mine');
  const add = useMutation({
    mutationFn: () => api.addNote({ body: { at: day, text, visibility } }),
    onSuccess: async (note) => {
      void queries.invalidateQueries({ queryKey: keyOf('getTrends') });
      await queries.invalidateQueries({ queryKey: keyOf('listNotes') });
      onAdded(note);
      onClose();
    },
  });
  return (
    <form
      className={classes.form}
      aria-label="Add a note"
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate();
      }}
    >
      <TextInput
        type="date"
        label="Day"
        required
        withAsterisk={false}
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <TextInput
        className={classes.words ?? ''}
        label="What happened"
        required
        withAsterisk={false}
        maxLength={LONGEST}
        autoComplete="off"
        ref={words}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ForWhom
        value={visibility}
        onChange={setVisibility}
        sentence="Everyone who signs in here will read it beside these figures."
        alone={isVisitor}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={day === '' || text.trim() === ''} loading={add.isPending}>
          Add note
        </Button>
      </div>
      {add.error && (
        <div className={classes.wrong}>
          <Banner meaning="bad">{`The note could not be added. ${causeOf(add.error)}`}</Banner>
        </div>
      )}
    </form>
  );
}
