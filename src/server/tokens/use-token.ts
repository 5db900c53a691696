import { type Kysely, sql } from 'kysely';
import type { TokenScope } from '#domain/personal-tokens.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isForLackOfSpace } from '../db/disk-space.ts';
import { noteSeen } from '../db/sight.ts';
import { badToken, type FindTokenUse } from '../http/bearer.ts';
import { HttpError } from '../http/errors.ts';
import { networkOf } from '../http/limits.ts';
import type { NoteSecurityEvent } from '../security-events.ts';
import { hashOf } from '../sha256.ts';
import { isWellFormed } from './token-format.ts';

export interface TokenDeps {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  /** False: tokens are switched off on this server. */
  readonly allowed: boolean;
  /** Whether the owner may use this server now. */
  readonly mayEnter: (owner: Pick<SignedIn, 'id' | 'host'>, now: Date) => Promise<boolean>;
  readonly noteSecurityEvent: NoteSecurityEvent;
}

interface Row {
  readonly token_id: number;
  readonly scopes: TokenScope[];
  readonly repositories: number[] | null;
  readonly last_used_at: Date | null;
  readonly known_network: boolean;
  readonly id: number;
  readonly host: string;
  readonly login: string;
  readonly time_zone: string;
  readonly seen_at: Date;
  readonly own_marks: boolean;
  readonly reads_host: boolean;
}

/**
 * Whoever a token belongs to, as they are now, with what the token may read. Everything is asked for each request: a token that was revoked
 * is dead at the next one in every process.
 */
export function tokenUses(deps: TokenDeps): FindTokenUse {
  const { db, now } = deps;
  return async (token, request) => {
    if (!deps.allowed || !isWellFormed(token)) throw badToken();
    const at = now();
    const network = placeOf(request.ip);
    const { rows } = await sql<Row>`
      select t.id as token_id, t.scopes, t.repositories, t.last_used_at,
        exists (select from api_token_networks n where n.token_id = t.id and n.network = ${network}) as known_network,
        u.id, u.host, u.login, u.time_zone, u.seen_at,
        exists (select from own_account_kinds where user_id = u.id) as own_marks,
        exists (select from credentials k where k.user_id = u.id and k.rejected_at is null) as reads_host
      from api_tokens t join users u on u.id = t.user_id
      where t.token_hash = ${hashOf(token)} and t.expires_at > ${at}`.execute(db);
    const [row] = rows;
    if (row === undefined || !(await deps.mayEnter(row, at))) throw badToken();
    if (!row.reads_host) throw new HttpError('host_sign_in_needed');
    try {
      await noteSeen(db, row, at);
      await noteUse(db, row, at);
      if (!row.known_network && (await isFirstUseFrom(db, row.token_id, network, at)))
        await deps.noteSecurityEvent(
          { event: 'api_token_used', actor: row.login, subject: `token ${row.token_id}` },
          { ip: network, id: request.id },
        );
    } catch (error) {
      // On a full disk people go on reading.
      if (!isForLackOfSpace(error)) throw error;
    }
    const { id, host, login, time_zone, own_marks } = row;
    return {
      id: row.token_id,
      owner: { id, host, login, time_zone, own_marks },
      scopes: row.scopes,
      repositories: row.repositories,
    };
  };
}

async function noteUse(db: Kysely<Database>, { token_id, last_used_at }: Row, at: Date): Promise<void> {
  const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
  if (last_used_at !== null && last_used_at >= hour) return;
  await db.updateTable('api_tokens').set({ last_used_at: hour }).where('id', '=', token_id).execute();
}

async function isFirstUseFrom(db: Kysely<Database>, token_id: number, network: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into api_token_networks (token_id, network, first_used_at)
    select id, ${network}, ${at} from api_tokens where id = ${token_id}
    on conflict do nothing returning token_id`.execute(db);
  return rows.length > 0;
}

/** About where a request came from: the first 24 bits of an IPv4 address, 48 of an IPv6 one. No more is kept. */
function placeOf(address: string): string {
  const network = networkOf(address);
  const [separator, end] = network.includes(':') ? [':', '::/48'] : ['.', '.0/24'];
  return `${network.split(separator).slice(0, 3).join(separator)}${end}`;
}
