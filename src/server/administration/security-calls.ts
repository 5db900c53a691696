import { type Kysely, sql } from 'kysely';
import type { SecurityEventName } from '#contract/administration.ts';
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import type { Database } from '../db/database.ts';
import { type AnyHandler, type Handler, type Handlers, mapHandlers } from '../http/serve.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import type { NoteSecurityEvent, SecurityEvent } from '../security-events.ts';

type InputOf<Name extends EndpointName> = Parameters<Handler<Name>>[0];
type About = Pick<SecurityEvent, 'subject' | 'repository_id'>;

interface SecurityCall<Name extends EndpointName> {
  /** Null: this time it is none. */
  readonly event: SecurityEventName | ((input: InputOf<Name>) => SecurityEventName | null);
  /** Found before the call is handled: afterwards what it names may be gone. */
  readonly before?: (input: InputOf<Name>, db: Kysely<Database>) => About | Promise<About>;
  readonly after?: (answer: AnswerOf<(typeof endpoints)[Name]>) => About;
}

/** The calls whose success is a security event of whoever is signed in. Signing in and out note theirs where they happen. */
const securityCalls: { readonly [Name in EndpointName]?: SecurityCall<Name> } = {
  connectRepository: {
    // Whoever has connected it asks the same to read its webhook's address.
    event: ({ reply }) => (reply.statusCode === endpoints.connectRepository.status ? 'repository_connected' : null),
    after: ({ id, owner, name }) => ({ subject: `${owner}/${name}`, repository_id: id }),
  },
  disconnectRepository: {
    event: 'repository_disconnected',
    before: async ({ params }, db) => ({ subject: await nameOf(db, params.id), repository_id: params.id }),
  },
  rotateWebhook: {
    event: 'webhook_secret_made',
    before: async ({ params }, db) => ({ subject: await nameOf(db, params.id), repository_id: params.id }),
  },
  exportContributor: { event: 'exported', before: ({ body }) => ({ subject: `${body.username} (${body.format})` }) },
  markAccount: {
    event: 'account_marked',
    before: ({ params, body }) => ({ subject: `${params.username}: ${body.kind}` }),
  },
  dismissSignal: {
    event: ({ body }) => (body.dismissed ? 'signal_dismissed' : 'signal_restored'),
    before: async ({ user, params: { repoOwner, repoName, prNumber, key } }, db) => ({
      subject: `${repoOwner}/${repoName}#${prNumber}: ${key}`,
      repository_id: await idOf(db, await scopeOf(db, user.id), repoOwner, repoName),
    }),
  },
  saveHealthSettings: { event: 'thresholds_changed', after: () => ({ subject: null }) },
  saveAgentSettings: {
    event: 'agent_labels_changed',
    after: ({ labels }) => ({ subject: `${labels.length} labels` }),
  },
  importTeams: {
    event: 'teams_imported',
    // Names of secret teams are for those alone who are shown them.
    before: ({ body }) => ({ subject: `${body.organisation}: ${body.slugs?.length ?? 'all'}` }),
  },
  // Their names are for those alone who see them.
  makeGroup: { event: 'group_made', after: ({ id }) => ({ subject: `group ${id}` }) },
  changeGroup: { event: 'group_changed', before: ({ params }) => ({ subject: `group ${params.id}` }) },
  saveMember: { event: 'group_changed', before: ({ params }) => ({ subject: `group ${params.id}` }) },
  removeMember: { event: 'group_changed', before: ({ params }) => ({ subject: `group ${params.id}` }) },
  deleteTeam: { event: 'team_removed', before: ({ params }) => ({ subject: `team ${params.id}` }) },
  // Where messages go is their owner's alone; a change of what is told is no event.
  saveNotifications: {
    event: ({ body }) => (body.mail === undefined ? null : 'mail_address_changed'),
    after: () => ({ subject: null }),
  },
  makeChannel: { event: 'channel_made', after: ({ id, type }) => ({ subject: `channel ${id}: ${type}` }) },
  changeChannel: { event: 'channel_changed', before: ({ params }) => ({ subject: `channel ${params.id}` }) },
  deleteChannel: { event: 'channel_removed', before: ({ params }) => ({ subject: `channel ${params.id}` }) },
  renewChannelSecret: { event: 'channel_secret_made', before: ({ params }) => ({ subject: `channel ${params.id}` }) },
  // What its owner calls it is theirs.
  makeToken: { event: 'api_token_made', after: ({ id }) => ({ subject: `token ${id}` }) },
  revokeToken: { event: 'api_token_revoked', before: ({ params }) => ({ subject: `token ${params.id}` }) },
  unmarkAccount: { event: 'account_unmarked', before: ({ params }) => ({ subject: params.username }) },
};

/** The calls that can answer with a list as a whole; the audit log's notes that itself, however much of it is asked for. */
const listCalls: ReadonlySet<EndpointName> = new Set(
  (Object.keys(endpoints) as EndpointName[]).filter((name) => {
    const { access, method, media, table }: Endpoint = endpoints[name];
    return (
      access === 'session' && method === 'GET' && (media === 'lines' || table !== null) && name !== 'listSecurityEvents'
    );
  }),
);

/** As what a list leaves whole, from its beginning: lines, or CSV that no `limit` cuts; null where it does not. */
function wholeListAs(name: EndpointName, { query, csv }: InputOf<'exportPullRequests'>): string | null {
  const { media }: Endpoint = endpoints[name];
  if (media === 'lines') return query.cursor === undefined ? 'lines' : null;
  return csv?.isFirstPage === true && csv.most !== null ? 'csv' : null;
}

/** The same handlers, except that those of `securityCalls` note their success, and all others that a list left whole. */
export function noteSecurityCalls(
  handlers: Handlers<EndpointName>,
  db: Kysely<Database>,
  noteSecurityEvent: NoteSecurityEvent,
): Handlers<EndpointName> {
  return mapHandlers(handlers, (name, handle) => {
    // Each call fits its own handler; over all of them TypeScript sees only that there is one.
    const call = securityCalls[name] as unknown as SecurityCall<'markAccount'> | undefined;
    if (call !== undefined) return notingSuccess(call, handle, db, noteSecurityEvent);
    return listCalls.has(name) ? notingWholeList(name, handle, noteSecurityEvent) : handle;
  });
}

function notingSuccess(
  { event, before, after }: SecurityCall<'markAccount'>,
  handle: AnyHandler,
  db: Kysely<Database>,
  noteSecurityEvent: NoteSecurityEvent,
): AnyHandler {
  return async (given) => {
    const input = given as InputOf<'markAccount'>;
    const about = await before?.(input, db);
    const answer = await handle(input);
    const what = about ?? after?.(answer as AnswerOf<typeof endpoints.markAccount>) ?? { subject: null };
    const noted = typeof event === 'string' ? event : event(input);
    if (noted !== null) await noteSecurityEvent({ event: noted, actor: input.user.login, ...what }, input.request);
    return answer;
  };
}

function notingWholeList(name: EndpointName, handle: AnyHandler, noteSecurityEvent: NoteSecurityEvent): AnyHandler {
  return async (given) => {
    const input = given as InputOf<'exportPullRequests'>;
    const answer = await handle(input);
    const as = wholeListAs(name, input);
    if (as !== null)
      await noteSecurityEvent(
        { event: 'exported', actor: input.user.login, subject: `${name} (${as})` },
        input.request,
      );
    return answer;
  };
}

async function nameOf(db: Kysely<Database>, repository_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('repositories')
    .select(['owner', 'name'])
    .where('id', '=', repository_id)
    .executeTakeFirst();
  return row === undefined ? null : `${row.owner}/${row.name}`;
}

/** Of the repository in scope that the call names, as its handler finds it. */
async function idOf(db: Kysely<Database>, scope: Scope, owner: string, name: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from repositories
    where ${scope.filter(null, 'id')} and lower(owner) = lower(${owner}) and lower(name) = lower(${name})`.execute(db);
  return rows[0]?.id ?? null;
}
