import { composeServer, type Server } from '../../src/server/compose.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { addresses } from '../../src/server/host/github/addresses.ts';
import { githubHost } from '../../src/server/host/github/host.ts';
import type { GithubClient } from '../../src/server/host/github/oauth.ts';
import { defaultLimits, type LimitSettings } from '../../src/server/http/limits.ts';
import { openLog } from '../../src/server/log.ts';
import { exportSettings } from '../../src/server/pull-requests/export-pull-requests.ts';
import { secretBox } from '../../src/server/secret-box.ts';
import type { ServerDeps } from '../../src/server/server-deps.ts';
import { openTestDatabase } from './database.ts';

export const PUBLIC_URL = 'http://localhost:3000';

export interface TestApp {
  readonly server: Server;
  readonly database: OpenDatabase;
  /** All that was logged, as lines of JSON. */
  readonly logged: string[];
  /** Signs in with a personal access token, by default the one that holds every scope (`ghp_<login>`), also in place of one that may read more where `replace` says so; answers the cookie. */
  signIn(login: string, token?: string, replace?: boolean): Promise<string>;
  /** Asks the app directly, as a browser's page of ours would; `as` is a cookie of `signIn`. */
  ask(
    method: Method,
    path: string,
    more?: { as?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  stop(): Promise<void>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, number | string | string[] | undefined>;
  /** Parsed where it is JSON, else the text; null when empty. */
  readonly body: unknown;
}

export interface AppSettings {
  /** The web address of a simulated host (`startSimulator`). */
  readonly host_url: string;
  /** `web` runs no syncs; the default is `web`. */
  readonly role?: 'all' | 'web' | 'worker';
  readonly now?: () => Date;
  readonly config?: Partial<ServerDeps['config']>;
  /** The OAuth app that the simulated host knows; null switches sign-in by OAuth off. */
  readonly oauth?: GithubClient | null;
  readonly demo?: ServerDeps['demo'];
  readonly freeSpace?: ServerDeps['freeSpace'];
  readonly timeLimit?: ServerDeps['timeLimit'];
  readonly outlets?: ServerDeps['outlets'];
  readonly csv_limits?: ServerDeps['csv_limits'];
  /** By default what changed is told at once. */
  readonly exporting?: ServerDeps['exporting'];
  /** Another process on the same database; the default is a database of its own, closed with the app. */
  readonly database?: OpenDatabase;
}

/** The whole server over a real database and a simulated host; its answers are held against the contract. */
export async function openTestApp(settings: AppSettings): Promise<TestApp> {
  const database = settings.database ?? (await openTestDatabase());
  const now = settings.now ?? (() => new Date());
  const logged: string[] = [];
  const log = openLog('debug', 'json', { write: (line) => void logged.push(line) });
  const oauth = settings.oauth === undefined ? simulatedApp : settings.oauth;
  const server = await composeServer({
    config: {
      public_url: PUBLIC_URL,
      github_url: settings.host_url,
      allow_token_sign_in: true,
      allowed_logins: null,
      allowed_orgs: null,
      github_webhook_secret: null,
      admin_logins: [],
      role: settings.role ?? 'web',
      metrics: false,
      metrics_port: null,
      trust_proxy: ['loopback'],
      limits: noLimits,
      backups: null,
      durability: 'full',
      mail: null,
      slack: null,
      allow_private_webhooks: false,
      notifications: true,
      allow_api_tokens: true,
      api_token_max_days: 366,
      enable_mcp: true,
      ...settings.config,
    },
    database,
    box: secretBox(Buffer.alloc(32, 1)),
    dropOldKeys: null,
    host: githubHost({ key: settings.host_url, label: 'GitHub', ...addresses(settings.host_url), oauth, now }),
    image_sources: [],
    demo: settings.demo ?? null,
    web_folder: '/nonexistent',
    listener: null,
    ...(settings.freeSpace && { freeSpace: settings.freeSpace }),
    ...(settings.timeLimit && { timeLimit: settings.timeLimit }),
    ...(settings.outlets && { outlets: settings.outlets }),
    exporting: settings.exporting ?? { ...exportSettings, settled_after: 0 },
    ...(settings.csv_limits && { csv_limits: settings.csv_limits }),
    backup: () => Promise.reject(new Error('This server makes no backups.')),
    now,
    random: () => 0.5,
    log,
    check_answers: true,
  });

  async function ask(method: Method, path: string, more: Parameters<TestApp['ask']>[2] = {}): Promise<Answer> {
    const answer = await server.app.inject({
      method,
      url: path,
      headers: {
        host: new URL(PUBLIC_URL).host,
        ...(method === 'GET' ? {} : { origin: PUBLIC_URL }),
        ...(more.as === undefined ? {} : { cookie: more.as }),
        ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more.headers,
      },
      ...(more.body === undefined ? {} : { payload: JSON.stringify(more.body) }),
    });
    const json = String(answer.headers['content-type']).startsWith('application/json');
    const body = answer.body === '' ? null : json ? JSON.parse(answer.body) : answer.body;
    return { status: answer.statusCode, headers: answer.headers, body };
  }

  return {
    server,
    database,
    logged,
    ask,
    async signIn(login, token = `ghp_${login}`, replace = false) {
      const answer = await ask('POST', '/auth/token', { body: { token, replace } });
      if (answer.status !== 200) throw new Error(`${login} cannot sign in: ${JSON.stringify(answer.body)}`);
      return cookieIn(answer, 'session');
    },
    async stop() {
      await server.stop(2000);
      if (settings.database === undefined) await database.close();
    },
  };
}

/** Most tests stand still in time and sign in over and over: none of them meets a limit. */
export const noLimits = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [name, 1_000_000]),
) as LimitSettings;

/** What the simulated host takes for the registered app when nothing else is said. */
export const simulatedApp: GithubClient = {
  client_id: 'mergelight-demo',
  client_secret: 'mergelight-demo-secret',
  app: null,
};

/** The cookie of that name that an answer sets, as a browser sends it back. */
export function cookieIn(answer: Answer, name: string): string {
  const all = [answer.headers['set-cookie'] ?? []].flat().map(String);
  const found = all.find((cookie) => cookie.startsWith(`${name}=`));
  if (found === undefined) throw new Error(`The answer sets no cookie ${name}.`);
  return found.split(';')[0] ?? '';
}
