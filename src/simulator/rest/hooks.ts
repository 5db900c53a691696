import { iso } from '../clock.ts';
import { RestFailure, readJson } from '../http.ts';
import { hasScope, mayAdminister } from '../tokens.ts';
import type { Delivery, Hook, HookConfig, HookOwner, Webhooks } from '../webhooks/webhooks.ts';
import { paged, type RestAsk, type RestRoute, repositoryIn, requireToken } from './ask.ts';

/** The hook body as a client may send it; what is missing takes the documented default. */
interface HookInput {
  readonly active?: boolean;
  readonly events?: readonly string[];
  readonly add_events?: readonly string[];
  readonly remove_events?: readonly string[];
  readonly config?: { readonly url?: string; readonly content_type?: string; readonly secret?: string };
}

/**
 * Webhooks of a repository or an organisation: only their administrators see that there are any, others get 404 (GitHub documentation, REST:
 * repository webhooks). A GitHub App's token may not manage them: the App here has no permission for that.
 */
export function hookRoutes(webhooks: Webhooks): readonly RestRoute[] {
  const managed = (ask: RestAsk): HookOwner => {
    if (ask.params.org !== undefined) return organizationIn(ask);
    const repository = repositoryIn(ask);
    const token = requireToken(ask);
    if (token.kind === 'app') throw new RestFailure(403, 'Resource not accessible by integration');
    const scope = ask.method === 'GET' ? 'read:repo_hook' : 'write:repo_hook';
    if (!mayAdminister(token, repository) || !hasScope(token, scope)) throw new RestFailure(404, 'Not Found');
    return repository;
  };
  const hookIn = (ask: RestAsk): Hook => {
    const owner = managed(ask);
    const hook = webhooks.get(Number(ask.params.hook));
    if (hook === null || hook.owner !== owner) throw new RestFailure(404, 'Not Found');
    return hook;
  };
  const deliveryIn = (ask: RestAsk): Delivery => {
    const delivery = hookIn(ask).deliveries.find(({ id }) => id === Number(ask.params.delivery));
    if (delivery === undefined) throw new RestFailure(404, 'Not Found');
    return delivery;
  };
  const input = (ask: RestAsk): HookInput => (readJson(ask) ?? {}) as HookInput;
  const config = (given: HookInput['config'], before: HookConfig | null): HookConfig => {
    const url = given?.url ?? before?.url;
    if (url === undefined || !/^https?:\/\//.test(url)) {
      throw new RestFailure(422, 'Validation Failed', {
        errors: [{ resource: 'Hook', code: 'invalid', field: 'url' }],
      });
    }
    const contentType = given?.content_type ?? before?.contentType ?? 'form';
    return {
      url,
      contentType: contentType === 'json' ? 'json' : 'form',
      secret: given?.secret ?? before?.secret ?? null,
    };
  };
  const below = (base: string): RestRoute[] => [
    {
      method: 'GET',
      pattern: base,
      handle: (ask) => paged(ask, webhooks.of(managed(ask)), (hook) => webhooks.shape(hook)),
    },
    {
      method: 'POST',
      pattern: base,
      handle: (ask) => {
        const owner = managed(ask);
        const { events = ['push'], active = true, config: given } = input(ask);
        return { status: 201, body: webhooks.shape(webhooks.create(owner, config(given, null), events, active)) };
      },
    },
    { method: 'GET', pattern: `${base}/:hook`, handle: (ask) => ({ status: 200, body: webhooks.shape(hookIn(ask)) }) },
    {
      method: 'PATCH',
      pattern: `${base}/:hook`,
      handle: (ask) => {
        const hook = hookIn(ask);
        const change = input(ask);
        const events = change.events ?? [...hook.events, ...(change.add_events ?? [])];
        hook.events = events.filter((event) => change.remove_events?.includes(event) !== true);
        hook.active = change.active ?? hook.active;
        hook.config = config(change.config, hook.config);
        hook.updatedAt = ask.now;
        return { status: 200, body: webhooks.shape(hook) };
      },
    },
    {
      method: 'DELETE',
      pattern: `${base}/:hook`,
      handle: (ask) => {
        webhooks.remove(hookIn(ask));
        return { status: 204, body: null };
      },
    },
    {
      method: 'POST',
      pattern: `${base}/:hook/pings`,
      handle: (ask) => {
        webhooks.ping(hookIn(ask));
        return { status: 204, body: null };
      },
    },
    {
      method: 'GET',
      pattern: `${base}/:hook/deliveries`,
      handle: (ask) => {
        const hook = hookIn(ask);
        const cursor = ask.query.get('cursor');
        const failure = ask.query.get('status') === 'failure';
        const found = [...hook.deliveries]
          .reverse()
          .filter(({ status }) => !failure || (status !== 'OK' && status !== 'pending'))
          .filter(({ id }) => cursor === null || id < Number(cursor));
        const size = Math.min(100, Number(ask.query.get('per_page') ?? 30) || 30);
        const page = found.slice(0, size);
        const last = page.at(-1);
        const link = `<${ask.api}${ask.path}?per_page=${size}&cursor=${last?.id}>; rel="next"`;
        return { status: 200, ...(found.length > size ? { headers: { link } } : {}), body: page.map(deliveryShape) };
      },
    },
    {
      method: 'GET',
      pattern: `${base}/:hook/deliveries/:delivery`,
      handle: (ask) => {
        const delivery = deliveryIn(ask);
        const request = { headers: delivery.request.headers, payload: JSON.parse(delivery.request.body) };
        return {
          status: 200,
          body: { ...deliveryShape(delivery), request, response: { headers: {}, payload: delivery.response } },
        };
      },
    },
    {
      method: 'POST',
      pattern: `${base}/:hook/deliveries/:delivery/attempts`,
      handle: (ask) => {
        webhooks.redeliver(hookIn(ask), deliveryIn(ask));
        return { status: 202, body: {} };
      },
    },
  ];
  return [...below('/repos/:owner/:repo/hooks'), ...below('/orgs/:org/hooks')];
}

/** The organisation in the path, for its owners with the right scope; to others it has no hooks (GitHub documentation, REST: organization webhooks). */
function organizationIn(ask: RestAsk): HookOwner {
  const token = requireToken(ask);
  const organization = ask.world.accountNamed(ask.params.org ?? '');
  const role = organization && ask.world.organizations.roleOf(organization, token.account);
  if (organization === null || role !== 'ADMIN' || !hasScope(token, 'admin:org_hook'))
    throw new RestFailure(404, 'Not Found');
  return organization;
}

function deliveryShape(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: iso(delivery.deliveredAt),
    redelivery: delivery.redelivery,
    duration: delivery.duration,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    throttled_at: null,
  };
}
