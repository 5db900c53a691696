/*
 * What those who use the product see while what an older version stored is read again: the older version syncs a simulated host into an
 * embedded folder and answers every question, this one migrates the folder and answers the same ones before, while and after everything is
 * read again, all at one moment of the clock. Every field that the older version knew must stay as it was.
 * `npm run bench read-again -- --older CHECKOUT [--count PULL_REQUESTS]`, CHECKOUT with its node_modules; the recorded repositories where
 * they are at hand, and generated ones. Leaves `bench/read-again.md`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Definition } from '../src/domain/metrics/metric.ts';
import type { OpenDatabase } from '../src/server/db/open.ts';
import { isRecorded, recordingsFolder } from '../test/support/recordings.ts';
import { type SimulatorSettings, startSimulator } from '../test/support/simulator.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { older: { type: 'string' }, count: { type: 'string', default: '200000' } } });
const count = Number(values.count);
if (values.older === undefined || !Number.isInteger(count) || count < 100) {
  console.error('Usage: npm run bench read-again -- --older CHECKOUT [--count PULL_REQUESTS], from 100 up');
  process.exit(1);
}
const olderRoot = resolve(values.older);

interface World {
  readonly title: string;
  readonly settings: SimulatorSettings;
  readonly login: string;
  readonly repositories: readonly string[];
}

const generated: World = {
  title: `generated, ${count.toLocaleString('en')} pull requests`,
  settings: { world: 'generated', more: ['--no-limits', '--count', String(count)] },
  login: 'dev-1',
  repositories: ['load/big'],
};
const recorded: World = {
  title: 'bitcoin-core/gui, recorded, and rust-lang/cargo, from its git history with made-up reviews',
  settings: { world: 'recorded', data: recordingsFolder, more: ['--no-limits'] },
  login: 'hebasto',
  repositories: ['bitcoin-core/gui', 'rust-lang/cargo'],
};
if (!isRecorded) console.error('The recorded repositories are not at hand: they are LEFT OUT.');

type Ask = (handler: string, query?: object, params?: object) => Promise<unknown>;

/** What both versions have, from the files of one of them. */
async function version(checkout: string) {
  const load = async <Module>(file: string) => (await import(pathToFileURL(join(checkout, file)).href)) as Module;
  const { openDatabase } = await load<typeof import('../src/server/db/open.ts')>('src/server/db/open.ts');
  const { migrate } = await load<typeof import('../src/server/db/migrate.ts')>('src/server/db/migrate.ts');
  const { openSyncing } = await load<typeof import('../test/support/syncing.ts')>('test/support/syncing.ts');
  const { teamRoutes } = await load<typeof import('../src/server/team/routes.ts')>('src/server/team/routes.ts');
  const { contributorRoutes } = await load<typeof import('../src/server/contributors/routes.ts')>(
    'src/server/contributors/routes.ts',
  );
  const { pullRequestRoutes } = await load<typeof import('../src/server/pull-requests/routes.ts')>(
    'src/server/pull-requests/routes.ts',
  );
  const { explainRoutes } =
    await load<typeof import('../src/server/explain/routes.ts')>('src/server/explain/routes.ts');
  /** The calls as a browser makes them, without HTTP around them. */
  const asker = ({ db }: OpenDatabase, user_id: number, host: string, login: string, now: Date): Ask => {
    const context = { db, now: () => now };
    const handlers = {
      ...teamRoutes(context),
      ...contributorRoutes(context),
      ...pullRequestRoutes(context, async () => false),
      ...explainRoutes(context),
    } as unknown as Record<string, (asked: object) => Promise<unknown>>;
    const user = { id: user_id, host, login, time_zone: 'Europe/Oslo' };
    return async (handler, query = {}, params = {}) => {
      const { signal } = new AbortController();
      return JSON.parse(JSON.stringify(await handlers[handler]!({ user, query, params, gone: signal })));
    };
  };
  const { definitions } = await load<typeof import('../src/domain/metrics/definitions.ts')>(
    'src/domain/metrics/definitions.ts',
  );
  return { openDatabase, migrate, openSyncing, asker, explained: explainedOf(definitions) };
}

interface Question {
  readonly name: string;
  readonly ask: (ask: Ask) => Promise<unknown>;
}

const PERIODS = ['7d', '30d', '90d', '6mo', '1y'];

/**
 * Every figure of the team, the people who do most and some who do little, pages of the list, pull requests of all ages, and what is behind
 * every figure that the older version explains.
 */
async function questionsOf(ask: Ask, explained: Explained): Promise<Question[]> {
  const question = (handler: string, query: object = {}, params: object = {}): Question => ({
    name: `${handler} ${JSON.stringify({ ...query, ...params })}`,
    ask: (of) => of(handler, query, params),
  });
  const contributors = (await ask('listContributors')) as { username: string }[];
  const step = Math.max(1, Math.floor(contributors.length / 8));
  const people = contributors.filter((_, at) => at < 4 || at % step === 0).map(({ username }) => ({ username }));
  const page = { limit: 100, offset: 0, sortBy: 'updated_at', sortOrder: 'DESC' };
  const { prs, total } = (await ask('listPullRequests', page)) as { prs: Listed[]; total: number };
  const listed: Listed[] = prs.slice(0, 4);
  for (let at = 1; at < 8; at += 1) {
    const offset = Math.floor((total * at) / 8);
    const there = (await ask('listPullRequests', { ...page, limit: 4, offset })) as { prs: Listed[] };
    listed.push(...there.prs);
  }
  const offsets = [0, 100, Math.floor(total / 2), Math.max(0, total - 100)];
  const explain = { limit: 100, offset: 0 };
  return [
    question('getTeamStats'),
    question('listStuckPullRequests'),
    question('listReviewerStats'),
    question('listDeveloperStats'),
    question('listDeveloperStats', { accounts: 'all' }),
    question('listReviewLoad'),
    question('listContributors'),
    ...offsets.map((offset) => question('listPullRequests', { ...page, offset })),
    ...['open', 'closed', 'merged'].map((state) => question('listPullRequests', { ...page, state })),
    ...['only', 'hide'].map((agents) => question('listPullRequests', { ...page, agents })),
    question('listPullRequests', { ...page, sortBy: 'lines_changed', bots: 'hide' }),
    ...people.flatMap((person) => [
      ...PERIODS.map((period) => question('getContributorMetrics', { period }, person)),
      question('listContributorPullRequests', { period: '1y' }, person),
      question('getReviewHeatmap', {}, person),
    ]),
    ...listed.map(({ repo_owner: repoOwner, repo_name: repoName, pr_number: prNumber }) =>
      question('getPullRequest', {}, { repoOwner, repoName, prNumber }),
    ),
    question('searchContributors', { q: 'e', accounts: 'all' }),
    ...explained.ofTeam.map((metric) => question('explainMetric', explain, { metric })),
    ...explained.ofPeople.flatMap((metric) =>
      people.slice(0, 3).map(({ username }) => question('explainMetric', { ...explain, username }, { metric })),
    ),
    ...explained.ofPullRequests.flatMap((metric) =>
      listed.slice(2, 6).map(({ repo_owner, repo_name, pr_number }) => {
        const pull_request = `${repo_owner}/${repo_name}/${pr_number}`;
        return question('explainMetric', { ...explain, pull_request }, { metric });
      }),
    ),
  ];
}

/** Keys of the figures that are one number over many pull requests. */
interface Explained {
  readonly ofTeam: readonly string[];
  readonly ofPeople: readonly string[];
  readonly ofPullRequests: readonly string[];
}

function explainedOf(definitions: Readonly<Record<string, Definition>>): Explained {
  const keys = Object.entries(definitions).flatMap(([key, { metric, part, among }]) =>
    metric === undefined || part !== undefined ? [] : [{ key, among }],
  );
  const keysOf = (isOf: (of: (typeof keys)[number]) => boolean) => keys.filter(isOf).map(({ key }) => key);
  return {
    ofTeam: keysOf(({ key, among }) => among === undefined && key.startsWith('team.')),
    ofPeople: keysOf(({ key, among }) => among === undefined && !key.startsWith('team.')),
    ofPullRequests: keysOf(({ among }) => among !== undefined),
  };
}

interface Listed {
  readonly repo_owner: string;
  readonly repo_name: string;
  readonly pr_number: number;
}

/**
 * Where an answer says something else than the older version did; what that did not know is passed over, and in which words a figure is
 * defined. Sums of fractions are made in the order in which rows lie, which changes when a row is written again: their last digit is
 * nobody's.
 */
function differences(older: unknown, newer: unknown, path = ''): string[] {
  if (Array.isArray(older) && Array.isArray(newer) && older.length === newer.length)
    return older.flatMap((item, at) => differences(item, newer[at], `${path}[]`));
  if (isObject(older) && isObject(newer))
    return Object.keys(older).flatMap((key) =>
      path === '' && key === 'definition' ? [] : differences(older[key], newer[key], `${path}.${key}`),
    );
  if (typeof older === 'number' && typeof newer === 'number')
    return Math.abs(older - newer) <= Math.abs(older) * LAST_DIGIT ? [] : [path];
  return isDeepStrictEqual(older, newer) ? [] : [path || '(all)'];
}

const LAST_DIGIT = 1e-13;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Outcome {
  readonly questions: number;
  /** How many answers differ, and where, with how often. */
  readonly before: Compared;
  readonly during: Compared & { readonly asked: number; readonly seconds: readonly number[] };
  readonly after: Compared;
  readonly pull_requests: number;
  readonly migration_seconds: number;
  readonly sync_seconds: number;
  readonly read_seconds: number;
  readonly points: number;
}

interface Compared {
  different: number;
  readonly where: Map<string, number>;
}

function note(compared: Compared, older: unknown, newer: unknown, question: Question): void {
  const found = differences(older, newer);
  if (found.length > 0) compared.different += 1;
  for (const path of new Set(found.map((place) => `${question.name.split(' ')[0]} ${place}`)))
    compared.where.set(path, (compared.where.get(path) ?? 0) + 1);
}

function unexpected(error: Error): void {
  throw error;
}

async function measured(world: World): Promise<Outcome> {
  const tell = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${world.title}: ${text}`);
  const parent = mkdtempSync(join(tmpdir(), 'mergelight-read-again-'));
  const place = { kind: 'embedded', folder: join(parent, 'database') } as const;
  const simulator = await startSimulator(world.settings);
  try {
    const [older, newer] = [await version(olderRoot), await version(root)];
    let database = await older.openDatabase(place, unexpected);
    await older.migrate(database.db);
    const storing = older.openSyncing(database.db, simulator, { faster: 1 });
    const user_id = await storing.user(world.login);
    const synced = performance.now();
    for (const name of world.repositories) {
      const { status, error } = await storing.run(user_id, await storing.connect(user_id, name), 'full');
      if (status !== 'completed') throw new Error(`${name}: ${status}, ${error}`);
    }
    const sync_seconds = (performance.now() - synced) / 1000;
    const host = storing.host.key;
    await storing.stop();
    tell(`synced by the older version in ${sync_seconds.toFixed(0)} s`);
    const now = new Date();
    const olderAsk = older.asker(database, user_id, host, world.login, now);
    const questions = await questionsOf(olderAsk, older.explained);
    const answers: unknown[] = [];
    for (const { ask } of questions) answers.push(await ask(olderAsk));
    await database.close();

    const migrating = performance.now();
    database = await newer.openDatabase(place, unexpected);
    await newer.migrate(database.db);
    const migration_seconds = (performance.now() - migrating) / 1000;
    const ask = newer.asker(database, user_id, host, world.login, now);
    const compareAll = async (): Promise<Compared> => {
      const compared: Compared = { different: 0, where: new Map() };
      for (const [at, question] of questions.entries()) note(compared, answers[at], await question.ask(ask), question);
      return compared;
    };
    const before = await compareAll();
    tell(`${questions.length} questions, ${before.different} answered otherwise before it is read again`);

    const reading = newer.openSyncing(database.db, simulator, { faster: 1, working: false });
    await reading.user(world.login);
    await simulator.control('counters', undefined, 'DELETE');
    const { readAgain } = await import('../src/server/sync/read-again.ts');
    const stop = new AbortController();
    const began = performance.now();
    let isDone = false;
    const run = (async () => {
      // As the server does it each minute; the share of an hour's quota would let it rest for hours.
      for (;;) {
        await readAgain(reading.context, { until: null }, stop.signal);
        if ((await left(database)) === 0) break;
        const { numDeletedRows } = await database.db.deleteFrom('hint_quotas').executeTakeFirst();
        if (numDeletedRows === 0n) throw new Error(`Nothing goes on: ${JSON.stringify(reading.logged.slice(-3))}`);
      }
    })().finally(() => {
      isDone = true;
    });
    const during = { different: 0, where: new Map<string, number>(), asked: 0, seconds: [] as number[] };
    for (; !isDone; during.asked += 1) {
      const at = during.asked % questions.length;
      const begin = performance.now();
      const answer = await questions[at]!.ask(ask);
      during.seconds.push((performance.now() - begin) / 1000);
      note(during, answers[at], answer, questions[at]!);
      await pause(100);
    }
    await run;
    const read_seconds = (performance.now() - began) / 1000;
    tell(
      `read again in ${read_seconds.toFixed(0)} s, ${during.different} of ${during.asked} answered otherwise meanwhile`,
    );
    const after = await compareAll();
    tell(`${after.different} of ${questions.length} answered otherwise afterwards`);
    const { kinds } = (await simulator.control('counters')) as { kinds: Record<string, { points: number }> };
    const points = Object.values(kinds).reduce((sum, kind) => sum + kind.points, 0);
    const { pulls } = await database.db
      .selectFrom('pull_requests')
      .select((of) => of.fn.countAll<number>().as('pulls'))
      .executeTakeFirstOrThrow();
    await database.close();
    const seconds = { migration_seconds, sync_seconds, read_seconds };
    return { questions: questions.length, before, during, after, pull_requests: pulls, points, ...seconds };
  } finally {
    await simulator.stop();
    rmSync(parent, { recursive: true, force: true });
  }
}

async function left({ db }: OpenDatabase): Promise<number> {
  const { count: rows } = await db
    .selectFrom('pull_requests')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('collection', '<', 1)
    .where('collection_tried_at', 'is', null)
    .executeTakeFirstOrThrow();
  return rows;
}

function tableOf(world: World, outcome: Outcome): string {
  const { before, during, after } = outcome;
  const sorted = [...during.seconds].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(2);
  const where = [...new Set([before, during, after].flatMap(({ where: places }) => [...places.keys()]))].sort();
  const places = where.map((place) => {
    const times = [before, during, after].map((part) => part.where.get(place) ?? 0);
    return `| \`${place}\` | ${times.join(' | ')} |`;
  });
  return `## ${world.title}

| | |
| --- | --: |
| pull requests | ${outcome.pull_requests.toLocaleString('en')} |
| synced by the older version in | ${outcome.sync_seconds.toFixed(0)} s |
| opened and migrated by this one in | ${outcome.migration_seconds.toFixed(1)} s |
| read again in | ${outcome.read_seconds.toFixed(0)} s |
| points of that per 1,000 | ${((outcome.points * 1000) / outcome.pull_requests).toFixed(1)} |
| answers before that otherwise than by the older version | ${before.different} of ${outcome.questions} |
| answers meanwhile | ${during.different} of ${during.asked} |
| answers afterwards | ${after.different} of ${outcome.questions} |
| answered meanwhile within, median, 95 %, longest | ${at(0.5)} s, ${at(0.95)} s, ${at(1)} s |
${places.length === 0 ? '' : `\nAnswers that differ, by field:\n\n| | before | meanwhile | afterwards |\n| --- | --: | --: | --: |\n${places.join('\n')}\n`}`;
}

const parts: string[] = [];
for (const world of isRecorded ? [recorded, generated] : [generated]) parts.push(tableOf(world, await measured(world)));
const text = `# What is seen while everything is read again

An embedded folder synced by an older version and opened by this one, on ${cpus().length} cores (${cpus()[0]!.model.trim()}, load
${loadavg()[1]!.toFixed(1)} at the end), beside the simulated host. \`npm run bench read-again -- --older CHECKOUT\`. The shares of the quota are given
anew as soon as they are used up, which in the product takes hours; the questions are asked one after the other meanwhile.

${parts.join('\n')}`;
writeFileSync(join(import.meta.dirname, 'read-again.md'), text);
console.log(text);
process.exit();
