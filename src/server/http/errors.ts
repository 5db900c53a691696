import type { z } from 'zod';
import { type ErrorCode, errorCodes, errorCodesElsewhere } from '#contract/errors.ts';

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A code of an error that is answered. */
export type AnsweredCode = ErrorCode | keyof typeof errorCodesElsewhere;

const answered: Record<AnsweredCode, readonly [status: number, sentence: string]> = {
  ...errorCodes,
  ...errorCodesElsewhere,
};

/** The status that goes with a code. */
export const statusOfCode = (code: AnsweredCode): number => answered[code][0];

/**
 * An answer other than success that the caller can act on, thrown where the reason is found (docs/server.md#calls-and-errors), with the status
 * of its code. `message` is a sentence for a person: it reaches the browser.
 */
export class HttpError extends Error {
  readonly status: number;
  readonly code: AnsweredCode;
  readonly issues: readonly Issue[] | undefined;
  /** Seconds until asking again makes sense. */
  readonly retry_after: number | undefined;

  /** `sentence` is by default the code's own. `details.status` is for what a probe has to be answered with instead. */
  constructor(
    code: AnsweredCode,
    sentence: string = answered[code][1],
    details: { issues?: readonly Issue[]; retry_after?: number; cause?: unknown; status?: number } = {},
  ) {
    super(sentence, { cause: details.cause });
    this.name = 'HttpError';
    this.status = details.status ?? statusOfCode(code);
    this.code = code;
    this.issues = details.issues;
    this.retry_after = details.retry_after;
  }
}

/** 400 with what is wrong where; `part` names the place in the request when it is not the body. */
export function invalid(error: z.ZodError, part?: 'params' | 'query'): HttpError {
  const issues = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const [first] = issues;
  const where = first === undefined || first.path === '' ? (part ?? 'body') : first.path;
  return new HttpError('invalid_request', `${where}: ${first?.message ?? 'is not valid'}`, { issues });
}

/** 400 for one value that is well formed and still none that can be asked for. */
export function invalidValue(path: string, message: string): HttpError {
  return invalidValues([{ path, message }]);
}

/** The same of several values; the sentence is about the first. */
export function invalidValues(issues: readonly [Issue, ...Issue[]]): HttpError {
  const [{ path, message }] = issues;
  return new HttpError('invalid_request', `${path}: ${message}`, { issues });
}

/** Unknown and not yours are the same answer. */
export function notFound(sentence: string): HttpError {
  return new HttpError('not_found', sentence);
}
