import { CheckCircleIcon, ClockIcon, SyncIcon, XCircleIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { counted } from '#domain/counted.ts';
import { Banner } from '../kit/banner.tsx';
import { Card } from '../kit/card.tsx';
import { formatCount } from '../time/moment.ts';
import type { RawSearch } from '../url/url-state.ts';
import classes from './first-import.module.css';
import { isAtWork, useImported } from './import-notice.tsx';
import { firstImportsOf, importStates, importsToShow, type StateOfImport, stateOfImport } from './import-state.ts';

/** How many repositories are listed at most. */
const SHOWN = 12;

type Imported = NonNullable<ReturnType<typeof useImported>>[number];

/** While several repositories are imported for the first time, how far each is; once they all are, that they are. */
export default function FirstImport() {
  const imported = useImported();
  const { done, onTheWay } = firstImportsOf(imported ?? []);
  const isOn = onTheWay.some(({ sync }) => sync !== undefined && isAtWork(sync));
  const all = [...done, ...onTheWay];
  // Those that one saw under way, until the news is taken away.
  const [watched, setWatched] = useState<readonly number[]>([]);
  const ids = isOn && all.length > 1 ? all.map(({ repository }) => repository.id).join() : '';
  useEffect(() => {
    if (ids !== '') setWatched((before) => [...new Set([...before, ...ids.split(',').map(Number)])]);
  }, [ids]);
  if (imported === undefined) return null;
  if (!isOn) {
    const isThere = (id: number) =>
      imported.some(({ repository }) => repository.id === id && repository.last_synced_at !== null);
    if (watched.length === 0 || !watched.every(isThere)) return null;
    return (
      <Banner meaning="good" onClose={() => setWatched([])}>
        {`All ${formatCount(watched.length)} repositories are imported.`}
      </Banner>
    );
  }
  if (all.length < 2) return null;
  const counts = Map.groupBy(all, stateOfImport);
  const rows = importsToShow(all, SHOWN);
  const quota = onTheWay.map(({ sync }) => sync?.rate_limit_status).find((one) => one?.remaining != null);
  return (
    <Card
      title="First import"
      caption={importStates
        .flatMap((state) => {
          const count = counts.get(state)?.length ?? 0;
          return count === 0 ? [] : `${formatCount(count)} ${state}`;
        })
        .join(', ')}
      foot={
        <>
          <span>
            Newest first.
            {quota?.remaining != null &&
              quota.limit !== null &&
              ` ${formatCount(quota.remaining)} of ${formatCount(quota.limit)} points left this hour.`}
          </span>
          {all.length > rows.length && (
            <Link to="/settings">{counted(all.length - rows.length, 'more repository', 'more repositories')}</Link>
          )}
        </>
      }
      flush
    >
      <ul className={classes.list}>
        {rows.map((one) => (
          <Row key={one.repository.id} of={one} />
        ))}
      </ul>
    </Card>
  );
}

const icons = { done: CheckCircleIcon, running: SyncIcon, waiting: ClockIcon, failed: XCircleIcon } as const;

function Row({ of }: { readonly of: Imported }) {
  const state = stateOfImport(of);
  const Icon = icons[state];
  const percent = Math.floor(of.sync?.progress.percentage ?? 0);
  return (
    <li className={`${classes.row} ${classes[state] ?? ''}`}>
      <Icon size={16} className={classes.icon ?? ''} aria-label={state} />
      <Link
        className={classes.name}
        to="/prs"
        search={{ repository: String(of.repository.id) } as RawSearch}
        dir="auto"
        title={of.repository.full_name}
      >
        {of.repository.full_name}
      </Link>
      <span className={classes.words}>{wordsOf(of, state)}</span>
      {state === 'running' && (
        <>
          <span
            className={classes.track}
            role="progressbar"
            aria-label={of.repository.full_name}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${percent}%` }} />
          </span>
          <span className={classes.percent}>{percent} %</span>
        </>
      )}
      {state === 'failed' && of.sync?.error_link && (
        <a className={classes.action} href={of.sync.error_link} target="_blank" rel="noreferrer">
          Authorise
        </a>
      )}
    </li>
  );
}

function wordsOf({ repository, sync }: Imported, state: StateOfImport): string {
  if (state === 'done')
    return repository.pull_requests === null
      ? 'all there'
      : `${counted(repository.pull_requests, 'pull request')}, all there`;
  if (state === 'failed') return sync?.error ?? 'failed';
  if (state === 'waiting') return sync?.status === 'waiting' ? sync.progress.message : 'waits';
  const { processed_prs, total_prs } = sync!.progress;
  return total_prs === null ? 'begins' : `${formatCount(processed_prs)} of ${formatCount(total_prs)}`;
}
