import { type RawBuilder, sql } from 'kysely';

/**
 * Who wrote a pull request, of `f`, its facts, and `a`, its author's account. What was stored before traces were read says it by
 * `by_agent` until it is read again.
 */
export const authorshipColumn = authorshipOf('f', sql`a.kind`);

/** The same of the facts with this alias, by an author whose account has this kind; null without an account. */
export function authorshipOf(facts: string, kind: RawBuilder<unknown>): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${facts}.${name}`);
  return sql<string>`coalesce(${column('authorship')},
  case when coalesce(${kind}, 'ghost') = 'human' and ${column('by_agent')} then 'assisted' else coalesce(${kind}, 'ghost') end)`;
}

/** The account credited with a pull request: a person's own until its facts were computed since. */
export const creditedId = creditedIdOf('f', sql`a.kind`);

/** The same of the facts with this alias, by an author whose account has this kind; null for nobody. */
export function creditedIdOf(facts: string, kind: RawBuilder<unknown>): RawBuilder<number | null> {
  const column = (name: string) => sql.ref(`${facts}.${name}`);
  return sql<number | null>`coalesce(${column('credited_id')},
  case when ${column('authorship')} is null and ${kind} = 'human' then ${column('author_id')} end)`;
}

/** Whose pull request it is among those of people and teams, of the facts with this alias: of the account credited with it, else of its author, whatever that is. */
export function ownerOf(facts: string): RawBuilder<number | null> {
  return sql<number | null>`coalesce(${sql.ref(`${facts}.credited_id`)}, ${sql.ref(`${facts}.author_id`)})`;
}

/** The columns `authorship agents credited_to credit_by` of a pull request's row, of `f` and `a` as above. */
export const attributionColumns = sql`${authorshipColumn} as authorship, coalesce(f.agents, '{}') as agents,
  (select credited.login from people credited where credited.id = ${creditedId}) as credited_to,
  coalesce(f.credit_by, case when f.authorship is null and a.kind = 'human' then 'author' end) as credit_by`;
