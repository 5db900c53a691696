import type { Token } from '../tokens.ts';
import { hasScope } from '../tokens.ts';
import type { Operation } from './document.ts';
import type { HostError } from './failures.ts';

/**
 * Fields that need a scope; without it the host refuses the whole query, whatever the data (GitHub documentation, scopes for OAuth
 * apps).
 */
function scopesFor(parentType: string, field: string): readonly string[] | null {
  if (parentType === 'Team' && field !== '__typename') return ['read:org', 'read:discussion'];
  if (parentType === 'Organization' && ['team', 'teams', 'membersWithRole'].includes(field))
    return ['read:org', ...(field === 'membersWithRole' ? [] : ['read:discussion'])];
  if (parentType === 'User' && field === 'email') return ['user:email', 'read:user'];
  return null;
}

/** INSUFFICIENT_SCOPES for every field of the operation that the token's scopes don't cover; none for fine-grained tokens. */
export function missingScopes(operation: Operation, token: Token): readonly HostError[] {
  const errors: HostError[] = [];
  for (const field of operation.all) {
    const wanted = scopesFor(field.parentType, field.name);
    if (wanted === null || hasScope(token, ...wanted)) continue;
    const list = (scopes: readonly string[]) => scopes.map((scope) => `'${scope}'`).join(', ');
    const start = field.node.loc?.startToken;
    errors.push({
      type: 'INSUFFICIENT_SCOPES',
      ...(start === undefined ? {} : { locations: [{ line: start.line, column: start.column }] }),
      message: `Your token has not been granted the required scopes to execute this query. The '${field.name}' field requires one of the following scopes: [${list(wanted)}], but your token has only been granted the: [${list(token.scopes ?? [])}] scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`,
    });
  }
  return errors;
}
