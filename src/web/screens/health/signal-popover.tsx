import { documentationOf } from '../../explain/documentation.ts';
import classes from '../../explain/explain.module.css';
import { ExplainDialog, ExplainHead } from '../../explain/explain-dialog.tsx';
import type { PopoverState } from '../../explain/explain-label.tsx';

interface Props extends PopoverState {
  readonly name: string;
  readonly definition: string;
  /** When it says nothing. */
  readonly wrong?: string | undefined;
}

/** What a signal is, and where all of them are explained. */
export default function SignalPopover({ name, definition, wrong, ...state }: Props) {
  return (
    <ExplainDialog {...state}>
      <ExplainHead name={name} definition={definition} onClose={state.onClose} />
      <dl className={classes.making}>
        {wrong !== undefined && (
          <>
            <dt>Wrong where</dt>
            <dd>{wrong}</dd>
          </>
        )}
        <dt>In full</dt>
        <dd>
          <a href={documentationOf.figure('signals')} target="_blank" rel="noreferrer">
            Every signal, and how it is counted
          </a>
        </dd>
      </dl>
    </ExplainDialog>
  );
}
