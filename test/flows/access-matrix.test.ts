import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { tokenScopes } from '../../src/domain/personal-tokens.ts';
import { addresses } from '../../src/server/host/github/addresses.ts';
import { githubHost } from '../../src/server/host/github/host.ts';
import { type Answer, cookieIn, openTestApp, type TestApp } from '../support/app.ts';
import { casesHere, openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/**
 * Who gets what: every call × everybody who could make it, about one private repository in which everything that people wrote is
 * marked. A call of the contract without a row does not compile, a route beside the contract without one fails.
 */

/** Each is at the host or here in the state that the name says. */
const subjects = [
  'nobody',
  'stranger',
  'reader',
  'withdrawn',
  'rejected',
  'weaker',
  'removed',
  'owner',
  'administrator',
] as const;
type Subject = (typeof subjects)[number];
type Statuses = Readonly<Record<Subject, number>>;

/** Whom the host and we let read the withheld repository. */
const readers: readonly Subject[] = ['reader', 'owner'];

/** What a call can name: of the withheld repository, or made up. */
interface Things {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly session: string;
  readonly login: string;
  readonly agent: string;
}

interface Probe {
  /** The path behind which query and ids are filled in. */
  readonly path: (of: Things) => string;
  readonly body?: (of: Things) => object;
  readonly status: Statuses;
  /** What readers find of the repository in the answer; null where a call shows nothing of it. */
  readonly shows: string | null;
  /** The answer is what the host lists for the person's token at this moment: also for whoever removed it here. */
  readonly asAtHost?: true;
  /** False where nothing in the request is the repository's: there is no unknown thing to compare with. */
  readonly names: boolean;
  /** It changes who may read or who is signed in: what it changed is put back. */
  readonly changes?: true;
}

const OWNER = 'planted-owner';
const NAME = 'planted-withheld';
const TITLE = 'PLANTED title';
const AUTHOR = 'planted-author';
const REVIEWER = 'planted-reviewer';
/** One of the list of known automation: else it would be no agent. */
const AGENT = 'coderabbitai[bot]';
const BRANCH = 'planted-branch';
const FILE = 'planted/file.ts';
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
/** Before all that is planted. */
const FROM = daysAgo(30).slice(0, 10);
/** Whatever of the repository could be in an answer. */
const marks = [OWNER, NAME, TITLE, AUTHOR, REVIEWER, AGENT, BRANCH, 'planted/', 'Planted Name'];

const all = (status: number) => Object.fromEntries(subjects.map((subject) => [subject, status])) as Statuses;
/** A token that the host rejects has ended the session. */
const signedIn = (status: number): Statuses => ({ ...all(status), nobody: 401, rejected: 401 });
const readersOnly = (status: number, others = 404): Statuses => ({
  ...signedIn(others),
  ...Object.fromEntries(readers.map((reader) => [reader, status])),
});

/** What readers see and only the owner, an admin of it at the host, may change. */
const ownerOnly = (status: number): Statuses => ({ ...readersOnly(status), reader: 403 });

/** A call that answers everybody who is signed in, from what they may read. */
const list = (path: string, shows: string | null): Probe => ({
  path: () => path,
  status: signedIn(200),
  shows,
  names: false,
});
/** The same list of one repository, by the filter that most calls take. */
const filtered = (path: string, shows: string | null): readonly [Probe, Probe] => [
  list(path, shows),
  {
    path: ({ id }) => `${path}${path.includes('?') ? '&' : '?'}repository=${id}`,
    status: readersOnly(200),
    shows,
    names: true,
  },
];
const readable = (path: Probe['path'], shows: string | null, more: Partial<Probe> = {}): Probe => ({
  path,
  status: readersOnly(200),
  shows,
  names: true,
  ...more,
});

const pullRequest = ({ owner, name }: Things) => `/api/pr/${owner}/${name}/1`;
const contributor = (what: string) => (of: Things) => `/api/contributors/${of.login}/${what}`;

const matrix: Record<EndpointName, readonly [Probe, ...Probe[]]> = {
  getSession: [list('/auth/me', null)],
  updateSession: [{ ...list('/auth/me', null), body: () => ({ time_zone: 'Europe/Berlin' }) }],
  getSignInOptions: [{ ...list('/auth/options', null), status: all(200) }],
  signInWithToken: [
    { ...list('/auth/token', null), body: () => ({ token: 'ghp_nobody_at_all' }), status: all(422), changes: true },
  ],
  signInToDemo: [{ ...list('/auth/demo', null), status: all(503) }],
  signOut: [{ ...list('/auth/logout', null), status: all(204), changes: true }],
  listSessions: [list('/auth/sessions', null)],
  endSession: [{ ...list(`/auth/sessions/${randomUUID()}`, null), status: signedIn(404) }],
  endAllSessions: [{ ...list('/auth/sessions', null), status: signedIn(204), changes: true }],

  listTokens: [list('/api/tokens', null)],
  makeToken: [
    {
      path: () => '/api/tokens',
      body: ({ id }) => ({ name: 'Some token', scopes: ['read:figures'], repositories: [id] }),
      status: readersOnly(201, 400),
      shows: '"repositories":[',
      names: true,
    },
  ],
  revokeToken: [{ ...list('/api/tokens/2000000', null), status: signedIn(404) }],
  listAssistantCalls: [list('/api/assistants/calls', null)],

  deleteAccount: [{ ...list('/auth/me', null), body: () => ({ confirm: 'somebody else' }), status: signedIn(400) }],

  listConnectedRepositories: [list('/api/repos', NAME)],
  connectRepository: [
    {
      path: () => '/api/repos',
      body: ({ owner, name }) => ({ owner, name }),
      status: { ...readersOnly(200, 422), removed: 201 },
      shows: null,
      names: true,
      changes: true,
    },
  ],
  listAvailableRepositories: [{ ...list('/api/repositories/available', NAME), asAtHost: true }],
  connectSeveral: [
    {
      path: () => '/api/repos/bulk',
      body: ({ owner, name }) => ({ repositories: [{ owner, name }], sync: false }),
      status: signedIn(202),
      shows: null,
      names: false,
      changes: true,
    },
  ],
  estimateImport: [
    {
      path: () => '/api/repos/estimate',
      body: ({ owner, name }) => ({ repositories: [{ owner, name }] }),
      status: signedIn(200),
      shows: null,
      names: false,
    },
  ],
  listImports: [list('/api/repos/bulk', null)],
  pauseImport: [{ ...list(`/api/repos/bulk/${randomUUID()}/pause`, null), status: signedIn(404) }],
  resumeImport: [{ ...list(`/api/repos/bulk/${randomUUID()}/resume`, null), status: signedIn(404) }],
  cancelImport: [{ ...list(`/api/repos/bulk/${randomUUID()}/cancel`, null), status: signedIn(404) }],
  listJoinableRepositories: [{ ...list('/api/repos/joinable', null), asAtHost: true }],
  getFollowing: [list('/api/repos/following', null)],
  saveFollowing: [{ ...list('/api/repos/following', null), body: () => ({ owners: [] }) }],
  createWebhooks: [{ ...list('/api/repos/webhooks', null), body: ({ id }) => ({ ids: [id] }), status: signedIn(200) }],
  createOrganizationWebhook: [
    { path: ({ owner }) => `/api/organisations/${owner}/webhook`, status: signedIn(404), shows: null, names: true },
  ],
  deleteOrganizationWebhook: [
    { path: ({ owner }) => `/api/organisations/${owner}/webhook`, status: signedIn(404), shows: null, names: true },
  ],
  disconnectRepository: [
    {
      path: ({ id }) => `/api/repos/${id}`,
      // Whoever lost sight of it may still take it off their list.
      status: { ...readersOnly(204), withdrawn: 204, weaker: 204 },
      shows: null,
      names: true,
      changes: true,
    },
  ],
  createWebhook: [
    {
      path: ({ id }) => `/api/repos/${id}/webhook`,
      status: { ...readersOnly(201), reader: 422 },
      shows: null,
      names: true,
    },
  ],
  rotateWebhook: [
    { path: ({ id }) => `/api/repos/${id}/webhook/rotate`, status: ownerOnly(200), shows: null, names: true },
  ],
  testAccess: [
    {
      path: () => '/api/test-github-access',
      body: ({ owner, name }) => ({ owner, name }),
      status: signedIn(200),
      shows: '"private":true',
      names: true,
    },
  ],
  listRepositories: [list('/api/repositories', NAME)],

  startSync: [
    {
      path: () => '/api/sync-repo-complete',
      body: ({ id }) => ({ repoId: id }),
      status: readersOnly(202),
      shows: null,
      names: true,
    },
    {
      path: () => '/api/sync-repo-complete',
      body: ({ owner, name }) => ({ owner, name }),
      status: readersOnly(202),
      shows: null,
      names: true,
    },
  ],
  getSync: [readable(({ id }) => `/api/sync-repo-complete?repoId=${id}`, '"session_id":"')],
  getSyncProgress: [readable(({ session }) => `/api/sync-progress/${session}`, '"imported_prs":3')],
  startFallbackSync: [
    {
      path: () => '/api/sync-repo',
      body: ({ id }) => ({ repoId: id }),
      status: readersOnly(202),
      shows: null,
      names: true,
    },
  ],
  resumeSync: [
    { path: ({ session }) => `/api/sync-resume/${session}`, status: ownerOnly(409), shows: null, names: true },
  ],
  cancelSync: [
    { path: ({ session }) => `/api/sync-cancel/${session}`, status: ownerOnly(202), shows: null, names: true },
  ],
  // What a stream says is looked at below.
  watchSyncs: [list('/api/sync-events', null)],

  getTeamStats: filtered('/api/team-stats', null),
  listStuckPullRequests: filtered('/api/stuck-prs', TITLE),
  countStuckPullRequests: filtered('/api/stuck-prs/counts', null),
  listReviewerStats: filtered('/api/reviewer-stats', REVIEWER),
  listDeveloperStats: filtered('/api/developer-stats', AUTHOR),
  listReviewLoad: filtered('/api/review-load', REVIEWER),

  listAvailableTeams: [list('/api/teams/available', null)],
  importTeams: [
    {
      path: () => '/api/teams/import',
      body: ({ owner }) => ({ organisation: owner, all: true }),
      // No organisation owns it; whoever connected it with a token that may not read teams is told that.
      status: { ...signedIn(404), weaker: 422 },
      shows: null,
      names: false,
    },
  ],
  refreshTeam: [{ ...list('/api/teams/2000000/refresh', null), status: signedIn(404) }],

  listFigures: [list('/api/figures', null)],
  getTrends: filtered('/api/trends?figure=opened&split=repository', NAME),
  listNotes: [list('/api/notes', null)],
  addNote: [
    {
      ...list('/api/notes', null),
      body: () => ({ at: '2026-06-01', text: 'something' }),
      status: signedIn(201),
    },
  ],
  deleteNote: [{ ...list('/api/notes/2000000', null), status: signedIn(404) }],
  explainTrendPoint: filtered(`/api/trends/opened/prs?from=${FROM}&bucket=whole&point=${FROM}`, TITLE),

  listViews: [list('/api/views', null)],
  keepView: [
    {
      path: () => '/api/views',
      body: ({ id }) => ({ name: 'Some view', path: `/trends?repository=${id}` }),
      status: signedIn(201),
      shows: '/trends?repository=',
      names: true,
    },
  ],
  getView: [{ ...list('/api/views/nosuchviewhere', null), status: signedIn(404) }],
  changeView: [
    { ...list('/api/views/nosuchviewhere', null), body: () => ({ name: 'Another' }), status: signedIn(404) },
  ],
  deleteView: [{ ...list('/api/views/nosuchviewhere', null), status: signedIn(404) }],

  getMyWork: filtered('/api/my-work', null),
  saveSnooze: [
    {
      path: ({ owner, name }) => `/api/my-work/snoozes/${owner}/${name}/1`,
      body: () => ({ until_change: true }),
      status: readersOnly(409),
      shows: null,
      names: true,
    },
  ],
  deleteSnooze: [
    {
      path: ({ owner, name }) => `/api/my-work/snoozes/${owner}/${name}/1`,
      status: signedIn(204),
      shows: null,
      names: true,
    },
  ],

  listTeams: [list('/api/teams', null)],
  getTeam: [{ ...list('/api/teams/2000000', null), status: signedIn(404) }],
  makeGroup: [
    {
      path: () => '/api/teams',
      // Who takes part in what one reads is known, and else whom the host shows.
      body: () => ({ name: `Group ${randomUUID()}`, members: [AUTHOR] }),
      status: signedIn(201),
      shows: AUTHOR,
      names: false,
    },
  ],
  changeGroup: [{ ...list('/api/teams/2000000', null), body: () => ({ name: 'Another' }), status: signedIn(404) }],
  deleteTeam: [{ ...list('/api/teams/2000000', null), status: signedIn(404) }],
  saveMember: [
    {
      ...list(`/api/teams/2000000/members/${AUTHOR}`, null),
      body: () => ({ from: null, to: null }),
      status: signedIn(404),
    },
  ],
  compareTeams: filtered('/api/teams/compare', null),
  getTeamView: [{ ...list('/api/teams/2000000/view', null), status: signedIn(404) }],
  removeMember: [{ ...list(`/api/teams/2000000/members/${AUTHOR}`, null), status: signedIn(404) }],

  // Areas name people, and what is behind a signal names pull requests.
  getAiAuthorship: filtered('/api/ai/authorship?bots=true', null),
  getHealth: filtered('/api/health', null),
  listSignalPullRequests: filtered(`/api/health/merged_unreviewed/prs?from=${FROM}&all_bases=true`, null),
  listAiReviewers: filtered('/api/ai/reviewers', AGENT),
  getAiReviewer: [readable(({ agent }) => `/api/ai/reviewers/${agent}`, AGENT)],
  dismissSignal: [
    {
      path: (of) => `${pullRequest(of)}/signals/stamped`,
      body: () => ({ dismissed: true }),
      status: signedIn(404),
      shows: null,
      names: true,
    },
  ],
  getHealthSettings: [list('/api/settings/health', null)],
  saveHealthSettings: [
    {
      ...list('/api/settings/health', null),
      body: () => ({ big: 500 }),
      status: { ...signedIn(403), administrator: 200 },
    },
  ],

  listContributors: filtered('/api/contributors', AUTHOR),
  searchContributors: [list('/api/contributors/search?q=planted', AUTHOR)],
  getContributorMetrics: [
    readable(contributor('metrics?period=1y'), `"username":"${AUTHOR}"`),
    readable(({ id }) => `/api/contributors/${AUTHOR}/metrics?repository=${id}`, `"username":"${AUTHOR}"`),
  ],
  listContributorPullRequests: [readable(contributor('prs'), TITLE)],
  getReviewHeatmap: [readable(contributor('review-heatmap'), null)],
  exportContributor: (['csv', 'json', 'pdf'] as const).map((format) => ({
    path: () => '/api/contributors/export',
    body: ({ login }: Things) => ({ username: login, period: '1y', format }),
    status: readersOnly(200),
    shows: format === 'json' ? TITLE : null,
    names: true,
  })) as unknown as readonly [Probe, ...Probe[]],

  listPullRequests: [...filtered('/api/prs', TITLE), list(`/api/prs?q=${encodeURIComponent(TITLE)}`, TITLE)],
  exportPullRequests: [...filtered('/api/export/pull-requests', TITLE)],
  getPullRequest: [readable(pullRequest, TITLE)],
  refreshPullRequest: [readable((of) => `${pullRequest(of)}/refresh`, TITLE)],

  correctAuthorship: [
    {
      path: (of) => `${pullRequest(of)}/authorship`,
      body: () => ({ authorship: 'assisted', tool: 'claude' }),
      status: ownerOnly(200),
      shows: null,
      names: true,
    },
  ],
  withdrawAuthorship: [
    { path: (of) => `${pullRequest(of)}/authorship`, status: ownerOnly(200), shows: null, names: true },
  ],
  correctCredit: [
    {
      path: (of) => `${pullRequest(of)}/credit`,
      body: () => ({ username: REVIEWER }),
      status: ownerOnly(200),
      shows: null,
      names: true,
    },
  ],
  withdrawCredit: [{ path: (of) => `${pullRequest(of)}/credit`, status: ownerOnly(200), shows: null, names: true }],

  getNotifications: [list('/api/notifications', null)],
  saveNotifications: [{ ...list('/api/notifications', null), body: () => ({ paused: false }) }],
  listChannels: [list('/api/channels', null)],
  makeChannel: [
    {
      path: () => '/api/channels',
      body: ({ id }) => ({
        ...{ type: 'webhook', name: 'Some channel', url: 'https://hooks.example.org/one', repositories: [id] },
      }),
      status: readersOnly(201, 400),
      shows: '"reaches":{"repositories":1,"private":1}',
      names: true,
    },
  ],
  changeChannel: [{ ...list('/api/channels/2000000', null), body: () => ({ name: 'Another' }), status: signedIn(404) }],
  deleteChannel: [{ ...list('/api/channels/2000000', null), status: signedIn(404) }],
  resumeChannel: [{ ...list('/api/channels/2000000/resume', null), status: signedIn(404) }],
  renewChannelSecret: [{ ...list('/api/channels/2000000/secret', null), status: signedIn(404) }],
  testNotification: [
    { ...list('/api/notifications/test', null), body: () => ({ channel: 2_000_000 }), status: signedIn(404) },
  ],
  listDeliveries: [list('/api/notifications/log', null)],
  previewNotification: [
    list('/api/notifications/preview/weekly', null),
    { ...list('/api/notifications/preview/daily?channel=2000000', null), status: signedIn(404) },
  ],
  getDemoInbox: [{ ...list('/api/demo/inbox', null), status: signedIn(404) }],

  explainMetric: [
    ...filtered('/api/explain/team.open_prs', TITLE),
    readable(({ login }) => `/api/explain/developer.merged_prs?username=${login}`, TITLE),
    readable(({ owner, name }) => `/api/explain/pull_request.size_percentile?pull_request=${owner}/${name}/1`, null),
  ],

  listMarkedAccounts: [list('/api/account-kinds', null)],
  markAccount: [readable(({ login }) => `/api/account-kinds/${login}`, AUTHOR, { body: () => ({ kind: 'human' }) })],
  // Each of them has marked it just now and takes their own mark back.
  unmarkAccount: [readable(({ login }) => `/api/account-kinds/${login}`, null, { status: readersOnly(204) })],

  getAgentSettings: [list('/api/settings/ai', null)],
  saveAgentSettings: [
    {
      ...list('/api/settings/ai', null),
      body: () => ({ labels: [{ label: 'made by a machine', tool: 'claude' }] }),
      status: { ...signedIn(403), administrator: 200 },
    },
  ],

  listSecurityEvents: (['json', 'csv'] as const).map((format) => ({
    ...list(`/api/administration/audit?format=${format}`, null),
    status: { ...signedIn(403), administrator: 200 },
  })) as unknown as readonly [Probe, ...Probe[]],
};

/** Routes beside the contract, by method and path as the server knows them. */
const besideTheContract: Readonly<Record<string, Probe>> = {
  'GET /auth/login': { ...list('/auth/login', null), status: all(302) },
  'GET /auth/callback': { ...list('/auth/callback?code=x&state=y', null), status: all(302) },
  'POST /webhooks/github/:webhook_key': { ...list(`/webhooks/github/${randomUUID()}`, null), status: all(404) },
  'POST /webhooks/github/organisation/:key': {
    ...list(`/webhooks/github/organisation/${randomUUID()}`, null),
    status: all(404),
  },
  'POST /webhooks/github/app': { ...list('/webhooks/github/app', null), status: all(404) },
  'GET /metrics': { ...list('/metrics', null), status: all(200) },
  'GET /healthz': { ...list('/healthz', null), status: all(200) },
  'GET /readyz': { ...list('/readyz', null), status: all(200) },
  'GET /api/openapi.json': { ...list('/api/openapi.json', null), status: all(200) },
  'GET /confirm/:token': { ...list(`/confirm/${'x'.repeat(43)}`, null), status: all(404) },
  'POST /confirm/:token': { ...list(`/confirm/${'x'.repeat(43)}`, null), status: all(404) },
  'GET /unsubscribe/:token': { ...list(`/unsubscribe/${'x'.repeat(43)}`, null), status: all(404) },
  'POST /unsubscribe/:token': { ...list(`/unsubscribe/${'x'.repeat(43)}`, null), status: all(404) },
  'GET /docs': { ...list('/docs', null), status: all(200) },
  'GET /docs/:slug': { ...list('/docs/metrics', null), status: all(200) },
  'GET /docs/style.css': { ...list('/docs/style.css', null), status: all(200) },
  'GET /docs/api': { ...list('/docs/api', null), status: all(200) },
  'GET /docs/api-reference.css': { ...list('/docs/api-reference.css', null), status: all(200) },
  'GET /docs/api-reference.js': { ...list('/docs/api-reference.js', null), status: all(200) },
  // By token alone: what tools tell is looked at in assistants.test.ts.
  'POST /mcp': { ...list('/mcp', null), status: all(401) },
  'GET /mcp': { ...list('/mcp', null), status: all(405) },
  'DELETE /mcp': { ...list('/mcp', null), status: all(405) },
  'GET /demo-host/*': { ...list(`/demo-host/${OWNER}/${NAME}`, null), status: all(503) },
};

let simulator: RunningSimulator;
let app: TestApp;
let withheld: Things;
const cookies = new Map<Subject, string>();
/** A personal token of each that reads all that they may, and one of a reader that reads another repository alone. */
const tokens = new Map<Subject | 'elsewhere', string>();
/** Stands still while a session and a token ask the same. */
let frozen: Date | null = null;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  await plant();
  const database = await openTestDatabase();
  const syncing = await openTestApp({ host_url: simulator.url, role: 'all', database });
  const owner = await syncing.signIn(loginOf('owner'));
  const added = await syncing.ask('POST', '/api/repos', { as: owner, body: { owner: OWNER, name: NAME } });
  const { id } = added.body as { id: number };
  const started = await syncing.ask('POST', '/api/sync-repo-complete', { as: owner, body: { repoId: id } });
  const { session_id } = started.body as { session_id: string };
  await vi.waitFor(
    async () => {
      const { body } = await syncing.ask('GET', `/api/sync-progress/${session_id}`, { as: owner });
      expect(body).toMatchObject({ status: 'completed' });
    },
    { timeout: 60_000, interval: 100 },
  );
  await syncing.server.stop(2000);

  app = await openTestApp({
    host_url: simulator.url,
    database: { ...database },
    now: () => frozen ?? new Date(),
    config: { metrics: true, admin_logins: [loginOf('administrator')] },
    demo: {
      process: {
        ...{ url: 'http://127.0.0.1:9', since: new Date(0), ready: async () => null },
        ...{ onStartedAgain: () => undefined, stop: () => undefined },
      },
      host: githubHost({
        key: 'demo',
        label: 'demo',
        ...addresses('http://127.0.0.1:9'),
        oauth: null,
        now: () => new Date(),
      }),
      deliver_to: 'http://127.0.0.1:9',
    },
  });
  withheld = { id, owner: OWNER, name: NAME, session: session_id, login: AUTHOR, agent: 'coderabbitai' };
  for (const subject of subjects) await arrive(subject);
  const reader = cookies.get('reader')!;
  const other = await app.ask('POST', '/api/repos', { as: reader, body: { owner: 'octo-org', name: 'hello' } });
  await makeToken('elsewhere', reader, [(other.body as { id: number }).id]);
});
afterAll(async () => {
  await app?.stop();
  await app?.database.close();
  await simulator?.stop();
});

const loginOf = (subject: Subject) => `some-${subject}`;
const outsiders: readonly Subject[] = ['nobody', 'stranger', 'administrator'];
/** Whom the host lets read the repository at first. */
const admitted = subjects.filter((subject) => !outsiders.includes(subject)).map(loginOf);
let arrivals = 0;

/** The withheld repository at the host: one merged pull request, one stuck, one with a review asked for. */
async function plant(): Promise<void> {
  for (const subject of subjects) await simulator.control('accounts', { login: loginOf(subject) });
  for (const login of [OWNER, AUTHOR, REVIEWER]) await simulator.control('accounts', { login, name: `Planted Name` });
  await simulator.control('accounts', { login: AGENT, type: 'Bot' });
  const repository = { owner: OWNER, name: NAME, private: true, readers: admitted, admins: [loginOf('owner')] };
  await simulator.control('repos', repository);
  const path = `repos/${OWNER}/${NAME}/pulls`;
  for (const number of [1, 2, 3]) {
    const size = { additions: 20, deletions: 2, files: [{ path: FILE, additions: 20, deletions: 2 }] };
    await simulator.control(path, {
      ...{ number, author: AUTHOR, title: `${TITLE} ${number}`, headRef: BRANCH, size, createdAt: daysAgo(5) },
    });
  }
  const review = { kind: 'review', by: REVIEWER, at: daysAgo(4), state: 'APPROVED', bodyLength: 5 };
  await simulator.control(`${path}/1/entries`, [review, { kind: 'merged', by: REVIEWER, at: daysAgo(3) }]);
  await simulator.control(`${path}/2/entries`, [
    { kind: 'review', by: AGENT, at: daysAgo(4), state: 'COMMENTED', bodyLength: 5 },
  ]);
  const asked = { kind: 'review_requested', reviewer: { account: REVIEWER }, at: daysAgo(4) };
  await simulator.control(`${path}/3/entries`, [asked]);
}

/** Brings somebody into their state, from whichever they are in. */
async function arrive(subject: Subject): Promise<void> {
  if (subject === 'nobody') return;
  const host = `repos/${OWNER}/${NAME}`;
  const login = loginOf(subject);
  await simulator.control(host, { readers: admitted }, 'PATCH');
  // One token each time: the host knows no way back for one that was revoked.
  arrivals += 1;
  const token = subject === 'rejected' ? `ghp_${login}_repo-read:org-n${arrivals}` : `ghp_${login}`;
  const cookie = await app.signIn(login, token);
  cookies.set(subject, cookie);
  if (!tokens.has(subject)) await makeToken(subject, cookie, 'all');
  if (outsiders.includes(subject)) return;
  const connected = await app.ask('POST', '/api/repos', { as: cookie, body: { owner: OWNER, name: NAME } });
  expect([200, 201], subject).toContain(connected.status);
  const refresh = async () => await app.ask('POST', `${pullRequest(withheld)}/refresh`, { as: cookie });
  const still = admitted.filter((other) => other !== loginOf('withdrawn'));
  await simulator.control(host, { readers: still }, 'PATCH');
  if (subject === 'removed') await app.ask('DELETE', `/api/repos/${withheld.id}`, { as: cookie });
  if (subject === 'withdrawn') await refresh();
  if (subject === 'rejected') {
    await simulator.control('tokens', { token }, 'DELETE');
    await refresh();
  }
  if (subject === 'weaker') {
    const body = { token: `ghp_${login}_read:user`, replace: true };
    const replaced = await app.ask('POST', '/auth/token', { as: cookie, body });
    expect(replaced.status).toBe(200);
    cookies.set(subject, cookieIn(replaced, 'session'));
  }
}

async function makeToken(of: Subject | 'elsewhere', as: string, repositories: 'all' | number[]): Promise<void> {
  const body = { name: 'Some token', scopes: tokenScopes, repositories };
  const made = await app.ask('POST', '/api/tokens', { as, body });
  expect(made.status).toBe(201);
  tokens.set(of, (made.body as { token: string }).token);
}

const nothingOf = (): Things => ({
  id: 2_000_000,
  owner: 'nowhere',
  name: 'never-there',
  session: randomUUID(),
  login: 'nobody-known',
  agent: 'greptile-apps',
});

async function askByToken(
  name: EndpointName,
  probe: Probe,
  of: Things,
  subject: Subject | 'elsewhere',
): Promise<Answer> {
  return await app.ask(endpoints[name].method, probe.path(of), {
    headers: { authorization: `Bearer ${tokens.get(subject)}` },
    ...(probe.body !== undefined && { body: probe.body(of) }),
  });
}

async function ask(name: EndpointName, probe: Probe, of: Things, subject: Subject): Promise<Answer> {
  const cookie = cookies.get(subject);
  return await app.ask(endpoints[name].method, probe.path(of), {
    ...(cookie !== undefined && { as: cookie }),
    ...(probe.body !== undefined && { body: probe.body(of) }),
  });
}

/** All that an answer says, without what is another one's each time and without the words of the question. */
function bytesOf({ headers, body }: Answer, of: Things): string {
  const { date: _, 'content-length': __, 'x-request-id': id = '', ...rest } = headers;
  const said = Object.entries(rest).filter(([name]) => !name.startsWith('ratelimit-'));
  const text = JSON.stringify([said, body]).replaceAll(String(id), '');
  return [of.name, of.owner, of.login, of.agent].reduce((bytes, word) => bytes.replaceAll(word, '…'), text);
}

const isStream = (name: EndpointName) => 'media' in endpoints[name] && endpoints[name].media === 'events';
const names = (Object.keys(matrix) as EndpointName[]).filter((name) => !isStream(name));
// What changes somebody's state comes last.
names.sort(
  (a, b) => Number(matrix[a].some(({ changes }) => changes)) - Number(matrix[b].some(({ changes }) => changes)),
);

test.each(names)('%s: everybody gets their status, and no byte of what is withheld from them', async (name) => {
  for (const probe of matrix[name]) {
    for (const subject of subjects) {
      const where = `${endpoints[name].method} ${probe.path(withheld)} as ${subject}`;
      const answer = await ask(name, probe, withheld, subject);
      expect([answer.status, where, answer.status === probe.status[subject] ? '' : answer.body]).toEqual([
        probe.status[subject],
        where,
        '',
      ]);
      const bytes = JSON.stringify([answer.headers, answer.body]);
      expect(answer.headers, where).not.toHaveProperty('access-control-allow-origin');
      const isShown = readers.includes(subject) || (probe.asAtHost && subject === 'removed');
      if (isShown) {
        if (probe.shows !== null) expect(bytes.replaceAll('\\"', '"'), where).toContain(probe.shows);
      } else {
        const said = bytesOf(answer, withheld);
        expect(
          marks.filter((mark) => said.includes(mark)),
          where,
        ).toEqual([]);
        if (probe.names && !(probe.status[subject] < 300)) {
          const nothing = nothingOf();
          const unknown = await ask(name, probe, nothing, subject);
          expect([unknown.status, bytesOf(unknown, nothing)], where).toEqual([answer.status, said]);
        }
      }
      if (probe.changes) await arrive(subject);
    }
  }
});

/** The calls that no token may make, and of which it changes nothing to try. */
const closed = (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].scope === null);
const openToTokens = names.filter((name) => !closed.includes(name));

test.each(casesHere(openToTokens))('%s: a token is told what its owner is told, byte by byte', async (name) => {
  for (const probe of matrix[name]) {
    for (const subject of subjects.filter((each) => each !== 'nobody')) {
      const where = `${endpoints[name].method} ${probe.path(withheld)} as ${subject}`;
      frozen = new Date();
      const bySession = await ask(name, probe, withheld, subject);
      const byToken = await askByToken(name, probe, withheld, subject);
      frozen = null;
      if (subject === 'rejected') {
        expect([byToken.status, byToken.body], where).toEqual([
          401,
          expect.objectContaining({ code: 'host_sign_in_needed' }),
        ]);
        continue;
      }
      expect([byToken.status, answered(byToken)], where).toEqual([bySession.status, answered(bySession)]);
    }
    const elsewhere = await askByToken(name, probe, withheld, 'elsewhere');
    expect(elsewhere.status, probe.path(withheld)).toBe(probe.status.stranger);
    const said = bytesOf(elsewhere, withheld);
    expect(
      marks.filter((mark) => said.includes(mark)),
      probe.path(withheld),
    ).toEqual([]);
    if (probe.names && elsewhere.status >= 300) {
      const nothing = nothingOf();
      const unknown = await askByToken(name, probe, nothing, 'elsewhere');
      expect(bytesOf(unknown, nothing), probe.path(withheld)).toEqual(said);
    }
  }
});

test('no token makes any other call, whatever it asks for and whosever it is', async () => {
  expect(closed.length).toBeGreaterThan(70);
  for (const name of closed) {
    for (const probe of matrix[name]) {
      const answers = [
        await askByToken(name, probe, withheld, 'owner'),
        await askByToken(name, probe, nothingOf(), 'stranger'),
      ];
      for (const { status, body } of answers)
        expect([status, body], name).toEqual([
          403,
          { error: 'This token may not do that.', code: 'token_scope', request_id: expect.any(String) },
        ]);
    }
  }
});

/** What an answer says, without its id. */
function answered({ headers, body }: Answer): string {
  return JSON.stringify([headers['content-type'], body]).replaceAll(String(headers['x-request-id']), '');
}

test('a stream of events tells whoever reads the repository that it changed, and nobody else anything', async () => {
  const { db } = app.database;
  const streams = await Promise.all(
    subjects.map(async (subject) => {
      const cookie = cookies.get(subject);
      const answer = await app.server.app.inject({
        url: '/api/sync-events',
        headers: cookie === undefined ? {} : { cookie },
        payloadAsStream: true,
      });
      const heard: string[] = [];
      answer.stream().on('data', (chunk) => heard.push(String(chunk)));
      return { subject, answer, heard };
    }),
  );
  const said = (subject: Subject) => streams.find((stream) => stream.subject === subject)!.heard.join('');
  // Again and again: the first look of a stream, which tells nothing, may come after a single one.
  let at = Date.now();
  const heardBy = async (reader: Subject) => {
    at += 1000;
    await db
      .updateTable('repositories')
      .set({ changed_at: new Date(at) })
      .where('id', '=', withheld.id)
      .execute();
    return said(reader);
  };
  for (const reader of readers)
    await expect.poll(() => heardBy(reader), { interval: 100 }).toContain(`"repository_id":${withheld.id}`);

  for (const { subject, answer, heard } of streams) {
    expect(answer.statusCode, subject).toBe(signedIn(200)[subject]);
    if (answer.statusCode === 200 && !readers.includes(subject)) expect(heard, subject).toEqual([': hello\n\n']);
    answer.stream().destroy();
  }
});

test.each(Object.entries(besideTheContract))('%s beside the contract: the same for everybody', async (route, probe) => {
  const [method] = route.split(' ') as ['GET' | 'POST' | 'DELETE'];
  for (const subject of subjects) {
    const cookie = cookies.get(subject);
    const path = probe.path(withheld);
    const answer = await app.ask(method, path, { ...(cookie !== undefined && { as: cookie }) });
    expect([answer.status, subject]).toEqual([probe.status[subject], subject]);
    const said = bytesOf(answer, withheld);
    expect(
      marks.filter((mark) => said.includes(mark)),
      subject,
    ).toEqual([]);
  }
});

test('there is no route that the matrix does not know', async () => {
  await app.server.app.ready();
  const known = new Set([
    ...Object.values(endpoints).map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    ...Object.keys(besideTheContract),
  ]);
  const routes = routesIn(app.server.app.printRoutes());

  expect(routes.length).toBeGreaterThan(40);
  expect(routes.filter((route) => !known.has(route))).toEqual([]);
  expect([...known].filter((route) => !routes.includes(route))).toEqual([]);
});

/** `GET /path` of each route of Fastify's printed tree, in which each line is what it adds to the one above it. */
function routesIn(printed: string): string[] {
  const above: string[] = [];
  return printed
    .split('\n')
    .filter((line) => line.includes('── '))
    .flatMap((line) => {
      const depth = line.indexOf('── ') / 4;
      const [, text = '', methods = ''] = /── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
      above.length = Math.floor(depth);
      above.push(text);
      const path = above.join('');
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}
