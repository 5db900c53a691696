import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
import { addHints, type HintSubject, pullRequestSubjects } from '../db/hints.ts';
import type { CodeHost, DeliverySubject, RawDelivery } from '../host/host.ts';
import { HttpError, notFound } from '../http/errors.ts';

/** Dependencies of the webhook routes. */
export interface WebhookDeps {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  /** The secrets that deliveries of a repository may be signed with; none when it is gone. */
  readonly secretsOf: (repository_id: number) => Promise<readonly string[]>;
  readonly now: () => Date;
  /** Counts a delivery to a webhook, by its key; throws where they are too many. */
  readonly countDelivery: (webhook_key: string) => void;
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Asks the host at once for the memberships of organisations that may have changed; never rejects. */
  readonly checkMembership: (of: { readonly account_id: string } | 'everybody') => Promise<void>;
  /** Tells this process's worker, if it has one, that there is something to look at. */
  readonly nudge: () => void;
}

/** The host sends no larger ones (GitHub documentation, webhook events and payloads). */
export const LARGEST_DELIVERY = 25 * 1024 * 1024;

/**
 * The host is answered within 100 ms (docs/server.md#webhooks-and-hints), and an embedded database can be busy with a page for longer:
 * what is not remembered by then, in milliseconds, is remembered after the answer. What is lost with a process that dies in between,
 * the hourly sync finds.
 */
export const ANSWER_AFTER = 50;

/** What a key stands for and its secrets are read again after so many milliseconds: replaced ones end within them. */
const KNOWN_FOR = 60_000;

/**
 * `POST /webhooks/github/{webhook_key}` (docs/server.md#webhooks-and-hints). A delivery is a hint: it is checked, what it names
 * is remembered to be looked at, and it is answered; nothing that it says is stored. To be registered as a plugin: it reads the raw
 * body, which the signature is over.
 */
export async function webhookRoute(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  const known = new Map<string, Addressee>();
  const addressed = new WeakMap<FastifyRequest, Addressee>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);

  app.route<{ Params: { webhook_key: string } }>({
    method: 'POST',
    url: '/webhooks/github/:webhook_key',
    bodyLimit: LARGEST_DELIVERY,
    // Nobody sends 25 MB to an address that there isn't: the body is not read, and the connection ends.
    onRequest: async (request, reply) => {
      const { webhook_key } = request.params;
      try {
        const before = known.get(webhook_key);
        const isFresh = before !== undefined && deps.now().getTime() - before.read_at < KNOWN_FOR;
        const repository = isFresh ? before : await addresseeOf(deps, webhook_key);
        known.set(webhook_key, repository);
        addressed.set(request, repository);
        deps.countDelivery(webhook_key);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) known.delete(webhook_key);
        reply.header('connection', 'close');
        throw error;
      }
    },
    handler: async (request, reply) => {
      const { webhook_key } = request.params;
      let repository = addressed.get(request) as Addressee;
      const raw = rawDelivery(request);
      if (!(await isSigned(repository, raw))) {
        // The secret may have been replaced since it was read, by another process.
        repository = await addresseeOf(deps, webhook_key);
        known.set(webhook_key, repository);
        if (!(await isSigned(repository, raw)))
          throw new HttpError(401, 'wrong_signature', 'The signature does not fit the delivery.');
      }

      const { event, subject, membership } = readable(repository.codeHost.readDelivery(raw));
      // Only who signs in to the main host can be on a list of organisations.
      if (membership !== null && repository.codeHost === deps.hosts.main) void deps.checkMembership(membership);
      const forget = (error: unknown) => {
        known.delete(webhook_key);
        request.log.error({ err: error }, 'a delivery could not be noted');
      };
      const remembered = remember(deps, repository.id, subject);
      // The repository's row is locked while a page is being stored: the host does not wait for that.
      remembered.then(() => noteDelivery(deps, repository.id, event)).catch(forget);
      const timer = new AbortController();
      try {
        await Promise.race([remembered, deps.sleep(ANSWER_AFTER, timer.signal)]);
      } catch (error) {
        // Where the repository is gone, this says so.
        await addresseeOf(deps, webhook_key);
        throw error;
      } finally {
        timer.abort();
      }
      return reply.code(202).send({ understood: subject !== null });
    },
  });
}

/** Whom a webhook's key stands for. */
interface Addressee {
  readonly id: number;
  readonly secrets: readonly string[];
  /** When this was read, in epoch milliseconds. */
  readonly read_at: number;
  readonly codeHost: CodeHost;
}

/** @throws HttpError 404 for an unknown key */
async function addresseeOf({ db, hosts, secretsOf, now }: WebhookDeps, webhook_key: string): Promise<Addressee> {
  const row = await db
    .selectFrom('repositories')
    .select(['id', 'host'])
    .where('webhook_key', '=', webhook_key)
    .executeTakeFirst();
  const codeHost: CodeHost | null = row === undefined ? null : hosts.byKey(row.host);
  const read_at = now().getTime();
  const secrets = row === undefined ? [] : await secretsOf(row.id);
  if (row === undefined || codeHost === null || secrets.length === 0) throw notFound('There is no such webhook.');
  return { id: row.id, codeHost, secrets, read_at };
}

/** True where any of the secrets fits; each is compared in constant time. */
async function isSigned({ codeHost, secrets }: Addressee, raw: RawDelivery): Promise<boolean> {
  for (const secret of secrets) if (await codeHost.isSigned(raw, secret)) return true;
  return false;
}

/** The delivery in a request whose body a plugin has left as it was. */
export function rawDelivery({ headers, body }: FastifyRequest): RawDelivery {
  return { headers, body: body instanceof Buffer ? body.toString('utf8') : '' };
}

/** @throws HttpError 400 for a delivery that could not be read */
export function readable<Read>(read: Read | null): Read {
  if (read === null) throw new HttpError(400, 'invalid_request', 'The delivery is no JSON.');
  return read;
}

export async function remember(
  deps: Pick<WebhookDeps, 'db' | 'now' | 'nudge'>,
  repository_id: number,
  subject: DeliverySubject | null,
): Promise<void> {
  const { db, now, nudge } = deps;
  const subjects = subject === null ? [] : await hintsOf(db, repository_id, subject);
  await addHints(db, repository_id, subjects, now());
  if (subjects.length > 0) nudge();
}

/** @throws Error when the repository is gone */
export async function noteDelivery(
  { db, now }: Pick<WebhookDeps, 'db' | 'now'>,
  repository_id: number,
  event: string,
): Promise<void> {
  const noted = await sql`
    update repositories set webhook_last_delivery_at = ${now()}, webhook_last_event = ${event.slice(0, 100) || null}, webhook_refused_since = null
    where id = ${repository_id}`.execute(db);
  if (noted.numAffectedRows === 0n) throw new Error('The repository was removed.');
}

async function hintsOf(
  db: Kysely<Database>,
  repository_id: number,
  subject: DeliverySubject,
): Promise<readonly HintSubject[]> {
  switch (subject.kind) {
    case 'test':
      return [];
    case 'pull_requests':
      return pullRequestSubjects(subject.numbers);
    case 'branch':
      return pullRequestSubjects(await openOnBranch(db, repository_id, subject.branch));
    case 'commit':
      return [{ kind: 'commit', sha: subject.sha }, ...pullRequestSubjects(subject.numbers)];
    case 'repository':
    case 'deleted':
      return [{ kind: subject.kind }];
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
