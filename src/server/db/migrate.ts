import { setTimeout as sleepFor } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { FACTS_VERSION } from '#domain/facts.ts';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { dropLensViews, makeLensViews } from './lens-views.ts';
import { up as firstSchema } from './migrations/0001-first-schema.ts';
import { up as figuresByMonth } from './migrations/0002-figures-by-month.ts';
import { up as narrowReads } from './migrations/0003-narrow-reads.ts';
import { up as quarters } from './migrations/0004-quarters.ts';
import { up as years } from './migrations/0005-years.ts';
import { up as credentials } from './migrations/0006-credentials.ts';
import { up as revocations } from './migrations/0007-revocations.ts';
import { up as limitsOfHints } from './migrations/0008-limits-of-hints.ts';
import { up as ownMarks } from './migrations/0009-own-marks.ts';
import { up as securityEvents } from './migrations/0010-security-events.ts';
import { up as backgroundCounting } from './migrations/0011-background-counting.ts';
import { up as tellOfChanges } from './migrations/0013-tell-of-changes.ts';
import { up as firstTimeZone } from './migrations/0014-first-time-zone.ts';
import { up as stepsOfRecounts } from './migrations/0015-steps-of-recounts.ts';
import { up as formerCredentialsRenewed } from './migrations/0016-former-credentials-renewed.ts';
import { up as collectedOnce } from './migrations/0017-collected-once.ts';
import { up as countedToCollect } from './migrations/0018-counted-to-collect.ts';
import { up as reviewSignals } from './migrations/0020-review-signals.ts';
import { up as notesAndViews } from './migrations/0022-notes-and-views.ts';
import { up as workflowRuns } from './migrations/0024-workflow-runs.ts';
import { up as signalsInOneIndex } from './migrations/0026-signals-in-one-index.ts';
import { up as connectingMany } from './migrations/0027-connecting-many.ts';
import { up as factsOverTime } from './migrations/0028-facts-over-time.ts';
import { up as teams } from './migrations/0029-teams.ts';
import { up as lostTeams } from './migrations/0030-lost-teams.ts';
import { up as teamIndexes } from './migrations/0032-team-indexes.ts';
import { up as snoozes } from './migrations/0033-snoozes.ts';
import { up as notifications } from './migrations/0034-notifications.ts';
import { up as answered } from './migrations/0035-answered.ts';
import { up as desk } from './migrations/0036-desk.ts';
import { up as teamReads } from './migrations/0037-team-reads.ts';
import { up as reviewerActs } from './migrations/0038-reviewer-acts.ts';
import { up as outcomes } from './migrations/0039-outcomes.ts';
import { up as tokens } from './migrations/0040-tokens.ts';
import { up as keptNumbers } from './migrations/0041-kept-numbers.ts';
import { up as attributionIndex } from './migrations/0042-attribution-index.ts';
import { up as pullRequestChanges } from './migrations/0043-pull-request-changes.ts';
import { up as seenOnReplicas } from './migrations/0047-seen-on-replicas.ts';
import { up as creditedToNobody } from './migrations/0048-credited-to-nobody.ts';
import { up as openFacts } from './migrations/0049-open-facts.ts';
import { up as reviewerReads } from './migrations/0050-reviewer-reads.ts';
import { up as unreadPullRequests } from './migrations/0051-unread-pull-requests.ts';
import { up as removalsByHostId } from './migrations/0052-removals-by-host-id.ts';
import { up as withheldTeams } from './migrations/0053-withheld-teams.ts';
import { up as unusedTokens } from './migrations/0054-unused-tokens.ts';
import { up as reviewedInTheSecondOfAPush } from './migrations/0055-reviewed-in-the-second-of-a-push.ts';
import { up as overlapOfOwnMarks } from './migrations/0056-overlap-of-own-marks.ts';
import { up as overlapsToCompute } from './migrations/0057-overlaps-to-compute.ts';
import { up as firstDraftEventsAtOnce } from './migrations/0058-first-draft-events-at-once.ts';
import { up as whoWroteAgain } from './migrations/0059-who-wrote-again.ts';
import { up as runsOfOtherPullRequests } from './migrations/0060-runs-of-other-pull-requests.ts';
import { up as frontEndFiles } from './migrations/0061-front-end-files.ts';
import { up as toldByPullRequest } from './migrations/0062-told-by-pull-request.ts';
import { up as overlapsAndReverts } from './migrations/0063-overlaps-and-reverts.ts';
import { up as teamReadings } from './migrations/0064-team-readings.ts';
import { up as hiddenCommits } from './migrations/0065-hidden-commits.ts';
import { up as checksInTheFuture } from './migrations/0066-checks-in-the-future.ts';
import { up as tellOfWhatChanged } from './migrations/0067-tell-of-what-changed.ts';
import { up as followersLookedAt } from './migrations/0068-followers-looked-at.ts';
import { holderOfSetUpLock, SET_UP_LOCK, SET_UP_RETRY } from './set-up-lock.ts';
import { LOCK_LIMIT, withoutStatementLimit } from './statement-limits.ts';
import { dropUnfinishedTitleIndex, lacksTitleIndex, makeTitleIndex } from './title-index.ts';

/** In the order of their names; one that has shipped is never edited, and none can be undone. */
const migrations = {
  '0001-first-schema': { up: firstSchema },
  '0002-figures-by-month': { up: figuresByMonth },
  '0003-narrow-reads': { up: narrowReads },
  '0004-quarters': { up: quarters },
  '0005-years': { up: years },
  '0006-credentials': { up: credentials },
  '0007-revocations': { up: revocations },
  '0008-limits-of-hints': { up: limitsOfHints },
  '0009-own-marks': { up: ownMarks },
  '0010-security-events': { up: securityEvents },
  '0011-background-counting': { up: backgroundCounting },
  '0013-tell-of-changes': { up: tellOfChanges },
  '0014-first-time-zone': { up: firstTimeZone },
  '0015-steps-of-recounts': { up: stepsOfRecounts },
  '0016-former-credentials-renewed': { up: formerCredentialsRenewed },
  '0017-collected-once': { up: collectedOnce },
  '0018-counted-to-collect': { up: countedToCollect },
  '0020-review-signals': { up: reviewSignals },
  '0022-notes-and-views': { up: notesAndViews },
  '0024-workflow-runs': { up: workflowRuns },
  '0026-signals-in-one-index': { up: signalsInOneIndex },
  '0027-connecting-many': { up: connectingMany },
  '0028-facts-over-time': { up: factsOverTime },
  '0029-teams': { up: teams },
  '0030-lost-teams': { up: lostTeams },
  '0032-team-indexes': { up: teamIndexes },
  '0033-snoozes': { up: snoozes },
  '0034-notifications': { up: notifications },
  '0035-answered': { up: answered },
  '0036-desk': { up: desk },
  '0037-team-reads': { up: teamReads },
  '0038-reviewer-acts': { up: reviewerActs },
  '0039-outcomes': { up: outcomes },
  '0040-tokens': { up: tokens },
  '0041-kept-numbers': { up: keptNumbers },
  '0042-attribution-index': { up: attributionIndex },
  '0043-pull-request-changes': { up: pullRequestChanges },
  '0047-seen-on-replicas': { up: seenOnReplicas },
  '0048-credited-to-nobody': { up: creditedToNobody },
  '0049-open-facts': { up: openFacts },
  '0050-reviewer-reads': { up: reviewerReads },
  '0051-unread-pull-requests': { up: unreadPullRequests },
  '0052-removals-by-host-id': { up: removalsByHostId },
  '0053-withheld-teams': { up: withheldTeams },
  '0054-unused-tokens': { up: unusedTokens },
  '0055-reviewed-in-the-second-of-a-push': { up: reviewedInTheSecondOfAPush },
  '0056-overlap-of-own-marks': { up: overlapOfOwnMarks },
  '0057-overlaps-to-compute': { up: overlapsToCompute },
  '0058-first-draft-events-at-once': { up: firstDraftEventsAtOnce },
  '0059-who-wrote-again': { up: whoWroteAgain },
  '0060-runs-of-other-pull-requests': { up: runsOfOtherPullRequests },
  '0061-front-end-files': { up: frontEndFiles },
  '0062-told-by-pull-request': { up: toldByPullRequest },
  '0063-overlaps-and-reverts': { up: overlapsAndReverts },
  '0064-team-readings': { up: teamReadings },
  '0065-hidden-commits': { up: hiddenCommits },
  '0066-checks-in-the-future': { up: checksInTheFuture },
  '0067-tell-of-what-changed': { up: tellOfWhatChanged },
  '0068-followers-looked-at': { up: followersLookedAt },
};

/** Databases older than this migration need their sums recounted, behind the running server; those after it bring the sums along. */
const LAST_MIGRATION_NEEDING_RECOUNT = '0003-narrow-reads';
/** What databases older than this one have for sums is not even to be shown until then. */
const LAST_MIGRATION_WITHOUT_SUMS = '0003-narrow-reads';
/** The facts' version is stored beside the names of the migrations, so that a process of an older version notices. */
const factsPrefix = 'facts-version-';
const factsName = `${factsPrefix}${FACTS_VERSION}`;
/**
 * Processes that know this migration go on working while newer ones are started beside them; older ones end. Whoever adds one that the version
 * before cannot work with, or would undo by its own rules, names it here (CONTRIBUTING.md, "A new column"). Its name is stored beside the
 * others once the upgrade is done, so that old processes serve until a new one does. Old workers may undo meanwhile what was marked: of such
 * an upgrade they are stopped first (docs/operating.md#a-rolling-upgrade).
 */
const OLDEST_THAT_GO_ON = '0065-hidden-commits' satisfies keyof typeof migrations;
const goesOnPrefix = 'goes-on-since-';
const goesOnName = `${goesOnPrefix}${OLDEST_THAT_GO_ON}`;
/**
 * Migrations that only change rows of tables that grow. Each has a transaction of its own: what those before it have locked is free
 * meanwhile. One that locks a table, as `alter table` does, is not among them.
 */
const ofRowsAlone: readonly string[] = [
  '0055-reviewed-in-the-second-of-a-push',
  '0057-overlaps-to-compute',
  '0058-first-draft-events-at-once',
  '0059-who-wrote-again',
  '0060-runs-of-other-pull-requests',
  '0063-overlaps-and-reverts',
  '0065-hidden-commits',
] satisfies (keyof typeof migrations)[];
/** What changes tables waits for a lock for so much longer than PostgreSQL takes to cancel an autovacuum that has it, in milliseconds. */
const TIME_TO_CANCEL = 500;
/** How long the others go before it tries again, in milliseconds. */
const LOCK_RETRY = 5000;
const wanted = [...Object.keys(migrations), factsName, goesOnName];

/** What is being done, for whoever waits: with a long history it takes minutes. */
export type MigrationStep =
  | { readonly kind: 'schema'; readonly migrations: readonly string[] }
  /** Another process or connection has to finish first. */
  | { readonly kind: 'waiting'; readonly reason: string }
  /** The server has no extension for it. */
  | { readonly kind: 'without_title_index'; readonly reason: string };

/**
 * Brings the schema up to this code's, one process at a time: what changes tables in one transaction, and what changes rows alone behind it. A
 * process that dies on the way is followed by one that goes on. What has to be recounted is only noted (`recounts`): that is done behind the
 * running server. `onStep` is called with what begins, also again after a wait; of a new database, never.
 * @throws StartError when the database was made by a newer version, or the role may not change it
 */
export async function migrate(
  db: Kysely<Database>,
  onStep: (step: MigrationStep) => void = () => {},
  sleep: (milliseconds: number) => Promise<unknown> = sleepFor,
): Promise<void> {
  let told = '';
  const tell = (step: MigrationStep) => {
    const text = JSON.stringify(step);
    if (text !== told) onStep(step);
    told = text;
  };
  for (let inVain = 0; ; ) {
    const wait = await withoutStatementLimit(() => migrateUnlessLocked(db, inVain, tell));
    if (wait === null) return;
    inVain = wait.inVain;
    tell({ kind: 'waiting', reason: wait.reason });
    await sleep(wait.milliseconds);
  }
}

interface Wait {
  readonly reason: string;
  readonly milliseconds: number;
  /** How often a table was not to be had so far. */
  readonly inVain: number;
}

/** Returns null when the schema is this code's, else why that has to be tried again, and when. */
async function migrateUnlessLocked(
  db: Kysely<Database>,
  inVain: number,
  onStep: (step: MigrationStep) => void,
): Promise<Wait | null> {
  const applied = await appliedMigrations(db);
  const newer = newerParts(applied);
  if (newer.length > 0)
    throw new StartError(
      `The database was written by a newer Mergelight (it has ${newer.join(', ')}): start that version, or restore an older backup.`,
    );
  if (wanted.every((name) => applied.includes(name)) && !(await lacksTitleIndex(db))) return null;
  try {
    for (;;) {
      const done = await db.transaction().execute((transaction) => migrateWithin(transaction, inVain, onStep));
      if (done === 'all') return null;
      if (done === null) return { reason: await holderOfSetUpLock(db), milliseconds: SET_UP_RETRY, inVain };
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && WAITED_IN_VAIN.includes(error.code ?? ''))
      return { reason: 'another connection keeps a table locked', milliseconds: LOCK_RETRY, inVain: inVain + 1 };
    if (error instanceof pg.DatabaseError && error.code === NO_RIGHT)
      throw new StartError(
        `DATABASE_URL: its role may not set the database up (${error.message}). It has to own the database, or have create on it and on its schema public; what is there has to be its own.`,
        error,
      );
    throw error;
  }
}

/** PostgreSQL's codes of a lock that was not to be had within `lock_timeout`, and of two processes that waited for each other. */
const WAITED_IN_VAIN: readonly string[] = ['55P03', '40P01'];

/** PostgreSQL's code of what a role may not do. */
const NO_RIGHT = '42501';

/** Does what has to be done next in one transaction. Returns null, and nothing is done, when another process is at it. */
async function migrateWithin(
  transaction: Transaction<Database>,
  inVain: number,
  onStep: (step: MigrationStep) => void,
): Promise<'part' | 'all' | null> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${SET_UP_LOCK}) as taken`.execute(
    transaction,
  );
  if (lock.rows[0]?.taken !== true) return null;
  // Another process may have done it while this one waited; making sure of the table first tells for certain (see the lock).
  await sql`
      create table if not exists kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)`.execute(
    transaction,
  );
  const already = await namesOfApplied(transaction);
  const next = nextMigrations(already);
  if (already.length > 0 && next.length > 0) onStep({ kind: 'schema', migrations: next });
  const changesTables = next.some((name) => !ofRowsAlone.includes(name));
  if (changesTables) {
    await limitLockWaits(transaction, inVain);
    await dropLensViews(transaction);
  }
  for (const name of next) {
    // A migration knows the tables of its own day, not those of today.
    await migrations[name].up(transaction as unknown as Kysely<unknown>);
    await sql`insert into kysely_migration (name, "timestamp") values (${name}, now()::text)`.execute(transaction);
  }
  if (changesTables) await makeLensViews(transaction);
  if (next.length > 0) {
    await noteRecounts(transaction, already, already.length === 0);
    return 'part';
  }
  await limitLockWaits(transaction, inVain);
  if (await dropUnfinishedTitleIndex(transaction)) return 'part';
  const reason = await makeTitleIndex(transaction);
  if (reason !== null) onStep({ kind: 'without_title_index', reason });
  await noteRecounts(transaction, already, true);
  if (!already.includes(goesOnName)) {
    await sql`delete from kysely_migration where name like ${`${goesOnPrefix}%`}`.execute(transaction);
    await sql`insert into kysely_migration (name, "timestamp") values (${goesOnName}, now()::text)`.execute(
      transaction,
    );
  }
  return 'all';
}

/**
 * Limits how long this transaction waits for a lock: whoever comes after it waits behind it. It is always longer than `deadlock_timeout`, after
 * which PostgreSQL cancels an autovacuum that others wait for, and twice as long after each try in vain, up to what all statements may wait.
 */
async function limitLockWaits(transaction: Transaction<Database>, inVain: number): Promise<void> {
  const { rows } = await sql<{ deadlock_timeout: number }>`
    select setting::int as deadlock_timeout from pg_settings where name = 'deadlock_timeout'`.execute(transaction);
  const least = rows[0]!.deadlock_timeout + TIME_TO_CANCEL;
  const patience = Math.max(least, Math.min(least * 2 ** inVain, LOCK_LIMIT));
  await sql`set local lock_timeout = ${sql.lit(patience)}`.execute(transaction);
}

/** The missing migrations that share the next transaction, in their order. An empty database has no rows: all of them. */
function nextMigrations(already: readonly string[]): (keyof typeof migrations)[] {
  const names = Object.keys(migrations) as (keyof typeof migrations)[];
  const missing = names.filter((name) => !already.includes(name));
  if (already.length === 0 || missing.length === 0) return missing;
  if (ofRowsAlone.includes(missing[0]!)) return missing.slice(0, 1);
  const end = missing.findIndex((name) => ofRowsAlone.includes(name));
  return end === -1 ? missing : missing.slice(0, end);
}

/**
 * What the running server has to recount, after a start from a database with these migrations. The facts' version, with which processes of an
 * older one end, comes last; an empty database is set up with it, at the same time.
 */
async function noteRecounts(
  transaction: Transaction<Database>,
  already: readonly string[],
  withFacts: boolean,
): Promise<void> {
  const sums = !already.includes(LAST_MIGRATION_NEEDING_RECOUNT);
  const unusable = !already.includes(LAST_MIGRATION_WITHOUT_SUMS);
  const facts = withFacts && !already.includes(factsName);
  if (facts)
    await sql`insert into kysely_migration (name, "timestamp") values (${factsName}, now()::text)`.execute(transaction);
  if (!sums && !facts) return;
  await sql`
    insert into recounts as c (repository_id, sums, facts, unusable, total)
    select r.id, ${sums}, stale.repository_id is not null, ${unusable},
      (select count(*) from pull_requests p where p.repository_id = r.id) * (1 + (stale.repository_id is not null)::int)
    from repositories r left join (select distinct repository_id from pull_request_facts
      where ${facts}::boolean and (version < ${FACTS_VERSION} or version > ${FACTS_VERSION})) stale on stale.repository_id = r.id
    where ${sums}::boolean or stale.repository_id is not null
    on conflict (repository_id) do update set sums = c.sums or excluded.sums, facts = c.facts or excluded.facts,
      unusable = c.unusable or excluded.unusable, counted_to = null, summed_to = null, counted = 0, total = excluded.total`.execute(
    transaction,
  );
}

/** What of a newer version the database has that this one cannot work with, since a process of that version was started on it. */
export async function partsOfNewerVersions(db: Kysely<Database>): Promise<string[]> {
  return newerParts(await namesOfApplied(db));
}

function newerParts(names: readonly string[]): string[] {
  const since = names.find((name) => name.startsWith(goesOnPrefix))?.slice(goesOnPrefix.length);
  const goesOn = since !== undefined && Object.hasOwn(migrations, since);
  return names.filter((name) => {
    if (name.startsWith(factsPrefix)) return Number(name.slice(factsPrefix.length)) > FACTS_VERSION;
    return !name.startsWith(goesOnPrefix) && !goesOn && !Object.hasOwn(migrations, name);
  });
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  return table.rows[0]?.exists === true ? await namesOfApplied(db) : [];
}

async function namesOfApplied(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
