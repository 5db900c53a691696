import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { TOKEN_DAYS } from '#domain/personal-tokens.ts';
import { keyIn, keysIn } from './db/key-file.ts';
import { CONNECTIONS } from './db/open.ts';
import { defaultLimits, type LimitSettings } from './http/limits.ts';
import { isLoopback } from './http/origin.ts';
import { type LogFormat, logFormats } from './log.ts';
import type { MailSettings } from './notifications/send/mail.ts';
import { reasonOf, StartError } from './start-error.ts';

/** The server's settings (docs/operating.md#settings). Addresses have no slash at their end, lists are lower case. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly public_url: string;
  /** Null: the embedded database in `data_dir`. */
  readonly database_url: string | null;
  /** The same server where `database_url` leads to a pooler; null: that does. */
  readonly database_direct_url: string | null;
  /** The most connections that this process has in its pool. */
  readonly database_connections: number;
  /** A standby that may answer questions, as old as `max_lag` milliseconds; null: there is none. */
  readonly database_replica: { readonly url: string; readonly max_lag: number } | null;
  readonly data_dir: string;
  /** The first seals, all of them open. Null: those that the data folder keeps. */
  readonly secret_keys: readonly Buffer[] | null;
  /** Keys that open what they sealed before, beside those that the data folder keeps. */
  readonly previous_keys: readonly Buffer[];
  readonly github_url: string;
  /** Null: derived from `github_url`. */
  readonly github_api_url: string | null;
  readonly github_graphql_url: string | null;
  readonly github_oauth: { readonly client_id: string; readonly client_secret: string } | null;
  /** The GitHub App that `github_oauth` is the client of; null for an OAuth app. */
  readonly github_app: { readonly id: string; readonly slug: string | null } | null;
  /** What the GitHub App signs its deliveries with; null takes none. */
  readonly github_webhook_secret: string | null;
  readonly allow_token_sign_in: boolean;
  /** Null: everyone; else those in either list. */
  readonly allowed_logins: readonly string[] | null;
  readonly allowed_orgs: readonly string[] | null;
  /** Who may change what belongs to the installation; empty: nobody. */
  readonly admin_logins: readonly string[];
  readonly demo: boolean;
  readonly role: 'all' | 'web' | 'worker';
  readonly log_level: string;
  /** JSON lines for machines, or sentences for a person at a terminal. */
  readonly log_format: LogFormat;
  readonly metrics: boolean;
  /** Null: `/metrics` is served with everything else. */
  readonly metrics_port: number | null;
  readonly metrics_host: string;
  readonly trust_proxy: TrustedProxies;
  /** How long this process goes on serving after it was told to stop, no longer ready, in milliseconds. */
  readonly shutdown_delay: number;
  /** Whether what is acknowledged was synced to the disk, on the embedded database. */
  readonly durability: 'full' | 'relaxed';
  /** Where a backup is written each day, and how many are kept; null: nowhere. */
  readonly backups: { readonly folder: string; readonly keep: number } | null;
  readonly limits: LimitSettings;
  /** Null: mail is off. */
  readonly mail: MailSettings | null;
  /** Null: there are no direct messages by Slack. */
  readonly slack: { readonly token: string; readonly api_url: string } | null;
  /** Whether messages may go to private networks, and to any host. */
  readonly allow_private_webhooks: boolean;
  /** False: nothing is sent at all. */
  readonly notifications: boolean;
  /** Whether people may make and use personal tokens. */
  readonly allow_api_tokens: boolean;
  /** How many days such a token may live at most. */
  readonly api_token_max_days: number;
  /** Whether assistants can connect by the Model Context Protocol. */
  readonly enable_mcp: boolean;
}

/** Addresses and networks, or how many proxies there are in front; false: none. */
export type TrustedProxies = string[] | number | false;

const roles = ['all', 'web', 'worker'] as const;
const durabilities = ['full', 'relaxed'] as const;
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const flag = z.stringbool({
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'must be true or false',
});
const list = z.string().transform((text) =>
  text
    .toLowerCase()
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
/** While such a list is unset everybody may sign in: one that is empty by mistake, as of a file that is missing, must not mean that. */
const allowList = list.refine(
  (items) => items.length > 0,
  'is set, but empty: name who may sign in, or remove it to let in everybody whom the host signs in',
);
const webAddress = z
  .string()
  .refine(isWebAddress, { error: 'must be a web address such as https://github.example.com', abort: true });
/** Access tokens are sent there: never in the clear, save on this machine. */
const hostAddress = webAddress
  .refine(
    (text) => new URL(text).protocol !== 'http:' || isLoopback(new URL(text).hostname),
    'must use https: access tokens are sent there',
  )
  .transform(withoutSlash);

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port from 1 to 65535')
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, 'must be a port from 1 to 65535');
/** Where a worker serves its metrics unless told. */
const WORKER_METRICS_PORT = 9464;

const secretKey = z.string().transform((text, context) => {
  const key = keyIn(text);
  if (key !== null) return key;
  context.addIssue('must be 32 bytes in base64; "openssl rand -base64 32" makes one');
  return z.NEVER;
});

const postgresqlAddress = z
  .string()
  .regex(
    /^postgres(ql)?:\/\//,
    'must be a PostgreSQL address such as postgresql://user:password@server:5432/mergelight',
  );

/** A whole number of that many digits at most, from `least` to `most`. */
const between = (least: number, most: number, what: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `must be a number from ${least} to ${most}: ${what}`)
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must be a number from ${least} to ${most}: ${what}`);

const variables = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webAddress
    .refine(
      (text) => new URL(text).pathname === '/',
      'must have no path: Mergelight is served at the root of its address',
    )
    .transform((text) => new URL(text).origin)
    .optional(),
  DATABASE_URL: postgresqlAddress.optional(),
  DATABASE_DIRECT_URL: postgresqlAddress.optional(),
  DATABASE_CONNECTIONS: between(2, 500, 'the most connections of this process’s pool').default(CONNECTIONS),
  DATABASE_REPLICA_URL: postgresqlAddress.optional(),
  DATABASE_REPLICA_MAX_LAG: between(2, 3600, 'how many seconds old an answer of the replica may be').optional(),
  DATA_DIR: z.string().default('./data'),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().trim().pipe(secretKey)))
    .default([]),
  SECRET_KEY_FILE: z.string().optional(),
  GITHUB_URL: hostAddress.default('https://github.com'),
  GITHUB_API_URL: hostAddress.optional(),
  GITHUB_GRAPHQL_URL: hostAddress.optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_APP_ID: z
    .string()
    .regex(/^\d+$/, "must be the App's number, from its settings page (the client id is another one)")
    .optional(),
  GITHUB_APP_SLUG: z
    .string()
    .regex(/^[a-z\d][a-z\d-]*$/i, "must be the last part of the address of the App's page, such as mergelight")
    .optional(),
  GITHUB_WEBHOOK_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
  ALLOW_TOKEN_SIGN_IN: flag.optional(),
  ALLOWED_LOGINS: allowList.optional(),
  ALLOWED_ORGS: allowList.optional(),
  ADMIN_LOGINS: list.default([]),
  DEMO: flag.optional(),
  ROLE: z.enum(roles, `must be one of ${roles.join(', ')}`).default('all'),
  LOG_LEVEL: z.enum(levels, `must be one of ${levels.join(', ')}`).optional(),
  LOG_FORMAT: z.enum(logFormats, `must be one of ${logFormats.join(', ')}`).optional(),
  METRICS: flag.default(false),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  SHUTDOWN_DELAY: between(0, 300, 'seconds to go on serving after a signal to stop').default(0),
  TRUST_PROXY: z.string().transform(proxiesIn).default(['loopback']),
  LIMITS: z.string().transform(limitsIn).default(defaultLimits),
  DURABILITY: z.enum(durabilities, `must be one of ${durabilities.join(', ')}`).default('full'),
  SMTP_URL: z.string().transform(mailServerIn).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\p{Cc}]* <)?[^\s<>@]+@[^\s<>@]+>?$/u,
      'must be a mail address, such as Mergelight <mergelight@example.com>',
    )
    .optional(),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xox[\x21-\x7e]+$/, 'must be the token of a Slack bot (xoxb-…)')
    .optional(),
  SLACK_API_URL: hostAddress.default('https://slack.com/api'),
  ALLOW_PRIVATE_WEBHOOKS: flag.default(false),
  NOTIFICATIONS: flag.default(true),
  ALLOW_API_TOKENS: flag.default(true),
  API_TOKEN_MAX_DAYS: between(1, TOKEN_DAYS.most, 'how many days a personal token may live').default(TOKEN_DAYS.most),
  ENABLE_MCP: flag.default(true),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: between(1, 999, 'how many backups are kept').optional(),
});

const allowLists = ['ALLOWED_LOGINS', 'ALLOWED_ORGS'];

/**
 * Reads the settings from environment variables; one that is empty counts as unset, except allow lists.
 * @throws StartError that names the first wrong variable and says what it must be; values are never repeated, they may be secret
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder = process.cwd(),
  isTerminal = process.stdout.isTTY === true,
): Config {
  const given = Object.entries(environment).filter(
    ([name, value]) => value !== undefined && (value.trim() !== '' || allowLists.includes(name)),
  );
  const parsed = variables.safeParse(Object.fromEntries(given.map(([name, value]) => [name, value?.trim()])));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StartError(`${issue?.path[0] === undefined ? '' : `${String(issue.path[0])}: `}${issue?.message}.`);
  }
  const it = parsed.data;
  const log_format = it.LOG_FORMAT ?? (isTerminal ? 'text' : 'json');
  if ((it.GITHUB_CLIENT_ID === undefined) !== (it.GITHUB_CLIENT_SECRET === undefined)) {
    const missing = it.GITHUB_CLIENT_ID === undefined ? 'GITHUB_CLIENT_ID' : 'GITHUB_CLIENT_SECRET';
    throw new StartError(`${missing}: is missing; sign-in by OAuth needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.`);
  }
  if (it.GITHUB_APP_ID !== undefined && it.GITHUB_CLIENT_ID === undefined)
    throw new StartError("GITHUB_APP_ID: needs the App's GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.");
  for (const name of ['GITHUB_APP_SLUG', 'GITHUB_WEBHOOK_SECRET'] as const)
    if (it[name] !== undefined && it.GITHUB_APP_ID === undefined)
      throw new StartError(`${name}: belongs to a GitHub App; set GITHUB_APP_ID too.`);
  if (it.BACKUP_KEEP !== undefined && it.BACKUP_DIR === undefined)
    throw new StartError('BACKUP_KEEP: needs BACKUP_DIR, the folder that a backup is written to each day.');
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const)
    if (it[name] !== undefined && it.DATABASE_URL === undefined)
      throw new StartError(`${name}: needs DATABASE_URL; the embedded database belongs to one process.`);
  if (it.DATABASE_REPLICA_MAX_LAG !== undefined && it.DATABASE_REPLICA_URL === undefined)
    throw new StartError(
      'DATABASE_REPLICA_MAX_LAG: needs DATABASE_REPLICA_URL, the standby that may answer questions.',
    );
  if (it.DURABILITY !== 'full' && it.DATABASE_URL !== undefined)
    throw new StartError('DURABILITY: is a setting of the embedded database; a PostgreSQL server has its own.');
  if ((it.SMTP_URL === undefined) !== (it.MAIL_FROM === undefined))
    throw new StartError(
      it.MAIL_FROM === undefined
        ? 'MAIL_FROM: is missing; SMTP_URL needs the sender of mails.'
        : 'SMTP_URL: is missing; MAIL_FROM is the sender of mails that a mail server takes.',
    );
  if (it.SECRET_KEY !== undefined && it.SECRET_KEY_FILE !== undefined)
    throw new StartError(
      'SECRET_KEY: set it or SECRET_KEY_FILE, not both; the file may hold earlier keys too, one a line.',
    );
  const ownKeys =
    it.SECRET_KEY_FILE === undefined
      ? it.SECRET_KEY && [it.SECRET_KEY]
      : keysInFile(resolve(folder, it.SECRET_KEY_FILE));
  if (it.DATABASE_URL !== undefined && ownKeys === undefined)
    throw new StartError('SECRET_KEY: is required with DATABASE_URL; "openssl rand -base64 32" makes one.');
  if (it.DATABASE_URL === undefined && it.ROLE !== 'all')
    throw new StartError(`ROLE: ${it.ROLE} needs DATABASE_URL; the embedded database belongs to one process.`);
  return {
    port: it.PORT,
    host: it.HOST,
    public_url: it.PUBLIC_URL ?? `http://localhost:${it.PORT}`,
    database_url: it.DATABASE_URL ?? null,
    database_direct_url: it.DATABASE_DIRECT_URL ?? null,
    database_connections: it.DATABASE_CONNECTIONS,
    database_replica:
      it.DATABASE_REPLICA_URL === undefined
        ? null
        : { url: it.DATABASE_REPLICA_URL, max_lag: (it.DATABASE_REPLICA_MAX_LAG ?? 10) * 1000 },
    data_dir: resolve(folder, it.DATA_DIR),
    secret_keys: ownKeys === undefined ? null : [...ownKeys, ...it.SECRET_KEY_PREVIOUS],
    previous_keys: it.SECRET_KEY_PREVIOUS,
    github_url: it.GITHUB_URL,
    github_api_url: it.GITHUB_API_URL ?? null,
    github_graphql_url: it.GITHUB_GRAPHQL_URL ?? null,
    github_oauth:
      it.GITHUB_CLIENT_ID !== undefined && it.GITHUB_CLIENT_SECRET !== undefined
        ? { client_id: it.GITHUB_CLIENT_ID, client_secret: it.GITHUB_CLIENT_SECRET }
        : null,
    github_app: it.GITHUB_APP_ID === undefined ? null : { id: it.GITHUB_APP_ID, slug: it.GITHUB_APP_SLUG ?? null },
    github_webhook_secret: it.GITHUB_WEBHOOK_SECRET ?? null,
    // Where people sign in at the host itself, a token that somebody holds is not enough.
    allow_token_sign_in: it.ALLOW_TOKEN_SIGN_IN ?? it.GITHUB_CLIENT_ID === undefined,
    allowed_logins: it.ALLOWED_LOGINS ?? null,
    allowed_orgs: it.ALLOWED_ORGS ?? null,
    admin_logins: it.ADMIN_LOGINS,
    demo: it.DEMO ?? isForOnePerson(it),
    role: it.ROLE,
    // Whoever looks on is told what needs them; a machine is told everything.
    log_level: it.LOG_LEVEL ?? (log_format === 'text' ? 'warn' : 'info'),
    log_format,
    metrics: it.METRICS,
    metrics_port: it.METRICS_PORT ?? (it.ROLE === 'worker' ? WORKER_METRICS_PORT : null),
    metrics_host: it.METRICS_HOST,
    shutdown_delay: it.SHUTDOWN_DELAY * 1000,
    trust_proxy: it.TRUST_PROXY,
    limits: it.LIMITS,
    mail: it.SMTP_URL === undefined || it.MAIL_FROM === undefined ? null : { ...it.SMTP_URL, from: it.MAIL_FROM },
    slack: it.SLACK_BOT_TOKEN === undefined ? null : { token: it.SLACK_BOT_TOKEN, api_url: it.SLACK_API_URL },
    allow_private_webhooks: it.ALLOW_PRIVATE_WEBHOOKS,
    notifications: it.NOTIFICATIONS,
    allow_api_tokens: it.ALLOW_API_TOKENS,
    api_token_max_days: it.API_TOKEN_MAX_DAYS,
    enable_mcp: it.ENABLE_MCP,
    durability: it.DURABILITY,
    backups: it.BACKUP_DIR === undefined ? null : { folder: resolve(folder, it.BACKUP_DIR), keep: it.BACKUP_KEEP ?? 7 },
  };
}

/** What is said at the start: settings that let others on the way read sessions or data. */
export function warningsOf({
  public_url,
  database_url,
  database_direct_url = null,
  database_replica = null,
}: Pick<Config, 'public_url' | 'database_url'> &
  Partial<Pick<Config, 'database_direct_url' | 'database_replica'>>): string[] {
  const warnings: string[] = [];
  const page = new URL(public_url);
  if (page.protocol === 'http:' && !isLoopback(page.hostname))
    warnings.push(
      'PUBLIC_URL: http beyond this machine: whoever is on the way can read sessions. Put https in front of it.',
    );
  const databases = {
    DATABASE_URL: database_url,
    DATABASE_DIRECT_URL: database_direct_url,
    DATABASE_REPLICA_URL: database_replica?.url ?? null,
  };
  for (const [name, address] of Object.entries(databases)) {
    const database = address === null ? null : URL.parse(address);
    // Whoever writes `disable` knows the way, such as a network of containers on one machine.
    const decided = database?.searchParams.get('sslmode') === 'disable';
    if (database !== null && !decided && !isLoopback(database.hostname) && !isSocket(database) && !usesTls(database))
      warnings.push(
        `${name}: no TLS beyond this machine: whoever is on the way can read the data. Add ?sslmode=verify-full to it, or ?sslmode=disable where nobody is on the way.`,
      );
  }
  return warnings;
}

/** Where the commands find the server, past a pooler, and which setting says so; null: the embedded database. */
export function directAddress({
  database_url,
  database_direct_url,
}: Pick<Config, 'database_url' | 'database_direct_url'>): { url: string; url_setting: string } | null {
  if (database_direct_url !== null) return { url: database_direct_url, url_setting: 'DATABASE_DIRECT_URL' };
  return database_url === null ? null : { url: database_url, url_setting: 'DATABASE_URL' };
}

function isSocket({ hostname, searchParams }: URL): boolean {
  return (searchParams.get('host') ?? decodeURIComponent(hostname)).startsWith('/') || hostname === '';
}

function usesTls({ searchParams }: URL): boolean {
  const mode = searchParams.get('sslmode');
  return mode === null ? ['true', '1'].includes(searchParams.get('ssl') ?? '') : mode !== 'disable' && mode !== 'allow';
}

function keysInFile(path: string): Buffer[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`SECRET_KEY_FILE: ${path} cannot be read (${reasonOf(error)}).`, error);
  }
  return keysIn(text, `SECRET_KEY_FILE: ${path}`);
}

/** The environment of this process, and more, for a program that it starts. */
export function environmentWith(more: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return { ...process.env, ...more };
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '');
}

/** Nothing says that others are to use this server: nobody is surprised by a demo that anybody may enter. */
function isForOnePerson(it: z.output<typeof variables>): boolean {
  return (
    it.GITHUB_CLIENT_ID === undefined &&
    it.ALLOWED_LOGINS === undefined &&
    it.ALLOWED_ORGS === undefined &&
    it.DATABASE_URL === undefined &&
    (it.PUBLIC_URL === undefined || isLoopback(new URL(it.PUBLIC_URL).hostname))
  );
}

function proxiesIn(text: string, context: z.RefinementCtx): TrustedProxies {
  if (text.toLowerCase() === 'none') return false;
  if (/^\d{1,2}$/.test(text)) return Number(text) === 0 ? false : Number(text);
  const proxies = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const areKnown = proxies.every((item) => item === 'loopback' || isNetwork(item));
  const everybody = proxies.some((item) => /\/0+$/.test(item));
  if (areKnown && !everybody) return proxies;
  context.addIssue(
    areKnown
      ? 'must not be every address (/0), since anybody could then say for whom they ask: give a number of proxies'
      : 'must be addresses or networks such as 10.0.0.0/8, a number of proxies, loopback or none',
  );
  return z.NEVER;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

const defaultMailPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** A mail server that a connection begins in the clear with has to offer TLS, unless it is on this machine or the address says otherwise. */
function mailServerIn(text: string, context: z.RefinementCtx): Omit<MailSettings, 'from'> {
  const url = URL.parse(text);
  const port = url && defaultMailPorts[url.protocol];
  const tls = url?.searchParams.get('tls') ?? null;
  const isWhole =
    url && /^\/?$/.test(url.pathname) && url.hash === '' && [...url.searchParams.keys()].every((key) => key === 'tls');
  const user = url && decodedOrNull(url.username);
  const password = url && decodedOrNull(url.password);
  const isReadable = user !== null && password !== null && url?.port !== '0';
  if (
    !url ||
    !port ||
    url.hostname === '' ||
    !isWhole ||
    !isReadable ||
    ![null, 'optional', 'required'].includes(tls)
  ) {
    context.addIssue(
      'must be like smtp://user:password@mail.example.com:587 or smtps://…; ?tls=optional allows it without TLS',
    );
    return z.NEVER;
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    require_tls: tls === 'required' || (tls !== 'optional' && !isLoopback(url.hostname)),
    user: user === '' ? null : user,
    password: password === '' ? null : password,
  };
}

/** Null where it has a `%` that encodes nothing. */
function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function limitsIn(text: string, context: z.RefinementCtx): LimitSettings {
  const names = Object.keys(defaultLimits);
  const limits: Record<string, number> = { ...defaultLimits };
  for (const item of text.split(',').map((part) => part.trim())) {
    const [, name = '', value = ''] = /^(\w+)\s*=\s*(\d{1,9})$/.exec(item) ?? [];
    if (!names.includes(name) || Number(value) < 1) {
      context.addIssue(
        `must be like sign_in=60,requests=600, with whole numbers from 1; the names are ${names.join(', ')}`,
      );
      return z.NEVER;
    }
    limits[name] = Number(value);
  }
  return limits as LimitSettings;
}
