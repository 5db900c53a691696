import { describe, expect, it } from 'vitest';
import { draftsOf, timeOutOfDraft, wasDraft } from './drafts.ts';
import type { EventRecord } from './pull-request.ts';

function change(type: 'ready_for_review' | 'convert_to_draft', at: number): EventRecord {
  return { id: `${at}`, type, at, actor: null, reviewer: null, team: null, reviewId: null, previousState: null };
}
const ready = (at: number) => change('ready_for_review', at);
const draft = (at: number) => change('convert_to_draft', at);

describe('drafts', () => {
  it.each([
    ['no draft event, no draft now', [], false, false, []],
    ['no draft event, a draft now', [], true, true, []],
    ['ready first', [ready(5)], false, true, [5]],
    ['draft first', [draft(5)], true, false, [5]],
    ['a repeated event changes nothing', [draft(5), draft(6), ready(8)], false, false, [5, 8]],
    ['two of one second alternate', [ready(3), ready(5), draft(5)], false, true, [3, 5, 5]],
    ['two of one second come first, a draft now', [draft(5), ready(5)], true, true, [5, 5]],
    ['the same in the other order', [ready(5), draft(5)], true, true, [5, 5]],
    ['two of one second come first, one later', [draft(5), ready(5), ready(8)], false, true, [5, 5, 8]],
    ['two of one second come first, no draft now', [ready(5), draft(5)], false, false, [5, 5]],
  ])('%s', (_what, events, draftNow, openedAsDraft, changes) => {
    const drafts = draftsOf(events, draftNow);

    expect(drafts.openedAsDraft).toBe(openedAsDraft);
    expect(drafts.changes.map(({ at }) => at)).toEqual(changes);
    for (const [index, { draft: becomes }] of drafts.changes.entries()) {
      expect(becomes).toBe((index % 2 === 0) !== openedAsDraft);
    }
  });

  it('have changed at the very instant of the event', () => {
    const drafts = draftsOf([ready(5), draft(9)], true);

    expect([4, 5, 8, 9].map((at) => wasDraft(drafts, at))).toEqual([true, false, false, true]);
  });

  it('leave out of a time what lies in them', () => {
    const drafts = draftsOf([draft(4), ready(10)], false);

    expect(timeOutOfDraft(drafts, 0, 12)).toBe(6);
    expect(timeOutOfDraft(drafts, 4, 10)).toBe(0);
    expect(timeOutOfDraft(drafts, 5, 12)).toBe(2);
    expect(timeOutOfDraft(drafts, 0, 4)).toBe(4);
    expect(timeOutOfDraft(drafts, 7, 7)).toBe(0);
  });
});
