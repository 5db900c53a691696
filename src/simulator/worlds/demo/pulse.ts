import type { Entry, PullRequestHistory, RepositoryHistory } from '../../history.ts';
import { BRASSWICK_CI, GITHUB_ACTIONS } from './automation.ts';
import { HOUR, SECOND } from './calendar.ts';
import { Dice } from './dice.ts';
import { pulseId } from './pull-request-builder.ts';

/** For this long the machines keep themselves busy with the same few pull requests. */
const SHIFT = 8 * HOUR;
const PULL_REQUESTS_PER_SHIFT = 3;

/** Statuses that are reported again and again: the latest one of each context is all that the host shows. */
const CONTEXTS = ['preview/health', 'nightly/compatibility', 'security/scan', 'capacity/replay'] as const;

interface Target {
  readonly repository: string;
  readonly pullRequest: PullRequestHistory;
  readonly end: number;
}

/** When it was merged or closed for good. */
export function endOf(pullRequest: PullRequestHistory): number {
  for (const entry of [...pullRequest.entries].reverse()) {
    if (entry.kind === 'merged' || entry.kind === 'closed') return entry.at;
    if (entry.kind === 'reopened') return Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * Something small about once a minute, day and night, from one moment to another: a status reported again, a build
 * system that replaces its own comment. Only machines act, on three open pull requests at a time, so no figure of a
 * person moves, and neither the conversation nor the list of checks grows.
 */
export function withPulse(
  repositories: readonly RepositoryHistory[],
  from: number,
  until: number,
  seed: number,
): readonly RepositoryHistory[] {
  const targets = repositories
    .filter((repository) => !repository.archived)
    .flatMap((repository) => {
      return repository.pullRequests.map((pullRequest) => ({ repository: repository.name, pullRequest, end: 0 }));
    })
    .map((target): Target => ({ ...target, end: endOf(target.pullRequest) }))
    .filter((target) => target.end > from);
  const added = new Map<number, Entry[]>();
  for (let shift = from; shift + SHIFT <= until; shift += SHIFT) {
    const dice = new Dice(seed, 'pulse', shift);
    const busy = chosen(targets, shift, dice);
    for (let at = shift + 40 * SECOND; busy.length > 0 && at < shift + SHIFT; at += dice.integer(32, 75) * SECOND) {
      const { pullRequest } = dice.pick(busy);
      const entries = added.get(pullRequest.id) ?? [];
      added.set(pullRequest.id, entries);
      beat(entries, pullRequest.id, at, dice);
    }
  }
  return repositories.map((repository) => ({
    ...repository,
    pullRequests: repository.pullRequests.map((pullRequest) => {
      const entries = added.get(pullRequest.id);
      if (entries === undefined) return pullRequest;
      return { ...pullRequest, entries: [...pullRequest.entries, ...entries].sort((one, other) => one.at - other.at) };
    }),
  }));
}

/** Some of the pull requests that are open for the whole shift. */
function chosen(targets: readonly Target[], shift: number, dice: Dice): readonly Target[] {
  let open = targets.filter(({ pullRequest, end }) => pullRequest.createdAt <= shift && end > shift + SHIFT);
  const busy: Target[] = [];
  for (let count = 0; count < PULL_REQUESTS_PER_SHIFT && open.length > 0; count++) {
    const target = dice.pick(open);
    open = open.filter((other) => other !== target);
    busy.push(target);
  }
  return busy;
}

function beat(entries: Entry[], pullRequestId: number, at: number, dice: Dice): void {
  const id = pulseId(pullRequestId, entries.length);
  if (id === null) return;
  if (dice.chance(0.8)) {
    const state = dice.chance(0.05) ? 'FAILURE' : 'SUCCESS';
    entries.push({ kind: 'status', at, by: BRASSWICK_CI.login, id, context: dice.pick(CONTEXTS), state });
    return;
  }
  const by = GITHUB_ACTIONS.login;
  const last = entries.findLast((entry) => entry.kind === 'comment');
  if (last !== undefined && last.kind === 'comment') entries.push({ kind: 'comment_deleted', at, by, id: last.id });
  entries.push({ kind: 'comment', at, by, id });
}
