import type { AccessReport } from '#contract/repositories.ts';
import type { HostClient, HostViewer } from '../host/client.ts';
import { HostError, isPassing } from '../host/errors.ts';
import type { HostRepository, RepositoryName } from '../host/repository.ts';

/**
 * What the token may read, and what to do where it may not (docs/server.md#connections).
 * @throws HostError when the host fails or does not accept the token at all
 */
export async function accessReport(
  client: HostClient,
  host_label: string,
  name: RepositoryName,
): Promise<AccessReport> {
  const viewer = await client.viewer();
  let repository: HostRepository | null = null;
  let failure: HostError | null = null;
  try {
    repository = await client.repository(name.owner, name.name);
  } catch (error) {
    if (!(error instanceof HostError) || isPassing(error) || error.kind === 'unauthorized') throw error;
    failure = error;
  }
  return {
    github_user: { login: viewer.account.login },
    token_scopes: [...(viewer.scopes ?? [])],
    repository: repository && { full_name: `${repository.owner}/${repository.name}`, private: repository.private },
    repository_error: failure && { message: failure.message },
    recommendations: recommendations(viewer, repository, failure, host_label, name),
  };
}

function recommendations(
  { account, scopes }: HostViewer,
  repository: HostRepository | null,
  failure: HostError | null,
  label: string,
  { owner, name }: RepositoryName,
): string[] {
  const advice: string[] = [];
  const may = (...wanted: string[]) => scopes === null || wanted.some((scope) => scopes.includes(scope));
  if (failure?.kind === 'sso_required')
    advice.push(
      `${owner} requires single sign-on: authorise your token for it${failure.link === null ? '' : ` at ${failure.link}`}.`,
    );
  if (failure?.kind === 'not_found') {
    advice.push(`Check the spelling of ${owner}/${name}: ${label} shows no such repository to ${account.login}.`);
    if (!may('repo')) advice.push('If it is private, sign in with a token that has the scope repo.');
    else if (scopes === null)
      advice.push(
        'If it is private, give your token access to it, with read access to contents, pull requests and metadata.',
      );
    else advice.push(`If it is private, ask an owner of ${owner} to give ${account.login} read access.`);
  }
  if (failure?.kind === 'forbidden' && scopes === null)
    advice.push(
      `Give your token read access to the pull requests of ${owner}/${name}, and to its contents and metadata.`,
    );
  if (failure?.kind === 'forbidden')
    advice.push(
      `Ask an owner of ${owner} whether it restricts access by OAuth apps or tokens, and to approve this one.`,
    );
  if (failure?.kind === 'missing_scope')
    advice.push('Sign in again with a token that has the scopes repo and read:org.');
  if (failure?.kind === 'blocked') advice.push(`${label} has blocked this repository; nobody can read it at present.`);
  if (repository !== null) {
    if (!may('read:org', 'write:org', 'admin:org'))
      advice.push('Add the scope read:org, so that teams, and the names of requested ones, can be read.');
    if (!may('repo', 'admin:repo_hook', 'write:repo_hook'))
      advice.push('Create the webhook by hand: this token may not do it.');
    // One with pull requests has a default branch.
    if (repository.default_branch === null && repository.pull_requests > 0)
      advice.push('Give your token read access to contents, so that commits and the default branch can be read.');
    if (repository.archived) advice.push('The repository is archived: it can be read, but nothing new will come.');
    if (repository.pull_requests === 0) advice.push('The repository has no pull requests yet.');
    if (advice.length === 0) advice.push('All is well: add the repository to see its figures.');
  }
  return advice;
}
