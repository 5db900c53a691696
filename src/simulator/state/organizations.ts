import type { Organization, Team } from '../history.ts';
import { type AccountState, type TeamState, teamState } from './account.ts';
import type { Agenda } from './agenda.ts';
import type { RepositoryState } from './pull-request.ts';

export type OrganizationRole = 'ADMIN' | 'MEMBER';

/** What happened to a team or to an organisation's people, for whoever has to be told (webhooks). */
export interface OrganizationEvent {
  readonly organization: AccountState;
  readonly event: 'membership' | 'team' | 'organization';
  readonly action: string;
  readonly team: TeamState | null;
  readonly member: AccountState | null;
}

/** What organisations need of the world. */
interface World {
  readonly repositories: ReadonlyMap<number, RepositoryState>;
  account(login: string): AccountState | null;
}

interface OrganizationState {
  readonly members: Map<AccountState, OrganizationRole>;
}

/** Who belongs to which organisation and to which of its teams, now. */
export class Organizations {
  readonly teams: TeamState[] = [];
  /** Organisations that let no OAuth app at their content until they approve it: logins in lower case. */
  readonly unapproved = new Set<string>();
  onEvent: (event: OrganizationEvent) => void = () => {};
  readonly #declared = new Map<AccountState, OrganizationState>();
  readonly #world: World;
  readonly #agenda: Agenda;

  constructor(world: World, agenda: Agenda) {
    this.#world = world;
    this.#agenda = agenda;
  }

  /** Says who the members of an organisation are. Throws for an unknown account. */
  declare({ login, members }: Organization): void {
    const people = members.map(
      (member) => [this.#account(member.login), member.owner ? 'ADMIN' : 'MEMBER'] as [AccountState, OrganizationRole],
    );
    this.#declared.set(this.#account(login), { members: new Map(people) });
  }

  /** Adds teams, parents and parts in any order; who joins or leaves in future is on the agenda. Throws for an unknown parent or account. */
  addTeams(teams: readonly Team[], present: number): void {
    const added = teams.map((team) => ({ team, state: teamState(team) }));
    for (const { state } of added) this.teams.push(state);
    for (const { team, state } of added) {
      if (team.parent !== undefined) state.parent = this.#team(team.organization, team.parent);
      for (const { login, maintainer, from, to } of team.members ?? []) {
        const account = this.#account(login);
        const role = maintainer ? 'MAINTAINER' : 'MEMBER';
        if (to !== null && to <= present) continue;
        if (from === null || from <= present) state.members.set(account, role);
        else this.#agenda.add(from, () => this.join(state, account, role));
        if (to !== null) this.#agenda.add(to, () => this.leave(state, account));
      }
    }
  }

  join(team: TeamState, member: AccountState, role: 'MEMBER' | 'MAINTAINER' = 'MEMBER'): void {
    const isNew = !team.members.has(member);
    team.members.set(member, role);
    if (isNew) this.emit(team, 'membership', 'added', member);
  }

  leave(team: TeamState, member: AccountState): void {
    if (team.members.delete(member)) this.emit(team, 'membership', 'removed', member);
  }

  /** Takes a team away; its parts move up to its parent (GitHub documentation, deleting a team moves nothing of its members). */
  deleteTeam(team: TeamState): void {
    for (const part of this.partsOf(team)) part.parent = team.parent;
    this.teams.splice(this.teams.indexOf(team), 1);
    this.emit(team, 'team', 'deleted', null);
  }

  emit(team: TeamState, event: 'membership' | 'team', action: string, member: AccountState | null): void {
    this.onEvent({ organization: this.#account(team.organization), event, action, team, member });
  }

  /** Lets somebody in or, with null, out: out of the organisation's teams, too. */
  setMember(organization: AccountState, member: AccountState, role: OrganizationRole | null): void {
    const declared = this.#declared.get(organization) ?? { members: new Map(this.membersOf(organization)) };
    this.#declared.set(organization, declared);
    const was = declared.members.has(member);
    if (role === null) {
      declared.members.delete(member);
      for (const team of this.teamsOf(organization)) this.leave(team, member);
    } else declared.members.set(member, role);
    const action = role === null ? 'member_removed' : 'member_added';
    if (was !== (role !== null)) this.onEvent({ organization, event: 'organization', action, team: null, member });
  }

  membersOf(organization: AccountState): [AccountState, OrganizationRole][] {
    const declared = this.#declared.get(organization);
    if (declared !== undefined) return [...declared.members];
    const logins = new Set<string>();
    for (const { owner, readers, admins, deleted } of this.#world.repositories.values())
      if (owner === organization && !deleted) for (const login of [...readers, ...admins]) logins.add(login);
    return [...logins].map((login) => [this.#account(login), 'MEMBER']);
  }

  /** How somebody belongs to an organisation; null where they don't. A visitor is a member everywhere. */
  roleOf(organization: AccountState, account: AccountState): OrganizationRole | null {
    if (organization.typeName !== 'Organization') return null;
    if (account.visitor) return 'MEMBER';
    const declared = this.#declared.get(organization);
    if (declared !== undefined) return declared.members.get(account) ?? null;
    const key = account.login.toLowerCase();
    for (const { owner, readers, admins, deleted } of this.#world.repositories.values())
      if (owner === organization && !deleted && (readers.has(key) || admins.has(key))) return 'MEMBER';
    return null;
  }

  /** The organisations that somebody belongs to, by their ids. */
  of(account: AccountState): AccountState[] {
    const owners = new Set([...this.#world.repositories.values()].map(({ owner }) => owner));
    return [...new Set([...this.#declared.keys(), ...owners])]
      .filter((organization) => this.roleOf(organization, account) !== null)
      .sort((one, other) => one.id - other.id);
  }

  teamsOf(organization: AccountState): TeamState[] {
    const login = organization.login.toLowerCase();
    return this.teams.filter((team) => team.organization.toLowerCase() === login);
  }

  partsOf(team: TeamState): TeamState[] {
    return this.teams.filter(({ parent }) => parent === team);
  }

  /** The team and all its parts, at any depth. */
  withParts(team: TeamState): TeamState[] {
    return [team, ...this.partsOf(team).flatMap((part) => this.withParts(part))];
  }

  /** Whether somebody is shown a team: a member of the organisation, of a secret one its members and owners. */
  seesTeam(account: AccountState, team: TeamState): boolean {
    const role = this.roleOf(this.#account(team.organization), account);
    if (role === null) return false;
    return !team.secret || role === 'ADMIN' || this.withParts(team).some(({ members }) => members.has(account));
  }

  #team(organization: string, slug: string): TeamState {
    const found = this.teams.find((team) => team.organization === organization && team.slug === slug);
    if (found === undefined) throw new Error(`There is no team '${organization}/${slug}'.`);
    return found;
  }

  #account(login: string): AccountState {
    const account = this.#world.account(login);
    if (account === null) throw new Error('An organisation needs people with logins.');
    return account;
  }
}
