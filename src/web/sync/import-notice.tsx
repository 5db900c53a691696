import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { SyncResponse } from '#contract/sync.ts';
import { api } from '../api/client.ts';
import { keyOf } from '../api/query.ts';
import { askConnectedRepositories, askTeam } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import { spokenTens } from '../kit/spoken-tens.ts';
import { useUser } from '../session/session.tsx';
import { formatAsOf, formatTime } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import type { RawSearch } from '../url/url-state.ts';
import classes from './import-notice.module.css';
import { type ImportState, importStateOf } from './import-state.ts';
import { isUnsettled, readableRepositories } from './readable-repositories.ts';
import { formatTimeLeft } from './sync-overview.ts';
import { SYNC_BUTTON, useSync } from './sync-state.tsx';

/** While something is being imported, its progress is asked for this often (milliseconds). */
const LOOK_EVERY = 5_000;
/** Of so many repositories at most the newest session is asked for, of those that are being imported first. */
const MOST = 20;

export const isAtWork = ({ status }: SyncResponse): boolean =>
  status === 'queued' || status === 'running' || status === 'waiting';

/** The repositories that the person may read, with the newest sync session of those that are not settled; undefined while these are asked for. */
export function useImported() {
  const now = useNow();
  const repositories = readableRepositories(useQuery(askConnectedRepositories()).data ?? []);
  const unsettled = repositories
    .filter((one) => isUnsettled(one, now))
    .toSorted((one, other) => Number(one.last_synced_at !== null) - Number(other.last_synced_at !== null))
    .slice(0, MOST);
  const { data: syncs, isLoading } = useQuery({
    queryKey: [...keyOf('getSync'), unsettled.map(({ id }) => id)],
    queryFn: async ({ signal }) =>
      new Map(
        await Promise.all(
          unsettled.map(async ({ id }) => [id, await api.getSync({ query: { repoId: id } }, { signal })] as const),
        ),
      ),
    enabled: unsettled.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ([...(state.data?.values() ?? [])].some(isAtWork) ? LOOK_EVERY : false),
  });
  const client = useQueryClient();
  const isBehind = unsettled.some(
    ({ id, last_synced_at }) => last_synced_at === null && syncs?.get(id)?.status === 'completed',
  );
  useEffect(() => {
    if (isBehind) void client.invalidateQueries({ queryKey: askConnectedRepositories().queryKey });
  }, [isBehind, client]);
  if (isLoading) return undefined;
  return repositories.map((repository) => ({
    repository,
    sync: unsettled.includes(repository) ? syncs?.get(repository.id) : undefined,
  }));
}

/** What there is to say about repositories whose data may be incomplete or old; undefined while their newest sync sessions are asked for. */
export function useImports(): ImportState | undefined {
  const imported = useImported();
  const isSettled = imported?.every(({ sync }) => sync === undefined) === true;
  const stats = useQuery({ ...askTeam(), enabled: !isSettled }).data;
  return imported && importStateOf(imported, stats === undefined ? null : stats.total_prs + stats.previous.total_prs);
}

/** Why syncs wait, and when the first of them goes on. */
export function waitingWords({ reason, until }: Extract<ImportState, { kind: 'waiting' }>, time_zone: string): string {
  return `${reason} The sync goes on by itself${until === null ? '' : ` at ${formatTime(until, time_zone)}`}.`;
}

/** Of which repositories the last sync failed, and why. */
export function failedWords({ names, error }: Extract<ImportState, { kind: 'failed' }>): string {
  return `The last sync of ${names} failed.${error === null ? '' : ` ${error}`}`;
}

/** News about what is still to come or went wrong: history being imported, a wait for the host, data that has grown old. */
export function ImportNotice() {
  const { active, start, setDialogOpened } = useSync();
  const now = useNow();
  const { time_zone } = useUser();
  const imports = useImports();
  const syncNow = (
    <button
      type="button"
      className={classes.now}
      onClick={() => {
        start('smart');
        // The notice goes; how far the sync is stands there.
        document.getElementById(SYNC_BUTTON)?.focus({ preventScroll: true });
      }}
    >
      Sync now
    </button>
  );
  if (imports === undefined) return <div className={classes.room} />;
  if (imports.kind === 'settled') return null;
  if (imports.kind === 'waiting') return <Banner meaning="watch">{waitingWords(imports, time_zone)}</Banner>;
  if (imports.kind === 'importing') {
    const what = imports.currentWeeksComplete
      ? 'Current weeks are complete. Older history'
      : 'The first import is under way, the newest pull requests come first';
    const left = formatTimeLeft(imports.secondsLeft);
    return (
      <Banner
        meaning="note"
        spoken={`${what}: ${spokenTens(imports.percentage)}.`}
        aside={
          active ? (
            <button type="button" className={classes.now} onClick={() => setDialogOpened(true)}>
              Details
            </button>
          ) : imports.many ? (
            <Link to="/add-repo" search={{ from: 'host' } as RawSearch}>
              Details
            </Link>
          ) : undefined
        }
      >
        {`${what}: ${Math.floor(imports.percentage)} %${left === null ? '' : `, ${left}`}. You can leave; it goes on.`}
      </Banner>
    );
  }
  if (active) return null;
  if (imports.kind === 'failed') {
    const since = imports.since === null ? '' : `Data as of ${formatAsOf(imports.since, now, time_zone)}. `;
    return (
      <Banner meaning="watch" aside={syncNow}>
        {`${since}${failedWords(imports)}`}
      </Banner>
    );
  }
  return (
    <Banner meaning="watch" aside={syncNow}>
      {`${imports.names} ${imports.many ? 'have' : 'has'} not been synced yet.`}
    </Banner>
  );
}
