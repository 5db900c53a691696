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
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Tells this process's worker, if it has one, that there is something to look at. */
  readonly nudge: () => void;
}

/** The host sends no larger ones (GitHub documentation, webhook events and payloads). */
const LARGEST_DELIVERY = 25 * 1024 * 1024;

/**
 * The host is answered within 100 ms (server specification, section 6), and an embedded database can be busy with a page for longer: what
 * is not remembered by then, in milliseconds, is remembered after the answer. What is lost with a process that dies in between, the
 * hourly sync finds.
 */
const ANSWER_AFTER = 50;

/**
 * `POST /webhooks/github/{webhook_key}` (server specification, section 6). A delivery is a hint: it is checked, what it names is
 * remembered to be looked at, and it is answered; nothing that it says is stored. To be registered as a plugin: it reads the raw
 * body, which the signature is over.
 */
export async function webhookRoute(app: FastifyInstance, receiving: Receiving): Promise<void> {
  // What a key stands for never changes while its repository is there.
  const known = new Map<string, Addressee>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);

  app.route<{ Params: { webhook_key: string } }>({
    method: 'POST',
    url: '/webhooks/github/:webhook_key',
    bodyLimit: LARGEST_DELIVERY,
    handler: async (request, reply) => {
      const { webhook_key } = request.params;
      const repository = known.get(webhook_key) ?? (await addresseeOf(receiving, webhook_key));
      known.set(webhook_key, repository);
      const body = request.body instanceof Buffer ? request.body.toString('utf8') : '';
      const secret = receiving.openSecret(repository.webhook_secret_encrypted, webhook_key);
      if (!(await repository.codeHost.verifySignature(secret, body, header(request, 'x-hub-signature-256'))))
        throw new HttpError(401, 'wrong_signature', 'The signature does not fit the delivery.');

      const event = header(request, 'x-github-event');
      const delivery = repository.codeHost.readDelivery(event, payloadIn(request, body));
      const forget = (error: unknown) => {
        known.delete(webhook_key);
        request.log.error({ err: error }, 'a delivery could not be noted');
      };
      const remembered = remember(receiving, repository.id, delivery);
      // The repository's row is locked while a page is being stored: the host does not wait for that.
      remembered.then(() => noteDelivery(receiving, repository.id, event)).catch(forget);
      const timer = new AbortController();
      try {
        await Promise.race([remembered, receiving.sleep(ANSWER_AFTER, timer.signal)]);
      } catch (error) {
        // Where the repository is gone, this says so.
        await addresseeOf(receiving, webhook_key);
        throw error;
      } finally {
        timer.abort();
      }
      return reply.code(202).send({ understood: delivery !== null });
    },
  });
}

/** Whom a webhook's key stands for. */
interface Addressee {
  readonly id: number;
  readonly webhook_secret_encrypted: string;
  readonly codeHost: CodeHost;
}

/** @throws HttpError 404 for an unknown key */
async function addresseeOf({ db, hosts }: Receiving, webhook_key: string): Promise<Addressee> {
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

async function remember(receiving: Receiving, repository_id: number, delivery: HostDelivery | null): Promise<void> {
  const { db, now, nudge } = receiving;
  const subjects = delivery === null ? [] : await subjectsOf(db, repository_id, delivery);
  await addHints(db, repository_id, subjects, now());
  if (subjects.length > 0) nudge();
}

/** @throws Error when the repository is gone */
async function noteDelivery({ db, now }: Receiving, repository_id: number, event: string): Promise<void> {
  const noted = await sql`
    update repositories set webhook_last_delivery_at = ${now()}, webhook_last_event = ${event || null}
    where id = ${repository_id}`.execute(db);
  if (noted.numAffectedRows === 0n) throw new Error('The repository was removed.');
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
