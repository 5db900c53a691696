import type { RepositoryHistory } from '../history.ts';
import type { AccountState } from './account.ts';
import { nodeId } from './node-ids.ts';
import { PullOrder } from './pull-order.ts';
import type { RepositoryState } from './pull-request.ts';

export function repositoryState(history: RepositoryHistory, owner: AccountState): RepositoryState {
  return {
    typeName: 'Repository',
    id: history.id,
    nodeId: nodeId('R', history.id),
    owner,
    name: history.name,
    private: history.private,
    archived: history.archived,
    fork: history.fork ?? false,
    deleted: false,
    blocked: null,
    saml: false,
    defaultBranch: history.defaultBranch,
    createdAt: history.createdAt,
    updatedAt: history.createdAt,
    readers: new Set(history.readers.map((login) => login.toLowerCase())),
    admins: new Set(history.admins.map((login) => login.toLowerCase())),
    byNumber: new Map(),
    byCreation: new PullOrder((pull) => pull.createdAt),
    byUpdate: new PullOrder((pull) => pull.updatedAt),
    counts: { OPEN: 0, CLOSED: 0, MERGED: 0 },
    checks: new Map(),
    started: new Map(),
    runs: new Map((history.runs ?? []).map((run) => [run.id, run])),
  };
}

/** `owner/name` as it is now. */
export function fullName(repository: RepositoryState): string {
  return `${repository.owner.login}/${repository.name}`;
}
