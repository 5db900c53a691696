import type { Kysely } from 'kysely';
import type { Database } from './db/database.ts';
import type { HostClient } from './host/client.ts';
import type { CodeHost } from './host/host.ts';
import type { Log } from './log.ts';

/** Who asks: the user behind a session. */
export interface SignedIn {
  readonly id: number;
  /** The key of the host that they belong to. */
  readonly host: string;
  readonly login: string;
  /** IANA name; days and business hours are this zone's. */
  readonly time_zone: string;
  /** Whether they have marked accounts for themselves: figures then come from `lensOf`. */
  readonly own_marks: boolean;
}

/** Dependencies of every capability, made by `compose.ts`. */
export interface Context {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  readonly administrators: Administrators;
  readonly now: () => Date;
  readonly log: Log;
  /** How browsers and webhooks reach this server; no slash at its end. */
  readonly public_url: string;
}

/**
 * Who may change what belongs to the installation: the accounts of the main host that ADMIN_LOGINS lists. They see no repository that
 * their own token doesn't read.
 */
export interface Administrators {
  /** The users who are one now; empty while nobody is. */
  ids(): Promise<ReadonlySet<number>>;
  includes(user: Pick<SignedIn, 'id' | 'login'>): Promise<boolean>;
  /** @throws HttpError 403 for everybody else, and for everybody where nobody is listed */
  require(user: Pick<SignedIn, 'id' | 'login'>): Promise<void>;
}

/** The host as one person sees it, and the credential behind that. */
export interface PersonalClient {
  readonly client: HostClient;
  /** `credentials.grant_id`. */
  readonly grant_id: number;
}

/** The code hosts of this server: the configured one, and the demo's while it is up. */
export interface Hosts {
  /** The one that people sign in to. */
  readonly main: CodeHost;
  /** Null for a key that nothing answers to (any more), such as the demo's on a server without it. */
  byKey(key: string): CodeHost | null;
}
