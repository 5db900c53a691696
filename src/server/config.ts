import { resolve } from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

/** The server's settings (server specification, section 1). Addresses have no slash at their end, lists are lower case. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly public_url: string;
  /** Null: the embedded database in `data_dir`. */
  readonly database_url: string | null;
  readonly data_dir: string;
  /** Null: the one that the data folder keeps. */
  readonly secret_key: Buffer | null;
  readonly github_url: string;
  /** Null: derived from `github_url`. */
  readonly github_api_url: string | null;
  readonly github_graphql_url: string | null;
  readonly github_oauth: { readonly client_id: string; readonly client_secret: string } | null;
  readonly allow_token_sign_in: boolean;
  /** Null: everyone; else those in either list. */
  readonly allowed_logins: readonly string[] | null;
  readonly allowed_orgs: readonly string[] | null;
  readonly demo: boolean;
  readonly role: 'all' | 'web' | 'worker';
  readonly log_level: string;
  readonly metrics: boolean;
}

const roles = ['all', 'web', 'worker'] as const;
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
const webAddress = z
  .string()
  .refine(isWebAddress, { error: 'must be a web address such as https://github.example.com', abort: true });
/** Access tokens are sent there: never in the clear, save on this machine. */
const hostAddress = webAddress
  .refine(
    (text) => !text.startsWith('http:') || isLoopback(new URL(text).hostname),
    'must use https: access tokens are sent there',
  )
  .transform(withoutSlash);

const variables = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port from 1 to 65535')
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535, 'must be a port from 1 to 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webAddress
    .refine(
      (text) => new URL(text).pathname === '/',
      'must have no path: Mergelight is served at the root of its address',
    )
    .transform((text) => new URL(text).origin)
    .optional(),
  DATABASE_URL: z
    .string()
    .regex(
      /^postgres(ql)?:\/\//,
      'must be a PostgreSQL address such as postgresql://user:password@server:5432/mergelight',
    )
    .optional(),
  DATA_DIR: z.string().default('./data'),
  SECRET_KEY: z
    .string()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === 32, 'must be 32 bytes in base64; "openssl rand -base64 32" makes one')
    .optional(),
  GITHUB_URL: hostAddress.default('https://github.com'),
  GITHUB_API_URL: hostAddress.optional(),
  GITHUB_GRAPHQL_URL: hostAddress.optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  ALLOW_TOKEN_SIGN_IN: flag.default(true),
  ALLOWED_LOGINS: list.optional(),
  ALLOWED_ORGS: list.optional(),
  DEMO: flag.optional(),
  ROLE: z.enum(roles, `must be one of ${roles.join(', ')}`).default('all'),
  LOG_LEVEL: z.enum(levels, `must be one of ${levels.join(', ')}`).default('info'),
  METRICS: flag.default(false),
});

/**
 * Reads the settings from environment variables; one that is empty counts as unset.
 * @throws StartError that names the first wrong variable and says what it must be; values are never repeated, they may be secret
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder = process.cwd(),
): Config {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== '');
  const parsed = variables.safeParse(Object.fromEntries(given.map(([name, value]) => [name, value?.trim()])));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StartError(`${issue?.path.join('.')}: ${issue?.message}.`);
  }
  const it = parsed.data;
  if ((it.GITHUB_CLIENT_ID === undefined) !== (it.GITHUB_CLIENT_SECRET === undefined)) {
    const missing = it.GITHUB_CLIENT_ID === undefined ? 'GITHUB_CLIENT_ID' : 'GITHUB_CLIENT_SECRET';
    throw new StartError(`${missing}: is missing; sign-in by OAuth needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.`);
  }
  if (it.DATABASE_URL !== undefined && it.SECRET_KEY === undefined)
    throw new StartError('SECRET_KEY: is required with DATABASE_URL; "openssl rand -base64 32" makes one.');
  if (it.DATABASE_URL === undefined && it.ROLE !== 'all')
    throw new StartError(`ROLE: ${it.ROLE} needs DATABASE_URL; the embedded database belongs to one process.`);
  return {
    port: it.PORT,
    host: it.HOST,
    public_url: it.PUBLIC_URL ?? `http://localhost:${it.PORT}`,
    database_url: it.DATABASE_URL ?? null,
    data_dir: resolve(folder, it.DATA_DIR),
    secret_key: it.SECRET_KEY ?? null,
    github_url: it.GITHUB_URL,
    github_api_url: it.GITHUB_API_URL ?? null,
    github_graphql_url: it.GITHUB_GRAPHQL_URL ?? null,
    github_oauth:
      it.GITHUB_CLIENT_ID !== undefined && it.GITHUB_CLIENT_SECRET !== undefined
        ? { client_id: it.GITHUB_CLIENT_ID, client_secret: it.GITHUB_CLIENT_SECRET }
        : null,
    allow_token_sign_in: it.ALLOW_TOKEN_SIGN_IN,
    allowed_logins: it.ALLOWED_LOGINS ?? null,
    allowed_orgs: it.ALLOWED_ORGS ?? null,
    demo: it.DEMO ?? it.GITHUB_CLIENT_ID === undefined,
    role: it.ROLE,
    log_level: it.LOG_LEVEL,
    metrics: it.METRICS,
  };
}

/** True of the names of this machine: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
