import type { RepositoryHistory } from '../history.ts';
import type { AccountState } from './account.ts';
import { nodeId } from './node-ids.ts';
import { PullOrder } from './pull-order.ts';
import type { CheckRunState, PullState, StatusState } from './pull-request.ts';

interface CommitChecks {
  readonly runs: CheckRunState[];
  readonly statuses: StatusState[];
}

export interface RepositoryState {
  readonly typeName: 'Repository';
  readonly id: number;
  readonly nodeId: string;
  owner: AccountState;
  name: string;
  private: boolean;
  archived: boolean;
  deleted: boolean;
  /** Why nobody gets at it: taken down, or against the terms. */
  blocked: 'dmca' | 'tos' | null;
  /** Its organisation demands single sign-on, which classic and OAuth tokens lack unless authorised. */
  saml: boolean;
  readonly defaultBranch: string;
  readonly createdAt: number;
  updatedAt: number;
  /** Logins in lower case. */
  readers: Set<string>;
  admins: Set<string>;
  readonly byNumber: Map<number, PullState>;
  readonly byCreation: PullOrder;
  readonly byUpdate: PullOrder;
  readonly counts: Record<PullState['state'], number>;
  readonly checks: Map<string, CommitChecks>;
}

export function repositoryState(history: RepositoryHistory, owner: AccountState): RepositoryState {
  return {
    typeName: 'Repository',
    id: history.id,
    nodeId: nodeId('R', history.id),
    owner,
    name: history.name,
    private: history.private,
    archived: history.archived,
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
  };
}

/** `owner/name` as it is now. */
export function fullName(repository: RepositoryState): string {
  return `${repository.owner.login}/${repository.name}`;
}
