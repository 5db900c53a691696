import { describe, expect, it } from 'vitest';
import { loadWatch } from './load-watch.ts';

const of = (reviewer: string, outstanding_reviews: number, reviews_last_week = 0) => ({
  reviewer,
  outstanding_reviews,
  reviews_last_week,
});

describe('one person holding too much of the review load', () => {
  it('is worth a look above a quarter of the outstanding reviews', () => {
    expect(loadWatch([of('a', 5), of('b', 4), of('c', 4), of('d', 4), of('e', 3)])).toBeNull();
    expect(loadWatch([of('a', 5), of('b', 4), of('c', 4), of('d', 4), of('e', 2)])).toMatchObject({
      heaviest: { reviewer: 'a' },
      outstanding: 19,
    });
  });

  it('is so with 26 of 100, whoever stands first, and with 25 not', () => {
    const others = [of('a', 24), of('b', 25), of('c', 25)];
    expect(loadWatch([...others, of('d', 26)])).toMatchObject({ heaviest: { reviewer: 'd' }, outstanding: 100 });
    expect(loadWatch([of('d', 25), of('a', 25), of('b', 25), of('c', 25)])).toBeNull();
  });

  it('is of two with equally many the first', () => {
    expect(loadWatch([of('a', 6), of('b', 6), of('c', 0)])).toMatchObject({ heaviest: { reviewer: 'a' } });
  });

  it('needs five reviews at least', () => {
    expect(loadWatch([of('a', 4)])).toBeNull();
    expect(loadWatch([of('a', 5)])).toMatchObject({ heaviest: { reviewer: 'a' }, withRoom: [] });
  });

  it('names the two who hold the least, the busier reviewer first among equals', () => {
    const watch = loadWatch([of('a', 9), of('b', 1, 2), of('c', 1, 8), of('d', 0), of('e', 3)]);

    expect(watch?.withRoom.map(({ reviewer }) => reviewer)).toEqual(['d', 'c']);
  });

  it('calls nobody free who holds an even share or more', () => {
    expect(loadWatch([of('a', 6), of('b', 5), of('c', 5)])?.withRoom.map(({ reviewer }) => reviewer)).toEqual([
      'b',
      'c',
    ]);
    expect(loadWatch([of('a', 6), of('b', 6)])?.withRoom).toEqual([]);
  });

  it('is nothing over nobody', () => {
    expect(loadWatch([])).toBeNull();
  });
});
