import type { OwnSignal } from '#contract/pull-requests.ts';
import { signalNames, signalRuleOf } from '#domain/signal-words.ts';
import { defaultHealthSettings } from '#domain/signals.ts';
import { documentationOf } from '../../explain/documentation.ts';
import { ExplainDialog, ExplainHead } from '../../explain/explain-dialog.tsx';
import type { PopoverState } from '../../explain/explain-label.tsx';
import classes from './signals.module.css';

interface Props extends PopoverState {
  readonly signal: OwnSignal;
}

/** The rule that a pull request meets, what would make it wrong, and what somebody who took part said. */
export default function SignalPopover({ signal, ...state }: Props) {
  const { key, why, dismissed, reason } = signal;
  // Its thresholds stand in `why`; what makes it wrong has none.
  const { wrongWhere } = signalRuleOf(key, defaultHealthSettings);
  return (
    <ExplainDialog {...state}>
      <ExplainHead name={signalNames[key]} definition={why} onClose={state.onClose} />
      <div className={classes.rule}>
        {dismissed && (
          <p>
            Somebody who took part says that it is not so{reason === null ? '.' : ': '}
            {reason !== null && <q dir="auto">{reason}</q>}
          </p>
        )}
        <p>Wrong where {wrongWhere}</p>
        <p>
          A signal is about a practice, not about a person.{' '}
          <a href={documentationOf.signals} target="_blank" rel="noreferrer">
            All signals and their rules
          </a>
        </p>
      </div>
    </ExplainDialog>
  );
}
