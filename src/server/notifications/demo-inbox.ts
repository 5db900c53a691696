import { randomUUID } from 'node:crypto';
import type { EndpointName } from '#contract/endpoints.ts';
import type { InboxMessage } from '#contract/message-previews.ts';
import type { Letter } from '#domain/notifications/texts.ts';
import type { SignedIn } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { testMessage } from './configured-outlets.ts';
import type { Destination, Outcome, Outlets } from './outlets.ts';
import { checkTarget } from './send/targets.ts';
import { written } from './written.ts';

/** The most messages that are kept of a visitor, and the most visitors, those who were told something last. */
const MOST_MESSAGES = 50;
const MOST_VISITORS = 300;

/** What would have been sent to visitors of the demo, in this process: nothing of it leaves the machine. */
export class DemoInbox {
  readonly #messages = new Map<number, readonly InboxMessage[]>();

  put(user_id: number, message: InboxMessage): void {
    const before = this.#messages.get(user_id) ?? [];
    this.#messages.delete(user_id);
    this.#messages.set(user_id, [message, ...before].slice(0, MOST_MESSAGES));
    const [longestAgo] = this.#messages.keys();
    if (this.#messages.size > MOST_VISITORS && longestAgo !== undefined) this.#messages.delete(longestAgo);
  }

  /** Newest first. */
  of(user_id: number): readonly InboxMessage[] {
    return this.#messages.get(user_id) ?? [];
  }
}

interface InboxDeps {
  readonly inbox: DemoInbox;
  readonly now: () => Date;
  readonly public_url: string;
  readonly outlets: Pick<Outlets, 'off' | 'subjectOf'>;
  /** `ALLOW_PRIVATE_WEBHOOKS`: channels may have private addresses. */
  readonly allow_private: boolean;
}

/** Has every channel of a visitor of the demo lead to their inbox. */
export function demoOutlets({ inbox, now, public_url, outlets, allow_private }: InboxDeps): Outlets {
  const arrived: Outcome = { state: 'sent', status: '200', message: 'OK', retryAfter: null, gone: false };
  const send: Outlets['send'] = async (to, message) => {
    const { letter, raw } = written(to.type, message, public_url);
    inbox.put(to.user_id, {
      ...{ id: message.id, at: now().toISOString(), type: to.type, to: to.target, subject: letter.subject },
      ...{ letter: wire(letter), raw },
    });
    return arrived;
  };
  return {
    off: outlets.off,
    whyOff: () => null,
    // Where a name leads is not asked: that would leave the machine.
    checkTarget: (_user_id, url, type) =>
      checkTarget(url, type, { allowPrivate: allow_private, resolve: async () => [] }),
    async sendMail({ user_id, to, subject, text }) {
      const at = now().toISOString();
      inbox.put(user_id, { id: randomUUID(), at, type: 'mail', to, subject, letter: null, raw: text });
      return arrived;
    },
    sendTest: (id: string, to: Destination) => send(to, testMessage(id, to, public_url, now())),
    subjectOf: outlets.subjectOf,
    send,
  };
}

type Writable<T> = T extends readonly (infer Each)[]
  ? Writable<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T;

/** A copy whose lists are the answer's own. */
export function wire(letter: Letter): Writable<Letter> {
  return structuredClone(letter) as Writable<Letter>;
}

/** Calls that some users have answered by other handlers than the rest. */
export function byUser<Name extends EndpointName>(
  isOne: (user: SignedIn) => boolean,
  theirs: Handlers<Name>,
  others: Handlers<Name>,
): Handlers<Name> {
  const both = Object.keys(others).map((name) => {
    type Handler = (input: { readonly user: SignedIn }, ...rest: readonly unknown[]) => unknown;
    const [one, other] = [theirs, others].map((handlers) => handlers[name as Name] as unknown as Handler);
    const handler: Handler = (input, ...rest) => (isOne(input.user) ? one! : other!)(input, ...rest);
    return [name, handler];
  });
  return Object.fromEntries(both) as Handlers<Name>;
}

/** The inbox of a visitor of the demo, whose host has the key `demo_host`; null without a demo. */
export function inboxRoutes(inbox: DemoInbox, demo_host: string | null): Handlers<'getDemoInbox'> {
  return {
    async getDemoInbox({ user }) {
      if (user.host !== demo_host) throw notFound('There is no such inbox.');
      return { messages: [...inbox.of(user.id)] };
    },
  };
}
