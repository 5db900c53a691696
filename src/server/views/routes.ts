import { randomInt } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { KeptView } from '#contract/views.ts';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { pathFor, personOf, type ReadPath } from '#domain/view-path.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { CallsOf, Handlers } from '../http/serve.ts';
import { appearsIn } from '../metrics/conditions.ts';
import { type Scope, scopeWithoutFigures } from '../metrics/scope.ts';
import { isTeamVisible } from '../metrics/team-people.ts';

/** So many can one person keep. */
export const MOST_VIEWS = 100;
/** So many of other people are listed. */
const MOST_LISTED = 500;

type Stored = Selectable<Database['kept_views']>;

/** The calls about views that people keep (docs/product.md#kept-views). */
export function viewRoutes({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Handlers<CallsOf<typeof import('#contract/views.ts')>> {
  return {
    listViews: async ({ user }) => {
      const rows = await db
        .selectFrom('kept_views')
        .selectAll()
        .where(visibleTo(user))
        // One’s own are all there: nobody keeps more than fit.
        .orderBy(sql`user_id = ${user.id}`, 'desc')
        .orderBy('id', 'desc')
        .limit(MOST_VIEWS + MOST_LISTED)
        .execute();
      const answers = await answersFor(db, user, rows);
      return answers
        .map(({ view }) => view)
        .sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase(), 'en') || a.id - b.id);
    },
    keepView: async ({ user, body }) => {
      const row = await db.transaction().execute(async (within) => {
        // One after the other, so that the bound holds.
        await within.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
        const { count } = await within
          .selectFrom('kept_views')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', user.id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MOST_VIEWS)
          throw new HttpError('too_many_views', `At most ${MOST_VIEWS} views: delete one that you no longer need.`);
        return await within
          .insertInto('kept_views')
          .values({
            ...{ ...body, visibility: visibilityFor(user, body.visibility), slug: randomSlug() },
            ...{ user_id: user.id, host: user.host, created_at: now() },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return (await answerFor(db, user, row)).view;
    },
    getView: async ({ user, params }) => {
      const { view, missing, team_gone } = await answerFor(db, user, await findView(db, user, params.slug));
      return { ...view, missing, team_gone };
    },
    changeView: async ({ user, params, body }) => {
      const { id } = await ownView(db, user, params.slug);
      const row =
        Object.keys(body).length === 0
          ? await ownView(db, user, params.slug)
          : await db
              .updateTable('kept_views')
              .set({ ...body, ...(body.visibility && { visibility: visibilityFor(user, body.visibility) }) })
              .where('id', '=', id)
              .where('user_id', '=', user.id)
              .returningAll()
              .executeTakeFirst();
      if (row === undefined) throw unknownView();
      return (await answerFor(db, user, row)).view;
    },
    deleteView: async ({ user, params }) => {
      const { id } = await ownView(db, user, params.slug);
      await db.deleteFrom('kept_views').where('id', '=', id).where('user_id', '=', user.id).execute();
    },
  };
}

/** Who sees a view: visitors of the demo are strangers to each other, and what they keep is theirs alone. */
function visibilityFor({ host }: SignedIn, wanted: KeptView['visibility']): KeptView['visibility'] {
  return host === DEMO_HOST ? 'mine' : wanted;
}

/** One's own, and those for everyone who signs in at the same host. */
function visibleTo({ id, host }: SignedIn) {
  return sql<boolean>`(user_id = ${id} or (host = ${host} and visibility = 'everyone'))`;
}

/** @throws HttpError 404 for one that is unknown or somebody else's own */
async function findView(db: Kysely<Database>, user: SignedIn, slug: string): Promise<Stored> {
  const row = await db
    .selectFrom('kept_views')
    .selectAll()
    .where('slug', '=', slug)
    .where(visibleTo(user))
    .executeTakeFirst();
  if (row === undefined) throw unknownView();
  return row;
}

/** @throws HttpError 403 for somebody else's that the user sees, 404 for all others */
async function ownView(db: Kysely<Database>, user: SignedIn, slug: string): Promise<Stored> {
  const row = await findView(db, user, slug);
  if (row.user_id !== user.id) throw new HttpError('not_yours');
  return row;
}

function unknownView(): HttpError {
  return notFound('View not found');
}

type Answer = Omit<ReadPath, 'path'> & { readonly view: KeptView };

/** What a person gets of stored views: with their own sight, never the maker's. */
async function answersFor(db: Kysely<Database>, user: SignedIn, rows: readonly Stored[]): Promise<Answer[]> {
  const scope = await scopeWithoutFigures(db, user.id);
  const teams = await sql<{ id: number }>`select t.id from teams t where ${isTeamVisible(user.id)}`.execute(db);
  const seen = {
    repository: new Set(scope.repository_ids.map(String)),
    team: new Set(teams.rows.map(({ id }) => String(id))),
  };
  const people = await peopleKnown(
    db,
    scope,
    user,
    rows.flatMap(({ path }) => personOf(path) ?? []),
  );
  return rows.map(({ id, slug, name, path: whole, visibility, pinned, created_at, user_id }) => {
    const mine = user_id === user.id;
    const { path, ...taken } = pathFor(whole, {
      sees: (what, of) => seen[what].has(of),
      knows: (login) => people.has(login.toLowerCase()),
      isMaker: mine,
    });
    const view = { id, slug, name, path, visibility, pinned, mine, created_at: created_at.toISOString() };
    return { view, ...taken };
  });
}

async function answerFor(db: Kysely<Database>, user: SignedIn, row: Stored): Promise<Answer> {
  return (await answersFor(db, user, [row]))[0]!;
}

/** Those of some logins, in lower case, whose people appear in the user's scope. */
async function peopleKnown(
  db: Kysely<Database>,
  scope: Scope,
  { host }: SignedIn,
  logins: readonly string[],
): Promise<ReadonlySet<string>> {
  if (logins.length === 0) return new Set();
  const { rows } = await sql<{ login: string }>`
    select lower(person.login) as login from people person
    where person.host = ${host} and lower(person.login) = any(${logins.map((login) => login.toLowerCase())}::text[])
      and ${appearsIn(scope, sql`person.id`)}`.execute(db);
  return new Set(rows.map(({ login }) => login));
}

/** Letters and digits that are not taken for each other, 59 bits of chance. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const SLUG_LENGTH = 12;

function randomSlug(): string {
  return Array.from({ length: SLUG_LENGTH }, () => letters[randomInt(letters.length)]).join('');
}
