import type { Kysely } from 'kysely';
import type { Database } from './db/database.ts';
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
}

/** What every capability stands on; the composition root makes it. */
export interface Context {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  readonly now: () => Date;
  readonly log: Log;
  /** How browsers and webhooks reach this server; no slash at its end. */
  readonly public_url: string;
}

/** The code hosts of this server: the configured one, and the demo's while it is up. */
export interface Hosts {
  /** The one that people sign in to. */
  readonly main: CodeHost;
  /** Null for a key that nothing answers to (any more), such as the demo's on a server without it. */
  byKey(key: string): CodeHost | null;
}
