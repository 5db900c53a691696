import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { HostClient } from '../host/host.ts';

/** What a sync stands on; the composition root gives it. */
export interface SyncContext {
  readonly db: Kysely<Database>;
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
  /** The host as this user sees it; null when they have no token that the host accepts. */
  readonly clientFor: (user_id: number) => Promise<HostClient | null>;
  /** Remembers that the host no longer accepts this user's token. */
  readonly rejectToken: (user_id: number) => Promise<void>;
  /** Asks the host whether this user may still read the repository, and remembers the answer. */
  readonly checkAccess: (user_id: number, repository_id: number) => Promise<boolean>;
  /** Whose sight of what is to be checked again: the longest ago first, at most `limit`. */
  readonly accessDue: (limit: number) => Promise<readonly { user_id: number; repository_id: number }[]>;
  readonly now: () => Date;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: SyncLog;
}

/** A pino logger is one. */
export interface SyncLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
