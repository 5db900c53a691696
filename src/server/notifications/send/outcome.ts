import { plainLine } from '#domain/notifications/texts.ts';

/** What came of sending something. */
export interface Outcome {
  /**
   * `retry`: it surely did not arrive and may be sent again. `final`: the other side does not want it. `unknown`: it may have arrived, so
   * it is not sent again.
   */
  readonly state: 'sent' | 'retry' | 'final' | 'unknown';
  /** What the other side answered, such as `200` or `550`; null without an answer. */
  readonly status: string | null;
  /** For a person; of what the other side said at most 200 characters. */
  readonly message: string;
  /** When the other side wants it again, in seconds; null where it did not say. */
  readonly retryAfter: number | null;
  /** There is nothing at that address any more. */
  readonly gone: boolean;
}

const LONGEST = 200;

/** What somebody else said, as one line without control and bidi characters. */
export function cleaned(text: string): string {
  return [...plainLine(text)].slice(0, LONGEST).join('');
}

/** What broke before anything was sent, in words. */
export function wordsOfError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EDNS':
      return 'Its name doesn’t resolve.';
    case 'ECONNREFUSED':
      return 'The connection was refused.';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The connection broke.';
    case 'ETIMEDOUT':
      return 'No answer in time.';
    default:
      return cleaned(String(message ?? error));
  }
}
