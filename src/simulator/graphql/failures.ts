import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { RepositoryState } from '../state/pull-request.ts';
import { mayReadContents, mayReadPullRequests, notAccessibleBy, type Token } from '../tokens.ts';

/** A failure of one field that the host names by a type. */
export class HostFailure extends Error {
  readonly type: string;
  readonly extensions: Record<string, unknown> | null;

  constructor(type: string, message: string, extensions: Record<string, unknown> | null = null) {
    super(message);
    this.type = type;
    this.extensions = extensions;
  }
}

/** @throws HostFailure where the token has no permission for the repository's pull requests */
export function refuseWithoutPullRequests(repository: RepositoryState, token: Token): void {
  if (!mayReadPullRequests(token, repository)) throw new HostFailure('FORBIDDEN', notAccessibleBy(token));
}

/** What stands in a list in the place of a commit of the repository that the token may not read; null where it may. */
export function refusalOfContents(repository: RepositoryState, token: Token): HostFailure | null {
  return mayReadContents(token, repository) ? null : new HostFailure('FORBIDDEN', notAccessibleBy(token));
}

/** @throws HostFailure where the token has no permission for the repository's commits and branches */
export function refuseWithoutContents(repository: RepositoryState, token: Token): void {
  const refusal = refusalOfContents(repository, token);
  if (refusal !== null) throw refusal;
}

/** Who has permissions instead of scopes needs `members` (GitHub documentation, permissions required for fine-grained personal access tokens). */
export function refuseWithoutMembers(token: Token): void {
  if (token.permissions?.members === false) throw new HostFailure('FORBIDDEN', notAccessibleBy(token));
}

/** As the host writes errors: `type` stands beside the message. */
export interface HostError {
  readonly type?: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Record<string, unknown>;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly message: string;
}

const UNDEFINED_FIELD = /^Cannot query field "(\w+)" on type "(\w+)"/;

/** Rewrites an error of the GraphQL library into the host's shape and words. */
export function hostError(error: GraphQLError | GraphQLFormattedError): HostError {
  const original = error instanceof GraphQLError ? error.originalError : undefined;
  const where = {
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.locations === undefined ? {} : { locations: error.locations }),
  };
  if (original instanceof HostFailure) {
    const extensions = original.extensions === null ? {} : { extensions: original.extensions };
    return { type: original.type, ...where, ...extensions, message: original.message };
  }
  const undefinedField = UNDEFINED_FIELD.exec(error.message);
  if (undefinedField !== null) {
    const [, fieldName = '', typeName = ''] = undefinedField;
    return {
      ...where,
      extensions: { code: 'undefinedField', typeName, fieldName },
      message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    };
  }
  return { ...where, message: error.message };
}
