import { z } from 'zod';
import type { HostWebhook } from '../client.ts';
import { HostError } from '../errors.ts';
import type { RepositoryName } from '../repository.ts';
import { type GithubGraphql, understand } from './github-graphql.ts';
import { REPOSITORY_EVENTS } from './webhook.ts';

const hook = z.object({ id: z.number(), active: z.boolean() });
const hooks = z.array(hook.extend({ config: z.object({ url: z.string().nullish() }).nullish() }));

/**
 * Has the host deliver what a repository's webhook is read for as JSON (GitHub documentation, REST: repository webhooks). A webhook that delivers
 * to the same address already is given the new secret and events instead of a second one beside it.
 */
export async function createWebhook(
  github: GithubGraphql,
  of: RepositoryName,
  wanted: { url: string; secret: string },
  signal?: AbortSignal,
): Promise<HostWebhook> {
  const repository = { owner: of.owner, repo: of.name };
  const settings = {
    active: true,
    events: [...REPOSITORY_EVENTS],
    config: { url: wanted.url, content_type: 'json', secret: wanted.secret, insecure_ssl: '0' },
  };
  try {
    const answer = await github.rest(
      'POST /repos/{owner}/{repo}/hooks',
      { ...repository, name: 'web', ...settings },
      signal,
    );
    return webhookOf(understand(hook, answer.body, github.label), false);
  } catch (error) {
    if (!(error instanceof HostError) || error.status !== 422) throw error;
    const list = await github.rest('GET /repos/{owner}/{repo}/hooks', { ...repository, per_page: 100 }, signal);
    const known = understand(hooks, list.body, github.label).find(({ config }) => config?.url === wanted.url);
    if (!known) throw error;
    const answer = await github.rest(
      'PATCH /repos/{owner}/{repo}/hooks/{hook_id}',
      { ...repository, hook_id: known.id, ...settings },
      signal,
    );
    return webhookOf(understand(hook, answer.body, github.label), true);
  }
}

function webhookOf({ id, active }: z.infer<typeof hook>, existed: boolean): HostWebhook {
  return { id: String(id), active, existed, events: REPOSITORY_EVENTS };
}
