import { randomBytes } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { AddedRepository } from '#contract/repositories.ts';
import { confirmRejection } from '../ask-host-as.ts';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isRefusal, noteReadable, noteRefused } from '../db/sight.ts';
import type { HostClient } from '../host/client.ts';
import { HostError, isPassing } from '../host/errors.ts';
import type { HostRepository, RepositoryName } from '../host/repository.ts';
import { HttpError } from '../http/errors.ts';
import { isVisible } from '../metrics/scope.ts';
import type { RequestOrigin } from '../security-events.ts';
import { newWebhookSecret, type WebhookSecretDeps, webhookSecretOf, webhookUrl } from './webhook-secret.ts';

/** Dependencies of connecting a repository. */
export interface ConnectDeps extends WebhookSecretDeps {
  readonly clientFor: (user_id: number) => Promise<PersonalClient | null>;
  readonly rejectToken: (user_id: number, grant_id: number) => Promise<boolean>;
  readonly public_url: string;
  /** The GitHub App that people sign in with, and whether its webhook delivers here; null where there is none. */
  readonly app: { readonly client_id: string; readonly delivers: boolean } | null;
}

/**
 * Connects a repository that the user's token can read. Its data is stored once, whoever connects it; connecting again answers the
 * same with `added` false. Only whom the host calls an admin of it is told the webhook's address and secret.
 * @throws HttpError 422 when the token cannot read it; HostError when the host fails
 */
export async function connectRepository(
  deps: ConnectDeps,
  user: { id: number; host: string },
  name: RepositoryName,
): Promise<{ added: boolean; repository: AddedRepository }> {
  const { answer, isAdmin } = await readByUser(deps, user, name);
  const { added, row } = await storeConnection(deps, user, answer);
  const { id, owner, webhook_key } = row;
  const webhook = isAdmin
    ? {
        webhook_url: webhookUrl(deps.public_url, webhook_key),
        webhook_secret: await webhookSecretOf(deps, id),
      }
    : { webhook_url: null, webhook_secret: null };
  const webhook_by = await webhookBy(deps, answer.grant_id);
  return { added, repository: { id, owner, name: row.name, ...webhook, webhook_by } };
}

/** What the host told a credential about a repository that it reads. */
export interface RepositoryAnswer {
  readonly repository: Omit<HostRepository, 'pull_requests' | 'pushed_at'>;
  readonly grant_id: number;
  /** When the host was asked. */
  readonly asked_at: Date;
  /** It stood in a list, which may be some minutes old: others may have been told since what has changed. */
  readonly is_listed: boolean;
  /** The host has shown that the credential may read its pull requests. */
  readonly is_readable: boolean;
}

type StoreDeps = Pick<ConnectDeps, 'db' | 'box' | 'now'>;

interface StoredConnection {
  readonly added: boolean;
  readonly row: { id: number; owner: string; name: string; webhook_key: string };
}

/**
 * Connects a repository that the host let a credential of the user read; `added` is false of one that they had. Whatever they removed by
 * hand before is theirs again. A list describes only what is not stored yet; where it says something else than what is, or does not show that
 * the pull requests may be read, whether the user may see it is left to a check, which is due at once and brings the newest description.
 */
export async function storeConnection(
  deps: StoreDeps,
  user: { readonly id: number; readonly host: string },
  answer: RepositoryAnswer,
): Promise<StoredConnection> {
  return await deps.db.transaction().execute((within) => storeWithin(within, deps, user, answer));
}

/** Connects a repository as `storeConnection` does, unless the user has removed it by hand: null then. */
export async function storeUnlessRemoved(
  deps: StoreDeps,
  user: { readonly id: number; readonly host: string },
  answer: RepositoryAnswer,
): Promise<StoredConnection | null> {
  return await deps.db.transaction().execute(async (within) => {
    const removed = await within
      .selectFrom('removed_connections')
      .select('host_id')
      .where('user_id', '=', user.id)
      .where('host', '=', user.host)
      .where('host_id', '=', answer.repository.id)
      .executeTakeFirst();
    return removed === undefined ? await storeWithin(within, deps, user, answer) : null;
  });
}

async function storeWithin(
  within: Transaction<Database>,
  { box, now }: StoreDeps,
  user: { readonly id: number; readonly host: string },
  { repository, grant_id, asked_at, is_listed, is_readable }: RepositoryAnswer,
): Promise<StoredConnection> {
  const at = now();
  const webhook_key = randomBytes(16).toString('base64url');
  const isIt = sql<boolean>`r.host = ${user.host} and r.host_id = ${repository.id}`;
  await checkOthersIfPrivate(within, user.id, isIt, repository, at);
  const row = await within
    .insertInto('repositories')
    .values({
      host: user.host,
      host_id: repository.id,
      ...described(repository),
      webhook_key,
      webhook_secret_encrypted: newWebhookSecret(box, webhook_key).sealed,
      changed_at: at,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['host', 'host_id'])
        .doUpdateSet(is_listed ? { host_id: repository.id } : { ...described(repository), ...former(repository, at) }),
    )
    .returning(['id', 'owner', 'name', 'private', 'webhook_key'])
    .executeTakeFirstOrThrow();
  const before = await within
    .selectFrom('connections')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('repository_id', '=', row.id)
    .executeTakeFirst();
  await within
    .insertInto('connections')
    .values({
      ...{ user_id: user.id, repository_id: row.id, readable: false },
      ...{ seen_owner: repository.owner, seen_name: repository.name },
      ...{ checked_at: at, check_due_at: asked_at, connected_at: at },
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'repository_id']).doNothing())
    .execute();
  await within
    .deleteFrom('removed_connections')
    .where('user_id', '=', user.id)
    .where('host', '=', user.host)
    .where('host_id', '=', repository.id)
    .execute();
  if (is_readable && (['owner', 'name', 'private'] as const).every((field) => row[field] === repository[field]))
    await noteReadable(within, { user_id: user.id, repository_id: row.id, grant_id }, repository, at, asked_at);
  else
    await within
      .updateTable('connections')
      .set({ check_due_at: at })
      .where('user_id', '=', user.id)
      .where('repository_id', '=', row.id)
      .execute();
  return { added: before === undefined, row };
}

/**
 * How deliveries come about for whoever has this credential. A token of a GitHub App has the permissions that the App asks for, and none to
 * manage a repository's webhooks is among them.
 */
export async function webhookBy(
  { db, app }: Pick<ConnectDeps, 'db' | 'app'>,
  grant_id: number,
): Promise<AddedRepository['webhook_by']> {
  if (app === null) return 'create';
  const credential = await db
    .selectFrom('credentials')
    .select('client_id')
    .where('grant_id', '=', grant_id)
    .executeTakeFirst();
  if (credential?.client_id !== app.client_id) return 'create';
  return app.delivers ? 'app' : 'by_hand';
}

/** Stores what the host says to this user a repository is called and is. */
export async function noteDescription(
  db: Kysely<Database>,
  { user_id, repository_id }: { readonly user_id: number; readonly repository_id: number },
  repository: HostRepository,
  now: Date,
): Promise<void> {
  await checkOthersIfPrivate(db, user_id, sql<boolean>`r.id = ${repository_id}`, repository, now);
  const change = { ...described(repository), ...former(repository, now) };
  await db.updateTable('repositories').set(change).where('id', '=', repository_id).execute();
}

/** Where a stored repository has become private, everybody else's access to it is to be checked again at once. */
async function checkOthersIfPrivate(
  db: Kysely<Database>,
  user_id: number,
  isIt: RawBuilder<boolean>,
  found: Pick<HostRepository, 'private'>,
  now: Date,
): Promise<void> {
  if (!found.private) return;
  await sql`
    update connections c set check_due_at = ${now} from repositories r
    where ${isIt} and not r.private and c.repository_id = r.id and c.user_id <> ${user_id}`.execute(db);
}

/** What the host says a repository is called and is, as columns; its default branch it does not tell to every token. */
function described(repository: RepositoryAnswer['repository']) {
  const { node_id, owner, owner_id, name, url, archived, default_branch } = repository;
  const branch = default_branch === null ? {} : { default_branch };
  return { node_id, owner, owner_id, name, url, private: repository.private, archived, ...branch };
}

/** Keeps the name that it had before this one, and the names that its default branch had. */
function former({ owner, name, default_branch }: RepositoryAnswer['repository'], now: Date) {
  const renamed = sql`(repositories.owner <> ${owner} or repositories.name <> ${name})`;
  return {
    former_owner: sql<string>`case when ${renamed} then repositories.owner else repositories.former_owner end`,
    former_name: sql<string>`case when ${renamed} then repositories.name else repositories.former_name end`,
    renamed_at: sql<Date>`case when ${renamed} then ${now}::timestamptz else repositories.renamed_at end`,
    former_default_branches: sql<string[]>`case when repositories.default_branch <> ${default_branch}::text
      then array_append(array_remove(repositories.former_default_branches, repositories.default_branch), repositories.default_branch)
      else repositories.former_default_branches end`,
  };
}

async function readByUser(
  deps: ConnectDeps,
  user: { id: number; host: string },
  name: RepositoryName,
): Promise<{ answer: RepositoryAnswer; isAdmin: boolean }> {
  const personal = await deps.clientFor(user.id);
  if (personal === null) throw noAccess('sign in again, your access token is not accepted any more.', undefined);
  const { client, grant_id } = personal;
  const asked_at = deps.now();
  try {
    const repository = await client.repository(name.owner, name.name);
    const isAdmin = await isAdminOf(client, repository.id);
    return { answer: { repository, grant_id, asked_at, is_listed: false, is_readable: true }, isAdmin };
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    const error = await confirmRejection(deps, user.id, grant_id, thrown);
    if (isPassing(error)) throw error;
    await noteRefusalOf(deps, user, grant_id, name, error);
    throw noAccess(error.message, error);
  }
}

/** Notes that a repository was connected among others, or by following its owner; `request` is null where the server did it by itself. */
export async function noteConnected(
  { noteSecurityEvent }: Pick<ConnectDeps, 'noteSecurityEvent'>,
  user_id: number,
  { id, owner, name }: RepositoryName & { readonly id: number },
  request: RequestOrigin | null,
): Promise<void> {
  const about = { subject: `${owner}/${name}`, repository_id: id };
  await noteSecurityEvent({ event: 'repository_connected', actor: user_id, ...about }, request);
}

/** Where the host refuses a repository by its name to this credential of the user, a connection that they have of it is not readable any more. */
export async function noteRefusalOf(
  deps: Pick<ConnectDeps, 'db' | 'now' | 'noteSecurityEvent'>,
  user: { id: number; host: string },
  grant_id: number,
  name: RepositoryName,
  error: HostError,
): Promise<void> {
  if (!isRefusal(error)) return;
  const { kind, link } = error;
  for (const repository_id of await connectedAs(deps.db, user, name)) {
    const lost = await noteRefused(deps.db, { user_id: user.id, repository_id, grant_id }, { kind, link }, deps.now());
    if (lost !== null) await deps.noteSecurityEvent(lost, null);
  }
}

/** Whether the host calls the client's account an admin of the repository; false where it does not say. */
async function isAdminOf(client: HostClient, host_id: string): Promise<boolean> {
  try {
    return (await client.roleIn(host_id)) === 'admin';
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return false;
  }
}

/** The user's own connections of this name: of one that they don't see, of the name under which they last did. */
async function connectedAs(db: Kysely<Database>, user: { id: number; host: string }, of: RepositoryName) {
  const rows = await db
    .selectFrom('connections as c')
    .innerJoin('repositories as r', 'r.id', 'c.repository_id')
    .select('r.id')
    .where('c.user_id', '=', user.id)
    .where(sql<boolean>`lower(case when ${isVisible} then r.owner else c.seen_owner end) = lower(${of.owner})
      and lower(case when ${isVisible} then r.name else c.seen_name end) = lower(${of.name})`)
    .execute();
  return rows.map((row) => row.id);
}

function noAccess(message: string, cause: unknown): HttpError {
  return new HttpError('cannot_access_repository', `Cannot access repository: ${message}`, { cause });
}
