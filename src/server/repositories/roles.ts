import { askHostAs } from '../ask-host-as.ts';
import type { HostClient } from '../host/client.ts';
import { HostError, isPassing } from '../host/errors.ts';
import type { HostRole } from '../host/repository.ts';
import { notFound } from '../http/errors.ts';
import type { ConnectDeps } from './connect.ts';

const mayWriteAs: ReadonlySet<HostRole | null> = new Set<HostRole | null>(['admin', 'maintain', 'write']);

/** What the host lets the client's account do in a repository, asked now; null where it does not say, or refuses. */
export async function roleOf(client: HostClient, host_id: string, signal?: AbortSignal): Promise<HostRole | null> {
  try {
    return await client.roleIn(host_id, signal);
  } catch (error) {
    if (!(error instanceof HostError) || isPassing(error) || error.kind === 'unauthorized') throw error;
    return null;
  }
}

/**
 * Whether the host lets a user write to a repository, asked now with their token.
 * @throws HttpError 404 when the repository is unknown, 422 without a token; HostError when the host fails
 */
export async function mayWrite(
  deps: Pick<ConnectDeps, 'db' | 'clientFor' | 'rejectToken'>,
  user_id: number,
  repository_id: number,
): Promise<boolean> {
  const row = await deps.db
    .selectFrom('repositories')
    .select('host_id')
    .where('id', '=', repository_id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Repository not found');
  return mayWriteAs.has(await askHostAs(deps, user_id, ({ client }) => roleOf(client, row.host_id)));
}
