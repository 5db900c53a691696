import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RepositoryImport } from '#contract/connecting.ts';
import { api } from '../../api/client.ts';
import { keyOf } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Panel } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { spokenTens } from '../../kit/spoken-tens.ts';
import { formatCount } from '../../time/moment.ts';
import classes from './choose.module.css';
import { askImports } from './questions.ts';

interface Props {
  /** The one that was begun on this page, which may be over before it is first looked at; null before. */
  readonly began: string | null;
  /** Called when an import that ran while one looked has come to its end. */
  readonly onEnd: () => void;
}

/** The latest import as one line with what did not work behind it, while it goes on and when it has just ended. */
export function Imports({ began, onEnd }: Props) {
  const imports = useQuery(askImports());
  const latest = imports.data?.[0];
  const wasOn = useRef<string | null>(null);
  const isOn = latest?.state === 'running' || latest?.state === 'paused';
  useEffect(() => {
    if (latest === undefined) return;
    if (isOn) wasOn.current = latest.id;
    else if (wasOn.current === latest.id) {
      wasOn.current = null;
      onEnd();
    }
  }, [latest, isOn, onEnd]);
  const [seen, setSeen] = useState<string | null>(null);
  if (latest === undefined) return null;
  if (isOn && seen !== latest.id) setSeen(latest.id);
  return isOn || seen === latest.id || began === latest.id ? <Import key={latest.id} of={latest} /> : null;
}

function Import({ of }: { readonly of: RepositoryImport }) {
  const queries = useQueryClient();
  const [unfolded, setUnfolded] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const title = useRef<HTMLElement>(null);
  const change = useMutation({
    mutationFn: (action: 'pauseImport' | 'resumeImport' | 'cancelImport') => api[action]({ params: { id: of.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf('listImports') }),
  });
  const ended = of.done + of.failed.length;
  const share = of.total === 0 ? 100 : Math.floor((100 * ended) / of.total);
  const parts = [
    `${formatCount(of.done)} of ${formatCount(of.total)} done`,
    ...(of.running > 0 ? [`${formatCount(of.running)} running`] : []),
    ...(of.waiting > 0 ? [`${formatCount(of.waiting)} waiting`] : []),
    ...(of.failed.length > 0 ? [`${formatCount(of.failed.length)} failed`] : []),
  ];
  const titles = {
    running: 'Importing. You can leave this page; it goes on.',
    paused: 'Paused. What is imported is shown already.',
    done: 'Imported.',
    cancelled: 'Cancelled. What was connected stays.',
  } as const;
  const goesOn = of.state === 'running' || of.state === 'paused';
  return (
    <Panel label="Import">
      <div className={classes.import}>
        <div className={classes.importHead}>
          <b ref={title} tabIndex={-1} role="status">
            {titles[of.state]}
          </b>
          <span className={classes.quiet}>{parts.join(' · ')}</span>
          <VisuallyHidden role="status">{goesOn && `Import: ${spokenTens(share)}.`}</VisuallyHidden>
        </div>
        {goesOn && (
          <div
            className={classes.track}
            role="progressbar"
            aria-label="Import"
            aria-valuenow={share}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${share}%` }} />
          </div>
        )}
        {(goesOn || of.failed.length > 0) && (
          <div className={classes.importActions}>
            {goesOn && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => change.mutate(of.state === 'paused' ? 'resumeImport' : 'pauseImport')}
              >
                {of.state === 'paused' ? 'Go on' : 'Pause'}
              </Button>
            )}
            {goesOn && cancelling && (
              <>
                <span role="alert">Stop for good? What was connected stays.</span>
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => {
                    setCancelling(false);
                    title.current?.focus();
                    change.mutate('cancelImport');
                  }}
                >
                  Stop
                </Button>
              </>
            )}
            {goesOn && (
              <Button variant="subtle" size="compact-sm" onClick={() => setCancelling(!cancelling)}>
                {cancelling ? 'Keep going' : 'Cancel'}
              </Button>
            )}
            {of.failed.length > 0 && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-expanded={unfolded}
                onClick={() => setUnfolded(!unfolded)}
              >
                {unfolded ? 'Hide what failed' : 'Show what failed'}
              </Button>
            )}
          </div>
        )}
        {change.error && <Banner meaning="bad">{causeOf(change.error)}</Banner>}
        {unfolded && (
          <ul className={classes.failed}>
            {of.failed.map(({ full_name, reason }) => (
              <li key={full_name}>
                <b>{full_name}</b> {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
