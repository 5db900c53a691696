import type { Instant } from './pull-request.ts';

const DAY = 24 * 3_600_000;
/** A title names only what was merged so many milliseconds before. */
export const TITLE_REACHES = 180 * DAY;
/** So much of a sha or title tells what a claim may mean. */
const SHA_KEY = 7;
const TITLE_KEY = 20;

/** What is known of a merged pull request that may revert another. */
export interface Reverting {
  readonly number: number;
  readonly mergedAt: Instant;
  readonly baseRef: string;
  readonly headRef: string;
  readonly title: string;
  /** Numbers in its own repository that lines of its description say it reverts. */
  readonly described: readonly number[];
  readonly commits: readonly RevertingCommit[];
}

interface RevertingCommit {
  readonly headline: string;
  /** Seven digits or more; null where its message says nothing of the kind. */
  readonly revertsSha: string | null;
}

/** What is known of a merged pull request that may have been reverted. */
export interface Revertible {
  readonly number: number;
  readonly mergedAt: Instant;
  readonly baseRef: string;
  readonly title: string;
  readonly mergeSha: string | null;
  readonly commits: readonly { readonly sha: string; readonly headline: string }[];
  /** The numbers that it reverts itself. */
  readonly reverts: readonly number[];
}

type NamedIn = 'titles' | 'titles and headlines';

/** What a pull request claims to revert, one rule after the other. */
interface Claims {
  readonly branch: number | null;
  readonly described: readonly number[];
  readonly shas: readonly string[];
  readonly titles: readonly TitleClaim[];
  readonly titleNumber: number | null;
}

interface TitleClaim {
  /** What is named in quotes. */
  readonly title: string;
  /** It goes on: the host cut it. */
  readonly isCut: boolean;
  readonly number: number | null;
  /** It takes back what reverted the one that it names. */
  readonly reapplies: boolean;
}

/**
 * The numbers that a merged pull request reverts by the first rule that applies, of those merged before it into the same base
 * (docs/metrics.md#reverts); empty where it reverts none. `others` holds every one that it names (`namedBy`); of several that a title fits,
 * two are enough. `named` says whether headlines are looked at, too.
 */
export function revertedBy(
  pull: Reverting,
  others: readonly Revertible[],
  named: NamedIn = 'titles and headlines',
): number[] {
  const claims = claimsOf(pull);
  const earlier = others.filter(
    (other) => other.number !== pull.number && other.mergedAt <= pull.mergedAt && other.baseRef === pull.baseRef,
  );
  const known = new Set(earlier.map(({ number }) => number));
  const merged = (numbers: readonly number[]) => [...new Set(numbers)].filter((number) => known.has(number));
  const rules = [
    () => merged(claims.branch === null ? [] : [claims.branch]),
    () => merged(claims.described),
    () => bySha(claims.shas, earlier),
    () => byTitle(claims.titles, pull.mergedAt, earlier, named),
    () => merged(claims.titleNumber === null ? [] : [claims.titleNumber]),
  ];
  for (const rule of rules) {
    const numbers = rule();
    if (numbers.length > 0) return numbers.sort((a, b) => a - b);
  }
  return [];
}

/** By what the pull requests can be found that one may revert: empty of nearly all. */
export interface Named {
  readonly numbers: readonly number[];
  /** Beginnings of shas, of merges or of commits. */
  readonly shas: readonly string[];
  /** Titles, or headlines of an only commit; one that the host cut is the beginning of one. */
  readonly titles: readonly { readonly text: string; readonly isCut: boolean }[];
}

/** What a merged pull request names as reverted. */
export function namedBy(pull: Reverting): Named {
  const { branch, described, shas, titles, titleNumber } = claimsOf(pull);
  const numbers = [branch, ...described, titleNumber, ...titles.map(({ number }) => number)];
  return {
    numbers: [...new Set(numbers.filter((number) => number !== null))],
    shas: [...new Set(shas)],
    titles: titles.flatMap(({ title, isCut, reapplies }) => [
      { text: title, isCut },
      ...(reapplies ? [{ text: revertOf(title, isCut), isCut }] : []),
    ]),
  };
}

/** How the host calls the revert of what has this title. */
const revertOf = (title: string, isCut: boolean) => `Revert "${title}${isCut ? '' : '"'}`;

/** Keys of what is named: those pull requests have one of them (`keysOf`), among others. */
export function claimKeys({ numbers, shas, titles }: Named): string[] {
  return [
    ...new Set([
      ...numbers.map((number) => `#${number}`),
      ...shas.map((sha) => `sha ${sha.slice(0, SHA_KEY)}`),
      ...titles.map(({ text, isCut }) => (isCut && text.length < TITLE_KEY ? letterKey(text) : titleKey(text))),
    ]),
  ];
}

/** The keys by which a claim finds a pull request. */
export function keysOf({ number, title, mergeSha, commits }: Revertible): string[] {
  const [only, ...more] = commits.filter(isNoMerge);
  const names = [title, ...(only !== undefined && more.length === 0 ? [only.headline] : [])];
  return [
    ...new Set([
      `#${number}`,
      ...names.flatMap((name) => [titleKey(name), letterKey(name)]),
      ...[mergeSha, ...commits.map(({ sha }) => sha)].flatMap((sha) =>
        sha === null ? [] : [`sha ${sha.slice(0, SHA_KEY)}`],
      ),
    ]),
  ];
}

const titleKey = (title: string) => `“${title.slice(0, TITLE_KEY).toLowerCase()}`;
/** That of a title which the host cut so early that it has no other; hardly any is. */
const letterKey = (title: string) => `…${title.slice(0, 1).toLowerCase()}`;
const isNoMerge = ({ headline }: { readonly headline: string }) => !headline.startsWith('Merge ');

function claimsOf({ headRef, title, described, commits }: Reverting): Claims {
  const branch = /^revert-(\d{1,9})-/.exec(headRef)?.[1];
  const own = commits.filter(isNoMerge);
  const shas = own.map(({ revertsSha }) => revertsSha);
  const byTitle = titleClaims(title);
  return {
    branch: branch === undefined ? null : Number(branch),
    described,
    shas: shas.every((sha) => sha !== null) ? shas : [],
    ...byTitle,
  };
}

/** Behind one prefix in brackets or before a colon; conventional commits call anything `revert:`. */
function titleClaims(title: string): Pick<Claims, 'titles' | 'titleNumber'> {
  const none = { titles: [], titleNumber: null };
  if (/(?<![\p{L}\p{N}])partial(?:ly)?(?![\p{L}\p{N}])/iu.test(title)) return none;
  if (/^\s*revert(?:\([^)]*\))?!?:/i.test(title)) return none;
  const prefixes = [/^\s*/, /^\s*\[[^\]"]*\]:?\s*/, /^[^:"[]*:\s*/];
  for (const prefix of prefixes) {
    const text = title.replace(prefix, '').trimEnd();
    const quoted = /^(revert|reapply) "(.*)$/i.exec(text);
    if (quoted !== null) return { titles: quotedTitles(quoted[1]!, quoted[2]!), titleNumber: null };
    const number = /^revert (?:pr )?#(\d{1,9})\b/i.exec(text)?.[1];
    if (number !== undefined) return { titles: [], titleNumber: Number(number) };
  }
  return none;
}

/** A title may have quotes in it: the longest one first, then those that end outside of quotes; of one that the host cut all of it. */
function quotedTitles(verb: string, rest: string): TitleClaim[] {
  const reapplies = verb.toLowerCase() === 'reapply';
  const letters = [...rest];
  const ends = letters.flatMap((letter, at) => (letter === '"' ? [at] : [])).reverse();
  const isBalanced = (text: string) => text.split('"').length % 2 === 1;
  const texts = [
    ...(rest.endsWith('…') ? [rest] : []),
    ...ends
      .slice(0, 8)
      .map((end) => letters.slice(0, end).join(''))
      .filter((text, at) => at === 0 || isBalanced(text)),
  ];
  return texts
    .filter((text) => text.replace(/…$/, '').trim() !== '')
    .map((text) => {
      const isCut = text.endsWith('…');
      const title = isCut ? text.slice(0, -1) : text;
      const number = isCut ? numberAtFront(title) : (numberAtEnd(title) ?? numberAtFront(title));
      return { title, isCut, number, reapplies };
    });
}

function numberAtEnd(title: string): number | null {
  const number = /\(#(\d{1,9})\)$/.exec(title)?.[1];
  return number === undefined ? null : Number(number);
}

function numberAtFront(title: string): number | null {
  const number = /^(?:merge |merge pull request |auto merge of )?#(\d{1,9})\b/i.exec(title)?.[1];
  return number === undefined ? null : Number(number);
}

function bySha(shas: readonly string[], earlier: readonly Revertible[]): number[] {
  const found = new Set<number>();
  const left = shas.filter((sha) => {
    const merges = earlier.filter(({ mergeSha }) => mergeSha?.startsWith(sha));
    if (merges.length === 1) found.add(merges[0]!.number);
    return merges.length !== 1;
  });
  for (const { number, commits } of earlier) {
    const own = commits.filter(isNoMerge);
    const isWhole = own.length > 0 && own.every(({ sha }) => left.some((reverted) => sha.startsWith(reverted)));
    if (isWhole) found.add(number);
  }
  const listed = earlier.filter(({ number }) => found.has(number)).flatMap(({ commits }) => commits);
  const isExplained = left.every((sha) => listed.some((commit) => commit.sha.startsWith(sha)));
  return isExplained ? [...found] : [];
}

function byTitle(
  titles: readonly TitleClaim[],
  mergedAt: Instant,
  earlier: readonly Revertible[],
  named: NamedIn,
): number[] {
  const recent = earlier.filter((other) => mergedAt - other.mergedAt <= TITLE_REACHES);
  for (const claim of titles) {
    const { title, isCut, number, reapplies } = claim;
    const isThere = earlier.some((other) => other.number === number);
    const original = isThere ? number : titled(title, isCut, recent, named);
    if (!reapplies) {
      if (original !== null) return [original];
      continue;
    }
    const reverting = earlier.filter(({ reverts }) => original !== null && reverts.includes(original));
    const reverted = latestOf(reverting) ?? titled(revertOf(title, isCut), isCut, recent, named);
    if (reverted !== null) return [reverted];
  }
  return [];
}

/** The only one with this title, or else the only one with an only commit of this headline. */
function titled(text: string, isCut: boolean, recent: readonly Revertible[], named: NamedIn): number | null {
  const isNamed = (name: string) => (isCut ? name.startsWith(text) : name === text);
  const byTitle = recent.filter(({ title }) => isNamed(title));
  if (byTitle.length === 1) return byTitle[0]!.number;
  if (named === 'titles') return null;
  const byHeadline = recent.filter(({ commits }) => {
    const own = commits.filter(isNoMerge);
    return own.length === 1 && isNamed(own[0]!.headline);
  });
  return byHeadline.length === 1 ? byHeadline[0]!.number : null;
}

function latestOf(pulls: readonly Revertible[]): number | null {
  return pulls.toSorted((a, b) => a.mergedAt - b.mergedAt || a.number - b.number).at(-1)?.number ?? null;
}

/** Words by which a title or branch says that it sets another right. */
export const followUpWords = ['fix', 'hotfix', 'bugfix', 'followup', 'follow-up', 'oops', 'repair'];
const followUp = new RegExp(`(?<![\\p{L}\\p{N}])(?:${followUpWords.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

/** Whether the title or branch of a pull request says that it sets another right (docs/metrics.md#signals). */
export function saysFollowUp(title: string, headRef: string): boolean {
  return followUp.test(title) || followUp.test(headRef);
}
