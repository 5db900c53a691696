import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { sealedColumns } from '../../src/server/sealed-secrets.ts';
import { sealedAs, secretBox } from '../../src/server/secret-box.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { type MailReceiver, startMailReceiver } from '../support/receivers.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/recording-proxy.ts';

/**
 * Marked secrets are planted wherever the product takes or makes one, and looked for, in every usual spelling, in everything that
 * leaves it: log lines, answers and their headers, streams, pages, metrics, exports, what it says to the host, what the commands
 * print, backups, and the tables of the database.
 */
const onPostgresql = process.env.TEST_DATABASE === 'postgresql';
const root = resolve(import.meta.dirname, '../..');
const KEY = Buffer.from('planted sealing key: 32 bytes...');
const PREVIOUS_KEY = Buffer.from('planted previous key, 32 bytes..');
const APP_SECRET = 'planted-secret-of-the-app-webhook';
const PERSON = 'planted-person';
const PERSONAL_TOKEN = `ghp_${PERSON}`;
const MAIL_PASSWORD = 'planted-password-of-the-mail-server';
const SLACK_TOKEN = 'xoxb-planted-token-of-the-bot';
/** In the address of a channel. */
const HOOK = 'planted-hook-of-a-channel';
const REPOSITORY = { owner: 'octo-org', name: 'hello' };
const FROM = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);

/** What must not leave, by what it is. */
const planted = new Map<string, string>();
const plant = (secret: string, what: string) => {
  expect(secret.length, what).toBeGreaterThan(9);
  planted.set(secret, what);
};
/** What left: where, and the words. */
const left: { readonly where: string; readonly text: string }[] = [];
const leaves = (where: string, text: string) => void left.push({ where, text });

/** Where a secret may be seen, since it is how it gets to whom it belongs to. Each of these has to happen. */
const allowed: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  { what: /^session id$/, where: /^set-cookie of (GET \/auth\/callback|POST \/auth\/token)$/ },
  { what: /^sealed state$/, where: /^set-cookie of GET \/auth\/login$/ },
  { what: /^state$/, where: /^location of GET \/auth\/login$/ },
  // Connecting and rotating tell it to whom the host calls an admin of the repository, and to nobody else.
  {
    what: /^webhook secret$/,
    where: /^body of POST \/api\/repos(\/\d+\/webhook\/rotate)? by an admin of the repository$/,
  },
  { what: /^webhook secret$/, where: /^to the host: (POST|PATCH) \/api\/v3\/repos\/octo-org\/hello\/hooks(\/\d+)?$/ },
  {
    what: /^channel secret$/,
    where: /^body of (POST \/api\/channels(\/\d+\/secret)?|PATCH \/api\/channels\/\d+) by /,
  },
  { what: /^personal token$/, where: /^body of POST \/api\/tokens by / },
  // Whoever takes it for a figure reads back what they sent.
  { what: /^personal token$/, where: /^body of GET \/api\/explain\/…$/ },
  { what: /^access token$/, where: /^to the host: / },
  {
    what: /^(client secret|code|PKCE verifier|refresh token)$/,
    where: /^to the host: POST \/login\/oauth\/access_token$/,
  },
  { what: /^client secret$/, where: /^to the host: DELETE \/api\/v3\/applications\/[^/]+\/(token|grant)$/ },
];

let proxy: RecordingProxy;
let product: RunningProduct;
let database: OpenDatabase | null = null;
let mail: MailReceiver;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mergelight-secrets-'));
  proxy = await startRecordingProxy();
  plant(KEY.toString('latin1'), 'sealing key');
  plant(KEY.toString('base64'), 'sealing key');
  plant(PREVIOUS_KEY.toString('latin1'), 'previous sealing key');
  plant(PREVIOUS_KEY.toString('base64'), 'previous sealing key');
  plant(APP_SECRET, 'secret of the App');
  plant(PERSONAL_TOKEN, 'access token');
  plant(HOOK, 'channel address');
  mail = await startMailReceiver({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'x' }),
  });
  plant(MAIL_PASSWORD, 'mail password');
  plant(SLACK_TOKEN, 'Slack token');
  const settings: Record<string, string> = {
    SMTP_URL: `smtp://mergelight:${MAIL_PASSWORD}@127.0.0.1:${mail.settings.port}`,
    MAIL_FROM: mail.settings.from,
    SLACK_BOT_TOKEN: SLACK_TOKEN,
    SLACK_API_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'trace',
    METRICS: 'true',
    GITHUB_URL: proxy.url,
    GITHUB_APP_ID: '7',
    GITHUB_WEBHOOK_SECRET: APP_SECRET,
    SECRET_KEY: KEY.toString('base64'),
    SECRET_KEY_PREVIOUS: PREVIOUS_KEY.toString('base64'),
    ADMIN_LOGINS: 'octo',
    ALLOWED_LOGINS: `octo,mona,${PERSON}`,
    DEMO: 'false',
  };
  if (onPostgresql) {
    database = await openTestDatabase();
    settings.DATABASE_URL = withPassword(String(database.pool.options.connectionString));
  }
  product = await startProduct({ world: 'tiny' }, settings);
  proxy.forwardTo(product.host.url);
  plant(String(product.env.GITHUB_CLIENT_SECRET), 'client secret');
  await product.host.control('app', { id: 7, expiring: true });
  await product.host.control('app/installations/octo-org', { repositories: 'all' }, 'PATCH');
  await product.host.control('accounts', { login: PERSON });
  const people = { readers: ['octo', 'mona', PERSON], admins: ['octo', PERSON] };
  await product.host.control('repos/octo-org/hello', { private: true, ...people }, 'PATCH');
});
afterAll(async () => {
  await product?.stop();
  await database?.close();
  await proxy?.close();
  await mail?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The same address with a planted password, which a server that trusts this machine does not look at. */
function withPassword(url: string): string {
  const address = new URL(url);
  if (address.password === '') {
    address.password = 'planted-database-password';
    plant(address.password, 'database password');
  }
  return address.href;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks as a browser does; everything that comes back has left the product. `by` names the caller where that matters. */
async function ask(
  method: string,
  path: string,
  more: {
    cookie?: string;
    body?: unknown;
    raw?: string;
    headers?: Record<string, string>;
    by?: string;
    link?: string;
  } = {},
): Promise<Answered> {
  const body = more.raw ?? (more.body === undefined ? undefined : JSON.stringify(more.body));
  const answer = await fetch(`${product.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(method !== 'GET' && { origin: product.url }),
      ...(more.cookie !== undefined && { cookie: more.cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  // A link with a token is named without it.
  const call = `${method} ${more.link ?? path.split('?')[0]}`;
  for (const [name, value] of answer.headers) leaves(`${name} of ${call}`, value);
  leaves(`body of ${call}${more.by === undefined ? '' : ` by ${more.by}`}`, text);
  return { status: answer.status, headers: answer.headers, text };
}

const cookiesOf = ({ headers }: Answered) =>
  new Map(headers.getSetCookie().map((cookie) => (cookie.split(';')[0] ?? '').split('=', 2) as [string, string]));

/** The cookie of the session that an answer opens; its id is a secret from then on. */
function sessionIn(answer: Answered): string {
  const id = cookiesOf(answer).get('session') ?? '';
  plant(id, 'session id');
  return `session=${id}`;
}

/** Begins a sign-in at the host; what the product made for it and what the host gave are secrets. */
async function beginSignIn(login: string): Promise<{ cookie: string; back: URL }> {
  const begun = await ask('GET', '/auth/login');
  const sealed = cookiesOf(begun).get('sign_in') ?? '';
  const state = JSON.parse(secretBox([KEY]).open(sealed, sealedAs.signInState)) as { state: string; verifier: string };
  plant(sealed, 'sealed state');
  plant(state.state, 'state');
  plant(state.verifier, 'PKCE verifier');
  const query = new URL(String(begun.headers.get('location'))).searchParams;
  query.set('login', login);
  const consented = await fetch(`${product.host.url}/login/oauth/authorize`, {
    method: 'POST',
    body: query,
    redirect: 'manual',
  });
  const back = new URL(consented.headers.get('location') ?? '');
  plant(back.searchParams.get('code') ?? '', 'code');
  return { cookie: `sign_in=${sealed}`, back };
}

async function signInByApp(login: string): Promise<string> {
  const { cookie, back } = await beginSignIn(login);
  const answer = await ask('GET', `${back.pathname}${back.search}`, { cookie });
  expect(answer.headers.get('location')).toBe('/dashboard');
  return sessionIn(answer);
}

interface Things {
  readonly id: number;
  readonly session: string;
}
type Call = { readonly query?: string; readonly body?: object };

/** How each call is made so that it does something; what the path needs is filled in by name. */
const calls: Record<EndpointName, (of: Things) => readonly Call[]> = {
  getSession: () => [{}],
  updateSession: () => [{ body: { time_zone: 'Europe/Berlin' } }],
  getSignInOptions: () => [{}],
  signInWithToken: () => [{ body: { token: 'ghp_nobody-of-this-name' } }],
  signInToDemo: () => [{}],
  signOut: () => [],
  listSessions: () => [{}],
  endSession: () => [{}],
  endAllSessions: () => [],
  listTokens: () => [{}],
  makeToken: () => [{ body: { name: 'Some token', scopes: ['read:figures', 'read:mine'], repositories: 'all' } }],
  revokeToken: () => [],
  listAssistantCalls: () => [{}],
  deleteAccount: () => [{ body: { confirm: 'somebody else' } }],
  listConnectedRepositories: () => [{}],
  connectRepository: () => [{ body: REPOSITORY }],
  listAvailableRepositories: () => [{}, { query: 'sort=name&q=hello' }],
  connectSeveral: () => [{ body: { repositories: [REPOSITORY], sync: false } }],
  estimateImport: () => [{ body: { repositories: [REPOSITORY] } }],
  listImports: () => [{}],
  pauseImport: () => [{}],
  resumeImport: () => [{}],
  cancelImport: () => [{}],
  listJoinableRepositories: () => [{}],
  getFollowing: () => [{}],
  saveFollowing: () => [{ body: { owners: ['octo-org'] } }],
  createWebhooks: ({ id }) => [{ body: { ids: [id] } }],
  createOrganizationWebhook: () => [{}],
  deleteOrganizationWebhook: () => [{}],
  disconnectRepository: () => [],
  createWebhook: () => [{}],
  rotateWebhook: () => [{}],
  testAccess: () => [{ body: REPOSITORY }],
  listRepositories: () => [{}],
  startSync: ({ id }) => [{ body: { repoId: id } }],
  getSync: ({ id }) => [{ query: `repoId=${id}` }],
  getSyncProgress: () => [{}],
  startFallbackSync: ({ id }) => [{ body: { repoId: id } }],
  resumeSync: () => [{}],
  cancelSync: () => [{}],
  // Open all the while.
  watchSyncs: () => [],
  getMyWork: () => [{}],
  saveSnooze: () => [{ body: { until_change: true } }],
  deleteSnooze: () => [{}],
  getTeamStats: () => [{}],
  listStuckPullRequests: () => [{}],
  countStuckPullRequests: () => [{}],
  listReviewerStats: () => [{}],
  listDeveloperStats: () => [{}],
  listReviewLoad: () => [{}],
  listAvailableTeams: () => [{}],
  importTeams: () => [{ body: { organisation: 'octo-org', all: true } }],
  refreshTeam: () => [{}],
  listFigures: () => [{}],
  getTrends: () => [{ query: 'figure=opened' }, { query: 'figure=size&split=base' }],
  listNotes: () => [{}],
  addNote: () => [{ body: { at: '2026-06-01', text: 'something' } }],
  deleteNote: () => [{}],
  listViews: () => [{}],
  keepView: ({ id }) => [{ body: { name: 'Some view', path: `/prs?repository=${id}`, visibility: 'everyone' } }],
  getView: () => [{}],
  changeView: () => [{ body: { name: 'Another' } }],
  deleteView: () => [{}],
  listTeams: () => [{}],
  getTeam: () => [{}],
  makeGroup: () => [{ body: { name: 'Some group', members: ['mona'], visibility: 'everyone' } }],
  changeGroup: () => [{ body: { name: 'Another' } }],
  deleteTeam: () => [{}],
  saveMember: () => [{ body: { from: null, to: null } }],
  removeMember: () => [{}],
  compareTeams: () => [{}],
  getTeamView: () => [{}],
  getAiAuthorship: () => [{}],
  getHealth: () => [{}],
  listAiReviewers: () => [{}],
  getAiReviewer: () => [{}],
  explainTrendPoint: () => [{ query: `bucket=whole&from=${FROM}&point=${FROM}` }],
  listSignalPullRequests: () => [{}],
  dismissSignal: () => [{ body: { dismissed: true } }],
  getHealthSettings: () => [{}],
  saveHealthSettings: () => [{ body: { big: 500 } }],
  listContributors: () => [{}],
  searchContributors: () => [{ query: 'q=o' }],
  getContributorMetrics: () => [{ query: 'period=1y' }],
  listContributorPullRequests: () => [{}],
  getReviewHeatmap: () => [{}],
  exportContributor: () =>
    ['csv', 'json', 'pdf'].map((format) => ({ body: { username: 'mona', period: '1y', format } })),
  listPullRequests: () => [{}, { query: 'format=csv' }],
  exportPullRequests: () => [{}, { query: 'cursor=MS4xLjE' }],
  getPullRequest: () => [{}],
  refreshPullRequest: () => [{}],
  correctAuthorship: () => [{ body: { authorship: 'assisted', tool: 'claude' } }],
  withdrawAuthorship: () => [{}],
  correctCredit: () => [{ body: { username: 'mona' } }],
  withdrawCredit: () => [{}],
  getNotifications: () => [{}],
  saveNotifications: () => [{ body: { paused: false } }, { body: { mail: { address: 'somebody@example.org' } } }],
  makeChannel: () => [
    { body: { type: 'webhook', name: 'Some channel', url: `https://hooks.example.org/${HOOK}`, personal: true } },
  ],
  listChannels: () => [{}],
  // The first channel has the number of the first repository.
  changeChannel: () => [
    { body: { name: 'Another', url: `https://hooks.example.org/${HOOK}` } },
    { body: { url: `http://hooks.example.org/${HOOK}` } },
  ],
  resumeChannel: () => [{}],
  renewChannelSecret: () => [{}],
  testNotification: ({ id }) => [{ body: { channel: id } }, { body: { channel: 'mail' } }],
  listDeliveries: () => [{}],
  previewNotification: () => [{}],
  getDemoInbox: () => [{}],
  deleteChannel: () => [{}],
  explainMetric: () => [{}],
  listMarkedAccounts: () => [{}],
  markAccount: () => [{ body: { kind: 'human' } }],
  unmarkAccount: () => [{}],
  getAgentSettings: () => [{}],
  saveAgentSettings: () => [{ body: { labels: [{ label: 'by a machine', tool: 'claude' }] } }],
  listSecurityEvents: () => [{ query: 'limit=200' }, { query: 'format=csv' }],
};

const pathOf = (name: EndpointName, { id, session }: Things) => {
  const values: Record<string, string> = {
    ...{ id: String(id), sessionId: session, username: 'mona', metric: 'team.open_prs' },
    key: 'big',
    kind: 'daily',
    slug: 'nosuchviewhere',
    login: 'octo-org',
    ...{ repoOwner: REPOSITORY.owner, repoName: REPOSITORY.name, prNumber: '1' },
  };
  return endpoints[name].path.replaceAll(/\{(\w+)\}/g, (_, part: string) => values[part] ?? '');
};

async function everyCall(of: Things, callers: readonly (readonly [by: string | undefined, cookie?: string])[]) {
  const answered = new Set<number>();
  for (const [name, list] of Object.entries(calls) as [EndpointName, (of: Things) => readonly Call[]][])
    for (const { query, body } of list(of))
      for (const [by, cookie] of callers) {
        const path = `${pathOf(name, of)}${query === undefined ? '' : `?${query}`}`;
        const more = { ...(cookie !== undefined && { cookie }), ...(by !== undefined && { by }) };
        const { method } = endpoints[name];
        const answer = await ask(method, path, { ...more, ...(body !== undefined && { body }) });
        answered.add(answer.status);
        const { secret } =
          name.includes('hannel') && answer.text.startsWith('{')
            ? (JSON.parse(answer.text) as { secret?: string })
            : {};
        if (secret !== undefined) plant(secret, 'channel secret');
        if (name === 'makeToken' && answer.status === 201) await presentToken(answer);
        if (name === 'rotateWebhook' || name === 'connectRepository') plantWebhookSecret(answer);
        // What fits no contract, and what another server would take for somebody.
        const strange = { authorization: `Bearer ${PERSONAL_TOKEN}`, 'x-api-key': PERSONAL_TOKEN };
        await ask(method, path, { ...more, headers: strange, ...(method !== 'GET' && { raw: '{"token": [' }) });
      }
  return answered;
}

/** Uses a personal token as it should be, and as it should not. */
async function presentToken({ text }: Answered): Promise<void> {
  const { token } = JSON.parse(text) as { token: string };
  plant(token, 'personal token');
  const headers = { authorization: `Bearer ${token}` };
  expect((await ask('GET', '/api/team-stats', { headers })).status).toBe(200);
  expect((await ask('GET', '/api/settings/health', { headers })).status).toBe(403);
  expect((await ask('GET', `/api/explain/${token}`, { headers, link: '/api/explain/…' })).status).toBe(404);
  for (const query of [`token=${token}`, `repository=1&x=%6dgl_${token.slice(4)}`])
    expect((await ask('GET', `/api/team-stats?${query}`)).status).toBe(400);
}

function plantWebhookSecret({ text }: Answered): void {
  const { webhook_secret } = JSON.parse(text) as { webhook_secret?: string | null };
  if (typeof webhook_secret === 'string') plant(webhook_secret, 'webhook secret');
}

async function deliver(path: string, secret: string, event = 'pull_request'): Promise<number> {
  const raw = JSON.stringify({ action: 'opened', number: 1, pull_request: { number: 1 }, repository: { id: 101 } });
  const signature = createHmac('sha256', secret).update(raw).digest('hex');
  const headers = { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` };
  return (await ask('POST', path, { raw, headers })).status;
}

/** Runs one of the commands as `npm run` does; what it prints has left. */
async function command(name: string, args: readonly string[], change: Record<string, string> = {}) {
  const env = { ...product.env, ...change } as Record<string, string>;
  const child = spawn(process.execPath, [`src/server/${name}.ts`, ...args], {
    ...{ cwd: root, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  const code = await new Promise((ended) => child.once('close', ended));
  leaves(`output of ${name}`, said);
  return { code, said };
}

/** Every row of every table, as text; `sealed` is what the columns of sealed secrets hold, opened. */
async function tablesOf({ db }: OpenDatabase): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  expect(tables.length).toBeGreaterThan(30);
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      db,
    );
    for (const { row } of rows) leaves(`table ${name}`, row);
  }
  const opened: string[] = [];
  for (const { table, column, owner, as } of sealedColumns) {
    const { rows } = await sql<{ owner: string; sealed: string | null }>`
      select ${sql.raw(owner)}::text as owner, ${sql.ref(column)} as sealed from ${sql.table(table)}`.execute(db);
    for (const { owner: of, sealed } of rows) if (sealed !== null) opened.push(secretBox([KEY]).open(sealed, as(of)));
  }
  return opened;
}

/** How a secret may be written inside of something else. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'latin1');
  // In base64 what stands before it shifts it by one or two bytes; the letters at its ends are shared with neighbours.
  const shifted = [0, 1, 2].flatMap((by) => {
    const end = Math.floor(((by + bytes.length) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .slice(0, end);
    const own = text.slice(by === 0 ? 0 : by + 1);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const hex = bytes.toString('hex');
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  return [...new Set([secret, json, url, ...shifted, hex, hex.toUpperCase(), percent, percent.toUpperCase()])];
}

/** Secrets that are where they may not be; each `allowed` that was needed is noted in `used`. */
function found(used: Set<number>): string[] {
  const needles = [...planted].flatMap(([secret, what]) => spellings(secret).map((text) => ({ what, text })));
  const places = new Set<string>();
  for (const { where, text } of left)
    for (const { what, text: needle } of needles) {
      if (!text.includes(needle)) continue;
      const rule = allowed.findIndex((may) => may.what.test(what) && may.where.test(where));
      if (rule >= 0) used.add(rule);
      else places.add(`${what} in ${where}: …${around(text, needle)}…`);
    }
  return [...places];
}

const around = (text: string, needle: string) => text.slice(Math.max(0, text.indexOf(needle) - 80)).slice(0, 200);

test('every spelling of a secret is found inside of something else', () => {
  const secret = 'ghp_a secret/of+somebody?';
  for (const before of ['', 'x', 'xy', 'user:']) {
    const inside = Buffer.from(`${before}${secret} and more`);
    for (const text of [
      inside.toString(),
      inside.toString('base64'),
      inside.toString('base64url'),
      inside.toString('hex'),
      encodeURIComponent(inside.toString()),
    ])
      expect(
        spellings(secret).some((spelling) => text.includes(spelling)),
        text,
      ).toBe(true);
  }
});

test('no secret leaves the product, but to whom it belongs to', async () => {
  // Signing in, and failing to.
  const octo = await signInByApp('octo');
  const mona = await signInByApp('mona');
  const person = sessionIn(await ask('POST', '/auth/token', { body: { token: PERSONAL_TOKEN } }));
  for (const token of [
    'ghp_planted-but-unknown',
    'gho_planted-of-another-app',
    'ghp_plänted',
    '0123456789abcdef'.repeat(3),
  ]) {
    if (/^[ -~]+$/.test(token)) plant(token, 'refused token');
    expect((await ask('POST', '/auth/token', { body: { token } })).status).toBeGreaterThan(399);
  }
  expect((await ask('POST', '/auth/token', { body: { token: 'ghp_someone-not-allowed' } })).status).toBeGreaterThan(
    399,
  );
  const { cookie, back } = await beginSignIn('octo');
  const callback = (change: Record<string, string>) => {
    const query = new URLSearchParams(back.search);
    for (const [name, value] of Object.entries(change)) query.set(name, value);
    return `/auth/callback?${query}`;
  };
  plant('planted-code-of-nobody', 'code');
  await ask('GET', callback({ state: 'another' }), { cookie });
  await ask('GET', callback({}));
  await ask('GET', callback({ code: 'planted-code-of-nobody' }), { cookie });
  proxy.echo(1, 502);
  await ask('GET', callback({}), { cookie });

  // Connecting, watching, and a sync of a host that repeats what it was sent.
  const connected = await ask('POST', '/api/repos', {
    cookie: octo,
    body: REPOSITORY,
    by: 'an admin of the repository',
  });
  plantWebhookSecret(connected);
  const { id, webhook_url } = JSON.parse(connected.text) as { id: number; webhook_url: string };
  for (const other of [mona, person]) {
    const by = other === person ? 'an admin of the repository' : 'a reader';
    await ask('POST', '/api/repos', { cookie: other, body: REPOSITORY, by });
  }
  const watching = new AbortController();
  const stream = await fetch(`${product.url}/api/sync-events`, { headers: { cookie: octo }, signal: watching.signal });
  const streamed = (async () => {
    for await (const chunk of stream.body!) leaves('stream of events', Buffer.from(chunk).toString());
  })().catch(() => undefined);
  proxy.echo(2, 502);
  const started = await ask('POST', '/api/sync-repo-complete', { cookie: octo, body: { repoId: id } });
  const { session_id } = JSON.parse(started.text) as { session_id: string };
  const things = { id, session: session_id };
  await vi.waitFor(
    async () => {
      const { text } = await ask('GET', `/api/sync-progress/${session_id}`, { cookie: octo });
      expect(JSON.parse(text)).toMatchObject({ status: 'completed' });
    },
    { timeout: 120_000, interval: 500 },
  );

  for (const [path, status] of [
    ['/api/pr/octo-org/hello/1/refresh', 400],
    [`/api/repos/${id}/webhook`, 422],
    ['/api/test-github-access', 422],
  ] as const) {
    proxy.echo(1, status);
    const body = path.startsWith('/api/test') ? REPOSITORY : undefined;
    await ask('POST', path, { cookie: person, ...(body && { body }) });
  }

  // Deliveries that are taken and refused, and every call by everybody.
  const hook = new URL(webhook_url).pathname;
  const { webhook_secret } = JSON.parse(connected.text) as { webhook_secret: string };
  expect([
    await deliver(hook, webhook_secret),
    await deliver(hook, 'wrong'),
    await deliver(`/webhooks/github/${randomUUID()}`, webhook_secret),
    await deliver('/webhooks/github/app', APP_SECRET),
    await deliver('/webhooks/github/app', 'wrong'),
  ]).toEqual([202, 401, 404, 202, 401]);
  const admin = 'an admin of the repository';
  const answered = await everyCall(things, [[admin, octo], [admin, person], ['a reader', mona], [undefined]]);
  expect([...answered].sort()).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 422]));
  for (const path of [
    '/',
    '/login?error=token_rejected',
    '/settings',
    '/nowhere',
    '/api/nowhere',
    '/metrics',
    '/readyz',
    '/healthz',
    '/api/openapi.json',
    '/%E0%A4%A',
  ])
    await ask('GET', path, { cookie: octo });

  // Links of mails: nobody else is told them.
  await expect.poll(() => mail.mails.length).toBeGreaterThan(0);
  for (const { raw } of mail.mails) {
    const [, token = ''] = /\/confirm\/([\w-]{43})/.exec(raw.replaceAll('=\r\n', '')) ?? [];
    plant(token, 'token of a link');
    for (const method of ['GET', 'POST', 'POST'])
      expect([200, 404]).toContain((await ask(method, `/confirm/${token}`, { link: '/confirm/…' })).status);
    await ask('GET', `/confirm/${token}%`, { link: '/confirm/…' });
    await ask('GET', `/%63onfirm/${token}/more`, { link: '/confirm/…' });
  }

  // Tokens that end: one is renewed, one is withdrawn.
  await product.host.control('tokens/expire', { login: 'octo' });
  await ask('POST', '/api/pr/octo-org/hello/1/refresh', { cookie: octo });
  await product.host.control('tokens', { token: PERSONAL_TOKEN }, 'DELETE');
  await ask('POST', '/api/pr/octo-org/hello/1/refresh', { cookie: person });
  expect((await ask('GET', '/auth/me', { cookie: person })).status).toBe(401);
  expect(proxy.exchanges.some(({ body }) => body.includes('refresh_token'))).toBe(true);

  // The commands, and starts that are refused for what is secret in their settings.
  const file = join(folder, 'backup.tar.gz');
  expect(await command('rotate-key-command', [])).toEqual({ code: 0, said: expect.stringContaining('sealed again') });
  expect(await command('backup-command', [file])).toEqual({
    code: 0,
    said: expect.stringContaining('The backup is in'),
  });
  // Of zeros a database's files are full.
  leaves('backup', gunzipSync(readFileSync(file)).toString('latin1').replaceAll('\0'.repeat(64), ''));
  const place: Record<string, string> = { DATA_DIR: join(folder, 'restored') };
  if (database !== null) {
    const name = `restored_${randomUUID().replaceAll('-', '')}`;
    await database.pool.query(`create database ${name}`);
    const address = new URL(String(product.env.DATABASE_URL));
    address.pathname = `/${name}`;
    place.DATABASE_URL = address.href;
  }
  expect(await command('restore-command', [file], place)).toEqual({
    code: 0,
    said: expect.stringContaining('Restored'),
  });
  if (place.DATABASE_URL !== undefined)
    await database?.pool.query(`drop database ${new URL(place.DATABASE_URL).pathname.slice(1)} with (force)`);
  plant('planted-unreachable-password', 'database password');
  const unreachable = 'postgresql://planted:planted-unreachable-password@127.0.0.1:9/none';
  const broken = { DATA_DIR: join(folder, 'broken'), PORT: String(await freePort()) };
  const refusals: readonly (readonly [name: string, change: Record<string, string>, says: string])[] = [
    ['main', { DATABASE_URL: unreachable }, 'DATABASE_URL: '],
    ['backup-command', { DATABASE_URL: unreachable }, 'DATABASE_URL: '],
    ['rotate-key-command', { DATABASE_URL: unreachable }, 'DATABASE_URL: '],
    ['main', { DATABASE_URL: `mysql${unreachable}` }, 'DATABASE_URL: '],
    ['main', { SECRET_KEY: KEY.toString('base64').slice(4) }, 'SECRET_KEY: '],
    ['main', { SECRET_KEY_PREVIOUS: `${PREVIOUS_KEY.toString('base64')},short` }, 'SECRET_KEY_PREVIOUS: '],
  ];
  for (const [name, change, says] of refusals)
    expect(await command(name, name === 'backup-command' ? [file] : [], { ...broken, ...change })).toEqual({
      code: 1,
      said: expect.stringContaining(says),
    });

  // Whoever leaves is revoked.
  for (const cookieOf of [octo, mona]) await ask('DELETE', '/auth/sessions', { cookie: cookieOf });
  await vi.waitFor(
    () =>
      expect(proxy.exchanges.filter(({ path, method }) => method === 'DELETE' && path.includes('/token'))).toHaveLength(
        2,
      ),
    { timeout: 30_000 },
  );
  const last = await signInByApp('octo');
  expect((await ask('GET', '/auth/me', { cookie: last })).status).toBe(200);
  watching.abort();
  await streamed;
  await product.end();

  // What the host gave and was told is known word for word; what else it was told has left, too.
  for (const { method, path, headers, body, answer } of proxy.exchanges) {
    leaves(`to the host: ${method} ${path.split('?')[0]}`, `${path}\n${JSON.stringify(headers)}\n${body}`);
    const sent = /^(?:token|bearer) (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (sent !== undefined) plant(sent, 'access token');
    if (!path.startsWith('/login/oauth/access_token') || !answer.startsWith('{"access_token')) continue;
    const grant = JSON.parse(answer) as { access_token: string; refresh_token: string };
    plant(grant.access_token, 'access token');
    plant(grant.refresh_token, 'refresh token');
  }
  leaves('log', product.output());
  const stored =
    database ??
    (await openDatabase({ kind: 'embedded', folder: join(String(product.env.DATA_DIR), 'database') }, console.error));
  const opened = await tablesOf(stored);
  if (database === null) await stored.close();

  // The tables hold the secrets sealed: the search has something to miss.
  expect(opened.map((secret) => planted.get(secret))).toEqual(
    expect.arrayContaining(['access token', 'refresh token', 'webhook secret', 'channel secret']),
  );
  const lines = product.output();
  expect(lines).toMatch(/"level":"debug"/);
  for (const event of [
    'sign_in_refused',
    'token_rejected',
    'token_deleted',
    'webhook_secret_made',
    'thresholds_changed',
    'repository_connected',
  ])
    expect(lines, event).toContain(`"event":"${event}"`);
  expect(new Set(planted.values()).size).toBeGreaterThan(onPostgresql ? 12 : 11);
  const used = new Set<number>();
  expect(found(used)).toEqual([]);
  expect(allowed.filter((_, rule) => !used.has(rule))).toEqual([]);
});
