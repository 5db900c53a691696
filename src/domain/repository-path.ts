/**
 * Owner and name of a repository in what somebody pasted: a full name (`acme/web`), or an address of it or of one of its pages; either
 * may be missing. Null for a plain name.
 */
export function repositoryPath(text: string): readonly [owner: string | undefined, name: string | undefined] | null {
  const path = text
    .split(/[?#]/, 1)[0]!
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\//i, '')
    .replace(/^[\w.-]+@[^:/]+:/, '')
    .replace(/^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?\/(?=[^/]+\/)/i, '');
  if (!path.includes('/')) return null;
  const [owner, name] = path.split('/').filter((part) => part !== '');
  return [owner, name?.replace(/\.git$/, '')];
}
