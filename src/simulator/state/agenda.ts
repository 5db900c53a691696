/** What is going to happen: tasks by time, those of one instant in the order in which they were added. */
export class Agenda {
  readonly #tasks: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #added = 0;
  #sorted = true;

  add(at: number, run: () => void): void {
    this.#tasks.push({ at, order: this.#added, run });
    this.#added += 1;
    this.#sorted = false;
  }

  /** Runs every task up to and including `now`. Tasks that tasks add are run too when they are due. */
  runUntil(now: number): void {
    for (;;) {
      if (!this.#sorted) {
        this.#tasks.sort((one, other) => other.at - one.at || other.order - one.order);
        this.#sorted = true;
      }
      const next = this.#tasks.at(-1);
      if (next === undefined || next.at > now) return;
      this.#tasks.pop();
      next.run();
    }
  }
}
