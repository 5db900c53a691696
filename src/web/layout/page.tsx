import { ActionIcon } from '@mantine/core';
import { useDocumentTitle as useTabTitle } from '@mantine/hooks';
import { AlertIcon, BookmarkIcon, ClockIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { askConnectedRepositories } from '../api/questions.ts';
import { useUser } from '../session/session.tsx';
import { formatAsOf, instantOf, zoneWords } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import classes from './page.module.css';
import { canBeKept } from './pages.ts';
import { showOverlay } from './palette-state.ts';
import { useTurnCount } from './turn-count.ts';

const DAY = 24 * 3_600_000;

interface Props {
  /** The h1; also the name of the browser's tab. */
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** At most four, at the right of the title. */
  readonly actions?: ReactNode;
  /** Leaves out "Data as of …", for pages without figures. */
  readonly withoutAsOf?: boolean;
  readonly children: ReactNode;
}

/** The page template of signed-in screens: title, one line below it, "Data as of …" and the actions at the right, then the content. */
export function Page({ title, subtitle, actions, withoutAsOf = false, children }: Props) {
  useDocumentTitle(title);
  return (
    <>
      <div className={classes.title}>
        <div className={classes.words}>
          <div className={classes.heading}>
            <h1>{title}</h1>
            <KeepButton />
          </div>
          {subtitle !== undefined && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        <div className={classes.actions}>
          {!withoutAsOf && <DataAsOf />}
          {actions}
        </div>
      </div>
      <div className={classes.content}>{children}</div>
    </>
  );
}

/** Opens the form that keeps the page's address, where it can be kept. */
function KeepButton() {
  const { pathname } = useLocation();
  if (!canBeKept(pathname)) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Keep this view"
      data-tip="Keep this view"
      data-screen-only
      onClick={() => showOverlay('keep-view')}
    >
      <BookmarkIcon size={16} />
    </ActionIcon>
  );
}

/** Names the browser's tab after the page; before it stands how many wait for the signed-in person, where that is known and not 0. */
export function useDocumentTitle(title: string): void {
  const count = useTurnCount(false);
  useTabTitle(`${count == null ? '' : `(${count}) `}${title} · Mergelight`);
}

/**
 * Up to when everything is in, by the connected repository that was synced longest ago: a warning once that is over a day ago. Single
 * changes may be in that are newer, by webhooks. Archived ones, which are read once a day, count where there are no others. Nothing before
 * the first sync.
 */
export function DataAsOf() {
  const now = useNow();
  const { time_zone } = useUser();
  const repositories = useQuery(askConnectedRepositories());
  const syncedOf = (all: typeof repositories.data = []) =>
    all.flatMap(({ last_synced_at }) => instantOf(last_synced_at) ?? []);
  const living = syncedOf(repositories.data?.filter(({ condition }) => condition !== 'archived'));
  const synced = living.length > 0 ? living : syncedOf(repositories.data);
  if (synced.length === 0) return null;
  const oldest = Math.min(...synced);
  const stale = now - oldest > DAY;
  const Icon = stale ? AlertIcon : ClockIcon;
  return (
    <span
      className={`${classes.asOf} ${stale ? classes.stale : ''}`}
      data-tip={`Everything up to then is in. Single changes may be newer: webhooks bring them within seconds.\nTimes are those of ${zoneWords(time_zone)}; the settings change that.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what it means must be reachable by keyboard
      tabIndex={0}
    >
      <Icon size={12} />
      Data as of {formatAsOf(oldest, now, time_zone)}
    </span>
  );
}
