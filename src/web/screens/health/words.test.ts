import { describe, expect, it } from 'vitest';
import type { Health, Signal } from '#contract/health.ts';
import { defaultHealthSettings, type HealthSettings, type SignalKey, signalKeys } from '#domain/signals.ts';
import { type Choice, periodWords } from '../../filters/choice-of-figures.ts';
import { readHealthSearch } from './search.ts';
import {
  areasAtFirst,
  besideOf,
  clauseOf,
  isNothingMerged,
  leftOutOf,
  listedWords,
  movedWords,
  nText,
  populationWords,
  questions,
  readingText,
  valueText,
  whyNothing,
} from './words.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-11-25T00:00:00Z');
const window = (days: number, back = 0) => ({
  from: new Date(NOW - (days + back) * DAY).toISOString(),
  to: new Date(NOW - back * DAY).toISOString(),
});
const signal = (key: SignalKey, more: Partial<Signal> = {}): Signal => ({
  key,
  value: 0.25,
  n: 20,
  window: window(90),
  left_out: { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 },
  previous: null,
  series: [{ from: '2026-11-16', value: 0.25, n: 5 }],
  usual: { from: 0.1, to: 0.2 },
  ...more,
});
const size = (name: string, time_to_merge: number | null) => ({
  ...{ size: name, n: 12, time_to_merge, depth_per_100_lines: null, stamped: null, reverted: null },
});
const health: Health = { window: window(90), signals: [], sizes: [size('<=400', 20), size('>400', 96)], areas: [] };
const others: HealthSettings = {
  trivial: { lines: 7, files: 1 },
  stamped: { words: 1, minutes: 9, lines_per_minute: 1200 },
  ping_pong: { rounds: 6, turns: 8 },
  big: 1500,
  long_open_days: 1,
  stale_approval_days: 21,
  generated: [],
};

describe('the words of review health', () => {
  it('answer each signal’s question once, but concentration, which is about people', () => {
    expect(questions.flatMap(({ keys }) => keys).toSorted()).toEqual(
      signalKeys.filter((key) => key !== 'concentration').toSorted(),
    );
  });

  it('have each value in its unit', () => {
    expect(valueText('big', 0.14)).toBe('14 %');
    expect(valueText('ci_wait', 0.3)).toBe('18 min');
    expect(valueText('review_depth', 1.44)).toBe('1.4');
    expect(valueText('concentration', 5)).toBe('5');
    expect(valueText('big', null)).toBe('N/A');
  });

  it('say what a value is over', () => {
    expect(nText(signal('big'))).toBe('5 of 20');
    expect(nText(signal('review_depth', { n: 1200 }))).toBe('1,200 PRs');
    expect(nText(signal('big', { n: 0, value: null }))).toBe('of 0');
  });

  it('do not read what is over fewer than ten', () => {
    expect(readingText(signal('big'))).toBe('Higher than usual');
    expect(readingText(signal('big', { n: 10, usual: null }))).toBe('Too early for a usual range');
    expect(readingText(signal('big', { n: 9 }))).toBe('Fewer than 10: too few to say.');
    expect(readingText(signal('big', { n: 0, value: null }))).toBe('N/A');
  });

  it('do not read a last full week over fewer than five, whatever the window holds', () => {
    const few = { n: 200, series: [{ from: '2026-11-16', value: 1, n: 4 }] };
    expect(readingText(signal('big', few))).toBe('Fewer than 5: too few to say');
  });

  it.each([
    ['stamped', 'approved with at most 1 word and no finding, within 9 minutes or 1,200 lines a minute'],
    ['ping_pong', '6 review rounds or more, or handed back 8 times in a day'],
    ['big', 'over 1,500 lines'],
    ['long_open', 'open for more than 1 day at the end of the window'],
    ['stale_approval', 'approved for more than 21 days and still open'],
  ] as const)('name the thresholds that hold: %s', (key, words) => {
    expect(clauseOf(signal(key), health, others)).toBe(words);
  });

  it.each([
    [
      signal('merged_unreviewed', { merged_on_comment: { value: 0.3, n: 20 } }),
      'nobody else reviewed or commented; 6 more had only a comment',
    ],
    [
      signal('approved_then_pushed', { by_force: { value: 0.1, n: 20 } }),
      'commits after the last approval that nobody reviewed; 2 more by force push',
    ],
    [
      signal('review_depth', { none: 0.65 }),
      'threads at lines that other people opened; 65 % of pull requests had none',
    ],
    [signal('big'), 'over 400 lines; they take 4.0 d to merge, the others 20.0 h'],
    [signal('ci_wait', { p90: 1.5 }), 'from the last push until the last check ended; one in ten takes 1.5 h or more'],
    [
      signal('reverted', { time_to_revert: { median: 102, p90: null, n: 3 } }),
      'reverts of this window came after 4.3 d (median)',
    ],
  ])('have the number that stands beside it: $key', (told, words) => {
    expect(clauseOf(told, health, defaultHealthSettings)).toBe(words);
  });

  it('hide no area that is at risk', () => {
    const areas = Array.from({ length: 12 }, (_, at) => ({
      ...{ area: `src/${at}`, reviewers: 2, half: 1, top_share: 0.9, gini: 0, could: [] },
      at_risk: at === 2 || at === 10,
    }));
    expect(areasAtFirst(areas).map(({ area }) => area)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10].map((at) => `src/${at}`));
  });

  it('say when a signal’s pull requests were merged, where that is not the window', () => {
    const untouched = readHealthSearch({});
    expect(movedWords('big', untouched, NOW, 'UTC')).toBeNull();
    expect(movedWords('reverted', untouched, NOW, 'UTC')).toBe('merged 30 to 120 days ago');
    const days = readHealthSearch({ from: '2026-11-01', to: '2026-11-25' });
    expect(movedWords('followed_up', days, NOW, 'UTC')).toBe('merged Sun 25 Oct to Tue 17 Nov');
    // Clocks that change between the two move nothing to another day.
    const april = { from: '2026-04-01', to: '2026-04-20' };
    expect(movedWords('reverted', april, NOW, 'Europe/Oslo')).toBe('merged Mon 2 Mar to Fri 20 Mar');
  });

  it('say the same time of the list behind a signal', () => {
    const last90 = periodWords('90d', false);
    const told = (key: SignalKey, choice: Choice = {}, words = last90) => listedWords(key, choice, words, NOW, 'UTC');
    expect(told('big')).toBe('last 90 days, latest first');
    expect(told('reverted')).toBe('merged 30 to 120 days ago, latest first');
    expect(told('followed_up', { period: '7d' }, periodWords('7d', true))).toBe(
      'merged 7 to 14 days ago, latest first',
    );
    expect(told('long_open')).toBe('open at the end of the window');
    // What ends later than today ends with it.
    const days = { from: '2026-11-01', to: '2026-12-24' };
    expect(told('followed_up', days)).toBe('merged Sun 25 Oct to Wed 18 Nov, latest first');
  });

  it('say which pull requests are counted', () => {
    const words = {
      isChosen: false,
      alone: '',
      caption: '',
      of: '',
      during: 'in the last 90 days',
      before: '',
    };
    expect(populationWords(readHealthSearch({}), words)).toBe(
      'over pull requests by people that were merged in the last 90 days into the default branch',
    );
    expect(populationWords(readHealthSearch({ authorship: 'agent', all_bases: 'true' }), words)).toBe(
      'over pull requests by agents that were merged in the last 90 days into any branch',
    );
  });

  it('say why there is no value, in the server’s words where it has some', () => {
    for (const key of signalKeys) expect(whyNothing(signal(key), others)).toMatch(/^[A-Z].+\.$/);
    expect(whyNothing(signal('ci_wait', { message: 'The token may not read Actions' }), others)).toBe(
      'The token may not read Actions.',
    );
  });

  it.each([
    [{ trivial: 5 }, 'Left out: too small, below 7 lines in 1 file (5).'],
    [{ dismissed: 2 }, 'Left out: marked “Not so” (2).'],
    [{ trivial: 1, unknown: 1200 }, 'Left out: too small, below 7 lines in 1 file (1); not known (1,200).'],
  ])('say that all of it is left out, where it is: %o', (more, words) => {
    const left_out = { trivial: 0, dismissed: 0, unknown: 0, undecided: 0, ...more };
    expect(whyNothing(signal('stamped', { n: 0, value: null, left_out }), others)).toBe(words);
  });

  it('say that nothing was merged only of the window itself, and where nothing is left out', () => {
    const none = { n: 0, value: null };
    const left_out = { trivial: 5, dismissed: 0, unknown: 0, undecided: 0 };
    expect(isNothingMerged([signal('merged_unreviewed', none), signal('approved_then_pushed', none)])).toBe(true);
    expect(isNothingMerged([signal('merged_unreviewed', none), signal('big', { n: 1 })])).toBe(false);
    expect(isNothingMerged([signal('stamped', { ...none, left_out }), signal('approved_then_pushed', none)])).toBe(
      false,
    );
    expect(isNothingMerged([signal('reverted', none), signal('followed_up', none)])).toBe(false);
  });

  it('count reverts by what they reverted', () => {
    const time_to_revert = { median: 102, p90: 200, n: 3 };
    expect(besideOf(signal('reverted', { time_to_revert }))[0]).toEqual(['Pull requests reverted in the window', '3']);
  });

  it('name what is left out, as far as anything is', () => {
    const left_out = { trivial: 3, dismissed: 0, unknown: 1, undecided: 0 };
    expect(leftOutOf(signal('stamped', { left_out }), others)).toEqual([
      ['too small, below 7 lines in 1 file', 3],
      ['not known', 1],
    ]);
  });
});

describe('the address of review health', () => {
  it('is read as far as it makes sense', () => {
    expect(
      readHealthSearch({ open: 'big,nothing,stamped', list: 'x', page: '0', authorship: 'bot', all_bases: 'yes' }),
    ).toEqual({ open: ['stamped', 'big'], list: undefined, page: 1, authorship: undefined, allBases: false });
  });
});
