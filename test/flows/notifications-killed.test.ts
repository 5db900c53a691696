import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { casesOf, openTestDatabase, putMigrated } from '../support/database.ts';
import { killSenders } from '../support/killed-senders.ts';

/** `npm run test:soak` does a thousand. */
const KILLS = casesOf(8, 2);

let clean: (() => Promise<void> | void) | null = null;
afterEach(() => clean?.());

it(`processes that are killed ${KILLS} times while they tell people of things tell nothing twice, and what became of each is known`, {
  timeout: KILLS * 20_000 + 300_000,
}, async () => {
  const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 1e9));
  console.info(`The moments of the kills come from KILL_SEED=${seed}.`);
  const { states, broken, ...seen } = await killSenders({ location: await aPlace(), kills: KILLS, seed });
  console.info('What arrived and what became of it:', seen, states);
  expect(broken).toEqual([]);
  expect(states.sent).toBeGreaterThan(KILLS / 2);
  expect(states.unknown).toBeGreaterThan(0);
});

async function aPlace(): Promise<Parameters<typeof killSenders>[0]['location']> {
  if (process.env.TEST_DATABASE === 'postgresql') {
    const database = await openTestDatabase();
    clean = () => database.close();
    return { kind: 'postgresql', url: database.pool.options.connectionString! };
  }
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-told-'));
  clean = () => rmSync(folder, { recursive: true, force: true });
  await putMigrated(folder);
  return { kind: 'embedded', folder, sync: false };
}
