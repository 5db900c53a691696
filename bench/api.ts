/*
 * How long each call takes on a large history, on both databases, beside what the database itself needs for the least and the most:
 * one row by its key, and a full scan of the same table. `npm run bench api [-- SIZE] [--only prs,contributors] [--rounds 5]`, the size in pull requests;
 * `--only` times the calls whose names hold one of these, and prints them alone; 15 rounds unless others are asked for; with `--url` and
 * `--folder` databases of that size that are filled already are timed, which takes much less, and growth is not told.
 * With `--postgresql` it is timed there alone: a million on the embedded database takes hours. With `--url` beside it, of a PostgreSQL, that one is
 * filled, unless it is filled already, and left as it is.
 * Each call is timed twice, with the newest 1.3 years, which is the longest period and a little more, and when all the years before are there,
 * too: what looks at a window must take as long; and again narrowed to a team of 50 people, as authors and as reviewers, of which the
 * processor time is compared. All calls leave `bench/api.md` and the plan of every question in `bench/plans/`, at another size than the
 * usual one `bench/api-SIZE.md` alone.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import type { Database } from '../src/server/db/database.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { type DatabasePlace, type OpenDatabase, openDatabase } from '../src/server/db/open.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { type Call, calls, floors, waysToBelong } from './api/calls.ts';
import { type Carried, carryIn, carryOut } from './api/carry.ts';
import { fillHistory, fillPeople } from './api/fill.ts';
import { fillTeams } from './api/teams.ts';
import { median, processorTimeOf } from './support/processor-time.ts';

const USUAL_SIZE = 200_000;
const TURNS = 5;
const LIMITS = { postgresql: 50, embedded: 100 } as const;
/** With all the history before its window a call may take at most this multiple, or this number of milliseconds more, which is noise. */
const GROWTH = { ratio: 1.5, ms: 5 } as const;
/** Narrowed to a team, a call may take at most this multiple of its processor time over everybody, up to the usual size. */
const TEAM_RATIO = 2;
type Kind = keyof typeof LIMITS;

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    url: { type: 'string' },
    folder: { type: 'string' },
    postgresql: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const size = Number(positionals[0] ?? USUAL_SIZE);
/** Of each call, as many in each turn. */
const ROUNDS = Number(values.rounds);
/** Of fewer than 20 the 95th percentile is the longest. */
const HIGH = ROUNDS < 20 ? 'longest ms' : 'p95 ms';
if (!Number.isInteger(size) || size < 4000 || size % 800 !== 0 || !(ROUNDS > 0 && ROUNDS % TURNS === 0)) {
  console.error(
    `Usage: npm run bench api [-- SIZE] [--only NAMES] [--rounds N] [--postgresql [--url URL]] [--url URL --folder FOLDER], a number of pull requests from 4000 up, a multiple of 800; parts of names of calls, with commas between; a multiple of ${TURNS}; a PostgreSQL and the folder of an embedded database that such a run has filled`,
  );
  process.exit(1);
}
const judgesTeams = size <= USUAL_SIZE;
const only = values.only?.split(',').map((name) => name.trim().toLowerCase()) ?? null;
const isAsked = ({ name }: Call) => only === null || only.some((part) => name.toLowerCase().includes(part));
/** A longer history is one of more years, and no fuller one. */
const years = Math.max(4, (4 * size) / USUAL_SIZE);
/** Each of the four repositories has them numbered from 1; the newest 1.3 years come first. */
const newest = size / 4;
const older = newest - Math.round((newest * 1.3) / years);
const asked = [...floors, ...calls(1, newest).filter(isAsked)];
/** Each with its narrowed forms, which take turns with it, so that all meet the same minute of the machine. */
const groups = asked.map((call) => {
  const narrowed = call.askOfTeam;
  if (narrowed === undefined) return [call];
  return [call, ...waysToBelong.map((way) => ({ ...call, name: nameOfTeam(call, way), ask: narrowed[way] }))];
});

function nameOfTeam({ name }: Call, way: (typeof waysToBelong)[number]): string {
  return way === 'author' ? `${name}, of a team` : `${name}, reviewed by a team`;
}

/** In milliseconds. */
interface Timing {
  readonly median: number;
  readonly high: number;
  /** Of processor time, the median. */
  readonly cpu: number;
}
interface Timed {
  readonly short: Map<string, Timing>;
  readonly long: Map<string, Timing>;
}

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
chmodSync(folder, 0o777);
const plans = new Map<string, string[]>();
try {
  const results = await measureBoth();
  if (only === null && size === USUAL_SIZE) for (const [name, texts] of plans) writePlan(name, texts.join('\n'));
  report(results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureBoth(): Promise<Partial<Record<Kind, Timed>>> {
  const { url, folder: filled } = values;
  if (url !== undefined && values.postgresql)
    return { postgresql: await measure({ kind: 'postgresql', url }, fillPostgresql) };
  if (url !== undefined && filled !== undefined)
    return {
      postgresql: await measure({ kind: 'postgresql', url }, null),
      embedded: await measure({ kind: 'embedded', folder: filled }, null),
    };
  const server = await startPostgresql();
  if (server === null) throw new Error('PostgreSQL is not installed on this machine.');
  const carried: Carried[][] = [];
  let postgresql: Timed;
  try {
    postgresql = await measure({ kind: 'postgresql', url: server.url }, async (database, part) => {
      await fillPostgresql(database, part);
      const [first, last] = numbersOf(part);
      if (!values.postgresql)
        carried.push(await carryOut(database.db, folder, { first, last, people: part === 'short' }));
      return database;
    });
  } finally {
    await server.stop();
  }
  if (values.postgresql) return { postgresql };
  const place = { kind: 'embedded', folder: join(folder, 'database') } as const;
  const embedded = await measure(place, async (database, part) => {
    await database.close();
    await carryIn(place.folder, carried[part === 'short' ? 0 : 1]!);
    return await openDatabase(place, logError);
  });
  return { postgresql, embedded };
}

async function fillPostgresql(database: OpenDatabase, part: 'short' | 'long'): Promise<OpenDatabase> {
  if (part === 'short') await fillTeams(database.db, await fillPeople(database.db));
  const [first, last] = numbersOf(part);
  await fillHistory(database.db, size, first, last, years);
  return database;
}

/** The first and the last. */
function numbersOf(part: 'short' | 'long'): [number, number] {
  return part === 'short' ? [older + 1, newest] : [1, older];
}

/** Times every call on one database, before and after its history becomes longer, or as it is. */
async function measure(
  place: DatabasePlace,
  fill: ((database: OpenDatabase, part: 'short' | 'long') => Promise<OpenDatabase>) | null,
): Promise<Timed> {
  let database = await openDatabase(place, logError);
  try {
    await migrate(database.db);
    // Of earlier runs: a person has a hundred at most.
    await database.db.deleteFrom('sessions').execute();
    const timed = { short: new Map<string, Timing>(), long: new Map<string, Timing>() };
    const isFilled = (await database.db.selectFrom('repositories').select('id').executeTakeFirst()) !== undefined;
    for (const part of isFilled ? (['long'] as const) : (['short', 'long'] as const)) {
      if (!isFilled && fill !== null) database = await fill(database, part);
      tell(`${place.kind}: filled with the ${part} history`);
      timed[part] = await timings(database);
      tell(`${place.kind}: timed with the ${part} history`);
    }
    const spy = spyOn(database);
    for (const call of only === null ? asked : []) {
      const texts = plans.get(call.name) ?? [];
      plans.set(call.name, [...texts, `${'='.repeat(30)} ${place.kind}\n\n${await plansOf(database, spy, call)}`]);
    }
    return timed;
  } finally {
    await database.close();
  }
}

/**
 * All calls take turns, each with a few rounds in a row in which its narrowed forms take turns with it, so that a slow minute of the machine
 * meets all of them and none alone; the first turn is not timed.
 */
async function timings(database: OpenDatabase): Promise<Map<string, Timing>> {
  const processorTime = await processorTimeOf(database);
  const times = new Map(groups.flat().map(({ name }) => [name, { wall: [] as number[], cpu: [] as number[] }]));
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const group of groups) {
      for (let round = 0; round < ROUNDS / TURNS; round += 1) {
        for (const { name, ask } of group) {
          let wall = 0;
          const cpu = await processorTime(async () => {
            const begin = performance.now();
            JSON.stringify(await ask(database.db));
            wall = performance.now() - begin;
          });
          if (turn === 0) continue;
          times.get(name)!.wall.push(wall);
          times.get(name)!.cpu.push(cpu);
        }
      }
    }
  }
  return new Map([...times].map(([name, { wall, cpu }]) => [name, timingOf(wall, cpu)]));
}

function timingOf(wall: readonly number[], cpu: readonly number[]): Timing {
  const sorted = wall.toSorted((a, b) => a - b);
  return { median: median(wall), high: sorted[Math.ceil(ROUNDS * 0.95) - 1]!, cpu: median(cpu) };
}

/** A database that remembers what it was asked. */
interface Spy {
  readonly db: Kysely<Database>;
  readonly questions: { sql: string; parameters: readonly unknown[] }[];
}

function spyOn({ pool }: OpenDatabase): Spy {
  const questions: Spy['questions'] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ level, query }) => {
      if (level === 'query') questions.push(query);
    },
  });
  return { db, questions };
}

/** The plans of the questions that a call asks, as the database carried them out. */
async function plansOf(database: OpenDatabase, { db, questions }: Spy, call: Call): Promise<string> {
  await call.ask(db);
  // Now without what a browser does first of all.
  questions.length = 0;
  await call.ask(db);
  const texts: string[] = [];
  for (const question of questions) {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, timing off) ${question.sql}`,
      [...question.parameters],
    );
    texts.push(`${question.sql.trim()}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function writePlan(name: string, text: string): void {
  const plansFolder = join(import.meta.dirname, 'plans');
  mkdirSync(plansFolder, { recursive: true });
  // Of bits the beginning is enough.
  const shortened = text.replaceAll(/(\\x[0-9a-f]{30})[0-9a-f]+/g, '$1…');
  writeFileSync(join(plansFolder, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`), shortened);
}

function report(results: Partial<Record<Kind, Timed>>): void {
  const kinds = Object.keys(results) as Kind[];
  const failures: string[] = [];
  const rows = asked.map((call) => {
    const isFloor = floors.includes(call);
    const cells = kinds.map((kind) => {
      const { short: before, long: after } = results[kind]!;
      const [short, long] = [before.get(call.name), after.get(call.name)!];
      const ratio = short === undefined ? null : long.median / short.median;
      const limit = call.limit === undefined ? LIMITS[kind] : call.limit;
      const tooSlow = !isFloor && limit !== null && long.median > limit;
      const grows =
        call.window === undefined &&
        short !== undefined &&
        ratio! > GROWTH.ratio &&
        long.median - short.median > GROWTH.ms;
      if (tooSlow) failures.push(`${kind}: ${call.name} took ${long.median.toFixed(1)} ms`);
      if (grows) failures.push(`${kind}: ${call.name} took ${ratio!.toFixed(1)} times as long with the longer history`);
      const teamRatios = waysToBelong.map((way) => {
        const ofTeam = after.get(nameOfTeam(call, way));
        if (ofTeam === undefined) return null;
        const teamRatio = ofTeam.cpu / long.cpu;
        if (judgesTeams && teamRatio > TEAM_RATIO)
          failures.push(
            `${kind}: ${nameOfTeam(call, way)}, took ${teamRatio.toFixed(2)} times as much processor time as without, ${ofTeam.cpu.toFixed(1)} ms`,
          );
        return teamRatio;
      });
      const slowOfTeam = judgesTeams && teamRatios.some((teamRatio) => teamRatio !== null && teamRatio > TEAM_RATIO);
      const verdict = isFloor ? '' : tooSlow ? 'too slow' : grows ? 'grows' : slowOfTeam ? 'slow of a team' : 'pass';
      const ofTeams = teamRatios.map((teamRatio) => teamRatio?.toFixed(2) ?? '');
      return [
        long.median.toFixed(1),
        long.high.toFixed(1),
        ratio?.toFixed(2) ?? '',
        long.cpu.toFixed(1),
        ...ofTeams,
        verdict,
      ].join(' | ');
    });
    const said = [call.window ?? [], call.limit == null ? [] : `≤ ${call.limit} ms`].flat();
    return `| ${call.name}${said.length === 0 ? '' : ` (${said.join(', ')})`} | ${cells.join(' | ')} |`;
  });
  const heads = kinds.flatMap((kind) => [
    `${kind}: median ms`,
    HIGH,
    'growth',
    'cpu ms',
    'team × cpu',
    'reviewers × cpu',
    `≤ ${LIMITS[kind]} ms`,
  ]);
  const table = [
    `| call | ${heads.join(' | ')} |`,
    `| --- |${' ---: | ---: | ---: | ---: | ---: | ---: | --- |'.repeat(kinds.length)}`,
    ...rows,
  ];
  console.log(table.join('\n'));
  if (only === null)
    writeFileSync(
      join(import.meta.dirname, size === USUAL_SIZE ? 'api.md' : `api-${size}.md`),
      [
        '# Time of each call',
        '',
        `Made by \`npm run bench api -- ${size}\` on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}: ${size.toLocaleString('en')} pull`,
        `requests of ${years} years in four repositories, by 600 people and 20 machines, with their commits, reviews, comments, events, checks`,
        `and files; ${ROUNDS} rounds each, as a browser makes them: whole requests with the look for the session, the checks of the contract`,
        'and the compressed answer, without the socket; exports, repos, teams compared and the view of a team by their functions, without all that.',
        ...(kinds.some((kind) => results[kind]!.short.size > 0)
          ? []
          : ['The databases had been filled before, so that growth is not told.']),
        'Growth: the median as a multiple of what it was when the newest 1.3 years alone were there (the longest period is a year). A call that looks at all of history by its nature, or at all that is open, may',
        'grow with that, but not exceed the limit: of what is open, one in 200 was never closed, so that a longer history has more of it.',
        'cpu: milliseconds of processor time of server and database together, the median, which what else runs on the machine hardly changes.',
        `Team: it when narrowed to what a team of 50 people among 200 teams wrote, as a multiple${judgesTeams ? `, at most ${TEAM_RATIO}` : ''}; reviewers: to what they reviewed.`,
        'The first two rows are what the database needs for the least and the most. The plan of each question of the calls themselves: `bench/plans/`.',
        '',
        ...table,
        '',
        failures.length === 0
          ? 'Every call keeps its limit.'
          : `Not kept:\n\n${failures.map((one) => `- ${one}`).join('\n')}`,
        '',
      ].join('\n'),
    );
  tell('done');
  if (failures.length > 0) {
    console.error(`Not kept:\n  ${failures.join('\n  ')}`);
    process.exitCode = 1;
  }
}

function tell(what: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}

function logError(error: Error): void {
  console.error(error.message);
}
