import { expect, it } from 'vitest';
import { waitingOnLabel, waitingReasonLabel } from './whose-turn.ts';

it('whose turn it is and why reads as words', () => {
  expect(`${waitingOnLabel('reviewers')} · ${waitingReasonLabel('updated_after_review')}`).toBe(
    'Reviewers · updated after review',
  );
  expect(`${waitingOnLabel('merge')} · ${waitingReasonLabel('approved')}`).toBe('Ready to merge · approved');
  expect(`${waitingOnLabel('author')} · ${waitingReasonLabel('draft')}`).toBe('Author · draft');
});
