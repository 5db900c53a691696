/** The host's clock: epoch milliseconds. Real time by default, shifted or stopped by whoever drives the simulation. */
export interface Clock {
  /** The present, cut to whole seconds: the host's times have second precision. */
  now(): number;
  /** Jumps to an instant. Going back is refused, since what has happened can't be undone. */
  set(at: number): void;
  advance(milliseconds: number): void;
  /** A frozen clock moves only when it is set or advanced. */
  freeze(frozen: boolean): void;
}

/** A clock that starts at `start` (real time when null) and runs with `realNow`. */
export function createClock(start: number | null, realNow: () => number = Date.now): Clock {
  let offset = start === null ? 0 : start - realNow();
  let frozenAt: number | null = null;
  const exact = () => frozenAt ?? realNow() + offset;
  const set = (at: number) => {
    if (at < Math.floor(exact() / 1000) * 1000) {
      throw new Error(`The clock can't go back: it is ${new Date(exact()).toISOString()} already.`);
    }
    if (frozenAt === null) offset = at - realNow();
    else frozenAt = at;
  };
  return {
    now: () => Math.floor(exact() / 1000) * 1000,
    set,
    advance: (milliseconds) => set(exact() + milliseconds),
    freeze: (frozen) => {
      if (frozen) frozenAt = exact();
      else if (frozenAt !== null) {
        offset = frozenAt - realNow();
        frozenAt = null;
      }
    },
  };
}

/** ISO 8601 with second precision, as the host writes it (`2026-11-21T10:00:00Z`). */
export function iso(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
