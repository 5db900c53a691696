import { describe, expect, it } from 'vitest';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { cellOf, figureRows, hasTrace } from './fares.ts';

type Group = AiAuthorship['groups'][number];

const none = { value: null, n: 0 };
const spreadOf = (p50: number, n: number) => ({ value: p50 + 10, n, p50, p75: p50 + 1, p90: p50 + 2 });
const group = (key: string, hours: number, merged: number, rate: number): Group => ({
  ...{ key, n_opened: merged, n_merged: merged, tried: 0 },
  figures: {
    ...{ share_opened: none, share_merged: none, commits_by_agent: none, merged_unreviewed: none, reverted: none },
    ...{ merged_on_own_word: none, independent_reviews: none, followed_up: none, review_cycles: none },
    ...{ human_findings: none, failing_at_last_push: none, merge_rate: { value: rate, n: merged } },
    ...{ lines_changed: spreadOf(hours, merged), changed_files: spreadOf(hours, merged) },
    ...{ time_to_first_review: spreadOf(hours, merged), waiting_for_review_time: spreadOf(hours, merged) },
    time_to_merge: spreadOf(hours, merged),
  },
});
const answer = (sizes: readonly (readonly [Group, Group])[]): AiAuthorship => ({
  groups: [group('human', 20, 100, 0.9), group('agent', 10, 40, 0.5)],
  ...{ series: [], bots_with_trace: 0, credited: { n: 0, of: 0, by: {} as AiAuthorship['credited']['by'] } },
  within_sizes: sizes.map((groups, at) => ({
    size: (['0-50', '51-200'] as const)[at] ?? '0-50',
    groups: [...groups],
  })),
});
const row = (key: string) => figureRows.find((one) => one.key === key)!;

describe('a figure of a group', () => {
  const sized = answer([
    [group('human', 2, 90, 0.9), group('agent', 4, 10, 0.7)],
    [group('human', 40, 10, 0.6), group('agent', 50, 30, 0.3)],
  ]);
  const [human, agent] = sized.groups as [Group, Group];
  const way = { from: sized, peopleFrom: sized, sameSize: true, statistic: 'p50' } as const;

  it('is told within the same sizes, beside what these come to without a trace', () => {
    expect(cellOf(row('time_to_merge'), agent, way)).toEqual({ value: 27, n: 40, comparedWith: 21 });
    expect(cellOf(row('merge_rate'), agent, way).value).toBeCloseTo(0.5);
  });

  it('is told over all sizes where that is chosen, of those without a trace, and of sizes themselves', () => {
    const plain = { value: 10, n: 40, comparedWith: null };
    expect(cellOf(row('time_to_merge'), agent, { ...way, sameSize: false })).toEqual(plain);
    expect(cellOf(row('time_to_merge'), human, way)).toEqual({ value: 20, n: 100, comparedWith: null });
    expect(cellOf(row('lines_changed'), agent, way)).toEqual(plain);
  });

  it('is the percentile that is chosen', () => {
    expect(cellOf(row('time_to_merge'), agent, { ...way, sameSize: false, statistic: 'p90' }).value).toBe(12);
  });

  it('is the same percentile within the same sizes, of both sides', () => {
    expect(cellOf(row('time_to_merge'), agent, { ...way, statistic: 'p90' })).toEqual({
      ...{ value: 29, n: 40, comparedWith: 23 },
    });
  });

  it('is compared with nothing where either side has fewer than 20', () => {
    const beside = (human: number, agents: number) => {
      const of = answer([[group('human', 2, human, 0.9), group('agent', 4, agents, 0.7)]]);
      const [, agent] = of.groups as [Group, Group];
      return cellOf(row('time_to_merge'), agent, { ...way, from: of, peopleFrom: of });
    };
    expect(beside(20, 20)).toEqual({ value: 4, n: 20, comparedWith: 2 });
    expect(beside(90, 19)).toEqual({ value: 4, n: 19, comparedWith: null });
    expect(beside(19, 90)).toEqual({ value: 4, n: 90, comparedWith: null });
  });

  it('is none where no size has five of both', () => {
    const few = answer([[group('human', 2, 90, 0.9), group('agent', 4, 4, 0.7)]]);
    expect(cellOf(row('time_to_merge'), few.groups[1]!, { ...way, from: few, peopleFrom: few })).toEqual({
      ...{ value: null, n: 40, comparedWith: null },
    });
  });
});

it('there is a trace where a pull request opened before the window was first reviewed in it', () => {
  const { figures, ...rest } = group('agent', 3, 0, 0);
  const reviewed = (n: number): AiAuthorship => ({
    ...answer([]),
    groups: [group('human', 20, 100, 0.9), { ...rest, figures: { ...figures, time_to_first_review: spreadOf(3, n) } }],
  });
  expect([hasTrace(reviewed(1)), hasTrace(reviewed(0))]).toEqual([true, false]);
});
