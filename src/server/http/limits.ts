import { isIPv6 } from 'node:net';
import { HttpError } from './errors.ts';
import { FixedWindows, type WindowState } from './fixed-windows.ts';
import { TokenBuckets } from './token-buckets.ts';

/** What `LIMITS` can change, by its names there; numbers are per minute unless they say otherwise, those of streams are open at once. */
export const defaultLimits = {
  /** Refused sign-ins of one address. */
  failed_sign_in: 10,
  /** Sign-ins of everybody together; more are slowed down. */
  sign_in: 60,
  /** New visitors of the demo in an hour from one address. */
  demo_visitors: 30,
  /** Calls of one person, or of one address without a session. */
  requests: 600,
  /** Exports and explanations of one person: they are among those calls and cost more. */
  costly: 60,
  /** Requests with one personal token. */
  token_requests: 120,
  /** The same in an hour. */
  token_hour: 5000,
  /** The same at once. */
  token_at_once: 4,
  /** Seconds for which one of them may keep the database busy. */
  token_seconds: 10,
  /** Deliveries to one webhook. */
  deliveries: 6000,
  /** Event streams of one person. */
  streams: 8,
  /** Event streams of one address. */
  address_streams: 512,
  /** Lists and files of one person that are being downloaded. */
  downloads: 4,
};
export type LimitSettings = Readonly<Record<keyof typeof defaultLimits, number>>;

/** The longest that a sign-in is held back, in milliseconds. */
const SLOWEST_SIGN_IN = 10_000;

/** After how many seconds a request too many at once is worth another try. */
const AT_ONCE_RETRY = 1;

/**
 * How much of bodies may be held at once whose sender is not known, in bytes: of all, and to one webhook from one address. Small ones, as most
 * deliveries are, have room of their own: whoever fills that of large ones keeps none of them out.
 */
const MOST_UNVERIFIED = {
  small: { of_all: 64 * 1024 * 1024, of_one: 8 * 1024 * 1024 },
  large: { of_all: 128 * 1024 * 1024, of_one: 64 * 1024 * 1024 },
} as const;

/** A delivery whose signature was not looked at yet. */
interface UnverifiedDelivery {
  readonly webhook_key: string;
  /** Deliveries to a webhook whose address everybody knows have room of their own: whoever fills it keeps none of the others out. */
  readonly is_public: boolean;
  readonly address: string;
  readonly size: keyof typeof MOST_UNVERIFIED;
}
/** After how many seconds a body that was too much is worth another try: by then those that were held have arrived or were cut off. */
const UNVERIFIED_RETRY = 10;

/** After how many seconds a refused stream or download is worth another try: when one of those that are open ends, nobody can foresee. */
const STREAM_RETRY = 30;

export interface Caller {
  /** Null without a session. */
  readonly user_id: number | null;
  readonly address: string;
  /** True of what a page of another site asks for: counted apart, as its visitors behind one address did not ask for it. */
  readonly is_foreign?: boolean;
}

/** A sign-in that has begun. It must be settled, whatever comes of it. */
export interface SignInAttempt {
  /** `failed`: the caller was refused, which counts against their address. */
  settle(failed: boolean): void;
}

/** A body on its way whose sender is not known yet. */
export interface UnverifiedBody {
  /**
   * Counts what has arrived of it.
   * @throws HttpError 429 with the seconds to wait where too much is held
   */
  add(bytes: number): void;
  /** Nothing of it is held from now on. */
  end(): void;
}

/**
 * The limits of one process on what a person, an address or a webhook may ask of it. They are counted in memory: each process of a
 * larger installation counts for itself.
 */
export interface Limits {
  /**
   * Counts a call under /api or /auth.
   * @throws HttpError 429 with the seconds to wait
   */
  countRequest(caller: Caller, costly: boolean): void;
  /**
   * Looks up a session or personal token with `find`, by its hash, and returns what that found. Those that were not found valid before, in
   * this process, are looked up only while not too many were refused of their address; the others as often as a person may call.
   * @throws HttpError 429 with the seconds to wait, and what `find` throws; null and 401 say that it is not valid
   */
  lookUp<Found>(hash: string, address: string, find: () => Promise<Found>): Promise<Found>;
  /**
   * Counts a request with a personal token, by its id; `end` is to be called when it is over. One that is `refused` counts as over and
   * is answered with what `refused` says.
   */
  countToken(token_id: number): { minute: WindowState; most: number; refused: HttpError | null; end: () => void };
  /**
   * Begins a sign-in, slowly where very many sign in at once.
   * @throws HttpError 429 after too many refused ones of this address
   */
  beginSignIn(address: string): Promise<SignInAttempt>;
  /**
   * Counts a new visitor of the demo.
   * @throws HttpError 429 with the seconds to wait after too many from this address
   */
  countVisitor(address: string): void;
  /**
   * Counts a delivery to a webhook, by its key.
   * @throws HttpError 429 with the seconds to wait
   */
  countDelivery(webhook_key: string): void;
  /**
   * Lets in who has no session, before anything is looked up or read for them: not from an address of which too many were refused lately. What
   * is embedded counts apart: a page of whatever site can have the browsers of its visitors ask.
   * @throws HttpError 429 with the seconds to wait
   */
  admitStranger(address: string, is_embedded?: boolean): void;
  /** Counts a request of such an address that named nothing there is, or was not signed. */
  countRefused(address: string, is_embedded?: boolean): void;
  /**
   * Lets in a signed delivery to a webhook that there is, whatever else was refused to its address, which others may share: not where too
   * many deliveries to this webhook came from there lately with a wrong signature.
   * @throws HttpError 429 with the seconds to wait
   */
  admitSigned(webhook_key: string, address: string): void;
  /** Counts a delivery whose signature was wrong. */
  countWrongSignature(webhook_key: string, address: string): void;
  /** Begins to count what is held of a body that anybody may have sent. */
  openUnverified(delivery: UnverifiedDelivery): UnverifiedBody;
  /**
   * Counts a stream of events; returns what ends it.
   * @throws HttpError 429 while too many are open
   */
  openStream(user_id: number, address: string): () => void;
  /**
   * Counts a list or file that is downloaded; returns what ends it.
   * @throws HttpError 429 while too many are
   */
  openDownload(user_id: number): () => void;
}

export interface LimitDeps {
  readonly settings: LimitSettings;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export function createLimits({ settings, now, sleep }: LimitDeps): Limits {
  const perMinute = (count: number) => new TokenBuckets(count, count / 60, now);
  const requests = perMinute(settings.requests);
  const costlyRequests = perMinute(settings.costly);
  /** By the hash of a session or token: only those that were found valid have one. */
  const lookUps = perMinute(settings.requests);
  const deliveries = perMinute(settings.deliveries);
  const refused = perMinute(settings.requests);
  const wrongSignatures = perMinute(settings.requests);
  const failedSignIns = perMinute(settings.failed_sign_in);
  const signIns = perMinute(settings.sign_in);
  const visitors = new TokenBuckets(settings.demo_visitors, settings.demo_visitors / 3600, now);
  const pendingSignIns = new PendingSignIns();
  const streams = new Map<string, number>();
  const tokenMinutes = new FixedWindows(settings.token_requests, 60, now);
  const tokenHours = new FixedWindows(settings.token_hour, 3600, now);
  const tokensInUse = new Map<number, number>();
  const unverifiedRoom = () => ({
    small: { of_all: 0, of_one: new Map<string, number>() },
    large: { of_all: 0, of_one: new Map<string, number>() },
  });
  const unverified = { to_public: unverifiedRoom(), to_others: unverifiedRoom() };

  const tooManyRequests = (s: number) => `Too many requests. Try again in ${inSeconds(s)}.`;
  const tooManyRefused = (s: number) => `Too many refused requests. Try again in ${inSeconds(s)}.`;

  function take(buckets: TokenBuckets, key: string, sentence: (seconds: number) => string): void {
    const wait = buckets.take(key);
    if (wait > 0) throw tooMany(sentence, wait);
  }

  const strangerAt = (address: string, is_embedded = false) =>
    is_embedded ? `embedded ${networkOf(address)}` : networkOf(address);

  /** Of buckets from which only what is refused takes. */
  function admit(buckets: TokenBuckets, key: string): void {
    if (buckets.left(key) >= 1) return;
    throw tooMany(tooManyRefused, buckets.secondsUntilNext(key));
  }

  function openOne(
    key: string,
    most: number,
    sentence = 'Too many pages are open at once. Close some to see changes live here.',
  ): () => void {
    const open = streams.get(key) ?? 0;
    if (open >= most) throw tooMany(() => sentence, STREAM_RETRY);
    streams.set(key, open + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (streams.get(key) ?? 1) - 1;
      if (left === 0) streams.delete(key);
      else streams.set(key, left);
    };
  }

  return {
    countRequest({ user_id, address, is_foreign }, costly) {
      const key = user_id === null ? `address ${strangerAt(address, is_foreign)}` : `user ${user_id}`;
      if (costly) take(costlyRequests, key, (s) => `Too many exports and explanations. Try again in ${inSeconds(s)}.`);
      take(requests, key, tooManyRequests);
    },

    async lookUp(hash, address, find) {
      const network = networkOf(address);
      const wasValid = lookUps.has(hash);
      // Taken before the look-up and given back after it: of many side by side no more are looked up than could be refused.
      if (wasValid) take(lookUps, hash, tooManyRequests);
      else take(refused, network, tooManyRefused);
      try {
        const found = await find();
        if (found === null) lookUps.forget(hash);
        else if (!wasValid) {
          refused.giveBack(network);
          lookUps.take(hash);
        }
        return found;
      } catch (error) {
        if (error instanceof HttpError && error.status === 401) lookUps.forget(hash);
        else if (!wasValid) refused.giveBack(network);
        throw error;
      }
    },

    countToken(token_id) {
      const minute = tokenMinutes.take(token_id);
      const most = settings.token_requests;
      const refuse = (sentence: (seconds: number) => string, seconds: number) => ({
        ...{ minute, most, refused: tooMany(sentence, seconds), end: () => undefined },
      });
      const tooOften = (s: number) => `Too many requests with this token. Try again in ${inSeconds(s)}.`;
      if (minute.refused) return refuse(tooOften, minute.reset);
      const hour = tokenHours.take(token_id);
      if (hour.refused) return refuse(tooOften, hour.reset);
      const inUse = tokensInUse.get(token_id) ?? 0;
      if (inUse >= settings.token_at_once)
        return refuse(() => `At most ${settings.token_at_once} requests at once with one token.`, AT_ONCE_RETRY);
      tokensInUse.set(token_id, inUse + 1);
      const end = () => {
        const left = (tokensInUse.get(token_id) ?? 1) - 1;
        if (left === 0) tokensInUse.delete(token_id);
        else tokensInUse.set(token_id, left);
      };
      return { minute, most, refused: null, end };
    },

    async beginSignIn(address) {
      const key = networkOf(address);
      // Attempts side by side could each be refused: only so many run at once as could still be.
      while (pendingSignIns.count(key) > 0 && failedSignIns.left(key) - pendingSignIns.count(key) < 1)
        await pendingSignIns.oneSettled(key);
      if (failedSignIns.left(key) < 1)
        throw tooMany(
          (s) => `Too many failed sign-ins from your address. Try again in ${inSeconds(s)}.`,
          failedSignIns.secondsUntilNext(key),
        );
      const done = pendingSignIns.begin(key);
      const late = Math.min(signIns.takeInAdvance('all', SLOWEST_SIGN_IN / 1000) * 1000, SLOWEST_SIGN_IN);
      if (late > 0) await sleep(late);
      return {
        settle(failed) {
          if (done() && failed) failedSignIns.take(key);
        },
      };
    },

    countVisitor(address) {
      const sentence = (s: number) => `Too many visitors of the demo from your address. Try again in ${inSeconds(s)}.`;
      take(visitors, networkOf(address), sentence);
    },

    countDelivery(webhook_key) {
      take(deliveries, webhook_key, (s) => `Too many deliveries. Try again in ${inSeconds(s)}.`);
    },

    admitStranger(address, is_embedded) {
      admit(refused, strangerAt(address, is_embedded));
    },

    countRefused(address, is_embedded) {
      refused.take(strangerAt(address, is_embedded));
    },

    admitSigned(webhook_key, address) {
      admit(wrongSignatures, `${webhook_key} ${networkOf(address)}`);
    },

    countWrongSignature(webhook_key, address) {
      wrongSignatures.take(`${webhook_key} ${networkOf(address)}`);
    },

    openUnverified({ webhook_key, is_public, address, size }) {
      const key = `${webhook_key} ${networkOf(address)}`;
      const [all, most] = [unverified[is_public ? 'to_public' : 'to_others'][size], MOST_UNVERIFIED[size]];
      let held = 0;
      let ended = false;
      const count = (bytes: number) => {
        const ofOne = (all.of_one.get(key) ?? 0) + bytes;
        if (ofOne === 0) all.of_one.delete(key);
        else all.of_one.set(key, ofOne);
        all.of_all += bytes;
        held += bytes;
      };
      return {
        add(bytes) {
          if (ended) return;
          if ((all.of_one.get(key) ?? 0) + bytes > most.of_one || all.of_all + bytes > most.of_all)
            throw tooMany((s) => `Too many deliveries at once. Try again in ${inSeconds(s)}.`, UNVERIFIED_RETRY);
          count(bytes);
        },
        end() {
          ended = true;
          count(-held);
        },
      };
    },

    openStream(user_id, address) {
      const endForAddress = openOne(`address ${networkOf(address)}`, settings.address_streams);
      try {
        const endForUser = openOne(`user ${user_id}`, settings.streams);
        return () => {
          endForUser();
          endForAddress();
        };
      } catch (error) {
        endForAddress();
        throw error;
      }
    },

    openDownload(user_id) {
      const sentence = 'Too many downloads at once. Wait for one of them to end.';
      return openOne(`downloads of ${user_id}`, settings.downloads, sentence);
    },
  };
}

/** Sign-ins under way, by network. */
class PendingSignIns {
  readonly #pending = new Map<string, { count: number; waiting: (() => void)[] }>();

  count(key: string): number {
    return this.#pending.get(key)?.count ?? 0;
  }

  /** Returns what settles it: true the first time. */
  begin(key: string): () => boolean {
    const entry = this.#pending.get(key) ?? { count: 0, waiting: [] };
    entry.count += 1;
    this.#pending.set(key, entry);
    let settled = false;
    return () => {
      if (settled) return false;
      settled = true;
      entry.count -= 1;
      if (entry.count === 0) this.#pending.delete(key);
      // Each looks again whether it may go on, once the outcome is counted.
      for (const go of entry.waiting.splice(0)) queueMicrotask(go);
      return true;
    };
  }

  async oneSettled(key: string): Promise<void> {
    const entry = this.#pending.get(key);
    if (entry !== undefined) await new Promise<void>((resolve) => entry.waiting.push(resolve));
  }
}

/** One IPv6 customer has a whole /64: its addresses count as one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
    : [];
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}

function tooMany(sentence: (seconds: number) => string, seconds: number): HttpError {
  const wait = Math.max(1, Math.ceil(seconds));
  return new HttpError('too_many_requests', sentence(wait), { retry_after: wait });
}

function inSeconds(seconds: number): string {
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}
