import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, useState } from 'react';
import type { OwnSignal, PullRequestDetail } from '#contract/pull-requests.ts';
import { api } from '../../api/client.ts';
import { part } from '../../api/part.ts';
import { ExplainLabel } from '../../explain/explain-label.tsx';
import { Banner } from '../../kit/banner.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import type { PullRequestAddress } from './refresh.ts';
import classes from './signals.module.css';

const SignalPopover = lazy(part(() => import('./signal-popover.tsx')));

/** So long a reason may be. */
const LONGEST_REASON = 200;

interface Props {
  readonly detail: PullRequestDetail;
  readonly address: PullRequestAddress;
}

/** What the review practice shows of it, each with its rule; whoever took part may say there that one is not so. Nothing without any. */
export function Signals({ detail, address }: Props) {
  const [opened, setOpened] = useState(false);
  const { signals, may_dismiss_signals } = detail;
  if (signals.length === 0) return null;
  return (
    <div className={classes.signals}>
      <ul aria-label="Signals">
        <li aria-hidden="true">Signals:</li>
        {signals.map((signal) => (
          <li key={signal.key} className={classes.signal}>
            <ExplainLabel popover={(state) => <SignalPopover signal={signal} {...state} />}>
              {signal.dismissed ? <s>{signal.name}</s> : signal.name}
            </ExplainLabel>
            {signal.dismissed && <span className={classes.quiet}> not so</span>}
          </li>
        ))}
      </ul>
      {may_dismiss_signals && (
        <Button id="not-so" variant="subtle" size="compact-sm" color="gray" onClick={() => setOpened(true)}>
          Not so …
        </Button>
      )}
      {opened && (
        <Dialog title="Signals of this pull request" otherwise="not-so" onClose={() => setOpened(false)}>
          <p className={classes.quiet}>
            They are about how it was reviewed, not about a person. What you say is not so leaves the shares of the
            review practice; everybody who sees this pull request sees what you say, and the audit log keeps who said
            it.
          </p>
          {signals.map((signal) => (
            <NotSo key={signal.key} signal={signal} address={address} />
          ))}
        </Dialog>
      )}
    </div>
  );
}

/** Says that a signal is not so, and why, or takes that back. */
function NotSo({ signal, address }: { readonly signal: OwnSignal; readonly address: PullRequestAddress }) {
  const { key, name, why, dismissed, reason } = signal;
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const say = useMutation({
    mutationFn: () =>
      api.dismissSignal({ params: { ...address, key }, body: { dismissed: !dismissed, reason: typed.trim() } }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      setTyped('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!say.isPending) say.mutate();
  };
  return (
    <form className={classes.form} aria-label={name} onSubmit={submit}>
      <h3>{name}</h3>
      <p>{why}</p>
      {dismissed ? (
        <p className={classes.said}>
          Said not to be so{reason === null ? ', without a reason.' : ': '}
          {reason !== null && <q dir="auto">{reason}</q>}
        </p>
      ) : (
        <TextInput
          label="Why is it not so?"
          description={`If you like, in at most ${LONGEST_REASON} characters`}
          value={typed}
          maxLength={LONGEST_REASON}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
        />
      )}
      {say.error !== null && <Banner meaning="bad">{causeOf(say.error)}</Banner>}
      <Button type="submit" variant="default" aria-disabled={say.isPending}>
        {say.isPending ? 'Saving' : dismissed ? 'Take it back: it is so' : 'It is not so'}
      </Button>
    </form>
  );
}
