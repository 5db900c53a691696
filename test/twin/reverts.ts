import type { RandomPullRequest } from '../support/random-history.ts';
import { DAY } from './pull-request.ts';

/** Which of them revert which (docs/metrics.md#reverts): by the number of each the numbers that it reverts. */
export function revertsAmong(repository: string, pulls: readonly RandomPullRequest[]): Map<number, number[]> {
  const merged = pulls
    .filter(({ state }) => state === 'merged')
    .sort((a, b) => a.mergedAt! - b.mergedAt! || a.number - b.number);
  const found = new Map<number, number[]>();
  for (const pull of merged) {
    if (!mayRevert(pull)) continue;
    const earlier = merged.filter(
      (other) => other !== pull && other.mergedAt! <= pull.mergedAt! && other.baseRef === pull.baseRef,
    );
    const numbers = revertedBy(repository, pull, earlier, found);
    if (numbers.length > 0) found.set(pull.number, numbers);
  }
  return found;
}

/** Whether anything in it says so: nearly all say nothing. */
function mayRevert({ title, headRef, body = '', messages = {} }: RandomPullRequest): boolean {
  return [title, headRef, body, ...Object.values(messages)].some((text) => /revert|reapply/i.test(text));
}

const isMerge = (headline: string) => headline.startsWith('Merge ');
const ownCommits = (pull: RandomPullRequest) => pull.commits.filter(({ headline }) => !isMerge(headline));

function revertedBy(
  repository: string,
  pull: RandomPullRequest,
  earlier: readonly RandomPullRequest[],
  found: ReadonlyMap<number, number[]>,
): number[] {
  const known = (number: number) => earlier.some((other) => other.number === number);

  const ofBranch = Number(/^revert-(\d+)-/.exec(pull.headRef)?.[1] ?? 0);
  if (known(ofBranch)) return [ofBranch];

  const said: number[] = [];
  for (const line of (pull.body ?? '').split('\n')) {
    const words = line.trim().split(' ');
    if (words.length !== 2 || words[0]!.toLowerCase() !== 'reverts') continue;
    const [where, number] = words[1]!.split('#');
    if ((where === '' || where!.toLowerCase() === repository.toLowerCase()) && known(Number(number)))
      said.push(Number(number));
  }
  if (said.length > 0) return said;

  const shas = ownCommits(pull).map(({ sha }) => /This reverts commit (\w+)/.exec(pull.messages?.[sha] ?? '')?.[1]);
  const bySha =
    shas.length > 0 && shas.every((sha) => sha !== undefined) ? revertedShas(shas as string[], earlier) : [];
  if (bySha.length > 0) return bySha;

  if (/(^|[^a-z0-9])partial(ly)?($|[^a-z0-9])/i.test(pull.title) || /^revert(\(.*\))?:/i.test(pull.title)) return [];
  const behindPrefix = [pull.title, pull.title.replace(/^\[[^\]]*\]:? */, ''), pull.title.replace(/^[^:"[]*: */, '')];
  const title = behindPrefix.find((text) => /^(revert|reapply) /i.test(text));
  if (title === undefined) return [];
  const number = Number(/^revert (pr )?#(\d+)/i.exec(title)?.[2] ?? 0);
  if (number > 0) return known(number) ? [number] : [];
  const [verb] = title.toLowerCase().split(' ');
  const quote = title.indexOf('"');
  // The host cuts a long title, with its last quote.
  const end = title.endsWith('…') ? title.length : title.lastIndexOf('"');
  const named = quote < 0 ? '' : title.slice(quote + 1, Math.max(quote + 1, end));
  if (named === '' || named === '…') return [];
  const [original] = titled(named, pull, earlier);
  if (verb === 'revert') return original === undefined ? [] : [original];
  // The latest of those that reverted it, or else what is called so.
  const reverting = earlier.filter((other) => original !== undefined && found.get(other.number)?.includes(original));
  if (reverting.length > 0) return [reverting.at(-1)!.number];
  return titled(named.endsWith('…') ? `Revert "${named}` : `Revert "${named}"`, pull, earlier, false);
}

/** The one that a title in quotes names. */
function titled(
  text: string,
  pull: RandomPullRequest,
  earlier: readonly RandomPullRequest[],
  byNumber = true,
): number[] {
  const number = Number(
    (/\(#(\d+)\)$/.exec(text) ?? /^(?:merge |merge pull request |auto merge of )?#(\d+)/i.exec(text))?.[1] ?? 0,
  );
  if (byNumber && earlier.some((other) => other.number === number)) return [number];
  const recent = earlier.filter((other) => pull.mergedAt! - other.mergedAt! <= 180 * DAY);
  const fits = (title: string) => (text.endsWith('…') ? title.startsWith(text.slice(0, -1)) : title === text);
  const byTitle = recent.filter((other) => fits(other.title));
  if (byTitle.length === 1) return [byTitle[0]!.number];
  const byHeadline = recent.filter((other) => ownCommits(other).length === 1 && fits(ownCommits(other)[0]!.headline));
  return byHeadline.length === 1 ? [byHeadline[0]!.number] : [];
}

/** Each sha is the merge of one, or a commit of one whose commits are all among them. */
function revertedShas(shas: readonly string[], earlier: readonly RandomPullRequest[]): number[] {
  const found = new Set<number>();
  const rest: string[] = [];
  for (const sha of shas) {
    const merges = earlier.filter(({ mergeSha }) => mergeSha?.startsWith(sha));
    if (merges.length === 1) found.add(merges[0]!.number);
    else rest.push(sha);
  }
  const explained = new Set<string>();
  for (const other of earlier) {
    const own = ownCommits(other);
    const named = own.map((commit) => rest.find((sha) => commit.sha.startsWith(sha)));
    if (own.length === 0 || named.includes(undefined)) continue;
    found.add(other.number);
    for (const sha of named) explained.add(sha!);
  }
  return rest.every((sha) => explained.has(sha)) ? [...found] : [];
}
