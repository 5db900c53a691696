import { type Kysely, sql, type Transaction } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
import { HostError } from '../host/errors.ts';
import type { HostOAuth } from '../host/oauth.ts';
import type { Log } from '../log.ts';
import { type SecretBox, sealedAs } from '../secret-box.ts';

/** The host is asked for a day to end a token; after that only the person can, in their settings there. In hours. */
const TRIED_FOR = 24;
/** The first tries follow each other after a minute, two, four …, the later ones after an hour. In minutes. */
const LONGEST_PAUSE = 60;
/** So many are tried at once. */
const AT_ONCE = 100;

export interface RevocationDeps {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  readonly box: SecretBox;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
}

/** A token of our app at the host. */
export interface RevocableToken {
  readonly token: string;
  readonly refresh_token: string | null;
  readonly expires_at: Date | null;
}

/** Makes sure that the host is asked to end a token, or all that its person granted to our app, as soon as the transaction commits. */
export async function requestRevocation(
  within: Transaction<Database>,
  { box, now }: Pick<RevocationDeps, 'box' | 'now'>,
  { host, what, of }: { host: string; what: 'token' | 'grant'; of: RevocableToken },
): Promise<void> {
  const at = now();
  await within
    .insertInto('revocations')
    .values({ host, what, ...sealed(box, of), requested_at: at, due_at: at })
    .execute();
}

/**
 * Asks the host to end the tokens that are due. One that the host does not end now is tried again for a day; each is tried by one
 * process at a time.
 */
export async function revokeDue(deps: RevocationDeps, signal: AbortSignal | null): Promise<void> {
  const { db, log } = deps;
  const at = deps.now();
  const until = new Date(at.getTime() + 60_000);
  // Whoever moves the date has the row to themselves until then.
  const { rows } = await sql<RevocationRow>`
    update revocations set attempts = attempts + 1,
      due_at = ${until}::timestamptz + make_interval(mins => least(${LONGEST_PAUSE}, power(2, least(attempts, 10))::int) - 1)
    where id in (select id from revocations
      -- A date further ahead than a try can be is of before the clock was set back.
      where due_at <= ${at} or due_at > ${at}::timestamptz + make_interval(mins => ${LONGEST_PAUSE + 5})
      order by due_at limit ${AT_ONCE} for update skip locked)
    returning *`.execute(db);
  for (const row of rows) {
    if (signal?.aborted) return;
    const oauth = deps.hosts.byKey(row.host)?.oauth ?? null;
    try {
      if (oauth !== null) await revoke(deps, oauth, row);
      await forget(db, row.id);
    } catch (error) {
      const last = at.getTime() - row.requested_at.getTime() >= TRIED_FOR * 3_600_000;
      log.warn({ err: error, what: row.what, given_up: last }, 'failed to revoke a token at the host');
      if (last) await forget(db, row.id);
    }
  }
}

interface RevocationRow {
  readonly id: number;
  readonly host: string;
  readonly what: 'token' | 'grant';
  readonly token_encrypted: string;
  readonly refresh_token_encrypted: string | null;
  readonly expires_at: Date | null;
  readonly requested_at: Date;
}

async function revoke(deps: RevocationDeps, oauth: HostOAuth, row: RevocationRow): Promise<void> {
  const { box, db } = deps;
  const opened = openedBy(box, row);
  // With another key in use only the person can end it.
  if (opened === null) return;
  const { refresh_token, expires_at } = opened;
  let { token } = opened;
  if (refresh_token !== null && expires_at !== null && expires_at <= deps.now()) {
    // The host takes only a living token as a proof of the grant.
    try {
      const renewed = await oauth.refresh(refresh_token);
      token = renewed.token;
      await db.updateTable('revocations').set(sealed(box, renewed)).where('id', '=', row.id).execute();
    } catch (error) {
      if (error instanceof HostError && error.kind === 'unauthorized') return;
      throw error;
    }
  }
  await oauth.revoke(row.what, token);
}

function openedBy(box: SecretBox, row: RevocationRow): RevocableToken | null {
  const open = (text: string) => box.open(text, sealedAs.revocation);
  try {
    return {
      token: open(row.token_encrypted),
      refresh_token: row.refresh_token_encrypted === null ? null : open(row.refresh_token_encrypted),
      expires_at: row.expires_at,
    };
  } catch {
    return null;
  }
}

function sealed(box: SecretBox, { token, refresh_token, expires_at }: RevocableToken) {
  const seal = (text: string) => box.seal(text, sealedAs.revocation);
  return {
    token_encrypted: seal(token),
    refresh_token_encrypted: refresh_token === null ? null : seal(refresh_token),
    expires_at,
  };
}

async function forget(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('revocations').where('id', '=', id).execute();
}
