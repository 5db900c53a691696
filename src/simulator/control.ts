import { type Clock, iso } from './clock.ts';
import { completed, type LooseEntry, type Time, timeOf } from './control-entries.ts';
import {
  addTeam,
  changeOrganization,
  changeTeam,
  type OrganizationChange,
  type TeamChange,
} from './control-organizations.ts';
import { changeRepository, type RepositoryChange } from './control-repository.ts';
import type { Counters } from './counters.ts';
import type { Drift, DriftSettings } from './drift.ts';
import type { FaultRule, Faults } from './faults.ts';
import type { AppRegistration, GithubApp } from './github-app.ts';
import type { AccountType, PullRequestHistory, RepositoryHistory, Team, WorkflowRun } from './history.ts';
import { type Answer, type Ask, RestFailure, type Route, readJson } from './http.ts';
import type { LimitSettings, Limits } from './limits.ts';
import { hashOf } from './random.ts';
import { type AccountState, accountState } from './state/account.ts';
import type { RepositoryState } from './state/pull-request.ts';
import { fullName } from './state/repository.ts';
import type { WorldState } from './state/world-state.ts';
import { ALL_SCOPES, type Permissions, type Tokens } from './tokens.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import { commit as madeUpCommit, size as madeUpSize } from './worlds/builder.ts';

type ControlRoute = Route<(ask: Ask, params: Readonly<Record<string, string>>) => Answer | Promise<Answer>>;

interface Controlled {
  readonly world: () => WorldState;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly counters: Counters;
  readonly tokens: Tokens;
  readonly webhooks: Webhooks;
  readonly drift: Drift;
  readonly app: GithubApp;
}

/**
 * The host's own controls, for tests and for whoever plays with the simulation. Bodies and answers are JSON; times are ISO texts
 * or epoch milliseconds. What can't be done answers 422 with a sentence.
 *
 * | call | body | does |
 * | --- | --- | --- |
 * | GET /_control/state | | the clock, the world, its accounts and repositories |
 * | POST /_control/clock | `{set?, advanceSeconds?, frozen?}` | sets or moves the clock; what is due happens at once |
 * | GET /_control/counters, DELETE | | requests, points and bytes by kind and account, requests by operation; DELETE starts anew |
 * | PATCH /_control/limits | `{graphql?, core?, anonymous?, concurrent?, perMinute?}` | limits; null switches one off |
 * | POST /_control/limits/spend | `{login, resource?, remaining?, resetInSeconds?}` | leaves an account with so much of its hour |
 * | GET /_control/faults, DELETE | | the rules with how often they acted; DELETE removes all and ends their delays |
 * | POST /_control/faults | `{match, effect}` (`faults.ts`) | adds a rule, answers `{id}` |
 * | DELETE /_control/faults/:id | | removes one |
 * | POST /_control/drift | `{perPage?, advanceSeconds?, seed?}` | comments on so many random pull requests after every page read |
 * | POST /_control/tokens | `{login, scopes?, ssoAuthorized?}` | answers `{token}` |
 * | DELETE /_control/tokens | `{token}` or `{login}` | revokes one, or all that were minted for an account |
 * | GET /_control/tokens?login= | | which minted for an account are accepted now |
 * | PATCH /_control/permissions | `{actions?, contents?, members?, pull_requests?}` | what fine-grained tokens and the App's may read beside metadata; at first all but workflow runs |
 * | POST /_control/tokens/expire | `{token}` or `{login}` | ends one, or all of an account, before their time; what renews them stays good |
 * | GET /_control/app | | the GitHub App, where it is installed, and what it was sent |
 * | POST /_control/app | `{id?, slug?, hook?: {url, secret}, expiring?}` | from now on the client is a GitHub App; without `id` an OAuth app |
 * | PATCH /_control/app/installations/:account | `{repositories: "all"|[name]|null}` | installs it on an account, or takes it away |
 * | POST /_control/app/revoke | `{login}` | the account takes its authorization back |
 * | POST /_control/webhooks | `{paused}` | loses events on the way while paused |
 * | POST /_control/accounts | `{login, type?, name?}` | a new account |
 * | PATCH /_control/accounts/:login | `{login?, deleted?}` | renames or deletes it |
 * | PATCH /_control/organizations/:login | `{members?: {login: "ADMIN"|"MEMBER"|null}, approves?}` | lets people in or out; whether it approves the OAuth app |
 * | POST /_control/teams | a `Team`; `organization` and `slug` are needed | a new team |
 * | PATCH /_control/teams/:org/:slug | `{slug?, name?, secret?, parent?, members?: {login: "MAINTAINER"|"MEMBER"|null}, deleted?}` | changes it |
 * | POST /_control/repos | a `RepositoryHistory`; only `owner` and `name` are needed | a new repository |
 * | PATCH /_control/repos/:owner/:name | `{name?, owner?, private?, archived?, deleted?, blocked?, saml?, readers?, admins?, redirect?}` | changes it; `redirect: false` lets the old name answer 404 |
 * | POST /_control/repos/:owner/:name/pulls | a `PullRequestHistory`; only `title` and `author` are needed | opens a pull request, answers `{id, number}` |
 * | POST /_control/repos/:owner/:name/runs | a `WorkflowRun` or a list of them | adds runs, each in place of the one of the same id |
 * | POST /_control/repos/:owner/:name/pulls/:number/entries | an `Entry` or a list of them | appends what happened |
 *
 * In an entry `at` may be missing (now), `by` too (the author), and ids of comments, reviews, checks and commits are made up where
 * they are missing; the answer lists the entries as they were applied. `{kind: "commits", count: 2}` makes commits up.
 */
export function controlRoutes(host: Controlled): readonly ControlRoute[] {
  const { world, clock, faults, limits, counters, tokens, webhooks, drift, app } = host;
  const done = (body: object = { ok: true }): Answer => ({ status: 200, body });
  const route = (method: string, pattern: string, handle: ControlRoute['handle']): ControlRoute => ({
    method,
    pattern: `/_control/${pattern}`,
    handle: (ask, params) => {
      try {
        return handle(ask, params);
      } catch (error) {
        if (error instanceof RestFailure || !(error instanceof Error)) throw error;
        throw new RestFailure(422, error.message);
      }
    },
  });
  const sender = (): AccountState => {
    const account = world().accountNamed(world().signIn[0] ?? '');
    if (account === null) throw new Error('The world has nobody who signs in.');
    return account;
  };
  return [
    route('GET', 'state', () => {
      const { name, signIn, desk, accounts, repositories } = world();
      return done({
        now: iso(clock.now()),
        world: name,
        signIn,
        desk,
        accounts: [...accounts.values()].map(({ id, login, typeName, deleted }) => ({
          id,
          login,
          type: typeName,
          deleted,
        })),
        repositories: [...repositories.values()].map((repository) => ({
          id: repository.id,
          full_name: fullName(repository),
          private: repository.private,
          deleted: repository.deleted,
          pull_requests: repository.byNumber.size,
          counts: repository.counts,
        })),
      });
    }),
    route('POST', 'clock', (ask) => {
      const { set, advanceSeconds, frozen } = input<{ set?: Time; advanceSeconds?: number; frozen?: boolean }>(ask);
      if (frozen !== undefined) clock.freeze(frozen);
      if (set !== undefined) clock.set(timeOf(set));
      if (advanceSeconds !== undefined) clock.advance(advanceSeconds * 1000);
      world().runUntil(clock.now());
      return done({ now: iso(clock.now()) });
    }),
    route('GET', 'counters', () => done(counters.report())),
    route('DELETE', 'counters', () => {
      counters.reset();
      return done();
    }),
    route('PATCH', 'limits', (ask) => done(Object.assign(limits.settings, input<Partial<LimitSettings>>(ask)))),
    route('DELETE', 'limits', () => {
      limits.reset();
      return done();
    }),
    route('POST', 'limits/spend', (ask) => {
      const { login, resource, remaining, resetInSeconds } = input<{
        login: string;
        resource?: 'core' | 'graphql';
        remaining?: number;
        resetInSeconds?: number;
      }>(ask);
      const account = needAccount(world(), login);
      const now = clock.now();
      const resetAt = resetInSeconds === undefined ? null : now + resetInSeconds * 1000;
      limits.leave(String(account.id), resource ?? 'graphql', remaining ?? 0, resetAt, now);
      return done();
    }),
    route('GET', 'faults', () => ({ status: 200, body: [...faults.report()] })),
    route('POST', 'faults', (ask) => {
      const { match, effect } = input<FaultRule>(ask);
      if (effect === undefined)
        throw new Error('A fault needs an effect: {"match": {…}, "effect": {"name": "bad_gateway"}}.');
      return { status: 201, body: { id: faults.add({ match: match ?? {}, effect }) } };
    }),
    route('DELETE', 'faults', () => {
      faults.clear();
      return done();
    }),
    route('DELETE', 'faults/:id', (_ask, { id }) => {
      if (!faults.remove(Number(id))) throw new RestFailure(404, 'No rule has this id.');
      return done();
    }),
    route('POST', 'drift', (ask) => done(drift.set(input<Partial<DriftSettings>>(ask)))),
    route('POST', 'tokens', (ask) => {
      const { login, scopes, ssoAuthorized } = input<{ login: string; scopes?: string[]; ssoAuthorized?: boolean }>(
        ask,
      );
      const token = tokens.mint(needAccount(world(), login).login, scopes ?? ALL_SCOPES);
      if (ssoAuthorized === true) tokens.authorize(token);
      return { status: 201, body: { token } };
    }),
    route('GET', 'tokens', (ask) => {
      const minted = tokens.mintedFor(ask.query.get('login') ?? '');
      return done({ living: minted.filter((value) => tokens.read(value) !== null) });
    }),
    route('DELETE', 'tokens', (ask) => {
      const { token, login } = input<{ token?: string; login?: string }>(ask);
      if (token !== undefined) tokens.revoke(token);
      if (login !== undefined) tokens.revokeAllOf(login);
      return done();
    }),
    route('PATCH', 'permissions', (ask) => {
      tokens.permissions = { ...tokens.permissions, ...input<Partial<Permissions>>(ask) };
      return done(tokens.permissions);
    }),
    route('POST', 'tokens/expire', (ask) => {
      const { token, login } = input<{ token?: string; login?: string }>(ask);
      for (const value of token === undefined ? tokens.mintedFor(login ?? '') : [token]) tokens.expire(value);
      return done();
    }),
    route('GET', 'app', () => {
      const deliveries = app.deliveries.map(({ event, action, status, statusCode }) => ({
        event,
        action,
        status,
        statusCode,
      }));
      return done({ ...app.report(), deliveries });
    }),
    route('POST', 'app', (ask) => {
      const { id, slug, hook, expiring } = input<Partial<AppRegistration> & { expiring?: boolean }>(ask);
      app.register(id === undefined ? null : { id, slug: slug ?? `app-${id}`, hook: hook ?? null });
      app.expiring = expiring ?? false;
      return done();
    }),
    route('PATCH', 'app/installations/:account', (ask, { account = '' }) => {
      const { repositories } = input<{ repositories?: 'all' | readonly string[] | null }>(ask);
      app.install(needAccount(world(), account), repositories ?? null, sender());
      return done(app.report());
    }),
    route('POST', 'app/revoke', (ask) => {
      app.revoke(needAccount(world(), input<{ login: string }>(ask).login));
      return done();
    }),
    route('POST', 'webhooks', (ask) => {
      webhooks.paused = input<{ paused?: boolean }>(ask).paused ?? false;
      return done({ paused: webhooks.paused });
    }),
    route('POST', 'accounts', (ask) => {
      const { login, type, name } = input<{ login?: string; type?: AccountType; name?: string }>(ask);
      if (!login) throw new Error('An account needs a login.');
      const id = hashOf(`account/${login}`);
      world().addAccount(
        accountState({ id, login, type: type ?? 'User', name: name ?? null, email: null, avatarUrl: null }),
      );
      return { status: 201, body: { id, login } };
    }),
    route('PATCH', 'accounts/:login', (ask, { login = '' }) => {
      const account = needAccount(world(), login);
      const change = input<{ login?: string; deleted?: boolean }>(ask);
      if (change.login !== undefined) world().renameAccount(account, change.login);
      account.deleted = change.deleted ?? account.deleted;
      return done({ id: account.id, login: account.login, deleted: account.deleted });
    }),
    route('PATCH', 'organizations/:login', (ask, { login = '' }) => {
      changeOrganization(world(), needAccount(world(), login), input<OrganizationChange>(ask));
      return done();
    }),
    route('POST', 'teams', (ask) => {
      const team = addTeam(world(), input<Partial<Team>>(ask), clock.now());
      return { status: 201, body: { id: team.id } };
    }),
    route('PATCH', 'teams/:org/:slug', (ask, { org = '', slug = '' }) => {
      const team = world()
        .organizations.teamsOf(needAccount(world(), org))
        .find((other) => other.slug === slug);
      if (team === undefined) throw new RestFailure(404, `There is no team '${org}/${slug}'.`);
      changeTeam(world(), team, input<TeamChange>(ask));
      return done({ id: team.id });
    }),
    route('POST', 'repos', (ask) => {
      const given = input<Partial<RepositoryHistory>>(ask);
      if (!given.owner || !given.name) throw new Error('A repository needs an owner and a name.');
      const repository = world().addRepository({
        id: hashOf(`repository/${given.owner}/${given.name}`),
        private: false,
        archived: false,
        defaultBranch: 'main',
        createdAt: clock.now(),
        readers: [],
        admins: [],
        pullRequests: [],
        ...given,
        owner: given.owner,
        name: given.name,
      });
      return { status: 201, body: { id: repository.id, full_name: fullName(repository) } };
    }),
    route('PATCH', 'repos/:owner/:name', (ask, { owner = '', name = '' }) => {
      const repository = needRepository(world(), owner, name);
      changeRepository(host, repository, input<RepositoryChange>(ask), sender());
      return done({ id: repository.id, full_name: fullName(repository) });
    }),
    route('POST', 'repos/:owner/:name/pulls', (ask, { owner = '', name = '' }) => {
      const repository = needRepository(world(), owner, name);
      const given = input<Partial<Omit<PullRequestHistory, 'createdAt'>> & { createdAt?: Time }>(ask);
      const number = given.number ?? Math.max(0, ...repository.byNumber.keys()) + 1;
      const id = given.id ?? world().newId();
      const author = given.author ?? null;
      const createdAt = given.createdAt === undefined ? clock.now() : timeOf(given.createdAt);
      if (!given.title) throw new Error('A pull request needs a title.');
      if (repository.byNumber.has(number)) throw new Error(`There is a #${number} already.`);
      if (author !== null) world().account(author);
      world().schedule(repository, {
        openedAsDraft: false,
        baseRef: repository.defaultBranch,
        headRef: `change-${number}`,
        bodyLength: 40,
        commits: [madeUpCommit(`${id}/1`, author, createdAt)],
        size: madeUpSize(10, 2),
        entries: [],
        ...given,
        id,
        number,
        author,
        title: given.title,
        createdAt,
      });
      world().runUntil(clock.now());
      return { status: 201, body: { id, number } };
    }),
    route('POST', 'repos/:owner/:name/runs', (ask, { owner = '', name = '' }) => {
      const repository = needRepository(world(), owner, name);
      const given = input<WorkflowRun | WorkflowRun[]>(ask);
      for (const run of Array.isArray(given) ? given : [given]) repository.runs.set(run.id, run);
      return done({ runs: repository.runs.size });
    }),
    route('POST', 'repos/:owner/:name/pulls/:number/entries', (ask, { owner = '', name = '', number = '' }) => {
      const pull = needRepository(world(), owner, name).byNumber.get(Number(number));
      if (pull === undefined) throw new RestFailure(404, `There is no #${number}.`);
      const given = input<LooseEntry | LooseEntry[]>(ask);
      const applied = (Array.isArray(given) ? given : [given]).map((entry) => {
        const whole = completed(entry, world(), clock.now(), pull.author?.login ?? null);
        world().append(pull, whole);
        return whole;
      });
      return { status: 201, body: applied };
    }),
  ];
}

function input<T>(ask: Ask): T {
  return (readJson(ask) ?? {}) as T;
}

function needAccount(world: WorldState, login: string): AccountState {
  const account = world.accountNamed(login);
  if (account === null) throw new RestFailure(404, `There is no account '${login}'.`);
  return account;
}

function needRepository(world: WorldState, owner: string, name: string): RepositoryState {
  const repository = world.repositoryNamed(owner, name);
  if (repository === null) throw new RestFailure(404, `There is no repository '${owner}/${name}'.`);
  return repository;
}
