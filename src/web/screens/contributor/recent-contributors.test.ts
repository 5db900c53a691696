import { describe, expect, it } from 'vitest';
import { type RecentContributor, readRecent, withVisit } from './recent-contributors.ts';

const visit = (username: string, last_viewed: string | null = '2026-11-21T10:00:00Z'): RecentContributor => ({
  username,
  display_name: null,
  avatar_url: null,
  kind: 'human',
  last_viewed,
  repository_count: null,
});
const visits = (count: number) => Array.from({ length: count }, (_, at) => visit(`person-${at + 1}`));

describe('the contributors viewed last', () => {
  it('begin with the newest', () => {
    expect(withVisit(visits(2), visit('ilse-m')).map(({ username }) => username)).toEqual([
      'ilse-m',
      'person-1',
      'person-2',
    ]);
  });

  it('hold each person once, however the name is spelled, with the latest view', () => {
    const again = visit('Person-2', '2026-11-21T11:00:00Z');

    expect(withVisit(visits(3), again)).toEqual([again, visit('person-1'), visit('person-3')]);
  });

  it('are ten at most: the eleventh pushes out the oldest', () => {
    expect(withVisit(visits(9), visit('ilse-m'))).toHaveLength(10);
    const full = withVisit(visits(10), visit('ilse-m'));

    expect(full).toHaveLength(10);
    expect(full.at(-1)?.username).toBe('person-9');
  });

  it('survive being written and read', () => {
    expect(readRecent(JSON.stringify(visits(3)))).toEqual(visits(3));
  });

  it.each([[undefined], [''], ['{'], ['null'], ['{"username":"x"}'], ['[1,null,{"username":3},{"username":""}]']])(
    'are nobody where the device kept %s',
    (text) => {
      expect(readRecent(text)).toEqual([]);
    },
  );

  it('keep whether it is a bot or an agent', () => {
    const bot = { ...visit('dependabot[bot]'), kind: 'bot' } as const;

    expect(readRecent(JSON.stringify([bot]))).toEqual([bot]);
  });

  it('lose only what is damaged in an entry', () => {
    expect(readRecent('[{"username":"ilse-m","kind":"cat","last_viewed":7,"repository_count":"4"}]')).toEqual([
      visit('ilse-m', null),
    ]);
  });
});
