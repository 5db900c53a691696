import type { Kysely } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import { expandTeams } from '../../src/server/metrics/team-people.ts';
import { isTheirs, type TwinTeam } from '../twin/belonging.ts';
import { readAll, type TwinPull } from '../twin/pull-request.ts';
import { empty } from './database.ts';
import type { RandomHistory } from './random-history.ts';
import { humans, randomFrom } from './random-reviewed.ts';
import { aConnection, aRepository, aUser, HOST, store } from './stored.ts';
import { aTeam } from './teams.ts';

/** What a user sees of a stored history, and the same for loops over everything. */
export interface StoredReviews {
  readonly user: number;
  readonly host: string;
  readonly pulls: readonly TwinPull[];
  readonly now: number;
  readonly zone: string;
  /** Row ids of repositories, by their full names. */
  readonly ids: ReadonlyMap<string, number>;
  /** Whether the user asks by their own marks. */
  readonly byOwnMarks?: boolean;
  /** The full names of those of which all history is imported. */
  readonly complete: ReadonlySet<string>;
}

/** Stores a history alone, of which the user sees all but the last repository; all of it is imported. */
export async function storedReviews(
  db: Kysely<Database>,
  history: RandomHistory,
  zone: string,
): Promise<StoredReviews> {
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
  const user = await aUser(db, zone);
  const ids = new Map<string, number>();
  for (const { owner, name, pulls } of history.repositories) {
    const id = await aRepository(db, `${owner}/${name}`);
    for (let at = 0; at < pulls.length; at += 500) await store(db, id, history.now, pulls.slice(at, at + 500));
    ids.set(`${owner}/${name}`, id);
  }
  await db
    .updateTable('repositories')
    .set({ history_completed_at: new Date(history.now) })
    .execute();
  const names = [...ids.keys()];
  const seen = names.slice(0, Math.max(1, names.length - 1));
  for (const name of seen) await aConnection(db, user, ids.get(name)!);
  const complete = new Set(names);
  return { user, host: HOST, pulls: readAll(history, seen), now: history.now, zone, ids, complete };
}

export type Query = Readonly<Record<string, string>>;

/** What is asked, and the same for loops. */
export interface Question {
  readonly query: Query;
  readonly from: number;
  readonly to: number;
  /** The full name of the one repository that it is narrowed to. */
  readonly only?: string | undefined;
  readonly team?: TwinTeam | undefined;
}

export const between = (from: number, to: number): Question => ({
  from,
  to,
  query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
});

/** The question with its repository and team, all pull requests of these repositories, and those of the team. */
export function narrowed(
  { pulls, ids }: StoredReviews,
  { query, only, team }: Question,
): { query: Query; pulls: TwinPull[]; mine: Set<TwinPull> } {
  const those = pulls.filter(({ repository }) => only === undefined || repository === only);
  return {
    query: {
      ...query,
      ...(only !== undefined && { repository: String(ids.get(only)) }),
      ...(team !== undefined && { team: String(team.id), team_as: team.as }),
    },
    pulls: those,
    mine: new Set(those.filter((on) => team === undefined || isTheirs(team, on))),
  };
}

/** A team whose people come and go, some in the very moment in which a pull request was opened. */
export async function withTeam(db: Kysely<Database>, view: StoredReviews, seed: number): Promise<TwinTeam> {
  const random = randomFrom(seed);
  const rows = await db.selectFrom('people').select(['id', 'host_id']).execute();
  const moves = humans.slice(0, 3).flatMap((person) => {
    const moments = [random.of(view.pulls).createdAt, random.of(view.pulls).createdAt].sort((a, b) => a - b);
    const [from, to] = random.is(0.3) ? [null, moments[1]!] : random.is(0.3) ? [moments[0]!, null] : moments;
    return from !== null && from === to ? [] : [{ team: 0, person, from: from!, to: to! }];
  });
  const id = await aTeam(
    db,
    'core',
    [view.user],
    moves.map(({ person, from, to }) => ({ person: rows.find(({ host_id }) => host_id === person.id)!.id, from, to })),
  );
  await db.transaction().execute(async (transaction) => await expandTeams(transaction, [id]));
  const as = random.of(['author', 'reviewer'] as const);
  return { id, as, moves: moves.map((move) => ({ ...move, team: id })), parents: new Map() };
}
