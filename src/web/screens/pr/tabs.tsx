import { Tabs } from '@mantine/core';
import { type ComponentType, useEffect, useRef } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { scrollToMiddle } from '../../kit/scroll-within.ts';
import { useSingleKeys } from '../../kit/single-keys.ts';
import classes from '../../kit/tabs.module.css';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readOneOf } from '../../url/url-state.ts';
import { CodeTab } from './code-tab.tsx';
import { CollaborationTab } from './collaboration-tab.tsx';
import { ComparativeTab } from './comparative-tab.tsx';
import { ReviewsTab } from './reviews-tab.tsx';
import { TimeTab } from './time-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';

const tabNames = ['timeline', 'time', 'reviews', 'code', 'collaboration', 'comparative'] as const;

type TabName = (typeof tabNames)[number];

const tabs: Readonly<Record<TabName, { word: string; Tab: ComponentType<{ detail: PullRequestDetail }> }>> = {
  timeline: { word: 'Timeline', Tab: TimelineTab },
  time: { word: 'Time Analysis', Tab: TimeTab },
  reviews: { word: 'Reviews', Tab: ReviewsTab },
  code: { word: 'Code Metrics', Tab: CodeTab },
  collaboration: { word: 'Collaboration', Tab: CollaborationTab },
  comparative: { word: 'Comparative', Tab: ComparativeTab },
};

/** The six tabs; the open one stands in the address as `?tab=`, the first one without. Keys 1 to 6 open them. */
export function PullRequestTabs({ detail }: { detail: PullRequestDetail }) {
  const [chosen, choose] = useUrlFilter('tab');
  const current = readOneOf(chosen, tabNames) ?? 'timeline';
  const open = (name: string | null) => choose(name === null || name === 'timeline' ? undefined : name);
  useSingleKeys(Object.fromEntries(tabNames.map((name, index) => [String(index + 1), () => open(name)])));
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the opened tab scrolls into sight
  useEffect(() => {
    const opened = list.current?.querySelector('[aria-selected="true"]');
    if (list.current && opened) scrollToMiddle(list.current, opened);
  }, [current]);
  const { Tab } = tabs[current];
  return (
    <Tabs value={current} onChange={open} keepMounted={false} unstyled className={classes.tabs ?? ''}>
      <Tabs.List ref={list} className={classes.list ?? ''} aria-label="Views of this pull request">
        {tabNames.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            className={classes.tab ?? ''}
            data-on-paper={name === current ? true : undefined}
          >
            {tabs[name].word}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={current} className={classes.panel ?? ''}>
        <Tab detail={detail} />
      </Tabs.Panel>
    </Tabs>
  );
}
