import { describe, expect, it } from 'vitest';
import type { Health, Signal } from '#contract/health.ts';
import { defaultHealthSettings, type SignalKey } from '#domain/signals.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { CarriedCard } from './carried-card.tsx';
import { readHealthSearch, trendDays } from './search.ts';
import { SignalCard } from './signal-card.tsx';
import { SignalLine } from './signal-line.tsx';
import type { HealthView } from './view.ts';
import { NOTHING_MERGED, questions } from './words.ts';

const window = { from: '2026-08-27T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' };
const linkIn = (html: string) => /href="([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&');
const nothingLeftOut = { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 };
const signal = (key: SignalKey, more: Partial<Signal> = {}): Signal => ({
  ...{ key, value: null, n: 0, window, left_out: nothingLeftOut, previous: null, series: [], usual: null },
  ...more,
});
const viewOf = (signals: Signal[], address: Record<string, string> = {}): HealthView => ({
  health: { window, signals, sizes: [], areas: [] } satisfies Health,
  settings: defaultHealthSettings,
  search: readHealthSearch(address),
  ...{ window: 'Last 90 days', before: 'the 90 days before', onToggle: () => undefined },
});

describe('a card of signals', () => {
  const card = (at: number, more: Partial<Signal> = {}) => {
    const { title, keys } = questions[at]!;
    const view = viewOf(keys.map((key) => signal(key, more)));
    return drawn(<SignalCard title={title} keys={keys} view={view} />);
  };

  it('says in one sentence that nothing was merged', async () => {
    expect(await card(0)).toContain(`>${NOTHING_MERGED}<`);
  });

  it('says of each signal why it counts nothing where everything was too small', async () => {
    const html = await card(0, { left_out: { ...nothingLeftOut, trivial: 5 } });
    expect(html).not.toContain(NOTHING_MERGED);
    expect(html).toContain('Left out: too small, below 10 lines in 1 file (5).');
  });

  it('says nothing of the window where its signals are about an earlier time', async () => {
    const html = await card(2);
    expect(html).not.toContain(NOTHING_MERGED);
    expect(html.match(/Nothing was merged in the days that it is told of\./g)).toHaveLength(2);
  });
});

describe('the card of who carries it', () => {
  const concentration = (merges: Signal['merges'], more: Partial<Signal> = {}) =>
    signal('concentration', { value: 2, n: 40, reviewers: 5, top_share: 0.4, gini: 0.2, merges, ...more });
  const nobody = { reviewers: 0, half: null, top_share: null, gini: null };
  const card = (told: Signal, address = {}) => drawn(<CarriedCard view={viewOf([told], address)} caption="" />);

  it('says that people merged nothing where bots merge everything', async () => {
    const html = await card(concentration(nobody));
    expect(html).toContain('People merged nothing in this window.');
    expect(html).not.toContain('people were active');
  });

  it('says that too few were active where they were', async () => {
    const few = { reviewers: 1, half: null, top_share: null, gini: null };
    const html = await card(concentration(few, { value: null, top_share: null, gini: null }));
    expect(html.match(/Fewer than 3 people were active\./g)).toHaveLength(3);
  });

  it('tells no area to be without risk where too few were active to know', async () => {
    const few = { reviewers: 1, half: null, top_share: null, gini: null };
    const view = viewOf([concentration(few, { value: null, top_share: null, gini: null })]);
    const areas = [{ area: 'web/charts', at_risk: false, could: [], ...few }];
    const html = await drawn(<CarriedCard view={{ ...view, health: { ...view.health, areas } }} caption="" />);
    expect(html.match(/Fewer than 3 people were active\./g)).toHaveLength(4);
    expect(html).not.toContain('of 1<');
  });

  it('leads to the same reviews over time: those of whatever author', async () => {
    const html = await card(concentration(nobody), { authorship: 'agent', team: '7', team_as: 'reviewer' });
    expect(linkIn(html)).toBe('/trends?figure=concentration&team=7&team_as=reviewer');
  });
});

describe('the way to a signal over time', () => {
  const days = { from: '2025-03-05', to: '2025-04-04' };
  const linksOf = async (address: Record<string, string>) => {
    const [line, carried] = [signal('reverted'), signal('concentration', { n: 40 })];
    const view = viewOf([line, carried], address);
    return [
      await drawn(<SignalLine signal={line} search={view.search} />),
      await drawn(<CarriedCard view={view} caption="" />),
    ].map(linkIn);
  };

  it('leads to the weeks that are drawn of chosen days, not to the latest', async () => {
    expect(await linksOf(days)).toEqual([
      '/trends?figure=reverted&from=2024-10-07&to=2025-04-04',
      '/trends?figure=concentration&from=2024-10-07&to=2025-04-04',
    ]);
  });

  it('leads to all chosen days where they are more', async () => {
    const longer = { from: '2024-01-10', to: '2025-04-04' };
    expect((await linksOf(longer))[0]).toBe('/trends?figure=reverted&from=2024-01-10&to=2025-04-04');
  });

  it('leads to the weeks up to today where the chosen days go on after it', async () => {
    expect(trendDays(readHealthSearch({ from: '2026-11-30', to: '2027-12-01' }), '2026-12-01')).toEqual({
      ...{ from: '2026-06-08', to: '2026-12-02' },
    });
  });

  it('names no days where none are chosen', async () => {
    expect((await linksOf({ period: '30d' }))[0]).toBe('/trends?figure=reverted');
  });
});
