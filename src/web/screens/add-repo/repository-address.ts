import { repositoryPath } from '#domain/repository-path.ts';

export interface RepositoryAddress {
  readonly owner: string;
  readonly name: string;
}

/** Reads an address or `owner/name` in the name field; null for a plain name, and for an address of which a part is still to be typed. */
export function readRepositoryAddress(text: string): RepositoryAddress | null {
  const [owner = '', name = ''] = repositoryPath(text) ?? [];
  return /^[\w-]+$/.test(owner) && /^[\w.-]+$/.test(name) ? { owner, name } : null;
}
