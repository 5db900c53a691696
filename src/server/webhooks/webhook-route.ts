import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
import { addHints, type HintSubject } from '../db/hints.ts';
import type { CodeHost, HostDelivery } from '../host/host.ts';
import { HttpError, notFound } from '../http/errors.ts';

/** What receiving deliveries stands on. */
export interface Receiving {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  /** Opens a repository's webhook secret. */
  readonly openSecret: (sealed: string, webhook_key: string) => string;
  readonly now: () => Date;
  /** Tells this process's worker, if it has one, that there is something to look at. */
  readonly nudge: () => void;
}

/** The host sends no larger ones (GitHub documentation, webhook events and payloads). */
const LARGEST_DELIVERY = 25 * 1024 * 1024;

/**
 * `POST /webhooks/github/{webhook_key}` (server specification, section 6). A delivery is a hint: it is checked, what it names is
 * remembered to be looked at, and it is answered; nothing that it says is stored. To be registered as a plugin: it reads the raw
 * body, which the signature is over.
 */
export async function webhookRoute(app: FastifyInstance, receiving: Receiving): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);

  app.route<{ Params: { webhook_key: string } }>({
    method: 'POST',
    url: '/webhooks/github/:webhook_key',
    bodyLimit: LARGEST_DELIVERY,
    handler: async (request, reply) => {
      const repository = await repositoryOf(receiving, request.params.webhook_key);
      const body = request.body instanceof Buffer ? request.body.toString('utf8') : '';
      const secret = receiving.openSecret(repository.webhook_secret_encrypted, request.params.webhook_key);
      if (!(await repository.codeHost.verifySignature(secret, body, header(request, 'x-hub-signature-256'))))
        throw new HttpError(401, 'wrong_signature', 'The signature does not fit the delivery.');

      const event = header(request, 'x-github-event');
      const delivery = repository.codeHost.readDelivery(event, payloadIn(request, body));
      const subjects = delivery === null ? [] : await subjectsOf(receiving.db, repository.id, delivery);
      await addHints(receiving.db, repository.id, subjects, receiving.now());
      if (subjects.length > 0) receiving.nudge();
      // The repository's row is locked while a page is being stored: the host does not wait for that.
      noteDelivery(receiving, repository.id, event).catch((error: unknown) =>
        request.log.error({ err: error }, 'the last delivery could not be noted'),
      );
      return reply.code(202).send({ understood: delivery !== null });
    },
  });
}

async function repositoryOf({ db, hosts }: Receiving, webhook_key: string) {
  const row = await db
    .selectFrom('repositories')
    .select(['id', 'host', 'webhook_secret_encrypted'])
    .where('webhook_key', '=', webhook_key)
    .executeTakeFirst();
  const codeHost: CodeHost | null = row === undefined ? null : hosts.byKey(row.host);
  if (row === undefined || codeHost === null) throw notFound('There is no such webhook.');
  return { ...row, codeHost };
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** Webhooks set up as a form send the JSON in a field (GitHub documentation, creating webhooks). */
function payloadIn(request: FastifyRequest, body: string): unknown {
  const form = header(request, 'content-type').startsWith('application/x-www-form-urlencoded');
  const text = form ? (new URLSearchParams(body).get('payload') ?? '') : body;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpError(400, 'invalid_request', 'The delivery is no JSON.', { cause: error });
  }
}

async function subjectsOf(
  db: Kysely<Database>,
  repository_id: number,
  delivery: HostDelivery,
): Promise<readonly HintSubject[]> {
  const pullRequests = (numbers: readonly number[]): HintSubject[] =>
    numbers.map((number) => ({ kind: 'pull_request', number }));
  switch (delivery.kind) {
    case 'ping':
      return [];
    case 'pull_requests':
      return pullRequests(delivery.numbers);
    case 'branch':
      return pullRequests(await openOnBranch(db, repository_id, delivery.branch));
    case 'commit':
      return [{ kind: 'commit', sha: delivery.sha }, ...pullRequests(delivery.numbers)];
    case 'repository':
      return [{ kind: 'repository' }];
  }
}

async function openOnBranch(db: Kysely<Database>, repository_id: number, branch: string): Promise<number[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .select('number')
    .where('repository_id', '=', repository_id)
    .where('state', '=', 'open')
    .where('head_ref', '=', branch)
    .execute();
  return rows.map((row) => row.number);
}

async function noteDelivery({ db, now }: Receiving, repository_id: number, event: string): Promise<void> {
  await sql`
    update repositories set webhook_last_delivery_at = ${now()}, webhook_last_event = ${event || null}
    where id = ${repository_id}`.execute(db);
}
