import { meanOf, percentileOf, sortedBy } from './arithmetic.ts';
import { DAY, HOUR, isHuman, type TwinPull } from './pull-request.ts';

const address = ({ repository, pull }: TwinPull) => `${repository}#${pull.number}`;

/** How one pull request stands among the others in scope. */
export function comparison(pulls: readonly TwinPull[], it: TwinPull, now: number) {
  const end = it.endedAt ?? now;
  const mergedWithin = (days: number) =>
    pulls.filter(
      (other) =>
        address(other) !== address(it) &&
        other.pull.state === 'merged' &&
        other.endedAt! > end - days * DAY &&
        other.endedAt! <= end,
    );
  const team = mergedWithin(90).filter(({ pull }) => isHuman(pull.author));
  const hours = team.map(({ mergeHours }) => mergeHours!);
  const its = (end - it.createdAt) / HOUR;
  const enough = team.length >= 5;
  const below = (fits: (other: TwinPull) => boolean) =>
    enough ? (100 * team.filter(fits).length) / team.length : null;
  const author = mergedWithin(180).filter(({ pull }) => pull.author !== null && pull.author.id === it.pull.author?.id);
  return {
    author_avg_pr_size: meanOf(author.map(({ size }) => size)),
    author_avg_cycle_time: meanOf(author.map(({ mergeHours }) => mergeHours)),
    cycle_time_percentile: below(({ mergeHours }) => mergeHours! < its),
    size_percentile: below(({ size }) => size < it.size),
    team_p50_cycle_time: enough ? percentileOf(hours, 0.5) : null,
    team_p75_cycle_time: enough ? percentileOf(hours, 0.75) : null,
    team_p90_cycle_time: enough ? percentileOf(hours, 0.9) : null,
    team_p50_pr_size: enough
      ? percentileOf(
          team.map(({ size }) => size),
          0.5,
        )
      : null,
    comparison_set_size: team.length,
    author_set_size: author.length,
  };
}

export interface TwinListRequest {
  readonly state: 'open' | 'merged' | 'closed' | undefined;
  readonly q: string;
  readonly sortBy: 'updated_at' | 'created_at' | 'lines_changed' | 'title';
  readonly sortOrder: 'ASC' | 'DESC';
}

/** All pull requests that match, in order, as `owner/name#number`. */
export function listed(pulls: readonly TwinPull[], { state, q, sortBy, sortOrder }: TwinListRequest): string[] {
  const text = q.trim().toLowerCase();
  const found = pulls.filter(
    ({ pull, repository }) =>
      (state === undefined || pull.state === state) &&
      [pull.title, pull.author?.login ?? 'ghost', pull.author?.displayName ?? '', repository].some((words) =>
        words.toLowerCase().includes(text),
      ),
  );
  const key = ({ pull, size }: TwinPull): number | string =>
    ({ updated_at: pull.updatedAt, created_at: pull.createdAt, lines_changed: size, title: pull.title.toLowerCase() })[
      sortBy
    ];
  const byAddress = sortedBy(found, ({ owner, name, pull }) => [owner, name, pull.number]);
  const direction = sortOrder === 'ASC' ? 1 : -1;
  return byAddress.sort((a, b) => (key(a) < key(b) ? -direction : key(a) > key(b) ? direction : 0)).map(address);
}
