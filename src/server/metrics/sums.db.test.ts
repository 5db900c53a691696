import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTHOR, aPerson, aPullRequest, approves, merged, OPENED_AT } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { asking, since } from './asked.ts';
import type { Scope } from './scope.ts';
import { keptSince } from './sums.ts';

const HOUR = 3_600_000;
/** Beginnings of quarters, of a year among them, and of months within one; over more than two years. */
const edges = [
  '2026-04-01',
  '2026-05-01',
  '2026-06-01',
  '2026-07-01',
  '2026-12-01',
  '2027-01-01',
  '2027-02-01',
  '2027-04-01',
  '2027-07-01',
  '2028-07-01',
].map((day) => Date.parse(`${day}T00:00:00Z`));
/** Through a year, and on both sides of every edge. */
const openings = [
  ...Array.from({ length: 130 }, (_, index) => OPENED_AT + index * 67 * HOUR),
  ...edges.flatMap((edge) => [edge - 1, edge, edge + 1]),
];
const pulls = openings.map((createdAt, index) => ({
  createdAt,
  author: index % 3 === 0 ? 'ben' : AUTHOR,
  reviewer: index % 3 === 0 ? AUTHOR : 'ben',
  additions: index,
}));

let database: OpenDatabase;
let scope: Scope;
beforeAll(async () => {
  database = await openTestDatabase();
  const id = await aRepository(database.db, 'acme/web');
  const records = pulls.map(({ createdAt, author, reviewer, additions }, index) => {
    const at = (createdAt - OPENED_AT) / HOUR;
    const number = index + 1;
    return aPullRequest(
      { number, author: aPerson(author), createdAt, additions, deletions: 0 },
      approves(at, reviewer),
      merged(at),
    );
  });
  await store(database.db, id, Math.max(...openings), records);
  scope = await aScope(database.db, [id]);
});
afterAll(() => database.close());

const moments = [...edges.flatMap((edge) => [edge - 1, edge, edge + 1]), ...openings.slice(0, 130).map((at) => at + 1)];

test('kept months and years and what lies before them make up every window, to the millisecond', async () => {
  for (const after of moments) {
    const asked = asking(scope, new Date(edges.at(-1)!), 'UTC', { window: since(after) });
    const kept = keptSince(asked, {
      opened: 'opened',
      merged: 'merged',
      merge_rate: 'merge_rate',
      size: 'size',
      reviews: 'counting_reviews',
    });
    const { rows } = await sql`
      select person.login, kept.opened, kept.merged, kept.merge_rate, kept.size, kept.reviews
      from ${kept} kept join people person on person.id = kept.person_id order by person.login`.execute(database.db);

    const later = pulls.filter(({ createdAt }) => createdAt > after);
    const expected = [AUTHOR, 'ben'].flatMap((login) => {
      const theirs = later.filter(({ author }) => author === login);
      const given = later.filter(({ reviewer }) => reviewer === login);
      const lines = theirs.reduce((sum, { additions }) => sum + additions, 0);
      const figures = {
        login,
        opened: theirs.length,
        merged: theirs.length,
        merge_rate: theirs.length === 0 ? null : 1,
        size: theirs.length === 0 ? null : lines / theirs.length,
        reviews: given.length,
      };
      return theirs.length + given.length === 0 ? [] : [figures];
    });
    expect(rows, new Date(after).toISOString()).toEqual(expected);
  }
});
