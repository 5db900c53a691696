import { createHmac, randomUUID } from 'node:crypto';
import { type Clock, iso } from '../clock.ts';
import { RestFailure } from '../http.ts';
import type { AccountState } from '../state/account.ts';
import type { OrganizationEvent } from '../state/organizations.ts';
import type { PullRequestEvent, RepositoryState } from '../state/pull-request.ts';
import {
  type CollaboratorChange,
  collaboratorPayload,
  type Delivered,
  organizationPayload,
  payloadsOf,
} from './payloads.ts';

export interface HookConfig {
  readonly url: string;
  readonly contentType: 'json' | 'form';
  readonly secret: string | null;
}

/** Where deliveries go: a repository's or an organisation's hook, or an App's. */
interface Receiver {
  readonly id: number;
  config: HookConfig;
  readonly deliveries: Delivery[];
}

/** What a hook belongs to: a repository, or an organisation with all its repositories. */
export type HookOwner = RepositoryState | AccountState;

export interface Hook extends Receiver {
  readonly owner: HookOwner;
  readonly createdAt: number;
  updatedAt: number;
  active: boolean;
  events: readonly string[];
}

/** The one hook of a GitHub App: it hears of every repository on which the App is installed. */
export interface AppHook extends Receiver {
  readonly target: { readonly type: 'integration'; readonly id: number };
}

export interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly deliveredAt: number;
  readonly redelivery: boolean;
  /** Seconds. */
  duration: number;
  status: string;
  statusCode: number;
  readonly event: string;
  readonly action: string | null;
  readonly request: { readonly headers: Record<string, string>; readonly body: string };
  response: string;
}

/** GitHub documentation, webhooks: a receiver has ten seconds; deliveries are kept for three days. */
const ANSWER_WITHIN = 10_000;
const KEPT = 3 * 86_400_000;

/** The hooks of all repositories and organisations, and what was sent to them. Nothing is sent twice unless somebody asks for it. */
export class Webhooks {
  readonly #hooks = new Map<number, Hook>();
  readonly #clock: Clock;
  readonly #url: () => string;
  readonly #version: string;
  readonly #running = new Set<AbortController>();
  #ids = 0;
  /** Events that are lost on the way, for tests of a receiver that was away. */
  paused = false;
  /** The App's hook where it is installed on the repository, or at all (null). */
  appHookOf: (repository: RepositoryState | null) => AppHook | null = () => null;
  /** What a delivery to the App says of the installation. */
  installationOf: (repository: RepositoryState) => { readonly id: number } | null = () => null;

  constructor(host: { clock: Clock; url: () => string; version: string }) {
    this.#clock = host.clock;
    this.#url = host.url;
    this.#version = host.version;
  }

  of(owner: HookOwner): readonly Hook[] {
    return [...this.#hooks.values()].filter((hook) => hook.owner === owner);
  }

  get(id: number): Hook | null {
    return this.#hooks.get(id) ?? null;
  }

  /** Adds a hook and pings it. Throws 422 for one with the same address and events. */
  create(owner: HookOwner, config: HookConfig, events: readonly string[], active: boolean): Hook {
    if (this.of(owner).some((hook) => hook.config.url === config.url)) {
      const message = `Hook already exists on this ${targetOf({ owner }).type}`;
      throw new RestFailure(422, 'Validation Failed', { errors: [{ resource: 'Hook', code: 'custom', message }] });
    }
    const now = this.#clock.now();
    const hook: Hook = {
      id: this.#nextId(),
      owner,
      createdAt: now,
      updatedAt: now,
      active,
      events,
      config,
      deliveries: [],
    };
    this.#hooks.set(hook.id, hook);
    this.ping(hook);
    return hook;
  }

  remove(hook: Hook): void {
    this.#hooks.delete(hook.id);
  }

  ping(hook: Hook): void {
    const { id, owner } = hook;
    const about =
      owner.typeName === 'Repository'
        ? { repository: { id: owner.id, full_name: `${owner.owner.login}/${owner.name}`, private: owner.private } }
        : { organization: { id: owner.id, login: owner.login } };
    const type = owner.typeName === 'Repository' ? 'Repository' : 'Organization';
    const body = {
      zen: 'Small steps are easier to take back.',
      hook_id: id,
      hook: { type, ...this.shape(hook) },
      ...about,
    };
    this.#send(hook, targetOf(hook), { event: 'ping', action: null, body }, randomUUID(), false);
  }

  /** A hook as REST shows it: the secret is hidden. */
  shape(hook: Hook): Record<string, unknown> {
    const { owner } = hook;
    const path = owner.typeName === 'Repository' ? `repos/${owner.owner.login}/${owner.name}` : `orgs/${owner.login}`;
    const api = `${this.#url()}/api/v3/${path}/hooks/${hook.id}`;
    const last = hook.deliveries.at(-1);
    return {
      id: hook.id,
      name: 'web',
      active: hook.active,
      events: hook.events,
      config: {
        url: hook.config.url,
        content_type: hook.config.contentType,
        insecure_ssl: '0',
        ...(hook.config.secret === null ? {} : { secret: '********' }),
      },
      created_at: iso(hook.createdAt),
      updated_at: iso(hook.updatedAt),
      url: api,
      ping_url: `${api}/pings`,
      deliveries_url: `${api}/deliveries`,
      last_response: {
        code: last?.statusCode ?? null,
        status: last === undefined ? 'unused' : 'active',
        message: last?.status ?? null,
      },
    };
  }

  /** Delivers what happened to a pull request to the hooks of its repository. */
  deliver(event: PullRequestEvent): void {
    const { repository } = event.pull;
    if (!this.#isHeard(repository)) return;
    for (const payload of payloadsOf(event, this.#url())) this.#deliverToAll(repository, payload);
  }

  /** Delivers what happened to an organisation's teams and people to its hooks and the App. */
  deliverOrganization(event: OrganizationEvent, sender: AccountState): void {
    const payload = organizationPayload(event, sender, this.#url());
    this.#deliverToOwner(event.organization, payload);
    this.deliverToApp(payload);
  }

  /** Delivers to the App what concerns no single repository. */
  deliverToApp(payload: Delivered): void {
    const hook = this.appHookOf(null);
    if (hook !== null && !this.paused) this.#send(hook, hook.target, payload, randomUUID(), false);
  }

  /** Delivers what happened to the repository itself to its hooks: `action` with what changed. */
  deliverRepository(
    repository: RepositoryState,
    action: string,
    sender: AccountState,
    shape: object,
    changes: object | null,
  ): void {
    const body = {
      action,
      ...(changes === null ? {} : { changes }),
      repository: shape,
      sender: { login: sender.login, id: sender.id },
    };
    this.#deliverToAll(repository, { event: 'repository', action, body });
  }

  /** Delivers to the hooks that somebody may do more or less in the repository than before. */
  deliverCollaborator(repository: RepositoryState, change: CollaboratorChange, sender: AccountState): void {
    if (!this.#isHeard(repository)) return;
    this.#deliverToAll(repository, collaboratorPayload(repository, change, sender, this.#url()));
  }

  /** Sends a delivery again, with the GUID of the first time. */
  redeliver(hook: Hook, delivery: Delivery): void {
    const body: object = JSON.parse(delivery.request.body);
    this.#send(hook, targetOf(hook), { event: delivery.event, action: delivery.action, body }, delivery.guid, true);
  }

  close(): void {
    for (const controller of this.#running) controller.abort();
  }

  #isHeard(repository: RepositoryState): boolean {
    const hooks = this.of(repository).length + this.of(repository.owner).length;
    return hooks > 0 || this.appHookOf(repository) !== null;
  }

  #nextId(): number {
    this.#ids += 1;
    return 700_000 + this.#ids;
  }

  #deliverToAll(repository: RepositoryState, payload: Delivered): void {
    if (this.paused) return;
    const { owner } = repository;
    const organization =
      owner.typeName === 'Organization' ? { organization: { id: owner.id, login: owner.login } } : {};
    const told = { ...payload, body: { ...payload.body, ...organization } };
    this.#deliverToOwner(repository, told);
    this.#deliverToOwner(owner, told);
    const app = this.appHookOf(repository);
    if (app === null) return;
    const body = { ...told.body, installation: this.installationOf(repository) };
    this.#send(app, app.target, { ...payload, body }, randomUUID(), false);
  }

  #deliverToOwner(owner: HookOwner, payload: Delivered): void {
    if (this.paused) return;
    for (const hook of this.of(owner)) {
      if (!hook.active || !(hook.events.includes('*') || hook.events.includes(payload.event))) continue;
      this.#send(hook, targetOf(hook), payload, randomUUID(), false);
    }
  }

  #send(
    hook: Receiver,
    target: { readonly type: string; readonly id: number },
    { event, action, body }: Delivered,
    guid: string,
    redelivery: boolean,
  ): void {
    const json = JSON.stringify(body);
    const form = hook.config.contentType === 'form';
    const sent = form ? new URLSearchParams({ payload: json }).toString() : json;
    const { secret } = hook.config;
    const sign = (algorithm: string) =>
      `${algorithm}=${createHmac(algorithm, secret ?? '')
        .update(sent)
        .digest('hex')}`;
    const headers: Record<string, string> = {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      'user-agent': 'GitHub-Hookshot/simulated',
      'x-github-event': event,
      'x-github-delivery': guid,
      'x-github-hook-id': String(hook.id),
      'x-github-hook-installation-target-type': target.type,
      'x-github-hook-installation-target-id': String(target.id),
      'x-github-enterprise-version': this.#version,
      'x-github-enterprise-host': new URL(this.#url() || 'http://127.0.0.1').host,
      ...(secret === null ? {} : { 'x-hub-signature-256': sign('sha256'), 'x-hub-signature': sign('sha1') }),
    };
    const now = this.#clock.now();
    const delivery: Delivery = {
      id: this.#nextId(),
      guid,
      deliveredAt: now,
      redelivery,
      duration: 0,
      status: 'pending',
      statusCode: 0,
      event,
      action,
      request: { headers, body: json },
      response: '',
    };
    hook.deliveries.push(delivery);
    while (hook.deliveries[0] !== undefined && hook.deliveries[0].deliveredAt < now - KEPT) hook.deliveries.shift();
    this.#post(hook.config.url, headers, sent, delivery).catch((error: unknown) => {
      delivery.status =
        error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'failed to connect to host';
    });
  }

  async #post(url: string, headers: Record<string, string>, body: string, delivery: Delivery): Promise<void> {
    const controller = new AbortController();
    this.#running.add(controller);
    const started = performance.now();
    try {
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(ANSWER_WITHIN)]);
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      delivery.response = (await response.text()).slice(0, 10_000);
      delivery.statusCode = response.status;
      delivery.status = response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`;
    } finally {
      delivery.duration = Math.round(performance.now() - started) / 1000;
      this.#running.delete(controller);
    }
  }
}

function targetOf({ owner }: Pick<Hook, 'owner'>) {
  return { type: owner.typeName === 'Repository' ? 'repository' : 'organization', id: owner.id };
}
