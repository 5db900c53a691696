import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { KeptView } from '#contract/views.ts';
import { ForWhom } from '../kit/for-whom.tsx';
import { useIsVisitor } from '../session/session.tsx';
import classes from './views.module.css';

/** The longest name, in letters. */
const LONGEST = 80;

type Kept = Pick<KeptView, 'name' | 'visibility' | 'pinned'>;

interface Props {
  readonly start: Kept;
  readonly save: string;
  readonly saving: boolean;
  readonly onSave: (kept: Kept) => void;
  readonly onClose: () => void;
  /** What went wrong. */
  readonly children?: ReactNode;
}

/** What a view is called, whom it is for, and whether it stands on the dashboard. */
export function ViewForm({ start, save, saving, onSave, onClose, children }: Props) {
  const [kept, setKept] = useState(start);
  const isVisitor = useIsVisitor();
  const forEveryone = kept.visibility === 'everyone';
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) onSave(kept);
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        maxLength={LONGEST}
        value={kept.name}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setKept({ ...kept, name: currentTarget.value })}
      />
      <ForWhom
        value={kept.visibility}
        onChange={(visibility) => setKept({ ...kept, visibility })}
        sentence="Everyone who signs in here sees its name, and opens it with their own repositories. What you typed into a search is left out for them."
        alone={isVisitor}
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={kept.pinned}
          onChange={({ currentTarget }) => setKept({ ...kept, pinned: currentTarget.checked })}
        />
        {forEveryone ? 'Pin to the dashboard, everyone’s too' : 'Pin to the dashboard'}
      </label>
      {children}
      <div className={classes.answers}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={kept.name.trim() === ''} loading={saving}>
          {save}
        </Button>
      </div>
    </form>
  );
}
