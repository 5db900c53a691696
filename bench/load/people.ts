import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Timings } from './timings.ts';

/** What there is to look at. */
export interface Sights {
  /** Pull requests as in an address, `owner/name/number`. */
  readonly pull_requests: readonly string[];
  readonly contributors: readonly string[];
}

/** A call of a screen: its kind, as in the report, and its path. */
type ScreenCall = readonly [kind: string, path: string];
type Random = () => number;

const chosen = <T>(from: readonly T[], random: Random) => from[Math.floor(random() * from.length)]!;
const list = 'limit=50&sortBy=updated_at&sortOrder=DESC';
const words = ['fix', 'add', 'parser', 'cache', 'test'];

/** The calls that each screen makes at once when it is opened, and how often it is opened, as a weight. */
const screens: readonly { weight: number; calls: (sights: Sights, random: Random) => readonly ScreenCall[] }[] = [
  {
    weight: 4,
    calls: () => [
      ['me', '/auth/me'],
      ['team-stats', '/api/team-stats'],
      ['stuck-prs, first rows', '/api/stuck-prs?limit=9'],
      ['stuck-prs, counts', '/api/stuck-prs/counts'],
      ['reviewer-stats', '/api/reviewer-stats'],
      ['developer-stats', '/api/developer-stats'],
      ['repositories', '/api/repositories'],
    ],
  },
  { weight: 3, calls: () => [['prs, newest', `/api/prs?${list}&offset=0`]] },
  { weight: 1, calls: () => [['prs, open', `/api/prs?${list}&offset=0&state=open`]] },
  { weight: 1, calls: (_, random) => [['prs, search', `/api/prs?${list}&offset=0&q=${chosen(words, random)}`]] },
  {
    weight: 1,
    calls: (_, random) => [['prs, a later page', `/api/prs?${list}&offset=${50 * (1 + Math.floor(random() * 20))}`]],
  },
  { weight: 4, calls: ({ pull_requests }, random) => [['deep dive', `/api/pr/${chosen(pull_requests, random)}`]] },
  { weight: 2, calls: () => [['my-work', '/api/my-work']] },
  { weight: 1, calls: () => [['stuck-prs', '/api/stuck-prs']] },
  { weight: 1, calls: () => [['review-load', '/api/review-load']] },
  { weight: 1, calls: () => [['contributors', '/api/contributors']] },
  {
    weight: 1,
    calls: ({ contributors }, random) => {
      const path = `/api/contributors/${chosen(contributors, random)}`;
      return [
        ['contributor metrics', `${path}/metrics?period=30d`],
        ['contributor prs', `${path}/prs?period=30d`],
      ];
    },
  },
  { weight: 1, calls: () => [['trends', '/api/trends?figure=time_to_merge&aggregate=p50&bucket=week']] },
  { weight: 1, calls: () => [['health', '/api/health']] },
];
const bag = screens.flatMap(({ weight, calls }) => Array.from({ length: weight }, () => calls));

/** How long somebody looks at a screen before the next, in milliseconds. */
const THINK = { least: 5000, most: 25_000 };

/** Looks at every screen, one at a time, as often as asked: what calls take while nobody else is there. */
export async function lookAlone(client: Client, sights: Sights, rounds: number, into: Timings): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    for (const { calls } of screens)
      await Promise.all(calls(sights, Math.random).map(([kind, path]) => client.call(kind, path, into)));
}

/** Comes at some moment of the first think time, and looks at one screen after the other until the end, with its stream open. */
export async function lookAround(client: Client, sights: Sights, into: Timings, end: AbortSignal): Promise<void> {
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal: end }).catch(() => undefined);
  await wait(Math.random() * THINK.most);
  if (end.aborted) return;
  const stream = client.openStream(into);
  while (!end.aborted) {
    const calls = chosen(bag, Math.random)(sights, Math.random);
    await Promise.all(calls.map(([kind, path]) => client.call(kind, path, into)));
    await wait(THINK.least + Math.random() * (THINK.most - THINK.least));
  }
  stream.leave();
}
