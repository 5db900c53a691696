import { type Kysely, sql } from 'kysely';
import {
  defaultOptions,
  defaultQuietHours,
  type Kind,
  type OptionsOf,
  type PersonChannel,
  type QuietHours,
} from '#domain/notifications/subscriptions.ts';
import type { Instant } from '#domain/pull-request.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';

/** By what channel of whom. */
export interface Address {
  readonly user_id: number;
  readonly channel: PersonChannel | null;
  readonly channel_id: number | null;
}

/** Who is told by one channel, a person or everybody in the channel of a team, and what of. */
export interface Recipient extends Address {
  /** Whose messages these are: the channel's owner. */
  readonly owner: SignedIn & { readonly host_id: string; readonly display_name: string | null };
  /** The owner's row among the people of pull requests; null while they are in none. */
  readonly person_id: number | null;
  /** What the channel of a team is narrowed to; null for a person. */
  readonly team: { readonly name: string; readonly all_repositories: boolean; readonly team_id: number | null } | null;
  readonly time_zone: string;
  readonly hours: QuietHours;
  readonly subscriptions: ReadonlyMap<Kind, StoredSubscription>;
}

export interface StoredSubscription<K extends Kind = Kind> {
  readonly options: OptionsOf[K];
  /** The second in which it was made, or last resumed: nothing is told that came to pass before. */
  readonly since: Instant;
}

/** The options of a kind that a recipient wants to be told; null where they don't. */
export function subscriptionTo<K extends Kind>(recipient: Recipient, kind: K): StoredSubscription<K> | null {
  return (recipient.subscriptions.get(kind) as StoredSubscription<K> | undefined) ?? null;
}

interface Row extends Address {
  readonly kind: Kind;
  readonly options: OptionsOf[Kind];
  readonly since: Date;
  readonly host: string;
  readonly host_id: string;
  readonly login: string;
  readonly display_name: string | null;
  readonly own_time_zone: string;
  readonly own_marks: boolean;
  readonly person_id: number | null;
  readonly own_hours: QuietHours | null;
  readonly own_resumed_at: Date | null;
  readonly name: string | null;
  readonly personal: boolean | null;
  readonly all_repositories: boolean | null;
  readonly team_id: number | null;
  readonly time_zone: string | null;
  readonly hours: QuietHours | null;
  readonly resumed_at: Date | null;
}

/** Everybody who is told something, or those at one address: nobody who paused it, and no channel that is paused. */
export async function recipients(db: Kysely<Database>, only?: Address): Promise<Recipient[]> {
  const { rows } = await sql<Row>`
    select s.user_id, s.channel, s.channel_id, s.kind, s.options, s.since, u.host, u.host_id, u.login, u.display_name,
      u.time_zone as own_time_zone, exists (select from own_account_kinds mark where mark.user_id = u.id) as own_marks, person.id as person_id,
      own.quiet_hours as own_hours, own.resumed_at as own_resumed_at,
      c.name, c.personal, c.all_repositories, c.team_id, c.time_zone, c.quiet_hours as hours, c.resumed_at
    from notification_subscriptions s
    join users u on u.id = s.user_id
    left join people person on person.host = u.host and person.host_id = coalesce(u.work_of, u.host_id)
    left join notification_settings own on own.user_id = s.user_id
    left join notification_channels c on c.id = s.channel_id
    where c.paused_at is null and not (coalesce(own.paused, false) and coalesce(c.personal, true))
      and ${
        only === undefined
          ? sql`true`
          : sql`s.user_id = ${only.user_id} and s.channel is not distinct from ${only.channel}::text
        and s.channel_id is not distinct from ${only.channel_id}::int`
      }
    order by s.user_id, s.channel, s.channel_id, s.kind`.execute(db);
  const found = new Map<string, Recipient & { subscriptions: Map<Kind, StoredSubscription> }>();
  for (const row of rows) {
    const key = nameOf(row);
    const recipient = found.get(key) ?? recipientOf(row);
    found.set(key, recipient);
    recipient.subscriptions.set(row.kind, { options: row.options, since: sinceOf(row) });
  }
  return [...found.values()];
}

/** Somebody as the recipient of one kind, whether they want it or not: with the options that they have set, else the usual ones. */
export async function recipientOfKind(db: Kysely<Database>, at: Address, kind: Kind): Promise<Recipient> {
  const { rows } = await sql<Omit<Row, 'options'> & { readonly options: OptionsOf[Kind] | null }>`
    select u.id as user_id, ${at.channel}::text as channel, c.id as channel_id, ${kind}::text as kind, s.options,
      to_timestamp(0) as since, u.host, u.host_id, u.login, u.display_name, u.time_zone as own_time_zone,
      exists (select from own_account_kinds mark where mark.user_id = u.id) as own_marks, person.id as person_id,
      own.quiet_hours as own_hours, own.resumed_at as own_resumed_at,
      c.name, c.personal, c.all_repositories, c.team_id, c.time_zone, c.quiet_hours as hours, null as resumed_at
    from users u
    left join people person on person.host = u.host and person.host_id = coalesce(u.work_of, u.host_id)
    left join notification_settings own on own.user_id = u.id
    left join notification_channels c on c.id = ${at.channel_id}::int and c.user_id = u.id
    left join notification_subscriptions s on s.user_id = u.id and s.kind = ${kind} and s.channel is not distinct from ${at.channel}::text
      and s.channel_id is not distinct from ${at.channel_id}::int
    where u.id = ${at.user_id}`.execute(db);
  const row = rows[0]!;
  const usual: Partial<OptionsOf> = defaultOptions[row.personal === false ? 'channel' : 'person'];
  const options = row.options ?? usual[kind]!;
  const recipient = recipientOf({ ...row, options });
  recipient.subscriptions.set(kind, { options, since: sinceOf(row) });
  return recipient;
}

/** Changes whenever somebody changes what they are told, by which channel or when. */
export async function recipientsVersion(db: Kysely<Database>): Promise<string> {
  const tables = ['notification_subscriptions', 'notification_settings', 'notification_channels'];
  // The newest transaction among those that wrote what is there, and how much that is.
  const versions = tables.map(
    (table) => sql`(select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from ${sql.table(table)})`,
  );
  const people = sql`(select count(*) || ' ' || sum(hashtext(time_zone || login)) from users), (select max(id) from people)`;
  const { rows } = await sql<{ version: string }>`
    select concat_ws(' ', ${sql.join(versions)}, ${people}) as version`.execute(db);
  return rows[0]!.version;
}

/** The part of a key that says who is told, by which channel. */
export function nameOf({ user_id, channel, channel_id }: Address): string {
  return `${user_id} ${channel ?? channel_id}`;
}

function recipientOf(row: Row): Recipient & { subscriptions: Map<Kind, StoredSubscription> } {
  const isTeam = row.personal === false;
  return {
    user_id: row.user_id,
    channel: row.channel,
    channel_id: row.channel_id,
    owner: {
      id: row.user_id,
      host: row.host,
      host_id: row.host_id,
      login: row.login,
      display_name: row.display_name,
      time_zone: row.own_time_zone,
      own_marks: row.own_marks,
    },
    person_id: row.person_id,
    team: isTeam ? { name: row.name!, all_repositories: row.all_repositories!, team_id: row.team_id } : null,
    time_zone: row.time_zone ?? row.own_time_zone,
    hours: (row.channel_id === null ? row.own_hours : row.hours) ?? defaultQuietHours,
    subscriptions: new Map(),
  };
}

function sinceOf({ since, personal, resumed_at, own_resumed_at }: Omit<Row, 'options'>): Instant {
  const moments = [since, resumed_at, personal === false ? null : own_resumed_at];
  return Math.max(...moments.map((at) => (at === null ? 0 : Math.floor(at.getTime() / 1000) * 1000)));
}
