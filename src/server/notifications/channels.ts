import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeChannel, makeChannel, NotificationChannel } from '#contract/notifications.ts';
import {
  type ChannelType,
  defaultQuietHours,
  MOST_CHANNELS,
  pauseReasons,
  type Recipient,
} from '#domain/notifications/subscriptions.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { lookAtHeldAgain } from '../db/held-messages.ts';
import { isTimeZone } from '../db/time-zones.ts';
import { HttpError, type Issue, invalidValue, invalidValues, notFound } from '../http/errors.ts';
import { scopeWithoutFigures } from '../metrics/scope.ts';
import { isTeamVisible } from '../metrics/team-people.ts';
import { sealedAs } from '../secret-box.ts';
import { type SentConfirmation, sendConfirmation, storeConfirmation, unconfirmed } from './confirm.ts';
import type { NotificationDeps } from './outlets.ts';
import { newSecret, openChannel, shortened } from './secrets.ts';
import {
  completeSubscriptions,
  dropWaiting,
  inOrder,
  lockUser,
  optionsOnWire,
  requireRoom,
  storeSubscriptions,
} from './subscriptions.ts';

type Stored = Selectable<Database['notification_channels']>;
type MakeBody = BodyOf<typeof makeChannel>;
type ChangeBody = BodyOf<typeof changeChannel>;
type WithSecret = NotificationChannel & { secret?: string };

const recipientOf = (personal: boolean): Recipient => (personal ? 'person' : 'channel');

export async function listOwnChannels(
  { db }: Pick<NotificationDeps, 'db'>,
  user: SignedIn,
): Promise<NotificationChannel[]> {
  const rows = await db
    .selectFrom('notification_channels')
    .selectAll()
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute();
  return await answersOf(db, user, rows);
}

/**
 * Makes a channel; the address of a mailing list is asked to confirm first. All of it or nothing.
 * @throws HttpError 400, 409, 422, 429 and 502 as docs/server.md#notifications says
 */
export async function makeOwnChannel(deps: NotificationDeps, user: SignedIn, body: MakeBody): Promise<WithSecret> {
  const { db, now } = deps;
  const { type, name, personal, repositories, team, titles, time_zone, quiet_hours = defaultQuietHours } = body;
  const subscriptions = completeSubscriptions(recipientOf(personal), body.subscriptions);
  await requireKnown(db, user, body, personal, null);
  const target = await targetIn(deps, user, type, body);
  if (target === null)
    throw type === 'mail'
      ? invalidValue('address', 'must be a mail address')
      : invalidValue('url', 'must begin with https://');
  const requireRoomForIt = async (within: Kysely<Database>) => {
    await requireFreeChannel(within, user.id);
    await requireRoom(within, user.id, subscriptions.length);
  };
  await requireRoomForIt(db);
  const sent = await confirmationOf(deps, user, type, target);
  const secret = type === 'webhook' ? newSecret() : null;
  const at = now();
  const row = await db.transaction().execute(async (within) => {
    await lockUser(within, user.id);
    await requireRoomForIt(within);
    const { rows } = await sql<{ id: number }>`select nextval('notification_channels_id_seq')::int as id`.execute(
      within,
    );
    const { id } = rows[0]!;
    const inserted = await within
      .insertInto('notification_channels')
      .values({
        ...{ id, user_id: user.id, type, name, personal, titles, time_zone, team_id: team, created_at: at },
        ...sealedTarget(deps, id, target, secret),
        all_repositories: repositories === 'all',
        quiet_hours: JSON.stringify(quiet_hours),
        ...(type === 'mail' && (sent === null ? { confirmed_at: at } : pausedUntilConfirmed(at))),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await storeRepositories(within, id, repositories);
    await storeSubscriptions(within, user.id, id, subscriptions, at);
    if (sent !== null) await storeConfirmation(within, user.id, id, sent, at);
    return inserted;
  });
  return await answerWith(db, user, row, secret);
}

/**
 * Changes what is given. Another address makes a new secret and drops what waits for the old one; so does who the channel is for, which
 * needs all subscriptions again.
 * @throws HttpError as above, and 404 for one that is unknown or somebody else's
 */
export async function changeOwnChannel(
  deps: NotificationDeps,
  user: SignedIn,
  id: number,
  body: ChangeBody,
): Promise<WithSecret> {
  const { db, now } = deps;
  const before = await ownChannel(db, user.id, id);
  const personal = body.personal ?? before.personal;
  // Nothing narrows what is for one person, whatever the channel was before.
  const repositories = personal ? 'all' : body.repositories;
  const team = personal ? null : body.team;
  if (personal !== before.personal && body.subscriptions === undefined)
    throw invalidValue('subscriptions', 'must be given with personal: a person and a team have different ones');
  const subscriptions = body.subscriptions && completeSubscriptions(recipientOf(personal), body.subscriptions);
  await requireKnown(db, user, body, personal, before);
  const given = await targetIn(deps, user, before.type, body);
  const stays = given !== null && before.confirmed_at !== null && isSameAddress(deps, before, given);
  const target = stays ? null : given;
  const sent = target === null ? null : await confirmationOf(deps, user, before.type, target);
  const secret = target !== null && before.type === 'webhook' ? newSecret() : null;
  const at = now();
  const row = await db.transaction().execute(async (within) => {
    await lockUser(within, user.id);
    const values = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.titles !== undefined && { titles: body.titles }),
      ...(team !== undefined && { team_id: team }),
      ...(body.time_zone !== undefined && { time_zone: body.time_zone }),
      ...(body.quiet_hours !== undefined && { quiet_hours: JSON.stringify(body.quiet_hours) }),
      ...(repositories !== undefined && { all_repositories: repositories === 'all' }),
      personal,
      ...(target !== null && { ...sealedTarget(deps, id, target, secret), failures: 0 }),
      ...(target !== null &&
        before.type === 'mail' &&
        (sent === null ? confirmedNow(before, at) : pausedUntilConfirmed(at))),
    };
    const changed = await within
      .updateTable('notification_channels')
      .set(values)
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .returningAll()
      .executeTakeFirst();
    if (changed === undefined) throw unknownChannel();
    if (repositories !== undefined) await storeRepositories(within, id, repositories);
    if (subscriptions) await storeSubscriptions(within, user.id, id, subscriptions, at);
    if (sent !== null) await storeConfirmation(within, user.id, id, sent, at);
    if (body.quiet_hours !== undefined || body.time_zone !== undefined) await lookAtHeldAgain(within, user.id, at);
    if (target !== null || personal !== before.personal)
      await dropWaiting(within, { user_id: user.id, channel_id: id }, at);
    return changed;
  });
  return await answerWith(db, user, row, secret);
}

/** @throws HttpError 404 for one that is unknown or somebody else's */
export async function deleteOwnChannel(db: Kysely<Database>, user_id: number, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_channels')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw unknownChannel();
}

/** @throws HttpError 404 for one that is unknown or somebody else's, 409 when it isn't paused, 422 while its address is not confirmed */
export async function resumeOwnChannel(
  { db, now }: Pick<NotificationDeps, 'db' | 'now'>,
  user: SignedIn,
  id: number,
): Promise<NotificationChannel> {
  const { type, confirmed_at, paused_at } = await ownChannel(db, user.id, id);
  if (type === 'mail' && confirmed_at === null) throw unconfirmed();
  const row =
    paused_at &&
    (await db
      .updateTable('notification_channels')
      .set(resumedNow(now()))
      .where('id', '=', id)
      .where('paused_at', 'is not', null)
      .returningAll()
      .executeTakeFirst());
  if (!row) throw new HttpError('not_paused');
  return await answerWith(db, user, row, null);
}

/** @throws HttpError 404 for one that is unknown or somebody else's, 409 for one that is no webhook */
export async function renewSecret(
  { db, box }: Pick<NotificationDeps, 'db' | 'box'>,
  user_id: number,
  id: number,
): Promise<{ secret: string }> {
  const { type } = await ownChannel(db, user_id, id);
  if (type !== 'webhook') throw new HttpError('no_secret');
  const secret = newSecret();
  await db
    .updateTable('notification_channels')
    .set({ secret_encrypted: box.seal(secret, sealedAs.channelSecret(id)) })
    .where('id', '=', id)
    .execute();
  return { secret };
}

/** @throws HttpError 404 for one that is unknown or somebody else's */
export async function ownChannel(db: Kysely<Database>, user_id: number, id: number): Promise<Stored> {
  const row = await db
    .selectFrom('notification_channels')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  if (row === undefined) throw unknownChannel();
  return row;
}

function unknownChannel(): HttpError {
  return notFound('Channel not found');
}

async function requireFreeChannel(db: Kysely<Database>, user_id: number): Promise<void> {
  const { count } = await db
    .selectFrom('notification_channels')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_CHANNELS)
    throw new HttpError('too_many_channels', `At most ${MOST_CHANNELS} channels: delete one that you no longer need.`);
}

/**
 * @throws HttpError 400 for a time zone that there is not, for repositories and a team that the user does not see, known or not, and for any
 * of a channel that is for themselves
 */
async function requireKnown(
  db: Kysely<Database>,
  user: SignedIn,
  { time_zone = null, repositories = 'all', team = null }: Pick<ChangeBody, 'time_zone' | 'repositories' | 'team'>,
  personal: boolean,
  before: Pick<Stored, 'team_id'> | null,
): Promise<void> {
  const issues: Issue[] = [];
  if (time_zone !== null && !(await isTimeZone(db, time_zone)))
    issues.push({ path: 'time_zone', message: 'must be a time zone such as Europe/Berlin' });
  if (personal) {
    const message = 'is for the channel of a team';
    if (repositories !== 'all') issues.push({ path: 'repositories', message });
    if (team !== null) issues.push({ path: 'team', message });
  } else if (repositories !== 'all') {
    const { repository_ids } = await scopeWithoutFigures(db, user.id);
    if (repositories.some((id) => !repository_ids.includes(id)))
      issues.push({ path: 'repositories', message: 'Repository not found' });
  }
  // The one that it has may stay, also where it is no longer seen.
  if (!personal && team !== null && team !== before?.team_id && !(await teamsSeen(db, user.id, [team])).has(team))
    issues.push({ path: 'team', message: 'Team not found' });
  const [first, ...others] = issues;
  if (first !== undefined) throw invalidValues([first, ...others]);
}

async function teamsSeen(db: Kysely<Database>, user_id: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select t.id from teams t where t.id = any(${ids}::int[]) and ${isTeamVisible(user_id)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The address that a call gives, null where it gives none. @throws HttpError 400 for one that is of another type, or wrong, 429 */
async function targetIn(
  { outlets, limits }: NotificationDeps,
  user: SignedIn,
  type: ChannelType,
  { url, address }: Pick<ChangeBody, 'url' | 'address'>,
): Promise<string | null> {
  if (type === 'mail') {
    if (url !== undefined) throw invalidValue('url', 'is for a channel of another type');
    return address ?? null;
  }
  if (address !== undefined) throw invalidValue('address', 'is for a channel of another type');
  if (url === undefined) return null;
  limits.countAddress(user.id);
  const problem = await outlets.checkTarget(user.id, url.trim(), type);
  if (problem !== null) throw invalidValue('url', problem);
  return url.trim();
}

/**
 * Has the address of a mailing list confirmed; null where that is not needed.
 * @throws HttpError 422 where mail is off, 429 and 502 as `sendConfirmation`
 */
async function confirmationOf(
  deps: NotificationDeps,
  user: SignedIn,
  type: ChannelType,
  address: string,
): Promise<SentConfirmation | null> {
  if (type !== 'mail') return null;
  const off = deps.outlets.whyOff('mail');
  if (off !== null) throw new HttpError('channel_off', off);
  const { email } = await deps.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  return email?.toLowerCase() === address.toLowerCase() ? null : await sendConfirmation(deps, user, address);
}

function isSameAddress({ box }: NotificationDeps, row: Stored, address: string): boolean {
  return openChannel(box, row)?.target.toLowerCase() === address.toLowerCase();
}

function sealedTarget({ box }: NotificationDeps, id: number, target: string, secret: string | null) {
  return {
    target_encrypted: box.seal(target, sealedAs.channelTarget(id)),
    shown: shortened(target),
    secret_encrypted: secret === null ? null : box.seal(secret, sealedAs.channelSecret(id)),
  };
}

function pausedUntilConfirmed(at: Date) {
  return { confirmed_at: null, paused_at: at, paused_reason: pauseReasons.unconfirmed };
}

function confirmedNow({ paused_reason }: Stored, at: Date) {
  const resumed = paused_reason === pauseReasons.unconfirmed && resumedNow(at);
  return { confirmed_at: at, ...resumed };
}

function resumedNow(at: Date) {
  return { paused_at: null, paused_reason: null, failures: 0, resumed_at: at };
}

async function storeRepositories(
  within: Transaction<Database>,
  channel_id: number,
  repositories: MakeBody['repositories'],
): Promise<void> {
  await within.deleteFrom('notification_channel_repositories').where('channel_id', '=', channel_id).execute();
  if (repositories === 'all' || repositories.length === 0) return;
  await within
    .insertInto('notification_channel_repositories')
    .values([...new Set(repositories)].map((repository_id) => ({ channel_id, repository_id })))
    .execute();
}

async function answerWith(
  db: Kysely<Database>,
  user: SignedIn,
  row: Stored,
  secret: string | null,
): Promise<WithSecret> {
  const [answer] = await answersOf(db, user, [row]);
  return { ...answer!, ...(secret !== null && { secret }) };
}

/** Channels as their owner sees them now: of repositories those that they may read. */
async function answersOf(
  db: Kysely<Database>,
  user: SignedIn,
  rows: readonly Stored[],
): Promise<NotificationChannel[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const scope = await scopeWithoutFigures(db, user.id);
  const readable = await db
    .selectFrom('repositories')
    .select(['id', 'private'])
    .where(scope.filter(null, 'id'))
    .execute();
  const chosen = await db
    .selectFrom('notification_channel_repositories')
    .selectAll()
    .where('channel_id', 'in', ids)
    .orderBy('repository_id')
    .execute();
  const subscriptions = await db
    .selectFrom('notification_subscriptions')
    .select(['channel_id', 'channel', 'kind', 'options'])
    .where('channel_id', 'in', ids)
    .execute();
  const teams = rows.flatMap(({ team_id }) => (team_id === null ? [] : [team_id]));
  const seen = await teamsSeen(db, user.id, teams);
  return rows.map((row) => {
    const own = new Set(chosen.filter(({ channel_id }) => channel_id === row.id).map((one) => one.repository_id));
    // What narrowed one before it was for one person alone may still be stored.
    const all = row.personal || row.all_repositories;
    const team = row.personal ? null : row.team_id;
    const reached = all ? readable : readable.filter(({ id }) => own.has(id));
    const narrowedToNothing = team !== null && !seen.has(team);
    return {
      ...{ id: row.id, type: row.type, name: row.name, target: row.shown, personal: row.personal },
      repositories: all ? 'all' : reached.map(({ id }) => id).sort((a, b) => a - b),
      ...{ team, titles: row.titles, time_zone: row.time_zone ?? user.time_zone },
      quiet_hours: { ...row.quiet_hours, weekdays: [...row.quiet_hours.weekdays] },
      subscriptions: inOrder(subscriptions.filter(({ channel_id }) => channel_id === row.id)).map((subscription) =>
        optionsOnWire(recipientOf(row.personal), subscription),
      ),
      paused: row.paused_at === null ? null : { since: row.paused_at.toISOString(), reason: row.paused_reason ?? '' },
      reaches: narrowedToNothing
        ? { repositories: 0, private: 0 }
        : { repositories: reached.length, private: reached.filter((one) => one.private).length },
      created_at: row.created_at.toISOString(),
    };
  });
}
