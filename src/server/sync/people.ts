import { type Selectable, sql, type Transaction } from 'kysely';
import { accountKind, agentOf } from '#domain/account-kind.ts';
import { toolsInNames } from '#domain/authorship.ts';
import { givesKnownIds } from '#domain/code-host.ts';
import type { PersonRef } from '#domain/pull-request.ts';
import { type AskingDeps, askHostAs } from '../ask-host-as.ts';
import { keepAccountKinds } from '../db/account-kinds-lock.ts';
import { columnsExcept, list } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { holdBack } from '../db/pull-request-changes.ts';
import type { HostAccount } from '../host/pull-request.ts';
import type { SyncDeps } from './context.ts';
import { assignments, recordset } from './rows.ts';

type Stored = Selectable<Database['people']>;
type PersonFields = Omit<Stored, 'id' | 'host' | 'name_lower'>;

/** An account as it is stored: `id` is the row's, `ref` what the figures know of it. */
export interface StoredPerson {
  readonly id: number;
  readonly ref: PersonRef & { readonly kind: Stored['kind'] };
}

/**
 * Stores the accounts of a page, each once by the host's id, and follows renames; facts that depend on how an account is called follow
 * behind the sync. A kind that an administrator has set stands; a name or picture that this answer leaves out stays. Returns every account by
 * the host's id; of those that are only claimed, which change nothing that is stored, the ones that are bots. What accounts are stays so until
 * the transaction ends: to be called before it locks anything else.
 */
export async function savePeople(
  transaction: Transaction<Database>,
  host: string,
  accounts: Iterable<HostAccount>,
  claimed: Iterable<HostAccount> = [],
): Promise<ReadonlyMap<string, StoredPerson>> {
  await keepAccountKinds(transaction);
  const seen = new Map<string, HostAccount>();
  for (const account of accounts) seen.set(account.id, account);
  const claims = new Map<string, HostAccount>();
  for (const account of claimed) if (!seen.has(account.id)) claims.set(account.id, account);
  if (seen.size + claims.size === 0) return new Map();

  const ids = [...seen.keys(), ...claims.keys()];
  // Locked, in the order of `forgetPeople`: whoever is known here keeps the name, although nothing that is stored may say it yet.
  const { rows } = await sql<PersonFields & { id: number; own_kind: Stored['kind'] | null }>`
    with known as materialized (
      select id, host_id, login, type, name, avatar_url, kind from people
      where host = ${host} and host_id = any(${ids}::text[]) order by host_id for key share
    )
    select p.id, a.host_id, p.login, p.type, p.name, p.avatar_url, p.kind, k.kind as own_kind
    from unnest(${ids}::text[]) a(host_id)
    left join known p on p.host_id = a.host_id
    left join account_kinds k on k.host = ${host} and k.host_id = a.host_id`.execute(transaction);
  const people = new Map<string, StoredPerson>();
  const changed: PersonFields[] = [];
  const unknown: PersonFields[] = [];
  const knownIds = givesKnownIds(host);
  const toolOf = ({ host_id, login }: PersonFields) => agentOf({ id: host_id, login }, knownIds).tool;
  const toolsNamed = ({ login, name }: PersonFields) => toolsInNames({ login, displayName: name }).join();
  const renamed: Renamed[] = [];
  for (const row of rows) {
    const claim = claims.get(row.host_id);
    if (claim !== undefined && row.id !== null) {
      if (row.type === 'bot') people.set(row.host_id, storedPerson(row.id, row));
      continue;
    }
    const account = claim ?? seen.get(row.host_id)!;
    const fresh = {
      host_id: account.id,
      login: account.login,
      type: account.type,
      name: account.name ?? row.name,
      avatar_url: pictureOf(account.avatar_url, row.avatar_url),
      kind: row.own_kind ?? kindOf(host, account),
    };
    const same = row.id !== null && fields.every((field) => row[field] === fresh[field]);
    if (row.id !== null) {
      const namesOthers = toolsNamed(row) !== toolsNamed(fresh);
      const isOther = row.kind !== fresh.kind;
      const matters = namesOthers || isOther || row.kind === 'agent' || fresh.kind === 'agent';
      if (namesOthers || isOther || toolOf(row) !== toolOf(fresh)) renamed.push({ host_id: row.host_id, matters });
    }
    if (same) people.set(row.host_id, storedPerson(row.id, fresh));
    else (claim === undefined ? changed : unknown).push(fresh);
  }
  await recountRenamed(transaction, host, renamed);
  const known = new Set(rows.flatMap(({ id, host_id }) => (id === null ? [] : [host_id])));
  await write(transaction, host, changed, people, true, known);
  await write(transaction, host, unknown, people, false);
  return people;
}

interface Renamed {
  readonly host_id: string;
  /** Whether everybody's facts depend on it; else those of people to whom it is an agent by a mark of their own. */
  readonly matters: boolean;
}

/** Has `settleAccountKinds` mark the facts of those to whose facts it matters. */
async function recountRenamed(
  transaction: Transaction<Database>,
  host: string,
  renamed: readonly Renamed[],
): Promise<void> {
  if (renamed.length === 0) return;
  await sql`
    insert into account_recounts (host, host_id)
    select ${host}, account.host_id
    from unnest(${renamed.map(({ host_id }) => host_id)}::text[], ${renamed.map(({ matters }) => matters)}::bool[]) account (host_id, matters)
    where account.matters or exists (select from own_account_kinds mark
      where mark.host = ${host} and mark.host_id = account.host_id and mark.kind = 'agent')
    order by account.host_id
    on conflict (host, host_id) do update set host = excluded.host`.execute(transaction);
}

/**
 * Inserts accounts; those that are stored already are overwritten or left alone, and left out then. That the `known` ones look different now is noted
 * for whoever tells it of their pull requests (changed-names.ts).
 */
async function write(
  transaction: Transaction<Database>,
  host: string,
  changed: PersonFields[],
  people: Map<string, StoredPerson>,
  overwrites: boolean,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (changed.length === 0) return;

  // In one order everywhere, so that two repositories that store the same people never wait for each other in a circle.
  changed.sort((a, b) => (a.host_id < b.host_id ? -1 : 1));
  const saved = await sql<{ id: number; host_id: string }>`
    insert into people (host, host_id, ${list(columns)})
    select ${host}, host_id, ${list(columns)}
    from ${recordset(
      'people',
      ['host_id', ...columns],
      changed.map((row) => ({ ...row, name_lower: row.name?.toLowerCase() ?? null })),
    )}
    on conflict (host, host_id) ${overwrites ? sql`do update set ${assignments(columns, 'excluded')}` : sql`do nothing`}
    returning id, host_id`.execute(transaction);
  const ids = new Map(saved.rows.map((row) => [row.host_id, row.id]));
  const renamed = changed.flatMap(({ host_id }) => (known.has(host_id) ? [ids.get(host_id)!] : []));
  if (renamed.length > 0) {
    // Until this commits, an export ends before it: whoever reads what is noted later reads the new names.
    await holdBack(transaction);
    await sql`
      insert into changed_people (person_id, noted_at) select id, clock_timestamp() from unnest(${renamed}::int[]) id
      on conflict (person_id) do update set noted_at = excluded.noted_at`.execute(transaction);
  }
  for (const row of changed) {
    const id = ids.get(row.host_id);
    if (id !== undefined) people.set(row.host_id, storedPerson(id, row));
  }
}

/**
 * The picture that an answer tells, else the stored one: also where the answer has the same address with less in its query, as the host's
 * calls differ in that.
 */
function pictureOf(told: string | null, stored: string | null): string | null {
  if (told === null || stored === null) return told ?? stored;
  const [address, query] = partsOf(told);
  const [known, knownQuery] = partsOf(stored);
  return address === known && query.every((parameter) => knownQuery.includes(parameter)) ? stored : told;
}

function partsOf(address: string): [string, string[]] {
  const [path = '', query = ''] = address.split('?', 2);
  return [path, query.split('&').filter((parameter) => parameter !== '')];
}

const columns = columnsExcept('people', 'id', 'host', 'host_id');
const fields = columnsExcept('people', 'id', 'host', 'host_id', 'name_lower');

function storedPerson(id: number, row: PersonFields): StoredPerson {
  return {
    id,
    ref: { id: row.host_id, login: row.login, kind: row.kind, displayName: row.name, avatarUrl: row.avatar_url },
  };
}

/** The kind of an account of a host that nobody has set by hand; an account that exists is never stored as a ghost. */
export function kindOf(host: string, { id, login, type }: Pick<HostAccount, 'id' | 'login' | 'type'>): Stored['kind'] {
  const kind = accountKind({ type, login, hostId: givesKnownIds(host) && /^\d+$/.test(id) ? Number(id) : null });
  return kind === 'ghost' ? 'human' : kind;
}

/**
 * The account of a login as the host shows it to this user's token; null where there is none. Nothing is stored.
 * @throws HttpError 422 without a token; HostError when the host fails
 */
export async function shownAccount(
  deps: AskingDeps,
  user: { readonly id: number },
  login: string,
): Promise<HostAccount | null> {
  const account = await askHostAs(deps, user.id, ({ client }) => client.account({ login }));
  return account?.login.toLowerCase() === login.toLowerCase() ? account : null;
}

/**
 * The row of such an account, stored if it is new; null where there is none.
 * @throws HttpError 422 without a token; HostError when the host fails
 */
export async function accountAtHost(
  deps: AskingDeps & Pick<SyncDeps, 'db'>,
  user: { readonly id: number; readonly host: string },
  login: string,
): Promise<number | null> {
  const account = await shownAccount(deps, user, login);
  if (account === null) return null;
  const people = await deps.db
    .transaction()
    .execute(async (transaction) => await savePeople(transaction, user.host, [account], []));
  return people.get(account.id)?.id ?? null;
}
