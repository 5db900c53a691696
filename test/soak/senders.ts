/*
 * `npm run test:soak -- --senders COUNT [--database embedded|postgresql] [--seed NUMBER] [--fresh]`: kills processes that tell people of things by mail, Slack, Teams and webhooks,
 * COUNT times over both databases, and holds them to their promise: nothing is told twice, and of each message it is known what became of
 * it. Goes on from where an earlier run ended, until COUNT kills (1,000) are reached over both databases; leaves `bench/senders.md`. Ends
 * with 1 at the first broken promise.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatabasePlace } from '../../src/server/db/open.ts';
import { killSenders } from '../support/killed-senders.ts';
import { startPostgresql } from '../support/postgresql.ts';

/** The kills after which what is left is worked off, and held against what arrived. */
const ROUND = 25;

const { values } = parseArgs({
  options: {
    senders: { type: 'string', default: '1000' },
    database: { type: 'string' },
    seed: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
});
const goal = Number(values.senders);
if (!Number.isInteger(goal) || goal < 1) {
  console.error('Usage: npm run test:soak -- --senders COUNT, how many kills');
  process.exit(1);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
console.log(`The moments come from --seed ${seed}.`);

interface Tally {
  readonly kills: number;
  readonly during: number;
  readonly arrived: number;
  readonly states: Readonly<Record<string, number>>;
}
type Kind = 'embedded' | 'postgresql';
const kinds: readonly Kind[] = ['embedded', 'postgresql'];
const chosen = kinds.filter((kind) => values.database === undefined || values.database === kind);
/** A file for each database: two may run at once. */
const memoryOf = (kind: Kind) => join('node_modules/.cache', `senders-${kind}.json`);
const nothing: Tally = { kills: 0, during: 0, arrived: 0, states: {} };
const tallyOf = (kind: Kind): Tally =>
  existsSync(memoryOf(kind)) ? JSON.parse(readFileSync(memoryOf(kind), 'utf8')) : nothing;
mkdirSync('node_modules/.cache', { recursive: true });
if (values.fresh) for (const kind of chosen) rmSync(memoryOf(kind), { force: true });
const killed = () => kinds.reduce((sum, kind) => sum + tallyOf(kind).kills, 0);

for (let round = 0; killed() < goal; round += 1) {
  const kind = chosen.toSorted((a, b) => tallyOf(a).kills - tallyOf(b).kills)[0];
  if (kind === undefined) break;
  const kills = Math.min(ROUND, goal - killed());
  const isThere = await inPlace(kind, async (location) => {
    const own = seed + round * 1000;
    const { broken, ...seen } = await killSenders({ location, kills, seed: own });
    if (broken.length > 0) {
      console.error(`BROKEN on ${kind} in the round of --seed ${own}:`, broken);
      process.exit(1);
    }
    const before = tallyOf(kind);
    const sum = (name: string) => (before.states[name] ?? 0) + (seen.states[name] ?? 0);
    const after: Tally = {
      kills: before.kills + kills,
      during: before.during + seen.during,
      arrived: before.arrived + seen.arrived,
      states: Object.fromEntries(Object.keys(seen.states).map((name) => [name, sum(name)])),
    };
    writeFileSync(memoryOf(kind), JSON.stringify(after));
  });
  if (!isThere) break;
  report();
  console.log(`${killed()} kills`);
}
process.exit(0);

/** False where that database is not installed. */
async function inPlace(kind: Kind, act: (location: DatabasePlace) => Promise<void>): Promise<boolean> {
  if (kind === 'postgresql') {
    const postgresql = await startPostgresql();
    if (postgresql === null) {
      console.error('PostgreSQL is not installed: it is LEFT OUT.');
      return false;
    }
    await act({ kind, url: postgresql.url });
    await postgresql.stop();
    return true;
  }
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-senders-'));
  await act({ kind: 'embedded', folder, sync: false });
  rmSync(folder, { recursive: true, force: true });
  return true;
}

function report(): void {
  const rows = kinds.map((kind) => {
    const { kills, during, arrived, states } = tallyOf(kind);
    const ends = ['sent', 'unknown', 'dropped', 'failed'].map((state) => states[state] ?? 0);
    return [kind, kills, during, arrived, ...ends].join(' | ');
  });
  writeFileSync(
    'bench/senders.md',
    `# Kills of what sends

Processes that tell forty people of changes were killed ${killed().toLocaleString('en')} times with SIGKILL (\`npm run test:soak -- --senders 1000\`), on ${cpus().length} cores. They
send to a mail server, and to receivers of webhooks and of Slack's and Teams' forms, which refuse one message in ten and break off after one
in twenty. On a PostgreSQL server two are at work. After every ${ROUND} kills what was left was worked off: nothing had arrived twice, what is
noted as sent had arrived once, what is noted as dropped or failed had not, and of each message one of the four is noted.

| database | kills | while a message was on its way | messages that arrived | sent | unknown | dropped | failed |
| --- | --: | --: | --: | --: | --: | --: | --: |
${rows.map((row) => `| ${row} |`).join('\n')}
`,
  );
}
