import type { Clock } from './clock.ts';
import type { Asked } from './faults.ts';
import { createRandom } from './random.ts';
import { fullName } from './state/repository.ts';
import type { WorldState } from './state/world-state.ts';

export interface DriftSettings {
  /** Pull requests that get a comment after every page of pull requests that is read; 0 for none. */
  readonly perPage: number;
  /** Seconds that the clock is put forward with each page. */
  readonly advanceSeconds: number;
  readonly seed: number;
}

/** Life that goes on while someone pages: what paging by update date has to survive. */
export class Drift {
  readonly #clock: Clock;
  #settings: DriftSettings = { perPage: 0, advanceSeconds: 0, seed: 1 };
  #random = createRandom(1);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(settings: Partial<DriftSettings>): DriftSettings {
    this.#settings = { perPage: 0, advanceSeconds: 0, seed: 1, ...settings };
    this.#random = createRandom(this.#settings.seed);
    return this.#settings;
  }

  /** Comments on pull requests of the repositories that the page was of. */
  afterPage(world: WorldState, asked: Asked): void {
    const { perPage, advanceSeconds } = this.#settings;
    if (asked.pullRequests === 0 || (perPage === 0 && advanceSeconds === 0)) return;
    this.#clock.advance(advanceSeconds * 1000);
    world.runUntil(this.#clock.now());
    for (const repository of world.repositories.values()) {
      if (!asked.repositories.includes(fullName(repository).toLowerCase())) continue;
      const pulls = repository.byCreation.all();
      for (let count = 0; count < perPage && pulls.length > 0; count += 1) {
        const pull = this.#random.pick(pulls);
        world.append(pull, {
          at: this.#clock.now(),
          by: pull.author?.login ?? null,
          kind: 'comment',
          id: world.newId(),
        });
      }
    }
  }
}
