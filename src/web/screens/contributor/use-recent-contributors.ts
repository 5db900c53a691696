import { useLocalStorage } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ContributorMetrics, FoundContributor } from '#contract/contributors.ts';
import { RECENT_KEY, type RecentContributor, readRecent, sameUsername, withVisit } from './recent-contributors.ts';

type Update = (change: (recent: RecentContributor[]) => RecentContributor[]) => void;

/** The people viewed last, as this device keeps them; other tabs follow. */
export function useRecentContributors(): readonly [RecentContributor[], Update] {
  const [recent, setRecent] = useLocalStorage<RecentContributor[]>({
    key: RECENT_KEY,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readRecent,
  });
  return [recent, setRecent];
}

/** Writes the view of a contributor whose figures have come to the recent ones; undefined writes nothing. */
export function useVisit(metrics: ContributorMetrics | undefined): void {
  const [, setRecent] = useRecentContributors();
  const queries = useQueryClient();
  const username = metrics?.username;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one view of a person is one visit, however often the figures are fetched
  useEffect(() => {
    if (metrics === undefined) return;
    const { username, display_name, avatar_url, kind } = metrics;
    const listed = queries
      .getQueriesData<FoundContributor[]>({ queryKey: ['listContributors'] })
      .flatMap(([, people]) => people ?? [])
      .find((person) => person.username === username);
    setRecent((recent) => {
      const before = recent.find((entry) => sameUsername(entry.username, username));
      const repository_count = listed?.repository_count ?? before?.repository_count ?? null;
      const last_viewed = new Date().toISOString();
      return withVisit(recent, { username, display_name, avatar_url, kind, last_viewed, repository_count });
    });
  }, [username]);
}
