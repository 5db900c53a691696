import { type RawBuilder, sql, type Transaction } from 'kysely';
import { FOLLOWED_WITHIN_DAYS, SMALL_FIX_BELOW_LINES } from '#domain/metrics/thresholds.ts';
import {
  claimKeys,
  keysOf,
  type Named,
  namedBy,
  type Revertible,
  type Reverting,
  revertedBy,
  saysFollowUp,
  TITLE_REACHES,
} from '#domain/reverts.ts';
import type { Database } from '../db/database.ts';
import { startingWith } from '../db/like.ts';

/** One that sets another right has fewer lines than these, and comes within so many days. */
const FOLLOW_UP = { lines: SMALL_FIX_BELOW_LINES, days: FOLLOWED_WITHIN_DAYS, overlap: 0.5 } as const;

/** Of our advisory locks those of relations. The second key is the repository. */
const RELATIONS = 7_230_417;

/**
 * What these pull requests, which were just stored with their facts, are to others of the repository, and others to them: which reverts
 * which (docs/metrics.md#reverts), and which may set which right. Others that waited for one of these are looked at again. Until the
 * transaction ends no other one does so in this repository: each of two that are stored at the same time has to see the other.
 */
export async function noteRelations(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RELATIONS}::int, ${repository_id}::int)`.execute(transaction);
  await noteReverts(transaction, repository_id, numbers);
  await noteFollowUps(transaction, repository_id, numbers);
}

async function noteReverts(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<void> {
  const stored = await mergedOf(transaction, repository_id, numbers);
  const claims = stored.flatMap((pull) => claimKeys(namedBy(pull)).map((key) => ({ key, number: pull.number })));
  const these = sql`repository_id = ${repository_id} and number = any(${numbers}::int[])`;
  const { rows: before } = await sql<{ target: number }>`
    with claims as (delete from revert_claims where ${these}) delete from reverts where ${these} returning target`.execute(
    transaction,
  );
  if (claims.length > 0)
    await sql`
      insert into revert_claims (repository_id, key, number)
      select ${repository_id}::int, key, number
      from unnest(${claims.map(({ key }) => key)}::text[], ${claims.map(({ number }) => number)}::int[]) as c (key, number)`.execute(
      transaction,
    );
  const claiming = claims.map(({ number }) => number);
  // A title that changed may have been what named it.
  const { rows: reverters } = await sql<{ number: number }>`
    select distinct number from reverts where repository_id = ${repository_id} and target = any(${numbers}::int[])`.execute(
    transaction,
  );
  const claimants = new Set([...claiming, ...reverters.map(({ number }) => number)]);
  for (const number of await claimingAny(transaction, repository_id, stored)) claimants.add(number);
  const targets = await noteTargets(transaction, repository_id, [...claimants]);
  // What reapplies a change names the change, not what reverted it.
  const touched = [...new Set([...before.map(({ target }) => target), ...targets])];
  if (touched.length === 0) return;
  const again = await claimingAny(transaction, repository_id, await mergedOf(transaction, repository_id, touched));
  await noteTargets(
    transaction,
    repository_id,
    again.filter((number) => !claiming.includes(number)),
  );
}

/** The numbers of those that may name one of these as reverted. */
async function claimingAny(
  transaction: Transaction<Database>,
  repository_id: number,
  pulls: readonly Merged[],
): Promise<number[]> {
  const keys = [...new Set(pulls.flatMap(keysOf))];
  const { rows } = await sql<{ number: number }>`
    select distinct number from revert_claims where repository_id = ${repository_id} and key = any(${keys}::text[])`.execute(
    transaction,
  );
  return rows.map(({ number }) => number);
}

/** Notes what these revert, those merged first before others: what reapplies a change looks at who reverted it. Returns what they did, and do. */
async function noteTargets(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<number[]> {
  if (numbers.length === 0) return [];
  const touched: number[] = [];
  for (const pull of await mergedOf(transaction, repository_id, numbers)) {
    const targets = await targetsOf(transaction, repository_id, pull);
    touched.push(...pull.reverts, ...targets);
    await sql`
      with before as (delete from reverts
        where repository_id = ${repository_id} and number = ${pull.number} and not (target = any(${targets}::int[])))
      insert into reverts (repository_id, number, target)
      select ${repository_id}::int, ${pull.number}::int, target from unnest(${targets}::int[]) as t (target)
      on conflict do nothing`.execute(transaction);
  }
  return touched;
}

/** What one reverts: by headlines only where nothing else tells, for these have no index. Of those that a title fits, two say that it is not the only one. */
async function targetsOf(
  transaction: Transaction<Database>,
  repository_id: number,
  pull: Merged,
): Promise<readonly number[]> {
  const named = namedBy(pull);
  const found = await findNamed(transaction, repository_id, pull, named);
  const targets = revertedBy(pull, found, 'titles');
  if (targets.length > 0 || named.titles.length === 0) return targets;
  const isCalled = named.titles.map((title) => fits(sql`headline`, title));
  const { rows } = await sql<{ number: number }>`
    with headlines as (select p.number, own.headline
      from pull_requests p cross join lateral (select min(c.headline) as headline from commits c
        where c.repository_id = p.repository_id and c.number = p.number and c.headline not like 'Merge %' having count(*) = 1) own
      where p.repository_id = ${repository_id} and ${isReached(pull)} and (${sql.join(isCalled, sql` or `)})),
    headed as (${sql.join(
      isCalled.map((called) => sql`(select number from headlines where ${called} limit 2)`),
      sql` union `,
    )})
    select number from headed
    union select v.number from reverts v join headed on v.target = headed.number where v.repository_id = ${repository_id}`.execute(
    transaction,
  );
  const numbers = [...found, ...rows].map(({ number }) => number);
  return revertedBy(pull, await mergedOf(transaction, repository_id, numbers));
}

/** Whether a text is the one that a title names, or begins with it where the host cut that. */
function fits(text: RawBuilder<unknown>, { text: named, isCut }: Named['titles'][number]): RawBuilder<unknown> {
  return isCut ? sql`${text} like ${startingWith(named)}` : sql`${text} = ${named}`;
}

/** Whether one may be reverted by this one where it is named by its title (docs/metrics.md#reverts). */
function isReached({ number, baseRef, mergedAt }: Merged): RawBuilder<unknown> {
  return sql`p.merged_at is not null and p.number <> ${number} and p.base_ref = ${baseRef}
    and p.ended_at <= ${new Date(mergedAt)} and p.ended_at >= ${new Date(mergedAt - TITLE_REACHES)}`;
}

type Merged = Reverting & Revertible;

/** Those of these pull requests that were merged, as reverts look at them. */
async function mergedOf(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<Merged[]> {
  const { rows } = await sql<{
    number: number;
    merged_at: Date;
    base_ref: string;
    head_ref: string;
    title: string;
    merge_commit_sha: string | null;
    described: { repository: string | null; number: number }[] | null;
    names: (string | null)[];
    commits: { sha: string; headline: string; reverts_sha: string | null }[] | null;
    reverts: number[];
  }>`
    select p.number, p.merged_at, p.base_ref, p.head_ref, p.title, p.merge_commit_sha, p.description_marks->'reverts' as described,
      array[lower(r.owner || '/' || r.name),
        case when p.created_at <= r.renamed_at then lower(r.former_owner || '/' || r.former_name) end] as names,
      (select json_agg(json_build_object('sha', c.sha, 'headline', c.headline, 'reverts_sha', c.reverts_sha) order by c.position)
        from commits c where c.repository_id = p.repository_id and c.number = p.number) as commits,
      array(select v.target from reverts v where v.repository_id = p.repository_id and v.number = p.number) as reverts
    from pull_requests p join repositories r on r.id = p.repository_id
    where p.repository_id = ${repository_id} and p.number = any(${numbers}::int[]) and p.merged_at is not null
    order by p.merged_at, p.number`.execute(transaction);
  return rows.map((row) => ({
    number: row.number,
    mergedAt: row.merged_at.getTime(),
    baseRef: row.base_ref,
    headRef: row.head_ref,
    title: row.title,
    mergeSha: row.merge_commit_sha,
    described: (row.described ?? []).flatMap(({ repository, number }) =>
      repository === null || row.names.includes(repository.toLowerCase()) ? [number] : [],
    ),
    commits: (row.commits ?? []).map(({ sha, headline, reverts_sha }) => ({ sha, headline, revertsSha: reverts_sha })),
    reverts: row.reverts,
  }));
}

/** The merged pull requests of the repository that are named by their numbers, shas or titles, of each title two, or that reverted those. */
async function findNamed(
  transaction: Transaction<Database>,
  repository_id: number,
  pull: Merged,
  { numbers, shas, titles }: Named,
): Promise<Merged[]> {
  const here = sql`repository_id = ${repository_id}`;
  const { rows } = await sql<{ number: number }>`
    with named as (select unnest(${numbers}::int[]) as number
    ${sql.join(
      shas.map(
        (sha) => sql`union select number from pull_requests where ${here} and merge_commit_sha like ${startingWith(sha)}
          union select number from commits where ${here} and sha like ${startingWith(sha)}`,
      ),
      sql` `,
    )}
    ${sql.join(
      titles.map(
        (title) => sql`union (select number from pull_requests p where ${here}
          and ${fits(sql`title_lower`, { ...title, text: title.text.toLowerCase() })} and ${fits(sql`title`, title)}
          and ${isReached(pull)} limit 2)`,
      ),
      sql` `,
    )})
    select number from named union select v.number from reverts v join named on v.target = named.number where v.repository_id = ${repository_id}`.execute(
    transaction,
  );
  return await mergedOf(
    transaction,
    repository_id,
    rows.map(({ number }) => number),
  );
}

/**
 * Which small one that says so changes at least half of the files of another that was merged in the days before it. Whether the same
 * people stand behind them is asked with the question: that depends on who looks.
 */
async function noteFollowUps(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<void> {
  const these = sql`${numbers}::int[]`;
  await sql`delete from follow_ups
    where repository_id = ${repository_id} and (number = any(${these}) or by_number = any(${these}))`.execute(
    transaction,
  );
  const week = sql`make_interval(days => ${FOLLOW_UP.days}::int)`;
  const { rows } = await sql<{ number: number; title: string; head_ref: string }>`
    with merged as (select number, ended_at from pull_request_facts
      where repository_id = ${repository_id} and number = any(${these}) and time_to_merge is not null)
    select p.number, p.title, p.head_ref from pull_requests p
    join (select number from merged union select y.number from merged x
      join pull_request_facts y on y.repository_id = ${repository_id}
        and y.ended_at >= x.ended_at and y.ended_at <= x.ended_at + ${week}) near using (number)
    join pull_request_facts y on y.repository_id = p.repository_id and y.number = p.number
    where p.repository_id = ${repository_id} and y.time_to_merge is not null
      and y.lines_counted < ${FOLLOW_UP.lines} and y.files_known`.execute(transaction);
  const following = rows.filter(({ title, head_ref }) => saysFollowUp(title, head_ref)).map(({ number }) => number);
  if (following.length === 0) return;
  await sql`
    insert into follow_ups (repository_id, number, by_number)
    select ${repository_id}::int, x.number, y.number
    from pull_request_facts y
    join pull_request_facts x on x.repository_id = y.repository_id and x.number <> y.number and x.time_to_merge is not null
      and x.files_known and y.ended_at >= x.ended_at and y.ended_at <= x.ended_at + ${week}
    join changed_files a on a.repository_id = x.repository_id and a.number = x.number
    join changed_files b on b.repository_id = y.repository_id and b.number = y.number and b.path = a.path
    where y.repository_id = ${repository_id} and y.number = any(${following}::int[])
      and (x.number = any(${these}) or y.number = any(${these}))
    group by x.number, y.number, x.changed_files, y.changed_files
    having count(*) >= ${FOLLOW_UP.overlap}::float8 * least(x.changed_files, y.changed_files)`.execute(transaction);
}
