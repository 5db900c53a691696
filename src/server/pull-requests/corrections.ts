import { sql } from 'kysely';
import type { AttributionAnswer } from '#contract/pull-requests.ts';
import { factsOf } from '#domain/facts.ts';
import type { Context, SignedIn } from '../context.ts';
import { storedRecords } from '../db/stored-records.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { appearsIn } from '../metrics/conditions.ts';
import { type Scope, scopeOf, scopeWithoutFigures } from '../metrics/scope.ts';
import { attributionAnswerOf, findRepository } from './pull-request-detail.ts';

export interface CorrectionDeps extends Pick<Context, 'db' | 'now'> {
  /** Whether the host lets this user write to the repository, asked now. */
  readonly mayWrite: (user_id: number, repository_id: number) => Promise<boolean>;
  /** The row of the account of that login as the host shows it to this user's token, stored if it is new; null for none. */
  readonly accountAtHost: (user: SignedIn, login: string) => Promise<number | null>;
  /** Computes the facts of a pull request again, and what is summed of them. */
  readonly recompute: (repository_id: number, number: number) => Promise<void>;
}

interface Address {
  readonly repoOwner: string;
  readonly repoName: string;
  readonly prNumber: number;
}

interface Place {
  readonly scope: Scope;
  readonly repository_id: number;
  readonly number: number;
}

/**
 * What people say better than the rules about who wrote a pull request and who started it (docs/server.md#who-wrote-a-pull-request). It is stored
 * with who said it and when, and outlives every reading.
 */
export function correctionRoutes(
  deps: CorrectionDeps,
): Handlers<'correctAuthorship' | 'withdrawAuthorship' | 'correctCredit' | 'withdrawCredit'> {
  const { db, now } = deps;

  async function answer({ repository_id, number }: Place): Promise<AttributionAnswer> {
    await db
      .updateTable('pull_request_facts')
      .set({ version: 0 })
      .where('repository_id', '=', repository_id)
      .where('number', '=', number)
      .execute();
    // What dies here is found by the worker.
    await deps.recompute(repository_id, number);
    const record = (await storedRecords(db, repository_id, [number])).records.get(number);
    if (record === undefined) throw notFound('PR not found');
    return attributionAnswerOf(record, factsOf(record, now().getTime()).attribution);
  }

  async function withdraw(
    user: SignedIn,
    params: Address,
    subject: 'authorship' | 'credit',
  ): Promise<AttributionAnswer> {
    const place = await placeFor(deps, user, params);
    await db
      .deleteFrom('corrections')
      .where('repository_id', '=', place.repository_id)
      .where('number', '=', place.number)
      .where('subject', '=', subject)
      .execute();
    return await answer(place);
  }

  async function correct(
    user: SignedIn,
    { repository_id, number }: Place,
    said:
      | { subject: 'authorship'; authorship: 'human' | 'assisted' | 'agent'; tool: string | null; person_id: null }
      | { subject: 'credit'; authorship: null; tool: null; person_id: number | null },
  ): Promise<void> {
    const correction = { ...said, set_by: user.id, set_at: now() };
    await db
      .insertInto('corrections')
      .values({ repository_id, number, ...correction })
      .onConflict((conflict) => conflict.columns(['repository_id', 'number', 'subject']).doUpdateSet(correction))
      .execute();
  }

  return {
    correctAuthorship: async ({ user, params, body: { authorship, tool } }) => {
      if (authorship === 'human' && tool !== null)
        throw new HttpError('invalid_request', 'tool: must be null where no agent took part');
      const place = await placeFor(deps, user, params);
      await correct(user, place, { subject: 'authorship', authorship, tool, person_id: null });
      return await answer(place);
    },
    withdrawAuthorship: async ({ user, params }) => await withdraw(user, params, 'authorship'),
    correctCredit: async ({ user, params, body: { username } }) => {
      const place = await placeFor(deps, user, params);
      const person_id = username === null ? null : await personCalled(deps, user, place.scope, username);
      await correct(user, place, { subject: 'credit', authorship: null, tool: null, person_id });
      return await answer(place);
    },
    withdrawCredit: async ({ user, params }) => await withdraw(user, params, 'credit'),
  };
}

/**
 * The stored pull request in the user's scope that they may correct: as its author, as the credited person, as who made a correction of it that
 * still stands, or because they may write to the repository.
 * @throws HttpError 404 for none, 403 for somebody else
 */
async function placeFor(
  deps: CorrectionDeps,
  user: SignedIn,
  { repoOwner, repoName, prNumber }: Address,
): Promise<Place> {
  const { db } = deps;
  const repository = await findRepository(db, await scopeWithoutFigures(db, user.id), repoOwner, repoName);
  if (repository === null) throw notFound('PR not found');
  const { rows } = await sql<{ is_theirs: boolean }>`
    select exists (select from users u join people p on p.host = u.host and p.host_id = u.host_id
      where u.id = ${user.id} and p.id in (f.author_id, f.credited_id))
      or exists (select from corrections c
        where c.repository_id = f.repository_id and c.number = f.number and c.set_by = ${user.id}) as is_theirs
    from pull_request_facts f where f.repository_id = ${repository.id} and f.number = ${prNumber}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw notFound('PR not found');
  if (!found.is_theirs && !(await deps.mayWrite(user.id, repository.id)))
    throw new HttpError(
      'may_not_correct',
      `Only its author, the credited person and people who may write to ${repository.owner}/${repository.name} can correct this.`,
    );
  return { scope: await scopeOf(db, user.id), repository_id: repository.id, number: prNumber };
}

/**
 * The row of a person whom the user can know: who takes part in their repositories, else whom the host shows them.
 * @throws HttpError 400 for nobody, and for an account that is no person's
 */
async function personCalled(deps: CorrectionDeps, user: SignedIn, scope: Scope, username: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select person.id from people person
    where person.host = ${user.host} and lower(person.login) = lower(${username}) and ${appearsIn(scope, sql`person.id`)}
    order by person.id desc limit 1`.execute(deps.db);
  const id = rows[0]?.id ?? (await deps.accountAtHost(user, username));
  const person =
    id === null ? undefined : await deps.db.selectFrom('people').select('kind').where('id', '=', id).executeTakeFirst();
  if (id === null || person === undefined) throw new HttpError('unknown_person', `We know nobody called ${username}`);
  if (person.kind !== 'human') throw new HttpError('no_person', `${username} is not a person`);
  return id;
}
