import type { RepositoryName } from '../host/host.ts';
import { HttpError } from '../http/errors.ts';

/**
 * The repository that a person means: owner and name, or a full name (`acme/web`) or an address of it or of one of its pages,
 * pasted into either field (docs/server.md#connections).
 * @throws HttpError 400 that says what is missing
 */
export function repositoryName(owner: string, name: string): RepositoryName {
  const pasted = pathIn(name) ?? pathIn(owner);
  const [first = '', second = ''] = pasted ?? [owner.trim(), name.trim()];
  const found = { owner: first, name: second.replace(/\.git$/, '') };
  if (!/^[a-z\d][\w-]{0,99}$/i.test(found.owner))
    throw unclear('owner', 'Enter the owner of the repository, e.g. "acme".');
  if (!/^[\w.-]{1,100}$/.test(found.name) || /^\.+$/.test(found.name))
    throw unclear('name', 'Enter the name of the repository, e.g. "web", or its address.');
  return found;
}

/** The first two parts of the path of a full name or an address; null for a plain name. */
function pathIn(text: string): [string | undefined, string | undefined] | null {
  const path = text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\//i, '')
    .replace(/^[\w.-]+@[^:/]+:/, '')
    .replace(/^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?\/(?=[^/]+\/)/i, '')
    .replace(/[?#].*$/, '');
  if (!path.includes('/')) return null;
  const [owner, name] = path.split('/').filter((part) => part !== '');
  return [owner, name];
}

function unclear(path: 'owner' | 'name', message: string): HttpError {
  return new HttpError(400, 'invalid_request', message, { issues: [{ path, message }] });
}
