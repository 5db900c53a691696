import type { Kysely } from 'kysely';
import type { PersonalClient } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { HostErrorKind, RateLimit } from '../host/errors.ts';
import type { NoteSecurityEvent } from '../security-events.ts';

/** Dependencies of the sync, injected by `compose.ts`. */
export interface SyncDeps {
  readonly db: Kysely<Database>;
  /** The keys of the hosts that this server works with: nothing reads what is stored of another, such as of the demo since it was switched off. */
  readonly served: readonly string[];
  /** The host's name for people, by its key. */
  readonly hostLabel: (host: string) => string;
  /** The host as this user sees it; null when they have no token that the host accepts. */
  readonly clientFor: (user_id: number) => Promise<PersonalClient | null>;
  /** The same for a sync of this repository, which may go on with a stronger credential that a weaker one replaced. */
  readonly clientForSync: (user_id: number, repository_id: number) => Promise<PersonalClient | null>;
  /** The host answered 401 to this grant of the user: true when it has no usable token now, false when the host accepts it after all. */
  readonly rejectToken: (user_id: number, grant_id: number) => Promise<boolean>;
  /** Asks the host whether this user may still read the repository, and stores the answer. */
  readonly checkAccess: (user_id: number, repository_id: number, deleted?: boolean) => Promise<RateLimit | null>;
  /**
   * Logs and counts that one step of the background work failed while the rest goes on; see `mergelight_upkeep_failures_total`.
   * `again`: the log has it already.
   */
  readonly stepFailed: (step: UpkeepStep, error: unknown, fields: object, again?: boolean) => void;
  /** Counts that a sync has to wait for the host, and why; see `mergelight_host_waits_total`. */
  readonly hostWaited: (kind: HostErrorKind) => void;
  readonly noteSecurityEvent: NoteSecurityEvent;
  readonly now: () => Date;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: SyncLog;
}

/** What goes on in the background for many people and repositories, so that each failure is one of these. */
export const upkeepSteps = [
  'start_sync',
  'look',
  'find_token',
  'follow_hint',
  'check_access',
  'rebuild_facts',
  'note_names',
  'read_again',
  'read_clues',
  'read_runs',
  'recount',
  'clean_up',
  'fill_signals',
  'connect_several',
  'read_teams',
] as const;
export type UpkeepStep = (typeof upkeepSteps)[number];

/** A pino logger is one. */
export interface SyncLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
