import { lazy } from 'react';
import { signalNames, signalRuleOf } from '#domain/signal-words.ts';
import type { HealthSettings, SignalKey } from '#domain/signals.ts';
import { part } from '../../api/part.ts';
import { ExplainLabel } from '../../explain/explain-label.tsx';

const SignalPopover = lazy(part(() => import('./signal-popover.tsx')));

interface Props {
  readonly name: string;
  readonly definition: string;
  readonly wrong?: string;
}

/** A name that opens what it means. */
export function Told({ name, definition, wrong }: Props) {
  return (
    <ExplainLabel popover={(state) => <SignalPopover name={name} definition={definition} wrong={wrong} {...state} />}>
      {name}
    </ExplainLabel>
  );
}

/** A signal's name, which opens its rule with the thresholds that hold. */
export function SignalName({ signal, settings }: { readonly signal: SignalKey; readonly settings: HealthSettings }) {
  const { rule, wrongWhere } = signalRuleOf(signal, settings);
  return <Told name={signalNames[signal]} definition={rule} wrong={wrongWhere} />;
}
