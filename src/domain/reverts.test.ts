import { describe, expect, test } from 'vitest';
import { claimKeys, keysOf, namedBy, type Revertible, type Reverting, revertedBy, saysFollowUp } from './reverts.ts';

const DAY = 24 * 3_600_000;
const MERGED_AT = Date.parse('2026-03-02T09:00:00Z');

type Merged = Reverting & Revertible;

function merged(number: number, title: string, more: Partial<Merged> = {}): Merged {
  const commit = { sha: sha(number), headline: `Commit ${number}`, revertsSha: null };
  return {
    number,
    title,
    mergedAt: MERGED_AT + number * DAY,
    baseRef: 'main',
    headRef: 'topic',
    described: [],
    mergeSha: sha(number + 500),
    reverts: [],
    commits: [commit],
    ...more,
  };
}

/** Forty digits that begin like no others. */
const sha = (number: number) => `${1_000_000 + number}`.padEnd(40, 'a');

function commits(...shas: (string | null)[]): Pick<Merged, 'commits'> {
  return {
    commits: shas.map((revertsSha, at) => ({ sha: sha(900 + at), headline: `Part ${at}`, revertsSha })),
  };
}

/** What was merged before, the first ones a day apart. */
const earlier = [
  merged(1, 'Add a cache'),
  merged(2, 'Count twice'),
  merged(3, 'Count twice'),
  merged(4, 'Say "hello" twice'),
  merged(5, 'A title that is so long that the host would have cut it anywhere'),
  merged(6, 'Keep what stays', { baseRef: 'stable' }),
  merged(7, 'Two commits', { commits: [part('d', 'One'), part('e', 'Other'), part('f', "Merge branch 'main'")] }),
  merged(8, 'Revert "Add a cache"', { reverts: [1] }),
  merged(9, 'Roll back (#2)', { reverts: [2] }),
];

function part(letter: string, headline: string) {
  return { sha: letter.repeat(40), headline, revertsSha: null };
}

const reverted = (more: Partial<Merged>, others: readonly Merged[] = earlier) =>
  revertedBy(merged(20, more.title ?? 'Undo', more), others);

test('a title that ends within quotes is none: what brings back a change that was reverted twice does not revert it', () => {
  const fix = merged(12, 'Fix');
  const again = 'Revert "Fix (#12)"';

  expect(reverted({ title: 'Revert "Revert "Fix (#12)""' }, [fix, merged(13, again), merged(14, again)])).toEqual([]);
  expect(reverted({ title: again }, [fix])).toEqual([12]);
});

describe('by the branch', () => {
  test.each<[string, number[]]>([
    ['revert-1-add-a-cache', [1]],
    ['revert-4-', [4]],
    ['Revert-1-add', []],
    ['my-revert-1-add', []],
    ['revert-1', []],
    ['revert-cache', []],
    ['revert-6-of-another-branch', []],
    ['revert-999-unknown', []],
  ])('%s', (headRef, numbers) => expect(reverted({ headRef })).toEqual(numbers));

  test('before anything else that is said', () => {
    expect(reverted({ headRef: 'revert-1-x', described: [4], title: 'Revert #5' })).toEqual([1]);
    expect(reverted({ headRef: 'revert-999-x', described: [4], title: 'Revert #5' })).toEqual([4]);
  });
});

test('by lines of the description: all that were merged before into the same branch', () => {
  expect(reverted({ described: [4, 1, 4] })).toEqual([1, 4]);
  expect(reverted({ described: [6, 999, 20] })).toEqual([]);
  expect(reverted({ described: [1], baseRef: 'stable' })).toEqual([]);
  expect(reverted({ described: [1], mergedAt: MERGED_AT })).toEqual([]);
});

describe('by the commits that it takes back', () => {
  test.each<[string, (string | null)[], number[]]>([
    ['what one merged', [sha(501)], [1]],
    ['with seven digits', [sha(501).slice(0, 7)], [1]],
    ['what two merged', [sha(501), sha(504)], [1, 4]],
    ['all commits of one, merges of the base aside', ['d'.repeat(40), 'e'.repeat(9)], [7]],
    ['one of two commits', ['d'.repeat(40)], []],
    ['a merge, and commits of another', [sha(501), 'd'.repeat(40), 'e'.repeat(40)], [1, 7]],
    ['a merge and what nobody knows', [sha(501), 'c'.repeat(40)], []],
    ['a commit beside that changes something', [sha(501), null], []],
    ['nothing', [null], []],
    ['no commits', [], []],
  ])('%s', (_, shas, numbers) => expect(reverted(commits(...shas))).toEqual(numbers));

  test('merges of its own aside', () => {
    const own = commits(sha(501)).commits;
    expect(reverted({ commits: [...own, { sha: 'b'.repeat(40), headline: 'Merge main', revertsSha: null }] })).toEqual([
      1,
    ]);
  });

  test('not where several were merged by one commit', () => {
    const together = [merged(1, 'One', { mergeSha: sha(501) }), merged(2, 'Other', { mergeSha: sha(501) })];
    expect(reverted(commits(sha(501)), together)).toEqual([]);
  });
});

describe('by its title', () => {
  test.each<[string, number[]]>([
    ['Revert "Add a cache"', [1]],
    ['revert "Add a cache"', [1]],
    ['Revert "Add a cache" (#20)', [1]],
    ['Revert "Add a cache" for now', [1]],
    ['[1.2] Revert "Add a cache"', [1]],
    ['[1.2]: Revert "Add a cache"', [1]],
    ['backport: Revert "Add a cache"', [1]],
    ['[1.2] web: Revert "Add a cache"', []],
    ['Undo and Revert "Add a cache"', []],
    ['Revert Add a cache', []],
    ['Revert "add a cache"', []],
    ['Revert "Add a cache', []],
    ['Revert ""', []],
    ['Revert "Add a cach"', []],
    ['Revert "Commit 4"', [4]],
    ['Revert "One"', []],
    ['Revert "Count twice"', []],
    ['Revert "Count twice (#2)"', [2]],
    ['Revert "Count twice (#3)" (#20)', [3]],
    ['Revert "Merge #3: Count twice"', [3]],
    ['Revert "Merge pull request #3 from ada/topic"', [3]],
    ['Revert "Auto merge of #3 - ada:topic, r=bo"', [3]],
    ['Revert "#3 Count twice"', [3]],
    ['Revert "Count #3 twice"', []],
    ['Revert "Add a cache (#999)"', []],
    ['Revert "Keep what stays (#6)"', []],
    ['Revert "Say "hello" twice"', [4]],
    ['Revert "Say "hello" twice" as it is loud', [4]],
    ['Revert "Say "hello…', [4]],
    ['Revert "A title that is so long that the host…"', [5]],
    ['Revert "A title that is so long that the host…', [5]],
    ['Revert "Count…"', []],
    ['Revert "Add…"', [1]],
    ['Revert "…"', []],
    ['Revert #4', [4]],
    ['Revert PR #4', [4]],
    ['revert pr #4: it is loud', [4]],
    ['[1.2] Revert #4', [4]],
    ['Revert issue #4', []],
    ['Revert 4', []],
    ['Revert #999', []],
    ['Partially revert "Add a cache"', []],
    ['Revert "Add a cache" (partial)', []],
    ['PARTIAL: Revert #4', []],
    ['Revert "Add a cache", impartial', [1]],
    ['revert: "Add a cache"', []],
    ['revert(web): "Add a cache"', []],
    ['revert!: Revert "Add a cache"', []],
    ['revert: Revert #4', []],
  ])('%s', (title, numbers) => expect(reverted({ title })).toEqual(numbers));

  test('only of what was merged within the 180 days before, unless it gives the number', () => {
    const old = merged(1, 'Add a cache', { mergedAt: MERGED_AT });
    const by = (title: string, days: number, more = 0) =>
      revertedBy(merged(20, title, { mergedAt: MERGED_AT + days * DAY + more }), [old]);
    expect(by('Revert "Add a cache"', 180)).toEqual([1]);
    expect(by('Revert "Add a cache"', 180, 1000)).toEqual([]);
    expect(by('Revert "Add a cache (#1)"', 400)).toEqual([1]);
    expect(by('Revert #1', 400)).toEqual([1]);
    // Of two with the title the other is too old.
    const recent = merged(2, 'Add a cache', { mergedAt: MERGED_AT + 100 * DAY });
    expect(revertedBy(merged(20, 'Revert "Add a cache"', { mergedAt: MERGED_AT + 181 * DAY }), [old, recent])).toEqual([
      2,
    ]);
  });

  test('by titles alone where headlines are not asked for', () => {
    const by = (title: string) => revertedBy(merged(20, title), earlier, 'titles');
    expect([by('Revert "Add a cache"'), by('Revert "Commit 4"'), by('Reapply "Commit 1"')]).toEqual([[1], [], []]);
  });

  test('a title stands before a headline', () => {
    const others = [merged(1, 'Commit 2'), merged(2, 'Other')];
    expect(reverted({ title: 'Revert "Commit 2"' }, others)).toEqual([1]);
  });
});

describe('what reapplies', () => {
  test.each<[string, number[]]>([
    ['Reapply "Add a cache"', [8]],
    ['reapply "Add a cache" (#20)', [8]],
    ['Reapply "Add a cache (#1)"', [8]],
    ['Reapply "Count twice (#2)"', [9]],
    ['Reapply "Two commits"', []],
    ['Reapply "Never heard of"', []],
    ['Revert "Revert "Add a cache""', [8]],
  ])('%s', (title, numbers) => expect(reverted({ title })).toEqual(numbers));

  test('takes back the latest that reverted it, whatever that is called', () => {
    const again = [
      ...earlier,
      merged(10, 'Reapply "Add a cache"', { reverts: [8] }),
      merged(11, '[1.2] Revert "Add a cache" (#11)', { reverts: [1] }),
    ];
    expect(reverted({ title: 'Reapply "Add a cache"' }, again)).toEqual([11]);
  });

  test('or what is called its revert, where the original is not known', () => {
    expect(reverted({ title: 'Reapply "Lost"' }, [merged(1, 'Revert "Lost"')])).toEqual([1]);
  });
});

test('whatever is reverted has a key of what is named', () => {
  const titles = [
    ...['Revert "Add a cache"', 'Revert "Commit 4"', 'Revert "Count twice (#3)"', 'Revert "Say "hello" twice"'],
    ...['Revert "A title that is so long that the host…', 'Revert #4', 'Reapply "Lost"', 'Revert "Add…'],
  ];
  const lost = merged(10, 'Revert "Lost"');
  const claiming = [
    ...titles.map((title) => merged(20, title)),
    merged(20, 'Undo', { headRef: 'revert-1-x' }),
    merged(20, 'Undo', { described: [2, 3] }),
    merged(20, 'Undo', commits(sha(501).slice(0, 7), 'd'.repeat(40), 'e'.repeat(40))),
  ];
  for (const pull of claiming) {
    const keys = claimKeys(namedBy(pull));
    const numbers = revertedBy(pull, [...earlier, lost]);
    expect(numbers).not.toEqual([]);
    for (const number of numbers) {
      const target = [...earlier, lost].find((other) => other.number === number)!;
      expect(keysOf(target).filter((key) => keys.includes(key))).not.toEqual([]);
    }
  }
});

test.each<[string, string, boolean]>([
  ['Fix it', 'topic', true],
  ['FIX: it', 'topic', true],
  ['A hot-fix', 'topic', true],
  ['Hotfix', 'topic', true],
  ['Bugfix', 'topic', true],
  ['Follow-up of the cache', 'topic', true],
  ['Followup', 'topic', true],
  ['Oops', 'topic', true],
  ['Repair it', 'topic', true],
  ['fix_it', 'topic', true],
  ['Cache', 'ada/fix/cache', true],
  ['Cache', 'fix-cache', true],
  ['Fixes it', 'topic', false],
  ['Fixed', 'topic', false],
  ['A prefix', 'suffix', false],
  ['Unfix', 'fixture', false],
  ['fix2', 'topic', false],
  ['éfix', 'topic', false],
  ['Follow up', 'topic', false],
  ['Follow-ups', 'topic', false],
  ['Repaired', 'topic', false],
])('whether “%s” of %s says that it sets another right: %s', (title, branch, says) => {
  expect(saysFollowUp(title, branch)).toBe(says);
});
