import type { z } from 'zod';
import type { TokenScope } from '#domain/personal-tokens.ts';

/** A call of two scopes: `matching` where the parameter of the path begins with `prefix`. */
interface ScopeByParam {
  readonly param: string;
  readonly prefix: string;
  readonly matching: TokenScope;
  readonly others: TokenScope;
}

/**
 * One call that the browser, a script or another client can make. Names in braces in `path` are the keys of `params`.
 * Query values arrive as text: their shapes coerce.
 */
interface Call {
  readonly path: `/${string}`;
  /** What it is for, in a sentence. */
  readonly summary: string;
  /** `public` answers without a session. */
  readonly access: 'session' | 'public';
  /** Which scope a personal token needs for it; null: no token may make it. What changes or sets something has none. */
  readonly scope: TokenScope | ScopeByParam | null;
  /** The status of success; 204 has no answer. */
  readonly status: 200 | 201 | 202 | 204;
  /** Other successes of the same shape. */
  readonly alsoStatus?: readonly number[];
  /**
   * `file` is a download, `events` a stream of server-sent events whose data is the answer's shape, `lines` a line of JSON for each of what the
   * answer's shape lists.
   */
  readonly media?: 'json' | 'file' | 'events' | 'lines';
  /** True of what stores nothing although its method is not GET: it works on a full disk, too. */
  readonly changesNothing?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
}

/**
 * What the CSV of an answer has a row for: each element of the answer (`list`), each element of the list of that name in it, or the answer
 * itself (`object`). Null: it has no table. A `long` list is too much to be held at once: its handler gives a whole one bit by bit. `beside`
 * has lists of a row that hold a value for each element of a part, by the part's name: what each becomes as a column of the part.
 */
export type Table =
  | 'list'
  | 'object'
  | { readonly list: string; readonly long?: true; readonly beside?: Readonly<Record<string, Beside>> }
  | null;

/** The names of columns, and of the list that each is told from. */
export type Beside = Readonly<Record<string, string>>;

export type Endpoint = Call &
  (
    | { readonly method: 'GET'; readonly table: Table }
    | { readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'; readonly table?: never }
  );

/** Keeps the exact shapes of an endpoint's description, so that handler and client are typed by it. */
export function endpoint<const Description extends Endpoint>(description: Description): Description {
  return description;
}

type Output<Shape> = Shape extends z.ZodType ? z.output<Shape> : undefined;
type Input<Shape> = Shape extends z.ZodType ? z.input<Shape> : undefined;
type Part<E, Name extends string> = E extends Readonly<Record<Name, infer Shape>> ? Shape : undefined;

/** The parts of a call as the server's handler gets them, after validation; undefined where the call has none. */
export type ParamsOf<E> = Output<Part<E, 'params'>>;
export type QueryOf<E> = Output<Part<E, 'query'>>;
export type BodyOf<E> = Output<Part<E, 'body'>>;
export type AnswerOf<E> = Output<Part<E, 'answer'>>;

/** The parts of a call as the browser writes them: with a default, a field may be left out. */
export type QueryInputOf<E> = Input<Part<E, 'query'>>;
export type ParamsInputOf<E> = Input<Part<E, 'params'>>;
export type BodyInputOf<E> = Input<Part<E, 'body'>>;

/** The scope that a personal token needs for a call with these parameters of the path; null where none suffices. */
export function scopeOfCall(
  { scope }: Pick<Endpoint, 'scope'>,
  params: Readonly<Record<string, string>>,
): TokenScope | null {
  if (scope === null || typeof scope === 'string') return scope;
  return params[scope.param]?.startsWith(scope.prefix) === true ? scope.matching : scope.others;
}

/** All scopes that a call can need, by its parameters; none where no token may make it. */
export function scopesOfCall({ scope }: Pick<Endpoint, 'scope'>): readonly TokenScope[] {
  if (scope === null) return [];
  return typeof scope === 'string' ? [scope] : [scope.others, scope.matching];
}
