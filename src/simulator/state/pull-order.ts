interface Ordered {
  readonly id: number;
}

/** The pull requests of a repository, ascending by a time and then by id, kept sorted while they change. */
export class PullOrder<Pull extends Ordered> {
  readonly #value: (pull: Pull) => number;
  readonly #pulls: Pull[] = [];
  #sorted = true;

  constructor(value: (pull: Pull) => number) {
    this.#value = value;
  }

  add(pull: Pull): void {
    const last = this.#pulls.at(-1);
    if (last !== undefined && this.#compare(last, pull) > 0) this.#sorted = false;
    this.#pulls.push(pull);
  }

  /** Runs a change that may move a pull request, and puts it where it belongs. Before the first read nothing is moved. */
  move(pull: Pull, change: () => void): void {
    const before = this.#value(pull);
    if (!this.#sorted) {
      change();
      return;
    }
    const from = this.#position(before, pull.id);
    const known = this.#pulls[from] === pull;
    change();
    if (!known || this.#value(pull) === before) return;
    this.#pulls.splice(from, 1);
    this.#pulls.splice(this.#position(this.#value(pull), pull.id), 0, pull);
  }

  all(): readonly Pull[] {
    if (!this.#sorted) {
      this.#pulls.sort((one, other) => this.#compare(one, other));
      this.#sorted = true;
    }
    return this.#pulls;
  }

  #compare(one: Pull, other: Pull): number {
    return this.#value(one) - this.#value(other) || one.id - other.id;
  }

  /** The first position whose (value, id) isn't below the given one. */
  #position(value: number, id: number): number {
    let low = 0;
    let high = this.#pulls.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const pull = this.#pulls[middle];
      if (pull !== undefined && (this.#value(pull) - value || pull.id - id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
