import { expect, it } from 'vitest';
import type { TimelineEvent } from '#contract/pull-requests.ts';
import { timelineEventTypes } from '#domain/timeline.ts';
import { eventLook } from './event-look.ts';

function anEvent(type: string, more: Partial<TimelineEvent['metadata']> = {}): TimelineEvent {
  const metadata = { review_state: null, check_status: null, sha: null, replies: null, ...more };
  const actor = { actor: 'mona', actor_avatar: null, actor_kind: 'human' as const };
  return { id: type, type, description: '', timestamp: '2026-11-03T15:40:00Z', ...actor, metadata };
}

it.each([
  [anEvent('opened'), 'opened'],
  [anEvent('commit'), 'plain'],
  [anEvent('comment'), 'comment'],
  [anEvent('review', { review_state: 'approved' }), 'good'],
  [anEvent('review', { review_state: 'changes_requested' }), 'bad'],
  [anEvent('review', { review_state: 'commented' }), 'reviewed'],
  [anEvent('review', { review_state: 'dismissed' }), 'reviewed'],
  [anEvent('merged'), 'merged'],
  [anEvent('closed'), 'bad'],
  [anEvent('status_check', { check_status: 'success' }), 'good'],
  [anEvent('status_check', { check_status: 'neutral' }), 'bad'],
  [anEvent('something new'), 'plain'],
])('gives every type of event its colour: %o', (event, tone) => {
  expect(eventLook(event).tone).toBe(tone);
});

it('has an icon of its own for every type on the wire', () => {
  const unknown = eventLook(anEvent('something new')).Icon;

  for (const type of timelineEventTypes) expect(eventLook(anEvent(type)).Icon, type).not.toBe(unknown);
});
