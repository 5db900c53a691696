export interface RepositoryAddress {
  readonly owner: string;
  readonly name: string;
}

/** Reads an address pasted into the name field, `https://host/owner/name.git` or `owner/name`; null for a plain name. */
export function readRepositoryAddress(text: string): RepositoryAddress | null {
  const found = /^(?:https?:\/\/[^/\s]+\/)?([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/.*)?$/.exec(text.trim());
  return found === null ? null : { owner: found[1]!, name: found[2]! };
}
