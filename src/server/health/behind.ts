import { type Kysely, sql } from 'kysely';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { listSignalPullRequests } from '#contract/health.ts';
import { type SignalNumbers, whyOf } from '#domain/signal-why.ts';
import { type OwnSignalKey, ownSignalKeys, type SignalKey } from '#domain/signals.ts';
import type { Database } from '../db/database.ts';
import { byRepository } from '../db/repository-order.ts';
import { allOf } from '../metrics/conditions.ts';
import { numbersOfSignals } from '../metrics/signal-numbers.ts';
import { signals } from '../metrics/signals.ts';
import { movedSpan } from './signals.ts';
import type { AskedHealth } from './view.ts';

type Page = AnswerOf<typeof listSignalPullRequests>;
type Row = Omit<Page['items'][number], 'at' | 'why'> & { readonly at: Date } & SignalNumbers;

const isOwn = (key: SignalKey): key is OwnSignalKey => (ownSignalKeys as readonly string[]).includes(key);

/** The pull requests that have a signal, the latest first; of one that measures those that it is measured of. */
export async function pullRequestsBehind(
  db: Kysely<Database>,
  key: SignalKey,
  health: AskedHealth,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page> {
  const asked = { ...health.asked, window: movedSpan(key, health, 0) };
  const { from: source, where: counts, value } = signals[key];
  const { from, where } = source.rows(asked, 'each');
  const condition = allOf([where, counts!(asked), ...(isOwn(key) ? [value!(asked)] : [])]);
  const things = sql`select it.repository_id, it.number, max(${source.moment}) as at,
    ${key === 'concentration' || isOwn(key) ? sql`count(*)::float8` : sql`max(${value!(asked)})`} as value
    from ${from} where ${condition} group by 1, 2`;
  const { rows } = await sql<Row & { total: number }>`
    with things as materialized (${things}), first_ones as (
      select * from things order by at desc fetch first (${offset + limit}::bigint) rows with ties
    ), page as (
      select item.*, (select count(*)::int from things) as total from first_ones item join repositories r on r.id = item.repository_id
      order by item.at desc, ${byRepository}, item.number limit ${limit} offset ${offset}
    )
    select page.total, page.at, page.value, r.owner as repo_owner, r.name as repo_name, p.number as pr_number, p.title, p.state,
      coalesce(author.login, 'ghost') as author, coalesce(it.lines_counted, it.lines_changed) as lines_changed,
      ${numbersOfSignals(sql`page.at`)}
    from page join repositories r on r.id = page.repository_id
    join pull_requests p on p.repository_id = page.repository_id and p.number = page.number
    join pull_request_facts it on it.repository_id = page.repository_id and it.number = page.number
    left join people author on author.id = p.author_id
    order by page.at desc, ${byRepository}, page.number`.execute(db);
  const total = rows[0]?.total ?? (offset === 0 ? 0 : await countOf(db, things));
  return {
    total,
    items: rows.map((row) => ({
      repo_owner: row.repo_owner,
      repo_name: row.repo_name,
      pr_number: row.pr_number,
      title: row.title,
      state: row.state,
      author: row.author,
      at: row.at.toISOString(),
      value: isOwn(key) ? 1 : row.value,
      lines_changed: row.lines_changed,
      why: isOwn(key) ? whyOf(key, row, health.settings) : whatIsMeasured(key, row.value),
    })),
  };
}

async function countOf(db: Kysely<Database>, things: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${things}) things`.execute(db);
  return rows[0]!.total;
}

function whatIsMeasured(key: SignalKey, value: number | null): string {
  const whole = Math.round(value ?? 0);
  if (key === 'review_depth') return `${whole} ${whole === 1 ? 'finding' : 'findings'} by people.`;
  if (key === 'ci_wait') return `Checks took ${(value ?? 0).toFixed(1)} hours after the last push.`;
  return `${whole} ${whole === 1 ? 'review' : 'reviews'} in this window.`;
}
