import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import type { RawDelivery } from '../host/delivery.ts';
import type { CodeHost } from '../host/host.ts';
import { HttpError } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import { whenGone } from '../http/when-gone.ts';

/** The host sends no larger ones (GitHub documentation, webhook events and payloads). */
export const LARGEST_DELIVERY = 25 * 1024 * 1024;

/**
 * The host is answered within 100 ms (docs/server.md#webhooks-and-hints), and an embedded database can be busy with a page for longer:
 * what is not remembered by then, in milliseconds, is remembered after the answer. What is lost with a process that dies in between,
 * the hourly sync finds.
 */
const ANSWER_AFTER = 50;

/** Few deliveries are larger, in bytes. */
const SMALL_DELIVERY = 1024 * 1024;

/** What of the limits deliveries are held to. */
export type DeliveryLimits = Pick<
  Limits,
  'admitStranger' | 'countRefused' | 'admitSigned' | 'countWrongSignature' | 'countDelivery' | 'openUnverified'
>;

/** Whose signature a delivery should have. */
interface Signer {
  readonly codeHost: CodeHost;
  readonly secrets: readonly string[];
}

/** Has bodies read as they came, which signatures are over. */
export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);
}

/** The webhooks whose deliveries a route takes. */
interface Webhooks<Of extends Signer> {
  readonly keyOf: (request: FastifyRequest) => string;
  /** @throws HttpError 404 for an unknown key */
  readonly find: (webhook_key: string) => Promise<Of>;
  /** Where everybody knows the key, who signs: wrong signatures of others have large deliveries refused, and no small ones. */
  readonly public_signer?: CodeHost | null;
}

/**
 * An `onRequest` hook that looks up whom a delivery is for and refuses, before the body is read, what is for nobody (404, as `find` says), has
 * no signature (401) or comes from where too many were refused (429). The connection ends with it: nobody sends 25 MB to be refused.
 * Everybody can have the host send deliveries here, from the addresses that it sends all others from: what is signed, for a webhook that is
 * known without a look-up, is let in whatever else came from there. And a `preParsing` hook: what has arrived of a body counts until it is
 * answered, and one that is too much is refused (429); the connection ends with it, too.
 */
export function admitDelivery<Of extends Signer>(
  limits: DeliveryLimits,
  { keyOf, find, public_signer = null }: Webhooks<Of>,
): {
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  preParsing: preParsingAsyncHookHandler;
  of: (request: FastifyRequest) => Of;
} {
  const found = new WeakMap<FastifyRequest, Of>();
  /** Who signs the deliveries to the webhooks that were found before. */
  const known = new Map<string, CodeHost>();
  return {
    async onRequest(request, reply) {
      const webhook_key = keyOf(request);
      try {
        const signer = public_signer ?? known.get(webhook_key);
        if (signer?.hasSignature(request) !== true) limits.admitStranger(request.ip);
        else if (public_signer === null || !isSmall(request)) limits.admitSigned(webhook_key, request.ip);
        const addressee = await find(webhook_key);
        known.set(webhook_key, addressee.codeHost);
        if (!addressee.codeHost.hasSignature(request)) throw unsigned();
        found.set(request, addressee);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) known.delete(webhook_key);
        if (error instanceof HttpError && (error.status === 401 || error.status === 404))
          limits.countRefused(request.ip);
        reply.header('connection', 'close');
        throw error;
      }
    },
    preParsing: countUnverified(limits, keyOf, public_signer !== null),
    of: (request) => found.get(request)!,
  };
}

const isSmall = ({ headers }: FastifyRequest) => Number(headers['content-length']) <= SMALL_DELIVERY;

/** The signature is over all of the body, and anybody who has the address can make it look signed. */
function countUnverified(
  limits: DeliveryLimits,
  keyOf: (request: FastifyRequest) => string,
  is_public: boolean,
): preParsingAsyncHookHandler {
  return async (request, reply, payload) => {
    const body = limits.openUnverified({
      ...{ webhook_key: keyOf(request), is_public, address: request.ip },
      size: isSmall(request) ? 'small' : 'large',
    });
    whenGone(request, reply, body.end);
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          body.add(chunk.length);
        } catch (error) {
          body.end();
          reply.header('connection', 'close');
          return done(error as Error);
        }
        done(null, chunk);
      },
    });
    payload.once('error', (error) => counted.destroy(error));
    return payload.pipe(counted);
  };
}

/** True where any of the secrets fits; each is compared in constant time. */
export async function isSignedBy({ codeHost, secrets }: Signer, raw: RawDelivery): Promise<boolean> {
  for (const secret of secrets) if (await codeHost.isSigned(raw, secret)) return true;
  return false;
}

export const SIGNATURE_MISMATCH = 'Signature mismatch: the webhook must have the secret that belongs to its address.';

/** Refuses a delivery that was signed by somebody else. @throws HttpError 401 with what is to be done about it */
export function refuseSignature(
  limits: DeliveryLimits,
  webhook_key: string,
  { ip }: FastifyRequest,
  what: string,
): never {
  limits.countWrongSignature(webhook_key, ip);
  throw new HttpError('wrong_signature', what);
}

const unsigned = () => new HttpError('wrong_signature', 'The delivery has no signature: its webhook needs the secret.');

/** The delivery in a request whose body `takeRawBodies` has left as it was. */
export function rawDelivery({ headers, body }: FastifyRequest): RawDelivery {
  return { headers, body: body instanceof Buffer ? body.toString('utf8') : '' };
}

/** @throws HttpError 400 for a delivery that could not be read */
export function readable<Read>(read: Read | null): Read {
  if (read === null) throw new HttpError('invalid_request', 'The delivery is not JSON.');
  return read;
}

/**
 * Waits a moment until `awaited`, as a rule all of what is recorded of a delivery, is done; a failure is logged, also one after that.
 * @throws what `awaited` failed with in that moment
 */
export async function recordedSoon(
  request: FastifyRequest,
  recorded: Promise<void>,
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>,
  awaited: Promise<void> = recorded,
): Promise<void> {
  recorded.catch((err: unknown) => request.log.error({ err }, 'failed to record webhook delivery'));
  const timer = new AbortController();
  try {
    await Promise.race([awaited, sleep(ANSWER_AFTER, timer.signal)]);
  } finally {
    timer.abort();
  }
}
