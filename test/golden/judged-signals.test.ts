import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimKeys, namedBy, type Revertible, type Reverting, revertedBy } from '#domain/reverts.ts';
import { cargoPullRequests, judgements } from '../support/judged-signals.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';

if (!isRecorded) console.warn('SKIPPED: the reverts of recorded pull requests, which are not there.');

const all = judgements();

it('docs/metrics.md says how many signals were judged by hand and how', () => {
  const page = readFileSync('docs/metrics.md', 'utf8');
  const rows = [...Map.groupBy(all, ({ signal, hasIt }) => `\`${signal}\`${hasIt ? '' : ', said not to'}`)].map(
    ([what, judged]) => {
      const count = (verdict: string) => judged.filter((one) => one.verdict === verdict).length;
      return `| ${what} | ${judged.length} | ${count('right')} | ${count('unclear')} | ${count('wrong')} |`;
    },
  );

  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  expect(rows).toHaveLength(13);
});

describe.skipIf(!isRecorded)('recorded pull requests', () => {
  const toRevert = (
    pull: Pick<ReturnType<typeof recordedPullRequests>[number], 'number' | 'title' | 'headRef' | 'baseRef'> & {
      readonly mergedAt: number | null;
      readonly commits: readonly { readonly sha: string; readonly headline: string }[];
    },
    mergeSha: string | null,
  ): Reverting & Revertible => ({
    ...pull,
    mergedAt: pull.mergedAt!,
    mergeSha,
    described: [],
    reverts: [],
    commits: pull.commits.map(({ sha, headline }) => ({ sha, headline, revertsSha: null })),
  });
  const byRepository = isRecorded
    ? {
        'bitcoin-core/gui': recordedPullRequests()
          .filter(({ state }) => state === 'merged')
          .map((pull) => toRevert(pull, null)),
        'rust-lang/cargo': cargoPullRequests().map((pull) => toRevert(pull, pull.mergeSha)),
      }
    : {};

  it.each(Object.entries(byRepository))(
    'of %s name the one that they take back exactly where a person found it',
    (repository, pulls) => {
      const judged = all.filter((one) => one.signal === 'reverts' && one.repository === repository);

      const reverting = pulls
        .filter((pull) => claimKeys(namedBy(pull)).length > 0 && revertedBy(pull, pulls).length > 0)
        .map(({ number }) => number);

      const numbers = judged.filter(({ hasIt }) => hasIt).map(({ number }) => number);
      expect(reverting.sort((a, b) => a - b)).toEqual(numbers.sort((a, b) => a - b));
    },
  );
});
