import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  averageHandoff,
  collaborationLabel,
  handoffBadge,
  handoffsOf,
  interactionShare,
  interactionsOf,
  participantsOf,
} from './handoffs.ts';

const hours = (at: number) => at * 3_600_000;
const timeline = [
  { actor: 'ada', at: hours(0) },
  { actor: 'ada', at: hours(1) },
  { actor: null, at: hours(2) },
  { actor: 'rita', at: hours(4) },
  { actor: null, at: hours(5) },
  { actor: 'rita', at: hours(6) },
  { actor: 'ada', at: hours(7) },
];

describe('collaboration', () => {
  it('hands over between consecutive events of different accounts, skipping events without one', () => {
    const handoffs = handoffsOf(timeline);

    expect(handoffs).toEqual([
      { from: 'ada', to: 'rita', hours: 3 },
      { from: 'rita', to: 'ada', hours: 1 },
    ]);
    expect(averageHandoff(handoffs)).toBe(2);
    expect(averageHandoff([])).toBeNull();
  });

  it('counts participants and interactions without events of nobody', () => {
    expect(participantsOf(timeline)).toEqual(['ada', 'rita']);
    expect(interactionsOf(timeline, 'ada')).toBe(2);
    expect(interactionsOf(timeline, null)).toBe(5);
    expect(actionsOf(timeline, 'ada')).toBe(3);
    expect(interactionShare(timeline, 'ada', 'rita')).toBe(100);
    expect(interactionShare([], 'ada', 'rita')).toBeNull();
  });

  it.each([
    [3.99, 'default'],
    [4, 'secondary'],
    [23.99, 'secondary'],
    [24, 'destructive'],
  ])('a handoff of %d hours is %s', (length, badge) => {
    expect(handoffBadge(length)).toBe(badge);
  });

  it.each([
    [3, 5, 'Team collaboration'],
    [4, 4, 'Cross-team collaboration'],
    [1, 6, 'Cross-team collaboration'],
  ])('of %d reviewers and %d participants is %s', (reviewers, participants, label) => {
    expect(collaborationLabel(reviewers, participants)).toBe(label);
  });
});
