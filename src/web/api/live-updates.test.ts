import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EndpointName } from '#contract/endpoints.ts';
import { type LiveEvent, listen, refetching, refetchStored } from './live-updates.ts';

/** A stream whose other end is the test. */
class Stream {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  onopen = () => {};
  onerror = () => {};
  constructor() {
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  refuse() {
    this.readyState = Stream.CLOSED;
    this.onerror();
  }
}

const leaves: (() => void)[] = [];
/** A tab of the browser, and what it is told. */
function openTab(): { readonly told: string[]; readonly refused: () => number; readonly close: () => void } {
  const told: string[] = [];
  let refusals = 0;
  const close = listen(
    'live-updates test',
    ({ type }: LiveEvent) => told.push(type),
    () => {
      refusals += 1;
    },
  );
  leaves.push(close);
  return { told, refused: () => refusals, close };
}
/** The stream that is opened as the `count`-th. */
async function stream(count: number): Promise<Stream> {
  await until(() => Stream.all.length >= count);
  expect(Stream.all).toHaveLength(count);
  return Stream.all[count - 1]!;
}
async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !isSo(); tries += 1) await new Promise((later) => setImmediate(later));
  expect(isSo()).toBe(true);
}

beforeEach(() => {
  Stream.all = [];
  vi.stubGlobal('EventSource', Stream);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a page that has just asked is told of no gap by its first stream, and every tab of one by a stream that is opened again', async () => {
  const [holder, other] = [openTab(), openTab()];
  const first = await stream(1);
  first.onopen();
  expect(holder.told).toEqual([]);
  await until(() => other.told.length === 1);

  first.onopen();

  expect(holder.told).toEqual(['opened']);
  await until(() => other.told.length === 2);
});

it('a stream that was refused is a gap until it is taken again', async () => {
  const { told } = openTab();
  (await stream(1)).refuse();
  await until(() => vi.getTimerCount() === 1);
  vi.advanceTimersByTime(60_000);
  (await stream(2)).onopen();

  expect(told).toEqual(['opened']);
});

it('a stream that the server refuses is told of at once, one that breaks and is taken up again by the browser is not', async () => {
  const { refused } = openTab();
  const first = await stream(1);
  first.onerror();
  expect(refused()).toBe(0);

  first.refuse();

  expect(refused()).toBe(1);
});

it('a tab that takes the stream over from one that was closed was without it meanwhile', async () => {
  const [holder, other] = [openTab(), openTab()];
  await stream(1);
  vi.advanceTimersByTime(10_000);
  holder.close();
  (await stream(2)).onopen();

  expect(other.told).toEqual(['opened']);
});

it('a change asks again for what is stored here, and not for what the host has to be asked for', () => {
  const queries = new QueryClient();
  const names: EndpointName[] = [
    'listPullRequests',
    'listImports',
    'listAvailableRepositories',
    'listAvailableTeams',
    'estimateImport',
  ];
  for (const name of names) queries.setQueryData([name, {}], []);

  refetchStored(queries);

  expect(names.filter((name) => queries.getQueryState([name, {}])?.isInvalidated)).toEqual([
    'listPullRequests',
    'listImports',
  ]);
});

it('a change asks nothing again that is polled anyway, for as long as it is', () => {
  const queries = new QueryClient();
  const queryKey = ['getSync', [1]];
  const changed = () => {
    refetchStored(queries);
    return queries.getQueryState(queryKey)?.isInvalidated;
  };
  queries.setQueryData(queryKey, 'running');
  const observer = new QueryObserver(queries, {
    queryKey,
    queryFn: () => 'running',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === 'running' ? 5_000 : false),
  });
  leaves.push(observer.subscribe(() => {}));
  expect(changed()).toBe(false);

  queries.setQueryData(queryKey, 'failed');

  expect(changed()).toBe(true);
});

it('a page that nobody sees asks once somebody does, and once for all changes', () => {
  const page = Object.assign(new EventTarget(), { hidden: true });
  vi.stubGlobal('document', page);
  const queries = new QueryClient();
  const asked = vi.spyOn(queries, 'invalidateQueries');
  const { onEvent, stop } = refetching(queries);
  leaves.push(stop);
  const counts = { total: 3 } as unknown as (LiveEvent & { type: 'my-work' })['counts'];
  for (const event of [{ type: 'my-work', counts }, { type: 'opened' }, { type: 'my-work', counts }] as const) {
    onEvent(event);
    vi.advanceTimersByTime(10_000);
  }
  expect(asked).not.toHaveBeenCalled();

  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(asked).toHaveBeenCalledTimes(1);
  page.dispatchEvent(new Event('visibilitychange'));
  expect(asked).toHaveBeenCalledTimes(1);
  onEvent({ type: 'opened' });
  vi.advanceTimersByTime(3_000);
  expect(asked).toHaveBeenCalledTimes(2);
  onEvent({ type: 'my-work', counts });
  expect(asked).toHaveBeenCalledTimes(3);
});
