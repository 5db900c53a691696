import { forgetFormerCredentials, isRefusal, noteReadable, noteRefused, noteUnchecked } from '../db/sight.ts';
import { HostError, type RateLimit, wantsPause } from '../host/errors.ts';
import { isVisible } from '../metrics/scope.ts';
import { type ConnectDeps, noteDescription } from './connect.ts';

type Checking = Pick<ConnectDeps, 'db' | 'clientFor' | 'rejectToken' | 'now' | 'noteSecurityEvent'>;

/** Checks of one person side by side after they have signed in with another credential. */
const CHECKS_AT_ONCE = 4;

/**
 * Asks the host by its id whether the user's token reads a repository that they connected, and stores the answer: whether they see it.
 * Others are not touched. A renamed or moved repository takes its new name. A failure that says nothing about access changes nothing.
 * `deleted`: the host says that the repository was deleted, which explains why it is not found. Returns what the host said of the user's
 * quota; null where it was not asked.
 */
export async function checkAccess(
  checking: Checking,
  user_id: number,
  repository_id: number,
  deleted = false,
): Promise<RateLimit | null> {
  return (await check(checking, user_id, repository_id, deleted)).heard;
}

const UNASKED = { heard: null, paused: false };

/** `paused` where the host wants no more requests of this user for now. */
async function check(
  checking: Checking,
  user_id: number,
  repository_id: number,
  deleted = false,
): Promise<{ readonly heard: RateLimit | null; readonly paused: boolean }> {
  const { db, now } = checking;
  const connection = await db
    .selectFrom('connections')
    .innerJoin('repositories', 'repositories.id', 'connections.repository_id')
    .select(['repositories.host_id', 'seen_owner', 'seen_name', 'lost_at', 'settled'])
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .executeTakeFirst();
  if (connection === undefined) return UNASKED;
  const personal = await checking.clientFor(user_id);
  if (personal === null) {
    await noteUnchecked(db, { user_id, repository_id }, now());
    return UNASKED;
  }
  const { client, grant_id } = personal;
  const asked_at = now();
  try {
    const repository = await client.repositoryById(connection.host_id);
    await noteDescription(db, { user_id, repository_id }, repository, now());
    await noteReadable(db, { user_id, repository_id, grant_id }, repository, now(), asked_at);
    await forgetFormerCredentials(db, now(), user_id);
    if (connection.lost_at !== null && connection.settled) {
      const subject = `${connection.seen_owner}/${connection.seen_name}`;
      await checking.noteSecurityEvent({ event: 'sight_regained', actor: user_id, subject, repository_id }, null);
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.kind === 'unauthorized') await checking.rejectToken(user_id, grant_id);
    if (!isRefusal(error)) {
      const paused = wantsPause(error);
      await noteUnchecked(db, { user_id, repository_id }, now(), paused ? error.retry_at : null);
      return { heard: client.usage().rate_limit, paused };
    }
    const kind = deleted && error.kind === 'not_found' ? 'gone' : error.kind;
    const lost = await noteRefused(db, { user_id, repository_id, grant_id }, { kind, link: error.link }, now());
    if (lost !== null) await checking.noteSecurityEvent(lost, null);
  }
  return { heard: client.usage().rate_limit, paused: false };
}

/**
 * Checks everything of somebody that was not checked with their credential yet, what they saw last first. Where the host wants a pause, the
 * rest is due at its end.
 */
export async function checkEverythingOf(checking: Checking, user_id: number): Promise<void> {
  const rows = await checking.db
    .selectFrom('connections as c')
    .select('c.repository_id')
    .where('c.user_id', '=', user_id)
    .where(({ not }) => not(isVisible))
    .orderBy('c.readable', 'desc')
    .orderBy('c.repository_id')
    .execute();
  const waiting = rows.map((row) => row.repository_id);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { paused } = await check(checking, user_id, next);
      if (paused) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
}
