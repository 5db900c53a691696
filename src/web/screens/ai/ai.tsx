import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { askConnectedRepositories } from '../../api/questions.ts';
import { useChosenNames, useWindowWords } from '../../filters/choice-of-figures.ts';
import { Panel } from '../../kit/card.tsx';
import tabLook from '../../kit/tabs.module.css';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { formatCount } from '../../time/moment.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import classes from './ai.module.css';
import { AuthorsTab } from './authors-tab.tsx';
import { AiFilters } from './filters.tsx';
import { askReviewers } from './questions.ts';
import { ReviewersTab } from './reviewers-tab.tsx';
import { type AiTab, aiTabs } from './search.ts';
import { useAiSearch } from './use-ai-search.ts';
import { NO_REVIEWER, NO_TRACE } from './words.ts';

const tabs: Readonly<Record<AiTab, { word: string; about: string; Tab: () => ReactNode; nothing: string }>> = {
  reviewers: {
    word: 'Reviewers',
    about: 'What AI reviewers give, with people’s findings beside them',
    Tab: ReviewersTab,
    nothing: NO_REVIEWER,
  },
  authors: {
    word: 'Authors',
    about: 'How pull requests by agents fare, and who stands behind them',
    Tab: AuthorsTab,
    nothing: NO_TRACE,
  },
};

/** What AI reviewers give, and how agents' pull requests fare (docs/product.md#ai-in-review). */
export function AiScreen() {
  const search = useAiSearch();
  const words = useWindowWords('30d');
  const names = useChosenNames();
  const [, chooseTab] = useUrlFilter('tab');
  const nothingConnected = useQuery(askConnectedRepositories()).data?.length === 0;
  const count = useQuery({ ...askReviewers(search), enabled: search.tab === 'reviewers' }).data?.length;
  const { about, Tab, nothing } = tabs[search.tab];
  return (
    <Page
      title={headings.ai}
      subtitle={[`${about}; ${words.caption}`, ...names].join('. ')}
      actions={<AiFilters tab={search.tab} />}
    >
      <SyncMessages />
      <ImportNotice />
      {nothingConnected ? (
        <Panel label={headings.ai}>
          <ConnectFirst title={nothing}>{null}</ConnectFirst>
        </Panel>
      ) : (
        <Tabs
          value={search.tab}
          onChange={(name) => chooseTab(name === 'reviewers' ? undefined : (name ?? undefined))}
          keepMounted={false}
          unstyled
          className={tabLook.tabs ?? ''}
        >
          <Tabs.List className={tabLook.list ?? ''} aria-label="Sides of review">
            {aiTabs.map((name) => (
              <Tabs.Tab
                key={name}
                value={name}
                className={tabLook.tab ?? ''}
                data-on-paper={name === search.tab ? true : undefined}
              >
                {tabs[name].word}
                {name === 'reviewers' && count !== undefined && (
                  <span className={classes.count}>{formatCount(count)}</span>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={search.tab} className={tabLook.panel ?? ''}>
            <Tab />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
