import { type HostClient, HostError, type HostRepository, type RepositoryName } from '../host/host.ts';
import type { SyncContext } from './context.ts';
import { failureRules, LONGEST_PAUSE, pauseBefore } from './failures.ts';
import type { StoredRepository } from './sessions.ts';

/** This process no longer holds the session: cancelled, taken over, or the process ends. Nothing more may be written for it. */
export class SessionLost extends Error {}

/**
 * Asks the host about one repository: repeats what is worth repeating, unless `patient` is false because somebody waits for the
 * answer, and follows the repository to its new name.
 */
export class Asking {
  readonly client: HostClient;
  readonly #context: SyncContext;
  readonly #signal: AbortSignal;
  readonly #patient: boolean;
  #repository: Pick<StoredRepository, 'host_id' | 'owner' | 'name'>;

  constructor(
    context: SyncContext,
    client: HostClient,
    repository: Pick<StoredRepository, 'host_id' | 'owner' | 'name'>,
    signal: AbortSignal,
    patient = true,
  ) {
    this.#context = context;
    this.client = client;
    this.#repository = repository;
    this.#signal = signal;
    this.#patient = patient;
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
   * @throws HostError when repeating did not help; SessionLost when the signal is aborted meanwhile
   */
  async ask<T extends object>(question: (of: RepositoryName) => Promise<T>): Promise<T> {
    try {
      const answer = await this.#persistently(() => question(this.#repository));
      const named = 'repository' in answer ? (answer.repository as HostRepository) : null;
      if (named === null || named.id === this.#repository.host_id) return answer;
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== 'not_found') throw error;
    }
    await this.#follow();
    return await this.#persistently(() => question(this.#repository));
  }

  /** Looks by its id where the repository is now. */
  async #follow(): Promise<void> {
    const { id, owner, name } = await this.#persistently(() => this.client.repositoryById(this.#repository.host_id));
    this.#repository = { host_id: id, owner, name };
  }

  async #persistently<T>(question: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      if (this.#signal.aborted) throw new SessionLost();
      try {
        return await question();
      } catch (error) {
        if (this.#signal.aborted) throw new SessionLost();
        const retries = error instanceof HostError && this.#patient ? failureRules[error.kind].retries : 0;
        if (!(error instanceof HostError) || tries > retries) throw error;
        const { now, random, sleep, log } = this.#context;
        const pause = pauseBefore(error, tries, now(), random);
        if (pause > LONGEST_PAUSE) throw error;
        log.debug({ repository: this.full_name, kind: error.kind, tries, pause }, 'asking the host again');
        await sleep(pause, this.#signal);
      }
    }
  }
}
