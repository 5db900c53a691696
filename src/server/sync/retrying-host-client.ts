import type { PersonalClient } from '../context.ts';
import type { HostClient } from '../host/client.ts';
import { HostError } from '../host/errors.ts';
import type { HostRepository, RepositoryName } from '../host/repository.ts';
import type { SyncDeps } from './context.ts';
import { failureRules, isTooMuch, LONGEST_PAUSE, outagePause, pauseBefore } from './failures.ts';
import type { Outage, StoredRepository } from './sessions.ts';

/** This process no longer holds the session: cancelled, taken over, or the process ends. Nothing more may be written for it. */
export class SessionLost extends Error {}

const noOutage: Outage = { failures: 0, waited: 0 };

/** What a session shows while it pauses; called before each pause. */
export type NotePause = (error: HostError, outage: Outage, until: Date) => Promise<void>;

/**
 * Asks the host about one repository: repeats what is worth repeating, unless nobody is to `pause` because somebody waits for the
 * answer, and follows the repository to its new name.
 */
export class RetryingHostClient {
  readonly client: HostClient;
  /** The credential that the host is asked with. */
  readonly grant_id: number;
  readonly #context: SyncDeps;
  readonly #signal: AbortSignal;
  readonly #pause: { readonly note: NotePause } | null;
  #outage: Outage;
  #repository: Pick<StoredRepository, 'host_id' | 'owner' | 'name'>;

  constructor(
    context: SyncDeps,
    { client, grant_id }: PersonalClient,
    repository: Pick<StoredRepository, 'host_id' | 'owner' | 'name'>,
    signal: AbortSignal,
    pause: { readonly note: NotePause; readonly outage: Outage } | null,
  ) {
    this.#context = context;
    this.client = client;
    this.grant_id = grant_id;
    this.#repository = repository;
    this.#signal = signal;
    this.#pause = pause;
    this.#outage = pause?.outage ?? noOutage;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  /** The repository as a person knows it. */
  get full_name(): string {
    return `${this.#repository.owner}/${this.#repository.name}`;
  }

  /**
   * The answer to a question about the repository.
   * A `heavy` question that the host could not compute is not repeated: the caller asks for less.
   * @throws HostError when repeating did not help; SessionLost when the signal is aborted meanwhile
   */
  async ask<T extends object>(question: (of: RepositoryName) => Promise<T>, { heavy = false } = {}): Promise<T> {
    try {
      const answer = await this.#persistently(() => question(this.#repository), heavy);
      const named = 'repository' in answer ? (answer.repository as HostRepository) : null;
      if (named === null || named.id === this.#repository.host_id) return answer;
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== 'not_found') throw error;
    }
    await this.#follow();
    return await this.#persistently(() => question(this.#repository), heavy);
  }

  /** Something was stored that brings the session on: what it waited for the host before does not count. */
  forgetOutage(): void {
    this.#outage = noOutage;
  }

  /** Looks by its id where the repository is now. */
  async #follow(): Promise<void> {
    const { id, owner, name } = await this.#persistently(() => this.client.repositoryById(this.#repository.host_id));
    this.#repository = { host_id: id, owner, name };
  }

  async #persistently<T>(question: () => Promise<T>, heavy = false): Promise<T> {
    for (let tries = 1; ; tries++) {
      if (this.#signal.aborted) throw new SessionLost();
      try {
        const answer = await question();
        // What was waited still counts: the host may answer everything but the one question that brings the session on.
        this.#outage = { failures: 0, waited: this.#outage.waited };
        return answer;
      } catch (error) {
        if (this.#signal.aborted) throw new SessionLost();
        if (!(error instanceof HostError) || this.#pause === null) throw error;
        if (heavy && isTooMuch(error)) throw error;
        const { sleep, log } = this.#context;
        const pause = error.kind === 'unavailable' ? await this.#outagePause(error) : this.#shortPause(error, tries);
        if (pause === null) throw error;
        log.debug({ repository: this.full_name, kind: error.kind, tries, pause }, 'asking the host again');
        await sleep(pause, this.#signal);
      }
    }
  }

  /** Null when repeating is over. */
  #shortPause(error: HostError, tries: number): number | null {
    if (tries > failureRules[error.kind].retries) return null;
    const pause = pauseBefore(error, tries, this.#context.now(), this.#context.random);
    return pause > LONGEST_PAUSE ? null : pause;
  }

  /** Null when the session is to be parked, or to give up. */
  async #outagePause(error: HostError): Promise<number | null> {
    const now = this.#context.now();
    const failures = this.#outage.failures + 1;
    const pause = outagePause(error, failures, this.#outage.waited, now, this.#context.random);
    if (pause === null || pause > LONGEST_PAUSE) return null;
    this.#outage = { failures, waited: this.#outage.waited + pause / 1000 };
    await this.#pause?.note(error, this.#outage, new Date(now.getTime() + pause));
    return pause;
  }
}
