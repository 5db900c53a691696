import { sql } from 'kysely';

/**
 * The cycle time of the pull request `p` in the question around it, in hours, null unless merged: the fact `time_to_merge` from the
 * two dates that it is made of (docs/metrics.md#one-pull-request), which stand in the index by end, so that a question about many
 * pull requests reads nothing else.
 */
export const hoursToMerge = sql<number | null>`(extract(epoch from p.merged_at - p.created_at)::float8 / 3600)`;
