import { useMantineColorScheme } from '@mantine/core';
import {
  BookmarkIcon,
  DeviceDesktopIcon,
  FileIcon,
  GearIcon,
  MoonIcon,
  PlusIcon,
  SignOutIcon,
  SunIcon,
  SyncIcon,
  WebhookIcon,
} from '@primer/octicons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { KeptView } from '#contract/views.ts';
import { matchesSearch } from '#domain/search.ts';
import { useSignOut } from '../session/sign-out.ts';
import { useSync } from '../sync/sync-state.tsx';
import { ownFirst } from '../views/own-first.ts';
import { askViews } from '../views/questions.ts';
import { canBeKept, pages } from './pages.ts';
import { showOverlay } from './palette-state.ts';

/** One line of the command palette: a place to open, or something to do. */
export interface Entry {
  readonly id: string;
  readonly icon: ReactNode;
  readonly title: string;
  /** Small words behind the title. */
  readonly detail?: string | undefined;
  readonly keys?: readonly string[];
  readonly href?: string;
  readonly run?: () => void;
}

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const icons: Readonly<Record<string, ReactNode>> = {
  '/settings': <GearIcon size={16} />,
  '/add-repo': <PlusIcon size={16} />,
};

/** The pages whose title, or other words, hold what was typed. */
export function pageEntries(typed: string): readonly Entry[] {
  const all: readonly Entry[] = [
    ...pages.map(({ href, title, key, ...page }) => ({
      id: href,
      icon: icons[href] ?? <FileIcon size={16} />,
      title,
      detail: 'words' in page ? page.words : undefined,
      keys: ['G', key.toUpperCase()],
      href,
    })),
    { id: 'webhook', icon: <WebhookIcon size={16} />, title: 'Webhook set-up of a repository', href: '/settings' },
  ];
  return all.filter(({ title, detail }) => matchesSearch([title, detail ?? null], typed));
}

/** So many kept views are offered. */
const VIEWS = 5;

/** The kept views whose name holds what was typed, one's own first; before anything is typed the pinned ones of each first. */
export function offeredViews<View extends Pick<KeptView, 'name' | 'mine' | 'pinned'>>(
  views: readonly View[],
  typed: string,
): View[] {
  const found = views.filter(({ name }) => matchesSearch([name], typed));
  const sorted = typed.trim() === '' ? found.toSorted((a, b) => Number(b.pinned) - Number(a.pinned)) : found;
  return ownFirst(sorted).slice(0, VIEWS);
}

export function useViewEntries(typed: string): readonly Entry[] {
  const views = useQuery(askViews()).data ?? [];
  return offeredViews(views, typed).map(({ slug, name, mine }) => ({
    id: slug,
    icon: <BookmarkIcon size={16} />,
    title: name,
    detail: mine ? undefined : 'for everyone',
    href: `/v/${slug}`,
  }));
}

/** What can be done from anywhere, as far as it is possible now and its title holds what was typed. */
export function useActions(typed: string): readonly Entry[] {
  const sync = useSync();
  const { pathname } = useLocation();
  const queries = useQueryClient();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const signOut = useSignOut('/');
  const syncIcon = <SyncIcon size={16} />;
  const all: readonly Entry[] = [
    ...(sync.active
      ? [{ id: 'progress', icon: syncIcon, title: 'Show Progress', run: () => sync.setDialogOpened(true) }]
      : [
          { id: 'smart', icon: syncIcon, title: 'Start a smart sync', run: () => sync.start('smart') },
          { id: 'full', icon: syncIcon, title: 'Start a full sync', run: () => sync.start('full') },
        ]),
    ...(sync.active || sync.error !== null
      ? [{ id: 'clear', icon: syncIcon, title: 'Clear Sync State', run: sync.clear }]
      : []),
    ...(canBeKept(pathname)
      ? [
          {
            id: 'keep-view',
            icon: <BookmarkIcon size={16} />,
            title: 'Keep this view …',
            run: () => showOverlay('keep-view'),
          },
        ]
      : []),
    { id: 'refresh', icon: syncIcon, title: 'Refresh Data', run: () => void queries.invalidateQueries() },
    { id: 'light', icon: <SunIcon size={16} />, title: 'Use light colours', run: () => setColorScheme('light') },
    { id: 'dark', icon: <MoonIcon size={16} />, title: 'Use dark colours', run: () => setColorScheme('dark') },
    {
      id: 'auto',
      icon: <DeviceDesktopIcon size={16} />,
      title: 'Use the system’s colours',
      run: () => setColorScheme('auto'),
    },
    { id: 'sign-out', icon: <SignOutIcon size={16} />, title: 'Log out', run: () => void signOut() },
  ];
  return all.filter(({ title }) => matchesSearch([title], typed));
}
