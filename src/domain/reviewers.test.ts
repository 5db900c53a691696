import { describe, expect, test } from 'vitest';
import {
  aPerson,
  aPullRequest,
  asks,
  asksNoMore,
  draft,
  type Happening,
  hour,
  merged,
  ready,
} from '../../test/support/builders.ts';
import { historyOf } from './history.ts';
import { pendingReviews } from './reviewers.ts';

const asked = (requested: { person: ReturnType<typeof aPerson> } | { team: string }, ...happenings: Happening[]) => {
  const pull = aPullRequest({ requested: [requested] }, ...happenings);
  return pendingReviews(historyOf(pull, hour(100))).map(({ name, askedAt }) => [name, askedAt]);
};

describe('since when a review is asked for', () => {
  test.each<[string, readonly Happening[], number]>([
    ['the latest request', [asks(1, 'bo'), asks(5, 'bo')], 5],
    ['no request of somebody else', [asks(1, 'bo'), asks(5, 'cy')], 1],
    ['a removal takes a request back', [asks(3, 'bo'), asksNoMore(5, 'bo')], 0],
    ['a request after a removal', [asks(3, 'bo'), asksNoMore(5, 'bo'), asks(6, 'bo')], 6],
    ['a removal of somebody else takes nothing back', [asks(3, 'bo'), asksNoMore(5, 'cy')], 3],
    ['where the timeline is cut, since it was ready', [draft(1), ready(7)], 7],
    ['where it names nothing, since it was opened', [], 0],
    ['never before it was last made ready', [asks(1, 'bo'), draft(2), ready(7)], 7],
    ['a request during a draft that goes on', [asks(3, 'bo'), draft(4)], 3],
    ['a request before the end of one that has ended', [asks(3, 'bo'), merged(9)], 3],
  ])('%s', (_, happenings, at) => {
    expect(asked({ person: aPerson('bo') }, ...happenings)).toEqual([['bo', hour(at)]]);
  });

  test('of one that is a draft since it was opened and names no request: since then', () => {
    const pull = aPullRequest({ draft: true, requested: [{ person: aPerson('bo') }] });

    expect(pendingReviews(historyOf(pull, hour(100)))).toMatchObject([{ name: 'bo', askedAt: hour(0) }]);
  });

  test('of a team by its handle, capitals or not', () => {
    expect(asked({ team: '@Acme/Core' }, asks(4, '@acme/core'), asks(9, '@acme/docs'))).toEqual([
      ['@Acme/Core', hour(4)],
    ]);
    expect(asked({ team: '@acme/core' }, asks(4, '@acme/core'), asksNoMore(5, '@Acme/core'))).toEqual([
      ['@acme/core', hour(0)],
    ]);
  });
});
