import { Button } from '@mantine/core';
import { Banner } from '../../../kit/banner.tsx';
import { causeOf } from '../../../kit/error-state.tsx';
import { passFocus } from '../../../kit/focus-back.ts';
import classes from './notifications.module.css';
import type { Saving } from './use-saving.ts';

interface Props {
  readonly saving: Saving;
  /** The id of the heading of its card. */
  readonly head: string;
}

/** What became of the last change: saved, with the way to take it back, or why not. */
export function SavedLine({ saving, head }: Props) {
  return (
    <>
      <p className={classes.saved} role="status">
        {saving.isPending ? 'Saving …' : saving.saved !== null && `${saving.saved}. `}
        {!saving.isPending && saving.saved !== null && (
          <Button ref={passFocus(head)} variant="subtle" size="compact-sm" onClick={saving.undo}>
            Undo
          </Button>
        )}
      </p>
      {saving.error && (
        <div className={classes.problem}>
          <Banner meaning="bad">{`This could not be saved. ${causeOf(saving.error)}`}</Banner>
        </div>
      )}
    </>
  );
}
