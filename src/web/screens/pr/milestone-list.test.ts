import { expect, it } from 'vitest';
import { milestonesOf } from './milestone-list.ts';

const hour = (hours: number) => new Date(Date.parse('2026-11-03T08:00:00Z') + hours * 3_600_000).toISOString();

function milestones(
  times: Partial<Record<'ready_at' | 'first_review_at' | 'first_agent_review_at' | 'approved_at', string>>,
  merged: string | null = null,
) {
  const none = { ready_at: null, first_review_at: null, first_agent_review_at: null, approved_at: null };
  const detail = { created_at: hour(0), merged_at: merged, closed_at: merged, time_metrics: { ...none, ...times } };
  return milestonesOf(detail as unknown as Parameters<typeof milestonesOf>[0]).map(({ name, hours }) => [name, hours]);
}

it('measures each milestone from the one that it rests on', () => {
  const times = {
    ready_at: hour(19),
    first_agent_review_at: hour(20),
    first_review_at: hour(24),
    approved_at: hour(60),
  };

  expect(milestones(times, hour(63))).toEqual([
    ['Opened as a draft', null],
    ['Ready for review', 19],
    ['First agent review', 1],
    ['First review', 5],
    ['Approved', 36],
    ['Merged', 3],
  ]);
});

it('leaves out what has not happened, and does not call ready what was never a draft', () => {
  expect(milestones({ ready_at: hour(0) })).toEqual([['Opened', null]]);
  expect(milestones({})).toEqual([['Opened as a draft', null]]);
});

it('measures from the opening what came before "ready for review"', () => {
  const times = { ready_at: hour(19), first_agent_review_at: hour(2) };

  expect(milestones(times)).toEqual([
    ['Opened as a draft', null],
    ['First agent review', 2],
    ['Ready for review', 19],
  ]);
});

it('measures the end from the first review where nothing was approved, and from the opening without any', () => {
  expect(milestones({ ready_at: hour(0), first_review_at: hour(5) }, hour(9)).at(-1)).toEqual(['Merged', 4]);
  expect(milestones({ ready_at: hour(0) }, hour(9)).at(-1)).toEqual(['Merged', 9]);
});
