import { z } from 'zod';
import type { HostViewer } from '../client.ts';
import { HostError, type RateLimit } from '../errors.ts';
import type { HostAccount } from '../pull-request.ts';
import { scopesOf } from './client.ts';
import type { Answer } from './failures.ts';
import { type GithubGraphql, understand } from './github-graphql.ts';
import { accountOf } from './translate.ts';

export const restUser = z.object({
  id: z.number(),
  node_id: z.string().nullish(),
  login: z.string(),
  type: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
  email: z.string().nullish(),
});
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const organizations = z.array(z.object({ login: z.string() }));
const quotas = z.object({
  resources: z.object({
    graphql: z.object({ limit: z.number(), remaining: z.number(), reset: z.number() }).optional(),
  }),
});

/**
 * Whose token it is. An address that the account keeps private is asked for separately and is null where the token may
 * not read it. Fine-grained and app tokens have no scopes (GitHub documentation, scopes for OAuth apps).
 */
export async function readViewer(github: GithubGraphql): Promise<HostViewer> {
  const answer = await github.rest('GET /user');
  const who = understand(restUser, answer.body, github.label);
  const account = restAccountOf(who);
  if (!account) throw new HostError('protocol', `${github.label} does not say whose token this is.`);
  const hasScopes = !/^(github_pat_|ghu_|ghs_)/.test(github.client.token);
  return {
    account,
    email: who.email || (await privateEmail(github)),
    scopes: hasScopes ? scopesOf(answer) : null,
  };
}

/** An account by its id or its login; null where the host has none or does not show it. */
export async function readAccount(
  github: GithubGraphql,
  named: { readonly id: string } | { readonly login: string },
): Promise<HostAccount | null> {
  const answer = await allowed(() =>
    'id' in named
      ? github.rest('GET /user/{id}', { id: named.id })
      : github.rest('GET /users/{login}', { login: named.login }),
  );
  return answer === null ? null : restAccountOf(understand(restUser, answer.body, github.label));
}

/** An account as REST spells it. */
export function restAccountOf(who: z.infer<typeof restUser>): HostAccount | null {
  return accountOf({
    __typename: who.type,
    id: who.node_id,
    databaseId: who.id,
    login: who.login,
    name: who.name,
    avatarUrl: who.avatar_url,
  });
}

async function privateEmail(github: GithubGraphql): Promise<string | null> {
  const answer = await allowed(() => github.rest('GET /user/emails'));
  if (!answer) return null;
  const known = understand(emails, answer.body, github.label).filter(({ verified }) => verified);
  return (known.find(({ primary }) => primary) ?? known[0])?.email ?? null;
}

/**
 * See `HostClient.organizations`. A header says that single sign-on hides some (GitHub documentation, authenticating to the REST API): the wanted
 * ones are then asked for by name.
 */
export async function readOrganizations(github: GithubGraphql, wanted: readonly string[]): Promise<readonly string[]> {
  const logins: string[] = [];
  let isPartial = false;
  for (let page = 1; ; page += 1) {
    const answer = await github.rest('GET /user/orgs', { per_page: 100, page });
    logins.push(...understand(organizations, answer.body, github.label).map(({ login }) => login.toLowerCase()));
    isPartial ||= answer.headers['x-github-sso']?.startsWith('partial-results') ?? false;
    if (answer.headers.link?.includes('rel="next"')) continue;
    if (!isPartial || logins.some((login) => wanted.includes(login))) return logins;
    for (const login of wanted) if (await isMemberOf(github, login)) logins.push(login);
    return logins;
  }
}

const membership = z.object({ viewerIsAMember: z.boolean() }).nullable();

/** @throws HostError `sso_required` where single sign-on hides it */
async function isMemberOf(github: GithubGraphql, login: string): Promise<boolean> {
  try {
    const { data } = await github.ask('organization', { login });
    return understand(membership, data.organization, github.label)?.viewerIsAMember ?? false;
  } catch (error) {
    if (!(error instanceof HostError) || error.kind !== 'sso_required') throw error;
    const sentence = 'requires single sign-on: authorize the access token for it, then try again.';
    throw new HostError('sso_required', `The organization ${login} ${sentence}`);
  }
}

/** The quota of GraphQL, without using any of it; null where the host has none (Enterprise Server by default). */
export async function readRateLimit(github: GithubGraphql): Promise<RateLimit | null> {
  const answer = await allowed(() => github.rest('GET /rate_limit'));
  const quota = answer && understand(quotas, answer.body, github.label).resources.graphql;
  return quota ? { limit: quota.limit, remaining: quota.remaining, reset_at: new Date(quota.reset * 1000) } : null;
}

/** Null where the host has no such thing or does not let this token see it. */
async function allowed(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof HostError && ['forbidden', 'not_found', 'missing_scope'].includes(error.kind)) return null;
    throw error;
  }
}
