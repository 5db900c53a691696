import { ask } from '../../api/query.ts';
import { type PathParams, type RawSearch, readPositive } from '../../url/url-state.ts';

interface Address {
  readonly repoOwner: string;
  readonly repoName: string;
  readonly prNumber: number;
}

export function askPullRequest(address: Address) {
  return ask('getPullRequest', { params: address });
}

/** Nothing where the address names no number. */
export function pullRequestQuestions(_search: RawSearch, { repoOwner = '', repoName = '', prNumber }: PathParams) {
  const number = readPositive(prNumber);
  return number === undefined ? [] : [askPullRequest({ repoOwner, repoName, prNumber: number })];
}
