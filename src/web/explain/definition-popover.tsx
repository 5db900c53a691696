import { definitions, type FigureKey } from '#domain/metrics/definitions.ts';
import type { Definition } from '#domain/metrics/metric.ts';
import classes from './explain.module.css';
import { ExplainDialog, ExplainHead, ExplainPair, LeftOut } from './explain-dialog.tsx';
import type { PopoverState } from './explain-label.tsx';

interface Props extends PopoverState {
  readonly figure: FigureKey;
}

/** The popover of `Defined`. */
export default function DefinitionPopover({ figure, ...state }: Props) {
  const { name, definition, window, leftOut }: Definition = definitions[figure];
  return (
    <ExplainDialog {...state}>
      <ExplainHead name={name} definition={definition} onClose={state.onClose} />
      <dl className={classes.rows}>
        <ExplainPair label="Window">{window.words}</ExplainPair>
      </dl>
      {leftOut !== null && (
        <LeftOut>
          <li>{leftOut}</li>
        </LeftOut>
      )}
    </ExplainDialog>
  );
}
