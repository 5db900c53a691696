import type { Readable } from 'node:stream';
import type { Config } from './config.ts';
import type { FreeSpace } from './db/disk-space.ts';
import type { OpenDatabase } from './db/open.ts';
import type { DemoHost } from './demo/demo-host.ts';
import type { CodeHost } from './host/host.ts';
import type { CsvLimits } from './http/csv-answer.ts';
import type { Listener } from './http/listener.ts';
import type { Log } from './log.ts';
import type { Outlets } from './notifications/outlets.ts';
import type { ExportSettings } from './pull-requests/export-pull-requests.ts';
import type { SecretBox } from './secret-box.ts';

/** What a server is made of; everything that differs between production and tests is named here. */
export interface ServerDeps {
  readonly config: Pick<
    Config,
    | 'public_url'
    | 'github_url'
    | 'allow_token_sign_in'
    | 'allowed_logins'
    | 'allowed_orgs'
    | 'admin_logins'
    | 'github_webhook_secret'
    | 'role'
    | 'metrics'
    | 'metrics_port'
    | 'trust_proxy'
    | 'limits'
    | 'backups'
    | 'durability'
    | 'mail'
    | 'slack'
    | 'allow_private_webhooks'
    | 'notifications'
    | 'allow_api_tokens'
    | 'api_token_max_days'
    | 'enable_mcp'
  >;
  readonly database: OpenDatabase;
  readonly box: SecretBox;
  /** Takes keys out of the data folder that nothing is sealed with any more; null where they are kept elsewhere. */
  readonly dropOldKeys: (() => Promise<void>) | null;
  /** The host that people sign in to. */
  readonly host: CodeHost;
  /** Addresses that its pictures come from. */
  readonly image_sources: readonly string[];
  /** The built-in demo, the host made of its address, and where that reaches this server; null without it. */
  readonly demo: { readonly process: DemoHost; readonly host: CodeHost; readonly deliver_to: string } | null;
  readonly web_folder: string;
  /** The port that was taken at the start; null where the application makes a server of its own, as tests do. */
  readonly listener: Listener | null;
  /** How much room is left beside an embedded database; the default asks the system. */
  readonly freeSpace?: FreeSpace;
  /** What can be sent, where that is not as the settings say. */
  readonly outlets?: Outlets;
  /** Makes a backup of the database. */
  readonly backup: () => Promise<Readable>;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Log;
  /** A signal that is aborted after so many milliseconds; the default goes by the system's clock. */
  readonly timeLimit?: (milliseconds: number) => AbortSignal;
  /** Answers are held against the contract: for tests. */
  readonly check_answers: boolean;
  /** As in the product unless a test has fewer rows. */
  readonly csv_limits?: CsvLimits;
  readonly exporting?: ExportSettings;
}
