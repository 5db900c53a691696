import type { z } from 'zod';

/**
 * One call that the browser, a script or another client can make. Names in braces in `path` are the keys of `params`.
 * Query values arrive as text: their shapes coerce.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  /** What it is for, in a sentence. */
  readonly summary: string;
  /** `public` answers without a session. */
  readonly access: 'session' | 'public';
  /** The status of success; 204 has no answer. */
  readonly status: 200 | 201 | 202 | 204;
  /** Other successes of the same shape. */
  readonly alsoStatus?: readonly number[];
  /** `file` is a download, `events` a stream of server-sent events whose data is the answer's shape. */
  readonly media?: 'json' | 'file' | 'events';
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer?: Answer;
}

type Shape<T> = T extends z.ZodType ? T : z.ZodType<undefined>;

/** Keeps the exact shapes of an endpoint's description, so that handler and client are typed by it. */
export function endpoint<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = z.ZodUndefined,
>(description: Endpoint<P, Q, B, A>): Endpoint<P, Q, B, A> {
  return description;
}

export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<Shape<P>> : never;
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Shape<Q>> : never;
export type QueryInputOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Shape<Q>> : never;
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<Shape<B>> : never;
export type BodyInputOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<Shape<B>> : never;
export type AnswerOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.output<Shape<A>> : never;
