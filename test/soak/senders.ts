/*
 * `npm run test:soak -- --senders COUNT [--seed NUMBER]`: kills processes that tell people of things by mail, Slack, Teams and webhooks,
 * COUNT times over both databases, and holds them to their promise: nothing is told twice, and of each message it is known what became of
 * it. Leaves `bench/senders.md`; ends with 1 at the first broken promise.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatabasePlace } from '../../src/server/db/open.ts';
import { killSenders } from '../support/killed-senders.ts';
import { startPostgresql } from '../support/postgresql.ts';

/** After so many kills what is left is worked off, and held against what arrived. */
const ROUND = 50;

const { values } = parseArgs({ options: { senders: { type: 'string', default: '1000' }, seed: { type: 'string' } } });
const goal = Number(values.senders);
if (!Number.isInteger(goal) || goal < 1) {
  console.error('Usage: npm run test:soak -- --senders COUNT, how many kills');
  process.exit(1);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
console.log(`The moments come from --seed ${seed}.`);

const kinds = ['embedded', 'postgresql'] as const;
const tally = (kind: (typeof kinds)[number]) => ({
  kind,
  kills: 0,
  during: 0,
  arrived: 0,
  states: {} as Record<string, number>,
});
const tallies = kinds.map(tally);

for (let done = 0, round = 0; done < goal; done += ROUND, round += 1) {
  const kills = Math.min(ROUND, goal - done);
  const tally = tallies[round % tallies.length]!;
  await inPlace(tally.kind, async (location) => {
    const { during, arrived, states, broken } = await killSenders({ location, kills, seed: seed + round * 1000 });
    if (broken.length > 0) {
      console.error(`BROKEN on ${tally.kind} in the round of --seed ${seed + round * 1000}:`, broken);
      process.exit(1);
    }
    tally.kills += kills;
    tally.during += during;
    tally.arrived += arrived;
    for (const [state, count] of Object.entries(states)) tally.states[state] = (tally.states[state] ?? 0) + count;
    console.log(`${done + kills} kills`);
  });
}

async function inPlace(kind: string, act: (location: DatabasePlace) => Promise<void>): Promise<void> {
  if (kind === 'postgresql') {
    const postgresql = await startPostgresql();
    if (postgresql === null) return void console.error('PostgreSQL is not installed: it is LEFT OUT.');
    await act({ kind, url: postgresql.url });
    return await postgresql.stop();
  }
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-senders-'));
  await act({ kind: 'embedded', folder, sync: false });
  rmSync(folder, { recursive: true, force: true });
}

const rows = tallies.map(({ kind, kills, during, arrived, states: { sent, unknown, dropped, failed } }) =>
  [kind, kills, during, arrived, sent, unknown, dropped, failed].join(' | '),
);
writeFileSync(
  'bench/senders.md',
  `# Kills of what sends

Processes that tell forty people of changes were killed ${tallies.reduce((sum, { kills }) => sum + kills, 0).toLocaleString('en')} times with SIGKILL (\`npm run test:soak -- --senders ${goal}\`), on ${cpus().length} cores. They
send to a mail server, and to receivers of webhooks and of Slack's and Teams' forms, which refuse one message in ten and break off after one
in twenty. On a PostgreSQL server two are at work. After every ${ROUND} kills what was left was worked off: nothing had arrived twice, what is
noted as sent had arrived once, what is noted as dropped or failed had not, and of each message one of the four is noted.

| database | kills | while a message was on its way | messages that arrived | sent | unknown | dropped | failed |
| --- | --: | --: | --: | --: | --: | --: | --: |
${rows.map((row) => `| ${row} |`).join('\n')}
`,
);
console.log(rows.join('\n'));
process.exit(0);
