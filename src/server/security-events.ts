import type { SecurityEventName } from '#contract/administration.ts';

export interface SecurityEvent {
  readonly event: SecurityEventName;
  /** Who did it or whom it happened to: the id of a user, or a login where there is no user; null where nobody is known. */
  readonly actor: number | string | null;
  /** What it was about: a repository, an account, the reason. Never a token, a secret or the text of a host's answer. */
  readonly subject: string | null;
  /** The repository that `subject` names: whoever may not read it reads its id instead of the name. */
  readonly repository_id?: number | null;
}

/** Where a request came from; a Fastify request is one. */
export interface RequestOrigin {
  readonly ip: string;
  readonly id: string;
}

/**
 * Writes a security event into the log and keeps it for administrators; `request` is null for what the server does by itself. Never
 * rejects. Call it outside of transactions: the embedded database has a single connection.
 */
export type NoteSecurityEvent = (event: SecurityEvent, request: RequestOrigin | null) => Promise<void>;
