import { HeadlessMantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ComponentProps, createElement as draw, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { User } from '#contract/session.ts';
import { SessionContext } from '../../../src/web/session/session.tsx';

const mona = { id: 1, github_username: 'mona', host: 'github.example', time_zone: 'UTC' } as User;

/** The HTML of a part of a screen at first sight, without a browser: what mona sees where `queries` holds the server's answers. */
export async function drawn(part: ReactNode, queries = new QueryClient(), address = '/'): Promise<string> {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => part }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  const session = { status: 'signed-in', user: mona } as ComponentProps<typeof SessionContext.Provider>['value'];
  const routed = draw(RouterProvider, { router: router as never });
  const signedIn = draw(SessionContext.Provider, { value: session }, routed);
  const screen = draw(QueryClientProvider, { client: queries }, signedIn);
  return renderToStaticMarkup(draw(HeadlessMantineProvider, null, screen));
}
