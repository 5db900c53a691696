import type { Account, AccountType, Team } from '../history.ts';
import { nodeId, type Prefix } from './node-ids.ts';

/** An account as it is now: its login may change, its id never does. */
export interface AccountState {
  readonly typeName: AccountType;
  readonly id: number;
  readonly nodeId: string;
  /** As REST spells it, a Bot's with `[bot]`. */
  login: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
  /** A deleted account is null in GraphQL and `ghost` in REST, wherever it appears. */
  deleted: boolean;
  /** Somebody who looks around: they may read every repository. */
  readonly visitor?: true;
}

export interface TeamState {
  readonly typeName: 'Team';
  readonly id: number;
  readonly nodeId: string;
  /** The login of the organisation. */
  readonly organization: string;
  slug: string;
  name: string;
  secret: boolean;
  parent: TeamState | null;
  /** Immediate members now, in the order in which they came. */
  readonly members: Map<AccountState, 'MEMBER' | 'MAINTAINER'>;
}

const PREFIX: Record<AccountType, Prefix> = { User: 'U', Bot: 'BOT', Mannequin: 'M', Organization: 'O' };

export function accountState(account: Account): AccountState {
  return {
    typeName: account.type,
    id: account.id,
    nodeId: nodeId(PREFIX[account.type], account.id),
    login: account.login,
    name: account.name,
    email: account.email,
    avatarUrl: account.avatarUrl,
    deleted: false,
  };
}

const VISITOR = /^visitor-([0-9a-f]{12})$/;

/** The account of a visitor, made of nothing but their login; null where it is none of a visitor. */
export function visitorAccount(login: string): AccountState | null {
  const [, digits] = VISITOR.exec(login.toLowerCase()) ?? [];
  if (digits === undefined) return null;
  const id = 2 ** 50 + Number.parseInt(digits, 16);
  const account = accountState({
    id,
    login: login.toLowerCase(),
    type: 'User',
    name: 'Visitor',
    email: null,
    avatarUrl: null,
  });
  return { ...account, visitor: true };
}

/** A team without its parent and its members, who come by and by. */
export function teamState({ id, organization, slug, name, secret = false }: Team): TeamState {
  const node = nodeId('T', id);
  return { typeName: 'Team', id, nodeId: node, organization, slug, name, secret, parent: null, members: new Map() };
}

/** The account unless it was deleted. */
export function living(account: AccountState | null): AccountState | null {
  return account === null || account.deleted ? null : account;
}

/** The login in GraphQL's spelling: a Bot's without `[bot]`. */
export function graphqlLogin(account: AccountState): string {
  return account.typeName === 'Bot' ? account.login.replace(/\[bot\]$/, '') : account.login;
}
