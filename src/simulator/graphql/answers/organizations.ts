import { links } from '../../links.ts';
import type { AccountState, TeamState } from '../../state/account.ts';
import type { WorldState } from '../../state/world-state.ts';
import { type Connection, connectPositions, type PageArgs } from '../connection.ts';
import type { Context } from '../context.ts';
import { HostFailure, refuseWithoutMembers } from '../failures.ts';
import type { Fields } from '../schema.ts';
import { named } from './accounts.ts';

interface TeamsArgs extends PageArgs {
  readonly privacy?: 'SECRET' | 'VISIBLE' | null;
  readonly query?: string | null;
  readonly role?: 'ADMIN' | 'MEMBER' | null;
  readonly rootTeamsOnly?: boolean | null;
  readonly userLogins?: readonly string[] | null;
}

interface MembersArgs extends PageArgs {
  readonly membership?: 'IMMEDIATE' | 'CHILD_TEAM' | 'ALL' | null;
  readonly role?: 'MEMBER' | 'MAINTAINER' | null;
}

interface Member {
  readonly account: AccountState;
  readonly role: string;
}

const byName = (one: TeamState, other: TeamState) => (one.slug < other.slug ? -1 : 1);

/** The teams of an organisation that the viewer is shown; none to whoever isn't a member. */
function teamsOf(organization: AccountState, args: TeamsArgs, { world, token }: Context): Connection<TeamState> {
  refuseWithoutMembers(token);
  const { organizations } = world;
  if (token.kind === 'oauth' && organizations.unapproved.has(organization.login.toLowerCase()))
    throw new HostFailure(
      'FORBIDDEN',
      `Although you appear to have the correct authorization credentials, the \`${organization.login}\` organization has enabled OAuth App access restrictions, meaning that data access to third-parties is limited.`,
    );
  const wanted = args.userLogins?.map((login) => login.toLowerCase());
  const teams = organizations.teamsOf(organization).filter((team) => {
    if (!organizations.seesTeam(token.account, team)) return false;
    if (args.privacy != null && team.secret !== (args.privacy === 'SECRET')) return false;
    if (args.rootTeamsOnly === true && team.parent !== null) return false;
    if (args.role != null && team.members.get(token.account) !== (args.role === 'ADMIN' ? 'MAINTAINER' : 'MEMBER'))
      return false;
    if (args.query != null && !`${team.name} ${team.slug}`.toLowerCase().includes(args.query.toLowerCase()))
      return false;
    return (
      wanted == null || membersOf(team, {}, world).some(({ account }) => wanted.includes(account.login.toLowerCase()))
    );
  });
  return connectPositions(teams.sort(byName), args);
}

/** By default those of its parts, too (`TeamMembershipType`). */
function membersOf(team: TeamState, { membership, role }: MembersArgs, { organizations }: WorldState): Member[] {
  const of = (teams: readonly TeamState[]) => teams.flatMap(({ members }) => [...members]);
  const own = membership === 'CHILD_TEAM' ? [] : of([team]);
  const parts = membership === 'IMMEDIATE' ? [] : of(organizations.withParts(team).slice(1));
  const all = new Map([...parts, ...own]);
  return [...all]
    .map(([account, has]) => ({ account, role: has }))
    .filter(({ account, role: has }) => !account.deleted && (role == null || role === has))
    .sort((one, other) => one.account.id - other.account.id);
}

/** Members with how they are: the edge says it, the node is the account. */
function connectMembers(members: readonly Member[], args: PageArgs, more: (member: Member) => object = () => ({})) {
  const page = connectPositions(members, args);
  return {
    get totalCount() {
      return page.totalCount;
    },
    get pageInfo() {
      return page.pageInfo;
    },
    nodes: page.nodes.map(({ account }) => account),
    get edges() {
      return page.edges.map(({ cursor, node }) => ({ cursor, node: node.account, role: node.role, ...more(node) }));
    },
  };
}

export const organizationAnswers: Record<string, Fields<never>> = {
  Organization: {
    ...named,
    viewerIsAMember: (source: AccountState, _args, { world, token }) =>
      world.organizations.roleOf(source, token.account) !== null,
    viewerCanAdminister: (source: AccountState, _args, { world, token }) =>
      world.organizations.roleOf(source, token.account) === 'ADMIN',
    teams: teamsOf,
    team: (source: AccountState, { slug }: { slug?: string }, { world, token }) => {
      refuseWithoutMembers(token);
      const { organizations } = world;
      const isShown = (team: TeamState) => team.slug === slug && organizations.seesTeam(token.account, team);
      return organizations.teamsOf(source).find(isShown) ?? null;
    },
    membersWithRole: (source: AccountState, args: PageArgs, { world, token }) => {
      const { organizations } = world;
      const members = organizations.roleOf(source, token.account) === null ? [] : organizations.membersOf(source);
      return connectMembers(
        members.map(([account, role]) => ({ account, role })),
        args,
        () => ({ hasTwoFactorEnabled: null }),
      );
    },
  },
  Team: {
    id: (team: TeamState) => team.nodeId,
    databaseId: (team: TeamState) => team.id,
    name: (team: TeamState) => team.name,
    slug: (team: TeamState) => team.slug,
    combinedSlug: (team: TeamState) => `${team.organization}/${team.slug}`,
    description: () => null,
    privacy: (team: TeamState) => (team.secret ? 'SECRET' : 'VISIBLE'),
    parentTeam: (team: TeamState, _args, { world, token }) =>
      team.parent !== null && world.organizations.seesTeam(token.account, team.parent) ? team.parent : null,
    childTeams: (team: TeamState, args: PageArgs & { immediateOnly?: boolean | null }, { world, token }) => {
      const { organizations } = world;
      const parts = args.immediateOnly === false ? organizations.withParts(team).slice(1) : organizations.partsOf(team);
      return connectPositions(parts.filter((part) => organizations.seesTeam(token.account, part)).sort(byName), args);
    },
    members: (team: TeamState, args: MembersArgs, { world, url }) =>
      connectMembers(membersOf(team, args, world), args, () => ({
        memberAccessUrl: links.team(url, team),
        memberAccessResourcePath: links.team('', team),
      })),
    avatarUrl: () => null,
    url: (team: TeamState, _args, { url }) => links.team(url, team),
    resourcePath: (team: TeamState) => links.team('', team),
    organization: (team: TeamState, _args, { world }) => world.account(team.organization),
  },
};
