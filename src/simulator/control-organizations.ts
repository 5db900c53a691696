import type { Team } from './history.ts';
import { hashOf } from './random.ts';
import type { AccountState, TeamState } from './state/account.ts';
import type { OrganizationRole } from './state/organizations.ts';
import type { WorldState } from './state/world-state.ts';

/** What can be changed about an organisation; who is not named stays as they are. */
export interface OrganizationChange {
  /** Null lets somebody go. */
  readonly members?: Readonly<Record<string, OrganizationRole | null>>;
  /** Whether OAuth apps get at its content. */
  readonly approves?: boolean;
}

/** What can be changed about a team; what is left out stays. */
export interface TeamChange {
  readonly slug?: string;
  readonly name?: string;
  readonly secret?: boolean;
  /** The slug of the team that it becomes part of; null of none. */
  readonly parent?: string | null;
  /** Null takes somebody out. */
  readonly members?: Readonly<Record<string, 'MEMBER' | 'MAINTAINER' | null>>;
  readonly deleted?: boolean;
}

/** Throws for somebody without an account. */
export function changeOrganization(world: WorldState, organization: AccountState, change: OrganizationChange): void {
  const login = organization.login.toLowerCase();
  if (change.approves === false) world.organizations.unapproved.add(login);
  if (change.approves === true) world.organizations.unapproved.delete(login);
  for (const [who, role] of Object.entries(change.members ?? {}))
    world.organizations.setMember(organization, memberNamed(world, who), role);
}

/** Throws where its organisation or its slug is missing, or its parent unknown. */
export function addTeam(world: WorldState, given: Partial<Team>, now: number): TeamState {
  const { organization, slug } = given;
  if (!organization || !slug) throw new Error('A team needs an organization and a slug.');
  const id = given.id ?? hashOf(`team/${organization}/${slug}`);
  world.organizations.addTeams([{ name: slug, ...given, id, organization, slug }], now);
  const team = world.organizations.teams.find((other) => other.id === id)!;
  world.organizations.emit(team, 'team', 'created', null);
  return team;
}

/** Throws for somebody without an account and for an unknown parent. */
export function changeTeam(world: WorldState, team: TeamState, change: TeamChange): void {
  const { organizations } = world;
  if (change.deleted === true) {
    organizations.deleteTeam(team);
    return;
  }
  const isParent = ({ organization, slug }: TeamState) => organization === team.organization && slug === change.parent;
  const parent = change.parent == null ? null : organizations.teams.find(isParent);
  if (parent === undefined) throw new Error(`There is no team '${change.parent}'.`);
  const before = JSON.stringify([team.slug, team.name, team.secret, team.parent?.id]);
  team.slug = change.slug ?? team.slug;
  team.name = change.name ?? team.name;
  team.secret = change.secret ?? team.secret;
  if (change.parent !== undefined) team.parent = parent;
  if (JSON.stringify([team.slug, team.name, team.secret, team.parent?.id]) !== before)
    organizations.emit(team, 'team', 'edited', null);
  for (const [who, role] of Object.entries(change.members ?? {})) {
    const member = memberNamed(world, who);
    if (role === null) organizations.leave(team, member);
    else organizations.join(team, member, role);
  }
}

function memberNamed(world: WorldState, login: string): AccountState {
  const account = world.accountNamed(login);
  if (account === null) throw new Error(`There is no account '${login}'.`);
  return account;
}
