import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RepositoryImport } from '#contract/connecting.ts';
import { counted } from '#domain/counted.ts';
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

const isUnderWay = ({ state }: RepositoryImport): boolean => state === 'running' || state === 'paused';

/** Every import that goes on and the one that ended last while one looked, each as a line with what did not work behind it. */
export function Imports({ began, onEnd }: Props) {
  const { data: imports } = useQuery(askImports());
  const wasOn = useRef<readonly string[]>([]);
  useEffect(() => {
    if (imports === undefined) return;
    const isOn = imports.filter(isUnderWay).map(({ id }) => id);
    const hasEnded = wasOn.current.some((id) => !isOn.includes(id));
    wasOn.current = isOn;
    if (hasEnded) onEnd();
  }, [imports, onEnd]);
  /** Those that went on while one looked, in the order of their ends. */
  const [seen, setSeen] = useState<readonly string[]>([]);
  if (imports === undefined) return null;
  const isOn = imports.filter(isUnderWay).map(({ id }) => id);
  const begun = imports.flatMap(({ id }) => (id === began && !seen.includes(id) ? [id] : []));
  const ended = [...seen, ...begun].filter((id) => !isOn.includes(id));
  const next = [...ended, ...isOn];
  if (next.join() !== seen.join()) setSeen(next);
  const shown = imports.filter((one) => isUnderWay(one) || one.id === ended.at(-1));
  return shown.map((one) => <Import key={one.id} of={one} />);
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
  const label = `Import of ${counted(of.total, 'repository', 'repositories')}`;
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
    done:
      of.failed.length === 0
        ? 'Imported.'
        : `Ended: ${formatCount(of.done)} of ${formatCount(of.total)} imported, ${formatCount(of.failed.length)} failed.`,
    cancelled: 'Cancelled. What was connected stays.',
  } as const;
  const goesOn = isUnderWay(of);
  return (
    <Panel label={label}>
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
            aria-label={label}
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
