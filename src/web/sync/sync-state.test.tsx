import { afterEach, expect, it, vi } from 'vitest';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { type SyncControl, SyncProvider, useSync } from './sync-state.tsx';

afterEach(() => void vi.unstubAllGlobals());

/** A page whose server lists `connected` when it is let, and whose syncs go on for ever. */
async function page(connected: number[]) {
  const listings: (() => void)[] = [];
  const started: string[] = [];
  const running = { status: 'running', is_complete: false, has_more: false, imported_prs: 0, error: null };
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (address === '/api/repos') {
      await new Promise<void>((resolve) => listings.push(resolve));
      const access = { state: 'readable', reason: null };
      return Response.json(connected.map((id) => ({ id, owner: 'brasswick', name: `r${id}`, access })));
    }
    if (body === undefined) return Response.json(running);
    const { repoId, mode } = JSON.parse(String(body));
    started.push(`${repoId} ${mode}`);
    return Response.json(running);
  });
  let sync: SyncControl | undefined;
  function Page() {
    sync = useSync();
    return null;
  }
  await drawn(
    <SyncProvider>
      <Page />
    </SyncProvider>,
  );
  /** Lets the server answer the listing that was asked for last, once there were `count`. */
  const list = async (count: number) => {
    await vi.waitUntil(() => listings.length === count);
    listings.at(-1)!();
  };
  /** What is started next, as soon as it is so much. */
  const next = async (count: number) => {
    await vi.waitUntil(() => started.length >= count);
    return started.splice(0).toSorted();
  };
  return { ...sync!, list, next };
}

it('repositories that are added while all history is read join in its mode, one after the other', async () => {
  const connected = [1];
  const { start, clear, list, next } = await page(connected);
  start('full');
  await list(1);
  expect(await next(1)).toEqual(['1 full']);
  connected.push(2);
  start('smart', 2);
  await list(2);
  expect(await next(1)).toEqual(['2 full']);
  connected.push(3);
  start('smart', 3);
  await list(3);

  expect(await next(1)).toEqual(['3 full']);
  clear();
});

it('a sync of every repository stays one where several join it before it has begun', async () => {
  const { start, clear, list, next } = await page([1, 2, 3]);
  start('full');
  start('smart', 2);
  start('smart', 3);
  await list(3);

  expect(await next(3)).toEqual(['1 full', '2 full', '3 full']);
  clear();
});

it('what has joined a sync and not begun is kept by what joins after it', async () => {
  const { start, clear, list, next } = await page([1, 2, 3]);
  start('smart', 1);
  await list(1);
  expect(await next(1)).toEqual(['1 smart']);
  start('smart', 2);
  start('smart', 3);
  await list(3);

  expect(await next(2)).toEqual(['2 smart', '3 smart']);
  clear();
});
