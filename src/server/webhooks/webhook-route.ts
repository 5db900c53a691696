import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CodeHost } from '../host/host.ts';
import { HttpError, notFound } from '../http/errors.ts';
import {
  admitDelivery,
  isSignedBy,
  LARGEST_DELIVERY,
  rawDelivery,
  readable,
  recordedSoon,
  refuseSignature,
  SIGNATURE_MISMATCH,
  takeRawBodies,
} from './deliveries.ts';
import { noteDelivery, noteRefusedDelivery, remember, type WebhookDeps } from './note.ts';

export interface RepositoryWebhookDeps extends WebhookDeps {
  /** The secrets that deliveries of a repository may be signed with; none when it is gone. */
  readonly secretsOf: (repository_id: number) => Promise<readonly string[]>;
  /** Those that were replaced and are refused by now. */
  readonly endedSecretsOf: (repository_id: number) => Promise<readonly string[]>;
}

/** What a key stands for and its secrets are read again after so many milliseconds: replaced ones end within them. */
const KNOWN_FOR = 60_000;

/**
 * `POST /webhooks/github/{webhook_key}` (docs/server.md#webhooks-and-hints). A delivery is a hint: it is checked, what it names
 * is remembered to be looked at, and it is answered; nothing that it says is stored. To be registered as a plugin: it reads the raw
 * body, which the signature is over.
 */
export async function webhookRoute(app: FastifyInstance, deps: RepositoryWebhookDeps): Promise<void> {
  const known = new Map<string, Addressee>();
  const keyOf = ({ params }: FastifyRequest) => (params as { webhook_key: string }).webhook_key;
  const { onRequest, preParsing, of } = admitDelivery(deps.limits, {
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
    preParsing,
    handler: async (request, reply) => {
      const webhook_key = keyOf(request);
      let repository = of(request);
      const raw = rawDelivery(request);
      if (!(await isSignedBy(repository, raw))) {
        // The secret may have been replaced since it was read, by another process.
        repository = await addresseeOf(deps, webhook_key);
        known.set(webhook_key, repository);
        if (!(await isSignedBy(repository, raw))) {
          // Only the former secret shows that it is the host's, which lacks the new one: anybody can send what has neither.
          const { id, codeHost } = repository;
          if (await isSignedBy({ codeHost, secrets: await deps.endedSecretsOf(id) }, raw))
            await recordedSoon(request, noteRefusedDelivery(deps, id, KNOWN_FOR), deps.sleep);
          refuseSignature(deps.limits, webhook_key, request, SIGNATURE_MISMATCH);
        }
      }
      deps.limits.countDelivery(webhook_key);

      const { event, subject } = readable(repository.codeHost.readDelivery(raw));
      const remembered = remember(deps, repository.id, subject);
      const recorded = remembered.then(() => noteDelivery(deps, repository.id, event));
      recorded.catch(() => known.delete(webhook_key));
      try {
        // The repository's row is locked while a page is being stored: the host does not wait for that.
        await recordedSoon(request, recorded, deps.sleep, remembered);
      } catch (error) {
        // Where the repository is gone, this says so.
        await addresseeOf(deps, webhook_key);
        throw error;
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
async function addresseeOf(
  { db, hosts, secretsOf, now }: RepositoryWebhookDeps,
  webhook_key: string,
): Promise<Addressee> {
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
