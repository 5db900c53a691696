import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuthorshipMetric } from '#domain/ai-authorship.ts';
import type { MetricKey, Statistic } from '#domain/metrics/metric.ts';
import type { PersonRef } from '#domain/pull-request.ts';
import { defaultHealthSettings, type HealthSettings, type SignalMetric } from '#domain/signals.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { asking, fromTo } from '../../src/server/metrics/asked.ts';
import { catalogue } from '../../src/server/metrics/catalogue.ts';
import { type Columns, compile } from '../../src/server/metrics/compile.ts';
import type { DimensionKey } from '../../src/server/metrics/dimensions.ts';
import { explain } from '../../src/server/metrics/explain.ts';
import { reviewers } from '../../src/server/metrics/reviewer-metrics.ts';
import { type Scope, scopeOf } from '../../src/server/metrics/scope.ts';
import { signals } from '../../src/server/metrics/signals.ts';
import type { Asked, Span } from '../../src/server/metrics/sources/source.ts';
import { expandTeams, teamsApart } from '../../src/server/metrics/team-people.ts';
import { casesHere, casesOf, empty, openTestDatabase } from '../support/database.ts';
import { edgeHistory } from '../support/edge-history.ts';
import { cargoPullRequests } from '../support/judged-signals.ts';
import { people, type RandomHistory, randomHistory, zones } from '../support/random-history.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
import { aRepository, aScope, HOST, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { dateOf } from '../twin/arithmetic.ts';
import { belongs, isMember, isTheirs, type Move, type TwinTeam, wasMember, whoseOf } from '../twin/belonging.ts';
import { countOf, inState, states, statisticsOf, type Thing, things, type View } from '../twin/metrics.ts';
import { everybody } from '../twin/people.ts';
import { readAll, type TwinPull } from '../twin/pull-request.ts';
import { signalsOf, type TwinHealth } from '../twin/signals.ts';

/*
 * Every metric of the catalogue at every grain, asked of the database and counted by plain loops. Those that compare with one pull
 * request are left to figures-twice.test.ts, those of one reviewer to ai-reviewers-twice.test.ts, those of one team to teams-compared.test.ts.
 */

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
const RUNS = Number(process.env.TWIN_RUNS ?? casesOf(6));
const DAY = 24 * 3_600_000;

type AnyMetric = MetricKey | SignalMetric | AuthorshipMetric;
const elsewhere = ['faster', 'smaller', 'from_outside', 'to_outside'] as const;
const metrics = (Object.keys(catalogue) as AnyMetric[]).filter(
  (key): key is Exclude<AnyMetric, (typeof elsewhere)[number]> =>
    !elsewhere.some((other) => other === key) && !Object.hasOwn(reviewers, key),
);
const isSignal = (key: AnyMetric): key is SignalMetric => key in signals;
const statistics = ['value', 'n', 'mean', 'p50', 'p75', 'p90'] as const satisfies Statistic[];
const columns: Columns = Object.fromEntries(
  metrics.flatMap((metric) => statistics.map((statistic) => [`${metric} ${statistic}`, { metric, statistic }])),
);
/** Numbers by `{metric} {statistic}`. */
type Numbers = Record<string, number | null>;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** What signals are asked of, and by which thresholds. */
type HealthAsked = Pick<TwinHealth, 'settings' | 'authorship' | 'allBases'>;
const usual: HealthAsked = { settings: defaultHealthSettings, authorship: ['human', 'assisted'], allBases: false };

/** Other thresholds than those that hold where nobody sets any, none of them the same. */
const otherSettings: HealthSettings = {
  trivial: { lines: 51, files: 2 },
  stamped: { words: 3, minutes: 13, lines_per_minute: 200 },
  ping_pong: { rounds: 3, turns: 2 },
  big: 199,
  long_open_days: 30,
  stale_approval_days: 7,
  generated: ['*.md', 'src/**/b.ts', '/src/w?b/*/c.ts'],
};
const someHealth = fc.record({
  settings: fc.constantFrom(defaultHealthSettings, defaultHealthSettings, otherSettings),
  authorship: fc.constantFrom(usual.authorship, ['agent'], ['human', 'agent', 'bot']),
  allBases: fc.boolean(),
});
/** What the default branch is, and was. */
const BASES = ['main', 'trunk', 'master'];

interface Stored {
  readonly scope: Scope;
  readonly pulls: readonly TwinPull[];
  readonly now: number;
  readonly zone: string;
  /** Row ids. */
  readonly repositories: ReadonlyMap<string, number>;
  readonly people: ReadonlyMap<string, number>;
  readonly health: HealthAsked;
  /** The team that all of it is asked of. */
  readonly team: TwinTeam | null;
}

async function stored(history: RandomHistory, zone: string, health = usual): Promise<Stored> {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
  await db
    .insertInto('health_settings')
    .values({ host: HOST, settings: JSON.stringify(health.settings), revision: 1, set_by: null, set_at: new Date(0) })
    .execute();
  const repositories = new Map<string, number>();
  for (const { owner, name, pulls } of history.repositories) {
    const id = await aRepository(db, `${owner}/${name}`);
    await store(db, id, history.now, pulls);
    repositories.set(`${owner}/${name}`, id);
  }
  await sql`update repositories set default_branch = ${BASES[0]}, former_default_branches = ${BASES.slice(1)}`.execute(
    db,
  );
  const rows = await db.selectFrom('people').select(['id', 'host_id']).execute();
  const seen = [...repositories.keys()].filter((_, index) => index !== 2);
  return {
    scope: await aScope(
      db,
      seen.map((name) => repositories.get(name)!),
    ),
    pulls: readAll(history, seen),
    now: history.now,
    zone,
    repositories,
    people: new Map(rows.map(({ id, host_id }) => [host_id, id])),
    health,
    team: null,
  };
}

type ClockKey = 'weekday' | 'hour' | 'hour_of_week';
/** Told of some things alone: figures-twice.test.ts counts them. */
type OwnKey = 'reviewer' | 'ai_reviewer' | 'area';

/** Told of the end of a window. */
const atMoment: readonly AnyMetric[] = ['long_open', 'stale_approval'];

const isIn = ({ after, until }: Span) => {
  const [from, to] = [after.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY];
  return ({ at }: Thing) => at > from && at <= to;
};

/** What the twin counts of each metric in a window, and of states now; null where the past does not tell. */
function counted(
  { pulls, now, zone, health, team }: Stored,
  view: View,
  window: Span,
  person: PersonRef | null,
): Map<AnyMetric, Thing[] | null> {
  const moment = window.until === null ? now : window.until.getTime() + 1;
  // The metrics tell bots' too; no call lets these through but the one that tells agents' beside people's.
  const ofSignals = signalsOf(pulls, { ...health, bases: BASES, moment, withBots: true });
  const isWanted = (metric: AnyMetric) => (thing: Thing) =>
    (person === null || thing.person?.id === person.id) &&
    (team === null || belongs(team, metric, thing, now, whoseOf(view, person)));
  return new Map(
    metrics.flatMap((metric): [AnyMetric, Thing[] | null][] => {
      if (isSignal(metric)) {
        const theirs = ofSignals[metric].things.filter(isWanted(metric));
        return [[metric, atMoment.includes(metric) ? theirs : theirs.filter(isIn(window))]];
      }
      const list = metric === 'review_ratio' ? undefined : things[metric];
      if (list === undefined) return [];
      if (states.includes(metric) && window.until !== null) return [[metric, null]];
      const all = list(pulls, view, now, zone).filter(isWanted(metric));
      return [[metric, states.includes(metric) ? all : all.filter(isIn(window))]];
    }),
  );
}

/** The numbers of each group of things. */
function numbersBy(
  groups: Map<AnyMetric, Thing[] | null>,
  keyOf: (thing: Thing) => string | null,
): Map<string, Numbers> {
  const found = new Map<string, Map<AnyMetric, Thing[]>>();
  for (const [metric, list] of groups)
    for (const thing of list ?? []) {
      const key = keyOf(thing);
      if (key === null) continue;
      const group = found.get(key) ?? new Map<AnyMetric, Thing[]>();
      const list = group.get(metric) ?? [];
      list.push(thing);
      group.set(metric, list);
      found.set(key, group);
    }
  return new Map([...found].map(([key, group]) => [key, numbersOf(groups, group, keyOf)]));
}

/** The numbers of one group, `of` all of which are what was counted. */
function numbersOf(
  all: Map<AnyMetric, Thing[] | null>,
  group: ReadonlyMap<AnyMetric, Thing[] | null>,
  isCounted: (thing: Thing) => unknown = () => true,
): Numbers {
  const numbers: Numbers = {};
  for (const metric of metrics) {
    if (metric === 'review_ratio') continue;
    const list = all.get(metric) === null ? null : (group.get(metric) ?? []);
    const areas = metric === 'code_area_share' ? (all.get(metric) ?? []) : [];
    const total = areas.filter((thing) => isCounted(thing) !== null).reduce((sum, { value }) => sum + (value ?? 0), 0);
    const told = list === null ? null : statisticsOf(metric, list, total, isSignal(metric));
    for (const statistic of statistics) numbers[`${metric} ${statistic}`] = told?.[statistic] ?? null;
  }
  const [reviews, openings] = [countOf(group.get('reviews') ?? []), countOf(group.get('opened') ?? [])];
  for (const statistic of statistics) numbers[`review_ratio ${statistic}`] = null;
  numbers['review_ratio n'] = reviews;
  numbers['review_ratio value'] = openings === 0 ? null : reviews / openings;
  return numbers;
}

/** Of a state what is known of the past. */
function withPast(numbers: Numbers, { pulls }: Stored, at: number | null): Numbers {
  if (at === null) return numbers;
  const known = ['open', 'stuck'].flatMap((metric) => {
    const count = inState(metric, pulls, at);
    return [
      [`${metric} value`, count],
      [`${metric} n`, count],
    ];
  });
  return { ...numbers, ...Object.fromEntries(known) };
}

function expectSame(actual: Numbers, expected: Numbers, of: string): void {
  const differing = Object.keys(expected).flatMap((name) => {
    const [ours, theirs] = [actual[name], expected[name]];
    const isSame =
      typeof ours === 'number' && typeof theirs === 'number'
        ? Math.abs(ours - theirs) <= 1e-12 * Math.max(1, Math.abs(theirs))
        : ours === theirs;
    return isSame ? [] : [`${name}: ${ours}, not ${theirs}`];
  });
  expect(differing, of).toEqual([]);
}

async function ask(asked: Asked, by: Parameters<typeof compile>[2]): Promise<(Numbers & { key: unknown })[]> {
  const { rows } = await sql<Numbers & { key: unknown }>`select * from ${compile(asked, columns, by)} numbers`.execute(
    database.db,
  );
  return rows;
}

const isNothing = (numbers: Numbers) =>
  Object.entries(numbers).every(([name, value]) => name === 'key' || value === 0 || value === null);

/** Every group is told as the twin tells it, and none is missing or too much; those of nothing are none. */
async function expectGroups(asked: Asked, by: 'person' | DimensionKey, expected: Map<string, Numbers>): Promise<void> {
  const rows = (await ask(asked, by)).filter((row) => row.key !== null && !isNothing(row));
  const said = new Map([...expected].filter(([, numbers]) => !isNothing(numbers)));
  expect(rows.map(({ key }) => String(key)).toSorted(), by).toEqual([...said.keys()].toSorted());
  for (const row of rows) expectSame(row, said.get(String(row.key))!, `${by} ${row.key}`);
}

const sizes = [50, 200, 500, 1000];
const sizeOf = (lines: number) =>
  ['0-50', '51-200', '201-500', '501-1000', '1000+'][sizes.filter((bound) => lines > bound).length]!;

/** To make one takes many times as long as to use it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clock(zone: string, at: number): { weekday: string; hour: string } {
  const parts =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' });
  clocks.set(zone, parts);
  const told = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(told.weekday!) + 1;
  return { weekday: String(weekday), hour: String(Number(told.hour)) };
}

/** When the buckets of a window begin in a zone: with the window, and with each day, Monday or first of a month within. */
function startsOf(
  { after, until }: Span,
  now: number,
  bucket: 'day' | 'week' | 'month' | 'whole',
  zone: string,
): Date[] {
  const [first, last] = [after.getTime() + 1, until?.getTime() ?? now];
  const starts = [first];
  if (bucket === 'whole') return [after];
  const days = Temporal.PlainDate.from(dateOf(zone, first));
  for (let day = days.add({ days: 1 }); ; day = day.add({ days: 1 })) {
    const start = day.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
    if (start > last) return starts.map((at) => new Date(at));
    if (bucket === 'day' || (bucket === 'week' ? day.dayOfWeek === 1 : day.day === 1)) starts.push(start);
  }
}

const healthOf = ({ health }: Stored) => ({ ...health, moments: null });

async function expectEverything(view: Stored, window: Span): Promise<void> {
  const { scope, now, zone, team } = view;
  const asked = asking(scope, new Date(now), zone, { window, health: healthOf(view) });
  const ofTeam = counted(view, 'team', window, null);
  const atEnd = window.until === null ? null : window.until.getTime() + 1;

  const [whole] = await ask(asked, 'whole');
  const ofWhole = team === null ? view : { ...view, pulls: view.pulls.filter((on) => isTheirs(team, on)) };
  expectSame(whole!, withPast(numbersOf(ofTeam, ofTeam), ofWhole, atEnd), 'whole');

  const isListed = (person: PersonRef) =>
    team === null || wasMember(team, person, window.after.getTime(), window.until?.getTime() ?? now);
  const host = (person: PersonRef | null) =>
    person === null || !isListed(person) ? null : String(view.people.get(person.id));
  await expectGroups(
    asked,
    'person',
    numbersBy(counted(view, 'people', window, null), ({ person }) => host(person)),
  );
  const someone = everybody(view.pulls)[0]!;
  const ofOne = counted(view, 'people', window, someone);
  const [theirs] = await ask({ ...asked, person: view.people.get(someone.id)! }, 'whole');
  const isOwn = ({ pull, createdAt }: TwinPull) =>
    pull.author?.id === someone.id && (team === null || isMember(team, someone, createdAt));
  const theirView = { ...view, pulls: view.pulls.filter(isOwn) };
  expectSame(theirs!, withPast(numbersOf(ofOne, ofOne), theirView, atEnd), `of ${someone.login}`);

  const dimensions: Record<Exclude<DimensionKey, ClockKey | OwnKey>, (thing: Thing) => string> = {
    repository: ({ on }) => String(view.repositories.get(on.repository)),
    author_kind: ({ on }) => on.pull.author?.kind ?? 'ghost',
    size: ({ on }) => sizeOf(on.size),
    base_branch: ({ on }) => on.pull.baseRef,
    draft: ({ on }) => String(on.openedAsDraft),
  };
  for (const [dimension, keyOf] of Object.entries(dimensions))
    await expectGroups(asked, dimension as DimensionKey, numbersBy(ofTeam, keyOf));
  // A state has no moment: it is told apart by when what is in it began.
  const byClock: Record<ClockKey, (thing: Thing) => string> = {
    weekday: ({ at }) => clock(zone, at).weekday,
    hour: ({ at }) => clock(zone, at).hour,
    hour_of_week: ({ at }) => `${clock(zone, at).weekday}-${clock(zone, at).hour}`,
  };
  const withMoments = new Map([...ofTeam].filter(([metric]) => metric !== 'repositories'));
  for (const [dimension, keyOf] of Object.entries(byClock)) {
    const expected = numbersBy(withMoments, keyOf);
    const rows = (await ask(asked, dimension as ClockKey)).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('repositories'))),
    );
    for (const [key, numbers] of expected) {
      const row = rows.find((one) => one.key === key);
      const shown = Object.fromEntries(Object.entries(numbers).filter(([name]) => !name.startsWith('repositories')));
      expectSame((row ?? {}) as Numbers, shown, `${dimension} ${key}`);
    }
  }

  for (const bucket of ['day', 'week', 'month', 'whole'] as const) {
    const starts = startsOf(window, now, bucket, zone);
    const rows = (await ask(asked, { starts })).toSorted((a, b) => Number(a.key) - Number(b.key));
    expect(rows.map(({ key }) => key)).toEqual(starts.map((_, index) => index + 1));
    const place = ({ at }: Thing) => String(starts.findLastIndex((start) => start.getTime() <= at) + 1);
    const moving = new Map([...ofTeam].filter(([metric]) => !states.includes(metric)));
    const expected = numbersBy(moving, place);
    for (const [index, row] of rows.entries()) {
      const isLast = index === rows.length - 1;
      const end = isLast ? atEnd : starts[index + 1]!.getTime();
      const standing = new Map(
        [...ofTeam].map(([metric, list]) => [metric, isLast && states.includes(metric) && list !== null ? list : null]),
      );
      const empty = numbersOf(new Map([...moving].map(([metric]) => [metric, []])), new Map());
      const now_ = numbersOf(standing, standing);
      const ofStates = Object.fromEntries(
        Object.entries(now_).filter(([name]) => states.includes(name.split(' ')[0]!)),
      );
      const numbers = { ...(expected.get(String(row.key)) ?? empty), ...ofStates };
      expectSame(row, withPast(numbers, ofWhole, end), `${bucket} ${row.key} of ${rows.length}`);
    }
  }
}

const someWindow = fc.record({
  from: fc.constantFrom(8, 31, 45.5, 90, 200),
  to: fc.constantFrom(null, 1, 7, 29.25),
});
const spanOf = (now: number, { from, to }: { from: number; to: number | null }): Span =>
  fromTo(now - from * DAY, to === null ? null : now - Math.min(to, from - 1) * DAY);

test('every metric at every grain is what plain loops over everything give, in any window', async () => {
  const property = fc.asyncProperty(
    randomHistory,
    fc.constantFrom(...zones),
    someWindow,
    someHealth,
    async (history, zone, window, health) => {
      await expectEverything(await stored(history, zone, health), spanOf(history.now, window));
    },
  );
  const run = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  if (run.failed) throw new Error(`seed ${run.seed}, path "${run.counterexamplePath}"`, { cause: run.errorInstance });
}, 300_000);

/** Moments within an hour of a clock change. */
const clockChanges = [
  ['America/New_York', '2026-11-01T06:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
] as const;

test.each(casesHere(clockChanges, 2))(
  'and where everything happens at the edges of windows and days while clocks change in %s',
  async (zone, moment) => {
    const history = edgeHistory(Date.parse(moment), zone);
    const view = await stored(history, zone);

    for (const from of [7, 30]) await expectEverything(view, fromTo(history.now - from * DAY + 1, null));
    await expectEverything(view, fromTo(history.now - 60 * DAY + 1, history.now - 30 * DAY + 1));
  },
);

/** So many are there; the second lies in the first. */
const TEAMS = 3;
const someMoves = fc.array(
  fc.record({
    team: fc.nat(TEAMS - 1),
    person: fc.nat(people.length - 1),
    from: fc.option(fc.nat()),
    to: fc.option(fc.nat()),
  }),
  { minLength: 8, maxLength: 24 },
);

/** The same history with teams whose people come and go as somebody does something, often in the very instant. */
async function withTeams(
  view: Stored,
  chosen: readonly { team: number; person: number; from: number | null; to: number | null }[],
): Promise<{ readonly all: readonly TwinTeam[]; readonly user_id: number }> {
  const { db } = database;
  const { user_id } = view.scope;
  const all = everybody(view.pulls);
  const moments = [
    ...new Set(view.pulls.flatMap(({ createdAt, moments }) => [createdAt, ...moments.map(({ at }) => at)])),
  ].sort((a, b) => a - b);
  const at = (place: number | null) => (place === null ? null : moments[place % moments.length]!);
  const moves: Move[] = [];
  for (const { team, person, from, to } of chosen) {
    const ends = [at(from), at(to)] as const;
    const [first, last] = ends[0] !== null && ends[1] !== null && ends[0] > ends[1] ? [ends[1], ends[0]] : ends;
    const move = { team, person: all[person % all.length]!, from: first, to: last };
    const isNew = !moves.some((one) => one.team === team && one.person === move.person && one.from === first);
    if ((first === null || first !== last) && isNew) moves.push(move);
  }
  const ids: number[] = [];
  for (let team = 0; team < TEAMS; team += 1) {
    const members = moves
      .filter((move) => move.team === team)
      .map(({ person, from, to }) => ({ person: view.people.get(person.id)!, from, to }));
    ids.push(await aTeam(db, `team-${team}`, [user_id], members, team === 1 ? ids[0]! : null));
  }
  await db.transaction().execute(async (transaction) => await expandTeams(transaction, ids));
  const parents = new Map([[ids[1]!, ids[0]!]]);
  const named = moves.map((move) => ({ ...move, team: ids[move.team]! }));
  return { user_id, all: ids.map((id) => ({ id, as: 'author', moves: named, parents })) };
}

async function asTeam(view: Stored, team: TwinTeam): Promise<Stored> {
  const { user_id } = view.scope;
  const scope = await scopeOf(database.db, user_id, undefined, { team: team.id, team_as: team.as });
  return { ...view, scope, team };
}

/** Of every team, and of none, what is asked for all of them at once. */
async function expectEachTeam(view: Stored, teams: readonly TwinTeam[], window: Span): Promise<void> {
  const { scope, now, zone } = view;
  const asked = asking(scope, new Date(now), zone, { window, health: healthOf(view) });
  const of = {
    teams: await teamsApart(
      database.db,
      scope.user_id,
      teams.map(({ id }) => id),
      teams[0]!.as,
    ),
  };
  const rows = await ask(asked, of);
  // Sums of a part, and participations of a month, are not told apart by team.
  const isTold = ([name]: [string, unknown]) => !/^(code_area_share|repositories) /.test(name);
  const told = (numbers: Numbers) => Object.fromEntries(Object.entries(numbers).filter(isTold));
  const all = counted(view, 'team', window, null);
  const ofNone = new Map(
    [...all].map(([metric, list]) => [
      metric,
      list?.filter((thing) => !teams.some((team) => belongs(team, metric, thing, now, 'whole'))) ?? null,
    ]),
  );
  const expected = [
    ...teams.map((team) => [String(team.id), counted({ ...view, team }, 'team', window, null)] as const),
    ['none', ofNone] as const,
  ];
  for (const [key, things] of expected) {
    const row = rows.find((one) => one.key === key);
    const numbers = told(numbersOf(things, things));
    if (row === undefined) expect(isNothing(numbers), `by team: ${key}`).toBe(true);
    else expectSame(row, numbers, `by team: ${key}`);
  }
}

test('of a team every metric at every grain is what a list of who was a member when gives, in any window', async () => {
  const property = fc.asyncProperty(
    randomHistory,
    fc.constantFrom(...zones),
    someWindow,
    someHealth,
    someMoves,
    fc.nat(TEAMS - 1),
    fc.constantFrom('author' as const, 'reviewer' as const),
    async (history, zone, window, health, moves, which, as) => {
      const view = await stored(history, zone, health);
      const { all } = await withTeams(view, moves);
      const teams = all.map((team) => ({ ...team, as }));
      const span = spanOf(history.now, window);
      await expectEachTeam(view, teams, span);
      await expectEverything(await asTeam(view, teams[which]!), span);
    },
  );
  const run = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  if (run.failed) throw new Error(`seed ${run.seed}, path "${run.counterexamplePath}"`, { cause: run.errorInstance });
}, 300_000);

test('a number of another window beside others is that of the window', async () => {
  const [history] = fc.sample(randomHistory, { seed: SEED, numRuns: 1 });
  const view = await stored(history!, 'UTC');
  const { scope, now } = view;
  const [window, before] = [fromTo(now - 30 * DAY, null), fromTo(now - 60 * DAY, now - 30 * DAY)];
  const both: Columns = Object.fromEntries(
    metrics.flatMap((metric) => [
      [metric, metric],
      [`${metric} before`, { metric, window: before }],
    ]),
  );
  const one: Columns = Object.fromEntries(metrics.map((metric) => [`${metric} before`, metric]));
  const asked = asking(scope, new Date(now), 'UTC', { window, health: healthOf(view) });
  const { rows } = await sql<Numbers>`
    select together.*, earlier.* from ${compile(asked, both, 'whole')} together,
      ${compile({ ...asked, window: before }, one, 'whole')} earlier`.execute(database.db);
  const { rows: together } = await sql<Numbers>`select * from ${compile(asked, both, 'whole')} numbers`.execute(
    database.db,
  );
  const earlier = Object.fromEntries(Object.keys(one).map((name) => [name, rows[0]![name]!]));

  expectSame(together[0]!, earlier, 'the window before');
});

test.each(['team', 'people'] as const)(
  'the items behind every metric are the things that count: view of the %s',
  async (view) => {
    const [history] = fc.sample(randomHistory, { seed: SEED + 1, numRuns: 1 });
    const all = await stored(history!, 'Europe/Oslo');
    const someone = everybody(all.pulls)[0]!;
    const person = view === 'team' ? null : someone;
    for (const window of [fromTo(all.now - 90 * DAY, null), fromTo(all.now - 90 * DAY, all.now - 14 * DAY)]) {
      const asked = asking(all.scope, new Date(all.now), all.zone, {
        window,
        person: person === null ? null : all.people.get(person.id)!,
        health: healthOf(all),
      });
      for (const [metric, expected] of counted(all, view, window, person)) {
        if (expected === null || metric === 'code_area_share') continue;
        const items: string[] = [];
        for (let more = true; more; ) {
          const page = await explain(database.db, { metric, only: {} }, asked, {
            limit: 7,
            offset: items.length,
            order: 'latest',
          });
          items.push(
            ...page.items.map(({ repo_owner, repo_name, pr_number }) => `${repo_owner}/${repo_name}#${pr_number}`),
          );
          more = page.hasMore;
          expect(page.n, metric).toBe(countOf(expected));
        }
        expect(items.length, metric).toBe(countOf(expected));
        if (expected.every(({ key }) => key === undefined))
          expect(items.toSorted(), metric).toEqual(
            expected.map(({ on }) => `${on.repository}#${on.pull.number}`).toSorted(),
          );
      }
    }
  },
);

/** What is null of rows alone that an older version stored, and of what the host did not tell whole. */
const ofOlderVersions: readonly AnyMetric[] = ['changed_files', 'human_findings'];

test('random histories hold what each metric counts, and what it does not where it has a condition', async () => {
  const seen = new Map(metrics.map((metric) => [metric, { counted: 0, left: 0, held: 0, others: 0 }]));
  for (const history of fc.sample(randomHistory, { seed: SEED, numRuns: 8 })) {
    const view = await stored(history, 'UTC');
    const { scope, now, zone } = view;
    const window = fromTo(now - 365 * DAY, null);
    const asked = asking(scope, new Date(now), zone, { window, health: healthOf(view) });
    for (const metric of metrics) {
      const entry = catalogue[metric];
      if ('per' in entry) continue;
      const { from, where } = entry.from.rows(asked, 'each');
      const counts = entry.where?.(asked) ?? sql`true`;
      const holds =
        (entry.made === 'share' || entry.made === 'percent') && entry.value ? entry.value(asked) : sql`true`;
      const { rows } = await sql<{ counted: number; left: number; held: number; others: number }>`
        select count(*) filter (where ${counts})::int as counted, count(*) filter (where (${counts}) is not true)::int as left,
          count(*) filter (where (${counts}) and (${holds}))::int as held,
          count(*) filter (where (${counts}) and (${holds}) is not true)::int as others
        from ${from} where ${where}`.execute(database.db);
      const sum = seen.get(metric)!;
      for (const key of ['counted', 'left', 'held', 'others'] as const) sum[key] += rows[0]![key];
    }
  }
  const lacking = metrics.filter((metric) => {
    const entry = catalogue[metric];
    if ('per' in entry) return false;
    const { counted, left, held, others } = seen.get(metric)!;
    const isShare = entry.made === 'share' || entry.made === 'percent';
    const isVaried = entry.where === undefined || left > 0 || ofOlderVersions.includes(metric);
    return counted === 0 || !isVaried || (isShare && (held === 0 || others === 0));
  });

  expect(
    lacking,
    'test/support/random-history.ts does not vary what these read: a wrong condition would go unseen',
  ).toEqual([]);
});

if (!isRecorded)
  console.warn('SKIPPED: the metrics of recorded pull requests, because their recordings are not there.');

test.skipIf(!isRecorded)(
  'and on a real repository',
  async () => {
    const pulls = recordedPullRequests().map((pull) => ({ ...pull, files: [] }));
    const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + 3_600_000;
    const view = await stored({ now, repositories: [{ owner: 'bitcoin-core', name: 'gui', pulls }] }, 'Europe/Oslo');

    await expectEverything(view, fromTo(now - 365 * DAY, null));
    await expectEverything(view, fromTo(now - 800 * DAY, now - 300 * DAY));
  },
  300_000,
);

test.skipIf(!isRecorded)(
  'and of a team on real repositories, whose people come and go',
  async () => {
    const gui = recordedPullRequests().map((pull) => ({ ...pull, files: [] }));
    const cargo = cargoPullRequests()
      .slice(-1500)
      .map((pull) => ({ ...pull, updatedAt: pull.mergedAt!, files: [] }));
    const now = Math.max(...[...gui, ...cargo].map(({ updatedAt }) => updatedAt)) + 3_600_000;
    const repositories = [
      { owner: 'bitcoin-core', name: 'gui', pulls: gui },
      { owner: 'rust-lang', name: 'cargo', pulls: cargo },
    ];
    const view = await stored({ now, repositories }, 'Europe/Oslo');
    const { all } = await withTeams(view, fc.sample(someMoves, { seed: SEED, numRuns: 3 }).flat());
    const year = fromTo(now - 365 * DAY, null);
    for (const as of casesHere(['author', 'reviewer'] as const, 2)) {
      const teams = all.map((team) => ({ ...team, as }));
      await expectEachTeam(view, teams, year);
      await expectEverything(
        await asTeam(view, teams[0]!),
        as === 'author' ? year : fromTo(now - 800 * DAY, now - 300 * DAY),
      );
    }
  },
  300_000,
);
