import { HostError } from '../errors.ts';
import { mayBeTooHeavy } from './failures.ts';

/** Whether the host failed over the least there is to ask for, the last time. */
export interface HostHealth {
  down: boolean;
}

/**
 * Asks for `size` items, and for half as many each time the host cannot compute the answer, down to one. The one place
 * where that happens; growing again is the caller's.
 * @throws HostError when even one item is too much: `unavailable` where the host said so itself, since a host that
 * cannot do the least there is to do is rather down than overtaxed and waiting helps; `too_heavy` where it left out
 * part of the answer without a word
 *
 * A host that could not even do one, the last time, is asked for one alone before anything else, and one that did not answer in time
 * before it is asked for half: one that is down gets few requests. That answer is dropped, so `ask` keeps nothing of what it reads.
 */
export async function atASizeThatWorks<T>(
  size: number,
  ask: (size: number) => Promise<T>,
  health: HostHealth = { down: false },
): Promise<{ size: number; answer: T }> {
  if (health.down && size > 1) await atASizeThatWorks(1, ask);
  health.down = false;
  for (let now = size; ; now = Math.floor(now / 2)) {
    try {
      return { size: now, answer: await ask(now) };
    } catch (error) {
      if (!mayBeTooHeavy(error)) throw error;
      if (now > 1) {
        if (error.kind === 'unavailable') await atASizeThatWorks(1, ask, health);
        continue;
      }
      health.down = error.status !== null;
      throw error.status === null ? error : new HostError('unavailable', error.message, { status: error.status });
    }
  }
}

/** Asks for something that cannot be asked for in parts. Throws as `atASizeThatWorks` does. */
export async function asOnePart<T>(ask: () => Promise<T>): Promise<T> {
  return (await atASizeThatWorks(1, ask)).answer;
}

/**
 * One answer for each item, null for one that the host cannot compute by itself: what it cannot compute together is asked for in
 * halves. `fits` says how many of the rest to try at once, `probe` asks something small, which fails where the host is down.
 */
export async function eachInHalves<T, A>(
  items: readonly T[],
  fits: (rest: readonly T[]) => number,
  ask: (part: readonly T[]) => Promise<readonly A[]>,
  probe: () => Promise<unknown>,
): Promise<(A | null)[]> {
  const answers: (A | null)[] = [];
  while (answers.length < items.length) {
    const rest = items.slice(answers.length);
    answers.push(...(await inHalves(rest.slice(0, Math.max(1, fits(rest))))));
  }
  return answers;

  async function inHalves(part: readonly T[]): Promise<readonly (A | null)[]> {
    try {
      const answered = await ask(part);
      if (answered.length !== part.length)
        throw new Error(`${part.length} items were asked about, and ${answered.length} answered.`);
      return answered;
    } catch (error) {
      if (!mayBeTooHeavy(error)) throw error;
      if (part.length === 1 || error.kind === 'unavailable') await probe();
    }
    if (part.length === 1) return [null];
    const half = Math.ceil(part.length / 2);
    return [...(await inHalves(part.slice(0, half))), ...(await inHalves(part.slice(half)))];
  }
}

/** Asks about all items, in as few parts as the host can compute. `fits` says how many of the rest to try at once. */
export async function inParts<T, A>(
  items: readonly T[],
  fits: (rest: readonly T[]) => number,
  ask: (part: readonly T[]) => Promise<A>,
  health?: HostHealth,
): Promise<A[]> {
  const answers: A[] = [];
  let most = items.length;
  for (let rest = items; rest.length > 0; ) {
    const wanted = Math.min(most, Math.max(1, fits(rest)));
    const { size, answer } = await atASizeThatWorks(wanted, (count) => ask(rest.slice(0, count)), health);
    answers.push(answer);
    if (size < wanted) most = size;
    rest = rest.slice(size);
  }
  return answers;
}
