import { MantineProvider, type MantineProviderProps } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ComponentProps, type ComponentType, createElement as draw, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import type { User } from '#contract/session.ts';
import { Cards } from '../../../src/web/screens/pr/cards.tsx';
import { CodeTab } from '../../../src/web/screens/pr/code-tab.tsx';
import { CollaborationTab } from '../../../src/web/screens/pr/collaboration-tab.tsx';
import { ComparativeTab } from '../../../src/web/screens/pr/comparative-tab.tsx';
import { Header } from '../../../src/web/screens/pr/header.tsx';
import { ReviewsTab } from '../../../src/web/screens/pr/reviews-tab.tsx';
import { TimeTab } from '../../../src/web/screens/pr/time-tab.tsx';
import { TimelineTab } from '../../../src/web/screens/pr/timeline-tab.tsx';
import { SessionContext } from '../../../src/web/session/session.tsx';

const parts: Readonly<Record<string, ComponentType<{ detail: PullRequestDetail }>>> = {
  Cards,
  Timeline: TimelineTab,
  Time: TimeTab,
  Reviews: ReviewsTab,
  Code: CodeTab,
  Collaboration: CollaborationTab,
  Comparative: ComparativeTab,
};

/** The texts of the cards of a deep dive, `Tab / Card` by `Tab / Card`, as its components draw them; the head is `Header`. */
export type DeepDiveText = ReadonlyMap<string, string>;

/** Draws every tab of deep dives to text, for a signed-in user, without a browser. */
export async function deepDiveReader(user: User): Promise<(detail: PullRequestDetail) => DeepDiveText> {
  const queries = new QueryClient();
  let part: ReactNode = null;
  const router = createRouter({
    routeTree: createRootRoute({ component: () => part }),
    history: createMemoryHistory(),
  });
  await router.load();
  const session = { status: 'signed-in', user } as ComponentProps<typeof SessionContext.Provider>['value'];
  return (detail) => {
    const { repository, pr_number } = detail;
    const address = { repoOwner: repository.owner, repoName: repository.name, prNumber: pr_number };
    part = [
      draw('article', { key: 'Header' }, draw(Header, { detail, address })),
      ...Object.entries(parts).map(([tab, Tab]) => draw('article', { key: tab }, draw(Tab, { detail }))),
    ];
    const routed = draw(RouterProvider, { router: router as never });
    const signedIn = draw(SessionContext.Provider, { value: session }, routed);
    const screen = draw(QueryClientProvider, { client: queries }, signedIn);
    const [, header = '', ...tabs] = renderToStaticMarkup(
      draw(MantineProvider, { withCssVariables: false } as MantineProviderProps, screen),
    ).split('<article>');
    const texts = new Map([['Header', textOf(header)]]);
    for (const [at, tab] of Object.keys(parts).entries()) {
      for (const [card, text] of cardsOf(tabs[at] ?? '')) texts.set(`${tab} / ${card}`, text);
    }
    return texts;
  };
}

/** What stands in each card, behind its name. */
function cardsOf(html: string): [string, string][] {
  const pieces = html.split(/<section [^>]*?aria-label="([^"]*)"[^>]*>|<h2[^>]*>(.*?)<\/h2>/);
  const cards: [string, string][] = [];
  for (let at = 1; at < pieces.length; at += 3) {
    cards.push([textOf(pieces[at] ?? pieces[at + 1] ?? ''), textOf(pieces[at + 2] ?? '')]);
  }
  return cards;
}

/** As one reads it: elements apart by a blank, units beside their figures. */
function textOf(html: string): string {
  return html
    .replaceAll(/<style.*?<\/style>|<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
