import type { AccountState } from './state/account.ts';
import type { RepositoryState } from './state/pull-request.ts';
import { fullName } from './state/repository.ts';
import type { WorldState } from './state/world-state.ts';
import type { Tokens } from './tokens.ts';
import type { AppHook, Webhooks } from './webhooks/webhooks.ts';

export interface AppRegistration {
  readonly id: number;
  readonly slug: string;
  /** Where the App's events are delivered; null delivers none. */
  readonly hook: { readonly url: string; readonly secret: string } | null;
}

/** Repositories of an account on which the App is installed, by lower-cased name. */
type Installed = 'all' | ReadonlySet<string>;

/**
 * The GitHub App that the host's client is, once it is registered as one: on which accounts and repositories it is installed, and
 * what it hears of that. It is installed everywhere until somebody changes that.
 */
export class GithubApp {
  registered: AppRegistration | null = null;
  /** Whether tokens end after eight hours; an OAuth app's may as well. */
  expiring = false;
  #installations: Map<string, Installed> | null = null;
  readonly #host: { readonly world: () => WorldState; readonly tokens: Tokens; readonly webhooks: Webhooks };

  constructor(host: { readonly world: () => WorldState; readonly tokens: Tokens; readonly webhooks: Webhooks }) {
    this.#host = host;
    host.tokens.installedOn = (repository) => this.installedOn(repository);
    host.webhooks.appHookOf = (repository) => (repository === null || this.installedOn(repository) ? this.#hook : null);
    host.webhooks.installationOf = (repository) => (this.registered === null ? null : { id: repository.owner.id });
  }

  #hook: AppHook | null = null;

  register(app: AppRegistration | null): void {
    this.registered = app;
    this.#installations = null;
    this.#hook =
      app === null || app.hook === null
        ? null
        : {
            id: app.id,
            target: { type: 'integration', id: app.id },
            config: { ...app.hook, contentType: 'json' },
            deliveries: [],
          };
  }

  get deliveries() {
    return this.#hook?.deliveries ?? [];
  }

  installedOn(repository: RepositoryState): boolean {
    if (this.#installations === null) return true;
    const installed = this.#installations.get(repository.owner.login.toLowerCase());
    return installed === 'all' || installed?.has(repository.name.toLowerCase()) === true;
  }

  /** Installs it on an account, on `all` of its repositories or these, or takes it away (null), and delivers what GitHub would. */
  install(account: AccountState, repositories: 'all' | readonly string[] | null, sender: AccountState): void {
    const all = [...this.#host.world().repositories.values()].filter((repository) => !repository.deleted);
    this.#installations ??= new Map(all.map(({ owner }) => [owner.login.toLowerCase(), 'all' as const]));
    const ours = all.filter(({ owner }) => owner === account);
    const key = account.login.toLowerCase();
    const had = this.#installations.has(key);
    const before = ours.filter((repository) => this.installedOn(repository));
    if (repositories === null) this.#installations.delete(key);
    else {
      const names = repositories === 'all' ? 'all' : new Set(repositories.map((name) => name.toLowerCase()));
      this.#installations.set(key, names);
    }
    const after = ours.filter((repository) => this.installedOn(repository));
    const shape = ({ id, name, private: isPrivate, ...rest }: RepositoryState) => ({
      id,
      name,
      full_name: `${rest.owner.login}/${name}`,
      private: isPrivate,
    });
    const body = {
      installation: {
        id: account.id,
        account: { id: account.id, login: account.login, type: account.typeName },
        app_id: this.registered?.id,
        app_slug: this.registered?.slug,
        repository_selection: repositories === 'all' ? 'all' : 'selected',
        suspended_at: null,
      },
      sender: { id: sender.id, login: sender.login },
    };
    const deliver = (event: string, action: string, more: object) =>
      this.#host.webhooks.deliverToApp({ event, action, body: { action, ...body, ...more } });
    if (!had) deliver('installation', 'created', { repositories: after.map(shape) });
    else if (repositories === null) deliver('installation', 'deleted', { repositories: before.map(shape) });
    else {
      const added = after.filter((repository) => !before.includes(repository)).map(shape);
      const removed = before.filter((repository) => !after.includes(repository)).map(shape);
      const changed = { repository_selection: body.installation.repository_selection, requester: null };
      if (added.length > 0)
        deliver('installation_repositories', 'added', {
          ...changed,
          repositories_added: added,
          repositories_removed: [],
        });
      if (removed.length > 0)
        deliver('installation_repositories', 'removed', {
          ...changed,
          repositories_added: [],
          repositories_removed: removed,
        });
    }
  }

  /** The account takes back what it granted: all of its tokens end, and the App hears of it. */
  revoke(account: AccountState): void {
    this.#host.tokens.revokeAllOf(account.login);
    if (this.registered === null) return;
    this.#host.webhooks.deliverToApp({
      event: 'github_app_authorization',
      action: 'revoked',
      body: { action: 'revoked', sender: { id: account.id, login: account.login, type: account.typeName } },
    });
  }

  report() {
    return {
      ...this.registered,
      hook: this.registered?.hook?.url ?? null,
      expiring: this.expiring,
      installations:
        this.#installations === null
          ? null
          : [...this.#installations].map(([account, names]) => ({
              account,
              repositories: names === 'all' ? 'all' : [...names],
            })),
      repositories: [...this.#host.world().repositories.values()]
        .filter((repository) => !repository.deleted && this.installedOn(repository))
        .map(fullName),
    };
  }
}
