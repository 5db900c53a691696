import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Hosts } from '../context.ts';
import type { Database } from '../db/database.ts';
import { addHints, type HintSubject, pullRequestSubjects } from '../db/hints.ts';
import type { CodeHost, DeliverySubject } from '../host/host.ts';
import { HttpError, notFound } from '../http/errors.ts';
import {
  ANSWER_AFTER,
  admitDelivery,
  type DeliveryLimits,
  isSignedBy,
  LARGEST_DELIVERY,
  rawDelivery,
  readable,
  refuseSignature,
  takeRawBodies,
} from './deliveries.ts';

/** Dependencies of the webhook routes. */
export interface WebhookDeps {
  readonly db: Kysely<Database>;
  readonly hosts: Hosts;
  /** The secrets that deliveries of a repository may be signed with; none when it is gone. */
  readonly secretsOf: (repository_id: number) => Promise<readonly string[]>;
  readonly now: () => Date;
  readonly limits: DeliveryLimits;
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Tells this process's worker, if it has one, that there is something to look at. */
  readonly nudge: () => void;
}

/** What a key stands for and its secrets are read again after so many milliseconds: replaced ones end within them. */
const KNOWN_FOR = 60_000;

/**
 * `POST /webhooks/github/{webhook_key}` (docs/server.md#webhooks-and-hints). A delivery is a hint: it is checked, what it names
 * is remembered to be looked at, and it is answered; nothing that it says is stored. To be registered as a plugin: it reads the raw
 * body, which the signature is over.
 */
export async function webhookRoute(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  const known = new Map<string, Addressee>();
  const keyOf = ({ params }: FastifyRequest) => (params as { webhook_key: string }).webhook_key;
  const { onRequest, of } = admitDelivery(deps.limits, {
    keyOf,
    async find(webhook_key) {
      try {
        const before = known.get(webhook_key);
        const isFresh = before !== undefined && deps.now().getTime() - before.read_at < KNOWN_FOR;
        const repository = isFresh ? before : await addresseeOf(deps, webhook_key);
        known.set(webhook_key, repository);
        return repository;
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) known.delete(webhook_key);
        throw error;
      }
    },
  });
  takeRawBodies(app);

  app.route({
    method: 'POST',
    url: '/webhooks/github/:webhook_key',
    bodyLimit: LARGEST_DELIVERY,
    onRequest,
    handler: async (request, reply) => {
      const webhook_key = keyOf(request);
      let repository = of(request);
      const raw = rawDelivery(request);
      if (!(await isSignedBy(repository, raw))) {
        // The secret may have been replaced since it was read, by another process.
        repository = await addresseeOf(deps, webhook_key);
        known.set(webhook_key, repository);
        if (!(await isSignedBy(repository, raw)))
          refuseSignature(deps.limits, webhook_key, request, 'The signature does not fit the delivery.');
      }
      deps.limits.countDelivery(webhook_key);

      const { event, subject } = readable(repository.codeHost.readDelivery(raw));
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
