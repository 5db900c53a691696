import { repositoryPath } from '#domain/repository-path.ts';
import type { RepositoryName } from '../host/repository.ts';
import { HttpError } from '../http/errors.ts';

/**
 * The repository that a person means: owner and name, or a full name (`acme/web`) or an address of it or of one of its pages,
 * pasted into either field (docs/server.md#connections).
 * @throws HttpError 400 that says what is missing
 */
export function repositoryName(owner: string, name: string): RepositoryName {
  const pasted = repositoryPath(name) ?? repositoryPath(owner);
  const [first = '', second = ''] = pasted ?? [owner.trim(), name.trim().replace(/\.git$/, '')];
  const found = { owner: first, name: second };
  if (!/^[a-z\d][\w-]{0,99}$/i.test(found.owner))
    throw unclear('owner', 'Enter the owner of the repository, e.g. "acme".');
  if (!/^[\w.-]{1,100}$/.test(found.name) || /^\.+$/.test(found.name))
    throw unclear('name', 'Enter the name of the repository, e.g. "web", or its address.');
  return found;
}

function unclear(path: 'owner' | 'name', message: string): HttpError {
  return new HttpError('invalid_request', message, { issues: [{ path, message }] });
}
