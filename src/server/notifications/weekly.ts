import { type Kysely, sql } from 'kysely';
import type { Figures } from '#domain/notifications/message.ts';
import type { Week } from '#domain/notifications/moments.ts';
import type { Instant } from '#domain/pull-request.ts';
import { authorshipOf } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { isOpen } from '../db/open-pull-requests.ts';
import { asking, fromTo } from '../metrics/asked.ts';
import { isOfScopeTeam } from '../metrics/belongs.ts';
import { type ColumnsOf, numbersOf } from '../metrics/compile.ts';
import { isOld } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';

type OfPerson = Extract<Figures, { of: 'person' }>;
type OfChannel = Extract<Figures, { of: 'channel' }>;

interface PersonNumbers {
  opened: number;
  merged: number;
  reviews: number;
  response: number | null;
  responses: number;
  first_review: number | null;
  first_reviews: number;
}

const ofPerson = {
  opened: 'opened',
  merged: 'merged',
  reviews: 'reviews',
  response: { metric: 'response_time', statistic: 'p50' },
  responses: { metric: 'response_time', statistic: 'n' },
  first_review: { metric: 'time_to_first_review', statistic: 'p50' },
  first_reviews: { metric: 'time_to_first_review', statistic: 'n' },
} as const satisfies ColumnsOf<PersonNumbers>;

/** What a person did and had in a week and the one before; everything null or 0 of somebody who is in no pull request. */
export async function personWeek(
  db: Kysely<Database>,
  scope: Scope,
  person: number,
  week: Week,
  timeZone: string,
  now: Date,
): Promise<OfPerson> {
  const of = async (from: Instant, to: Instant): Promise<OfPerson['week']> => {
    const asked = asking(scope, now, timeZone, { window: fromTo(from, to), person });
    const numbers = await numbersOf<PersonNumbers>(db, asked, ofPerson);
    return {
      opened: numbers.opened,
      merged: numbers.merged,
      reviews: numbers.reviews,
      response: { hours: numbers.response, n: numbers.responses },
      first_review: { hours: numbers.first_review, n: numbers.first_reviews },
    };
  };
  return { of: 'person', week: await of(week.from, week.to), before: await of(week.before, week.from) };
}

interface TeamNumbers {
  merged: number;
  opened: number;
  first_review: number | null;
  first_reviews: number;
  merge: number | null;
  merges: number;
}

const ofTeam = {
  merged: 'merged',
  opened: 'opened',
  first_review: { metric: 'time_to_first_review', statistic: 'p50' },
  first_reviews: { metric: 'time_to_first_review', statistic: 'n' },
  merge: { metric: 'time_to_merge', statistic: 'p50' },
  merges: { metric: 'time_to_merge', statistic: 'n' },
} as const satisfies ColumnsOf<TeamNumbers>;

/** What was done in the scope of a team's channel in a week and the one before, and what is open and stuck now. */
export async function teamWeek(
  db: Kysely<Database>,
  scope: Scope,
  week: Week,
  timeZone: string,
  now: Date,
): Promise<OfChannel> {
  const of = async (from: Instant, to: Instant): Promise<OfChannel['week']> => {
    const asked = asking(scope, now, timeZone, { window: fromTo(from, to) });
    const numbers = await numbersOf<TeamNumbers>(db, asked, ofTeam);
    return {
      merged: numbers.merged,
      opened: numbers.opened,
      first_review: { hours: numbers.first_review, n: numbers.first_reviews },
      merge: { hours: numbers.merge, n: numbers.merges },
      by_agents: await shareByAgents(db, scope, from, to),
    };
  };
  return {
    of: 'channel',
    week: await of(week.from, week.to),
    before: await of(week.before, week.from),
    ...(await openNow(db, scope, now)),
  };
}

async function openNow(db: Kysely<Database>, scope: Scope, now: Date): Promise<Pick<OfChannel, 'open' | 'stuck'>> {
  const stuckOn = (on: string) => sql`count(*) filter (where ${isOld('p', now)} and f.waiting_on = ${on})::int`;
  const { rows } = await sql<{ open: number; author: number; reviewers: number; merge: number }>`
    select count(*)::int as open, ${stuckOn('author')} as author, ${stuckOn('reviewers')} as reviewers, ${stuckOn('merge')} as merge
    from pull_requests p join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
    where ${scope.filter('p')} and ${isOpen} and ${isOfScopeTeam(scope, 'p', 'f')}`.execute(db);
  const { open, ...stuck } = rows[0]!;
  return { open, stuck };
}

/** The part of what was opened that agents wrote; null where nothing was. */
async function shareByAgents(db: Kysely<Database>, scope: Scope, from: Instant, to: Instant): Promise<number | null> {
  const { rows } = await sql<{ share: number | null }>`
    select (count(*) filter (where ${authorshipOf('f', sql`a.kind`)} = 'agent'))::float8 / nullif(count(*), 0) as share
    from pull_request_facts f left join people a on a.id = f.author_id
    where ${scope.filter('f')} and f.created_at >= ${new Date(from)} and f.created_at < ${new Date(to)}
      and ${isOfScopeTeam(scope, 'f', 'f')}`.execute(db);
  return rows[0]!.share;
}
