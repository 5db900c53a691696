import type { PullState } from '../../state/pull-request.ts';
import { maySee } from '../../tokens.ts';
import type { Context } from '../context.ts';
import { HostFailure } from '../failures.ts';

/** The host's search returns at most so many hits (GitHub documentation, search). */
const MOST_HITS = 1000;

const TIMES: Record<string, (pull: PullState) => number | null> = {
  created: (pull) => pull.createdAt,
  updated: (pull) => pull.updatedAt,
  merged: (pull) => pull.mergedAt,
  closed: (pull) => pull.closedAt,
};

/**
 * Pull requests by the basic qualifiers: `repo:owner/name` (needed), `is:pr open closed merged`, `author:login`, `draft:true`,
 * `created|updated|merged|closed:` with a date, a range `a..b` or `>= > <= <`, `sort:created|updated-asc|desc`. Hits are ascending by
 * `order`. Throws for a qualifier that isn't known, rather than ignoring it.
 */
export function searchPullRequests(
  text: string,
  context: Context,
): { pulls: readonly PullState[]; order: (pull: PullState) => number; descending: boolean } {
  let pulls: readonly PullState[] | null = null;
  let order = (pull: PullState) => pull.createdAt;
  let descending = true;
  const tests: ((pull: PullState) => boolean)[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const cut = word.indexOf(':');
    const [name, value] = [word.slice(0, cut), word.slice(cut + 1)];
    const time = TIMES[name];
    if (name === 'repo') {
      const [owner = '', repositoryName = ''] = value.split('/');
      const repository = context.world.repositoryNamed(owner, repositoryName);
      pulls = repository !== null && maySee(context.token, repository) ? repository.byCreation.all() : [];
    } else if (name === 'is') {
      const state = value.toUpperCase();
      if (value === 'draft') tests.push((pull) => pull.draft);
      else if (value === 'closed') tests.push((pull) => pull.state !== 'OPEN');
      else if (state === 'OPEN' || state === 'MERGED') tests.push((pull) => pull.state === state);
    } else if (name === 'author') {
      tests.push((pull) => pull.author?.login.toLowerCase() === value.toLowerCase());
    } else if (name === 'draft') {
      tests.push((pull) => pull.draft === (value === 'true'));
    } else if (name === 'sort') {
      order = value.startsWith('updated') ? (pull) => pull.updatedAt : (pull) => pull.createdAt;
      descending = !value.endsWith('-asc');
    } else if (time !== undefined) {
      const [from, to] = span(value);
      tests.push((pull) => {
        const at = time(pull);
        return at !== null && at >= from && at <= to;
      });
    } else {
      throw new HostFailure('UNSUPPORTED', `The simulated host's search doesn't know '${word}'.`);
    }
  }
  if (pulls === null) throw new HostFailure('UNSUPPORTED', "The simulated host's search needs repo:owner/name.");
  const hits = pulls.filter((pull) => tests.every((test) => test(pull)));
  hits.sort((one, other) => order(one) - order(other) || one.id - other.id);
  return { pulls: descending ? hits.slice(-MOST_HITS) : hits.slice(0, MOST_HITS), order, descending };
}

const DAY = 86_400_000;

/** The first and the last millisecond that a date expression includes. */
function span(value: string): readonly [number, number] {
  const start = (text: string) => (text === '*' ? Number.NEGATIVE_INFINITY : Date.parse(text));
  const end = (text: string) => {
    if (text === '*') return Number.POSITIVE_INFINITY;
    return text.length === 10 ? Date.parse(text) + DAY - 1 : Date.parse(text);
  };
  const [from, to] = value.split('..');
  if (from !== undefined && to !== undefined) return [start(from), end(to)];
  if (value.startsWith('>=')) return [start(value.slice(2)), Number.POSITIVE_INFINITY];
  if (value.startsWith('>')) return [end(value.slice(1)) + 1, Number.POSITIVE_INFINITY];
  if (value.startsWith('<=')) return [Number.NEGATIVE_INFINITY, end(value.slice(2))];
  if (value.startsWith('<')) return [Number.NEGATIVE_INFINITY, start(value.slice(1)) - 1];
  return [start(value), end(value)];
}
