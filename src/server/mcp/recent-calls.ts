import { type Kysely, sql } from 'kysely';
import type { AssistantCall } from '#contract/assistants.ts';
import type { Database } from '../db/database.ts';
import { outsideDatabaseTime } from '../db/database-time.ts';
import { isForLackOfSpace } from '../db/disk-space.ts';
import type { CallsOf, Handlers } from '../http/serve.ts';
import type { Log } from '../log.ts';

/** The calls of each person that are kept. */
const MOST_KEPT = 50;

/**
 * Keeps what an assistant asked, for its person to see: which tool, when and how long, never with what. Also where the call has spent its
 * time of the database. Never rejects.
 */
export async function noteCall(
  db: Kysely<Database>,
  log: Pick<Log, 'warn'>,
  user_id: number,
  call: { readonly tool: string; readonly at: Date; readonly ms: number; readonly failed: boolean },
): Promise<void> {
  try {
    await outsideDatabaseTime(async () => {
      await db
        .insertInto('assistant_calls')
        .values({ user_id, ...call })
        .execute();
      await sql`delete from assistant_calls where user_id = ${user_id} and id <= (
        select id from assistant_calls where user_id = ${user_id} order by id desc offset ${MOST_KEPT} limit 1)`.execute(
        db,
      );
    });
  } catch (err) {
    if (!isForLackOfSpace(err)) log.warn({ err }, 'failed to record the call of an assistant');
  }
}

/** The calls about one's assistants (docs/server.md#assistants). */
export function assistantRoutes({
  db,
}: {
  readonly db: Kysely<Database>;
}): Handlers<CallsOf<typeof import('#contract/assistants.ts')>> {
  return {
    listAssistantCalls: async ({ user }) => {
      const rows = await db
        .selectFrom('assistant_calls')
        .select(['tool', 'at', 'ms', 'failed'])
        .where('user_id', '=', user.id)
        .orderBy('id', 'desc')
        .limit(MOST_KEPT)
        .execute();
      return rows.map(({ at, ...row }): AssistantCall => ({ ...row, at: at.toISOString() }));
    },
  };
}
