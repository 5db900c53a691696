import { describe, expect, it } from 'vitest';
import { HostError } from '../errors.ts';
import { noAnswer } from './failures.ts';
import { asOnePart, atASizeThatWorks, eachInHalves, inParts } from './smaller-parts.ts';

/** A host that can compute up to `most` items at once, and what it was asked for. */
function aHostThatCan(most: number, status: number | null = 502) {
  const asked: number[] = [];
  return {
    asked,
    async ask(size: number) {
      asked.push(size);
      if (size > most) throw new HostError('too_heavy', 'Too much.', { status });
      return `answer of ${size}`;
    },
  };
}

describe('asking for less', () => {
  it.each([
    { most: 30, asked: [30], size: 30 },
    { most: 29, asked: [30, 15], size: 15 },
    { most: 1, asked: [30, 15, 7, 3, 1], size: 1 },
  ])('finds that $size of 30 work where $most are the most', async ({ most, asked, size }) => {
    const host = aHostThatCan(most);

    expect(await atASizeThatWorks(30, host.ask)).toEqual({ size, answer: `answer of ${size}` });
    expect(host.asked).toEqual(asked);
  });

  it.each([
    { status: 502, kind: 'unavailable' },
    { status: 200, kind: 'unavailable' },
    { status: null, kind: 'too_heavy' },
  ])('ends at one: what came with status $status is then $kind', async ({ status, kind }) => {
    const host = aHostThatCan(0, status);

    await expect(atASizeThatWorks(4, host.ask)).rejects.toMatchObject({ kind, status });
    expect(host.asked).toEqual([4, 2, 1]);
  });

  it.each([
    { most: 10, asked: [30, 1, 15, 1, 7], size: 7 },
    { most: 0, asked: [30, 1], size: null },
  ])(
    'of a host that does not answer in time goes on where it answers about one, here up to $most',
    async ({ most, asked, size }) => {
      const tried: number[] = [];
      const health = { down: false };
      const ask = async (count: number) => {
        tried.push(count);
        if (count > most) throw noAnswer('GitHub', true, null);
        return count;
      };

      const answer = await atASizeThatWorks(30, ask, health).catch((error: unknown) => error);

      expect(tried).toEqual(asked);
      expect(health.down).toBe(size === null);
      if (size === null)
        expect(answer).toMatchObject({ kind: 'unavailable', message: 'GitHub did not answer in time.' });
      else expect(answer).toEqual({ size, answer: size });
    },
  );

  it('does not help against other failures', async () => {
    const asked: number[] = [];
    const refuse = async (size: number) => {
      asked.push(size);
      throw new HostError('rate_limited', 'Spent.');
    };

    await expect(atASizeThatWorks(4, refuse)).rejects.toMatchObject({ kind: 'rate_limited' });
    expect(asked).toEqual([4]);
  });

  it('has nothing to try where there are no parts', async () => {
    const host = aHostThatCan(0);

    await expect(asOnePart(() => host.ask(1))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(host.asked).toEqual([1]);
  });
});

describe('asking in parts', () => {
  const all = Array.from({ length: 10 }, (_, index) => index);

  it.each([
    { most: 10, fits: 10, parts: [10] },
    { most: 10, fits: 4, parts: [4, 4, 2] },
    { most: 5, fits: 10, parts: [10, 5, 5] },
    { most: 2, fits: 10, parts: [10, 5, 2, 2, 2, 2, 2] },
  ])('about 10 items where $fits fit and $most are the most asks for $parts', async ({ most, fits, parts }) => {
    const host = aHostThatCan(most);

    const answers = await inParts(
      all,
      () => fits,
      async (part) => {
        await host.ask(part.length);
        return part;
      },
    );

    expect(answers.flat()).toEqual(all);
    expect(host.asked).toEqual(parts);
  });

  it('about nothing asks nothing', async () => {
    expect(
      await inParts(
        [],
        () => 10,
        () => Promise.reject(new Error('Nobody asked.')),
      ),
    ).toEqual([]);
  });
});

describe('asking about each', () => {
  const tooHeavy = new HostError('too_heavy', 'Too much.', { status: 502 });
  /** A host that cannot answer about three of eight, and what it was asked about. */
  const aHostWith = (failure: HostError) => {
    const asked: string[] = [];
    const ask = async (part: readonly number[]) => {
      asked.push(part.join(''));
      if (part.includes(3)) throw failure;
      return part.map(String);
    };
    return { asked, ask };
  };
  const all = [1, 2, 3, 4, 5, 6, 7, 8];

  it.each([
    ['it is too much', tooHeavy, ['12345', '123', '12', '3', 'probe', '45', '678']],
    [
      'it takes too long',
      noAnswer('GitHub', true, null),
      ['12345', 'probe', '123', 'probe', '12', '3', 'probe', '45', '678'],
    ],
  ])('leaves out the one of which %s, in halves, and asks about the others together', async (_name, failure, order) => {
    const { asked, ask } = aHostWith(failure);

    const answers = await eachInHalves(
      all,
      () => 5,
      ask,
      async () => asked.push('probe'),
    );

    expect(answers).toEqual(['1', '2', null, '4', '5', '6', '7', '8']);
    expect(asked).toEqual(order);
  });

  it('takes no answer about other than what was asked about', async () => {
    const answers = eachInHalves(
      all,
      () => 5,
      async (part) => (part.length > 1 ? part.slice(1) : part),
      async () => {},
    );

    await expect(answers).rejects.toThrow('5 items were asked about, and 4 answered.');
  });

  it.each([
    ['a host that is down', tooHeavy, ['12345678', '1234', '12', '34', '3']],
    ['any other failure', new HostError('rate_limited', 'Spent.'), ['12345678']],
  ])('ends at %s', async (_name, failure, order) => {
    const { asked, ask } = aHostWith(failure);

    await expect(
      eachInHalves(
        all,
        () => 8,
        ask,
        () => Promise.reject(failure),
      ),
    ).rejects.toBe(failure);
    expect(asked).toEqual(order);
  });
});
