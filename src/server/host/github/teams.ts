import { z } from 'zod';
import { HostError } from '../errors.ts';
import type { OrganizationTeam, OrganizationTeams } from '../teams.ts';
import { actorAnswer } from './answers.ts';
import { failureOfField, type GraphqlError, passingError } from './failures.ts';
import { type GithubGraphql, understand } from './github-graphql.ts';
import { NestedList } from './nested-list.ts';
import { asOnePart, atASizeThatWorks } from './smaller-parts.ts';
import { accountOf } from './translate.ts';

const LARGEST_PAGE = 100;

const organizationAnswer = z.object({
  databaseId: z.number(),
  login: z.string(),
  name: z.string().nullish(),
  avatarUrl: z.string().nullish(),
  viewerIsAMember: z.boolean(),
  teams: z.unknown().optional(),
});
type OrganizationAnswer = z.infer<typeof organizationAnswer>;

const teamAnswer = z.object({
  id: z.string(),
  databaseId: z.number(),
  slug: z.string(),
  combinedSlug: z.string(),
  name: z.string(),
  privacy: z.enum(['SECRET', 'VISIBLE']),
  parentTeam: z.object({ databaseId: z.number() }).nullable(),
  members: z.unknown(),
});
type TeamAnswer = z.infer<typeof teamAnswer>;

/**
 * The teams of an organisation, asked for by themselves: without the right to read them the host refuses the whole query. Members come
 * with their team as far as one page holds them, and page by page where the team is wanted. See `HostClient.organizationTeams`.
 */
export async function readOrganizationTeams(
  github: GithubGraphql,
  login: string,
  wanted: (team: Pick<OrganizationTeam, 'id' | 'slug'>) => boolean,
  signal?: AbortSignal,
): Promise<OrganizationTeams | null> {
  const list = new NestedList('teams', login, teamAnswer);
  let organization: OrganizationAnswer | null = null;
  let size = LARGEST_PAGE;
  list.restart();
  while (list.next !== null) {
    const { after } = list.next;
    const page = await atASizeThatWorks(size, (first) => readPage(github, { login, first, after }, signal)).catch(
      async (error: unknown) => {
        if (after !== null) throw error;
        return { size, answer: await asStranger(github, login, error, signal) };
      },
    );
    size = page.size;
    if (page.answer === null && after !== null)
      throw new HostError('protocol', `${github.label} knows no organisation ${login} in the middle of its teams.`);
    if (page.answer === null) return null;
    organization = page.answer;
    if (!organization.viewerIsAMember) {
      // Whoever is taken out of it between two pages is shown none, whatever came before.
      list.items.length = 0;
      break;
    }
    list.take(organization.teams);
    if (list.broken !== null)
      throw new HostError('protocol', `The answer of ${github.label} makes no sense to us (${list.broken}).`);
  }
  if (organization === null) return null;
  const teams: OrganizationTeam[] = [];
  for (const answer of list.items) teams.push(await teamOf(github, answer, wanted, signal));
  const { databaseId, name, avatarUrl, viewerIsAMember } = organization;
  return {
    organization: {
      id: String(databaseId),
      login: organization.login,
      name: name || null,
      avatar_url: avatarUrl || null,
    },
    is_member: viewerIsAMember,
    teams,
    complete: list.short === null,
  };
}

async function readPage(
  github: GithubGraphql,
  variables: { readonly login: string; readonly first: number; readonly after: string | null },
  signal: AbortSignal | undefined,
): Promise<OrganizationAnswer | null> {
  let reply: Awaited<ReturnType<GithubGraphql['ask']>>;
  try {
    reply = await github.ask('teams', variables, signal);
  } catch (error) {
    if (error instanceof HostError && error.kind === 'missing_scope')
      throw new HostError('missing_scope', error.message, { cause: error, scope: 'read:org' });
    throw error;
  }
  const [error] = reply.errors;
  if (error !== undefined) {
    if (isUnknown(error)) return null;
    throw failureOfTeams(error, github.label);
  }
  return understand(organizationAnswer.nullable(), reply.data.organization ?? null, github.label);
}

/**
 * Whoever does not belong to the organisation has no teams in it, also where the host says so by refusing them.
 * @throws whatever was thrown where it means something else
 */
async function asStranger(
  github: GithubGraphql,
  login: string,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<OrganizationAnswer> {
  if (!(error instanceof HostError) || error.kind !== 'forbidden') throw error;
  const { data } = await github.ask('organization', { login }, signal);
  const organization = organizationAnswer.nullable().safeParse(data.organization ?? null).data ?? null;
  if (organization === null || organization.viewerIsAMember) throw error;
  return organization;
}

/** No organisation has the name, or it is a person's. */
function isUnknown({ type, path }: GraphqlError): boolean {
  return type === 'NOT_FOUND' && path?.length === 1;
}

/** A token with permissions instead of scopes is refused the teams alone (GitHub documentation, permissions of fine-grained tokens). */
function failureOfTeams(error: GraphqlError, label: string): HostError {
  const { type, message } = error;
  if (type !== 'FORBIDDEN') return failureOfField(error, 'teams', label);
  if (/^Resource not accessible by /i.test(message))
    return new HostError('missing_scope', `${label} does not allow it: ${message}`, { scope: 'members:read' });
  return new HostError('forbidden', `${label} does not allow it: ${message}`);
}

async function teamOf(
  github: GithubGraphql,
  answer: TeamAnswer,
  wanted: (team: Pick<OrganizationTeam, 'id' | 'slug'>) => boolean,
  signal: AbortSignal | undefined,
): Promise<OrganizationTeam> {
  const { slug, name } = answer;
  const id = String(answer.databaseId);
  const list = new NestedList('team-members', answer.id, actorAnswer);
  list.take(answer.members);
  let failed = false;
  while (list.next !== null && wanted({ id, slug })) {
    const { after } = list.next;
    const reply = await asOnePart(() => github.ask('team-members', { ids: [list.of], after }, signal));
    const [team] = understand(z.array(z.object({ list: z.unknown() }).nullable()), reply.data.nodes, github.label);
    list.take(team?.list);
    failed ||= passingError(reply.errors) !== null;
  }
  const isWhole = !failed && list.next === null && list.short === null && list.broken === null;
  return {
    ...{ id, slug, handle: answer.combinedSlug, name },
    secret: answer.privacy === 'SECRET',
    parent_id: answer.parentTeam === null ? null : String(answer.parentTeam.databaseId),
    size: list.total ?? list.items.length,
    members: isWhole ? list.items.map(accountOf).filter((account) => account !== null) : null,
  };
}
