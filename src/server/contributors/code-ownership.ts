import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

const AT_MOST = 3;

/**
 * In which areas of the code a person's pull requests merged since `after` changed most lines, and the share of each in percent
 * (`code_ownership_areas` in docs/metrics.md#one-person): an area is the first two folders of a path, `.` the root.
 */
export async function codeOwnershipAreas(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  after: Date,
): Promise<ContributorMetrics['code_ownership_areas']> {
  const { rows } = await sql<ContributorMetrics['code_ownership_areas'][number]>`
    select path, (100.0 * lines / sum(lines) over ())::float8 as percentage
    from (
      select coalesce(substring(file from '^([^/]*(?:/[^/]*)?)/'), '.') as path, sum(lines) as lines
      from (
        select file.path as file, sum(file.additions + file.deletions) as lines
        from pull_request_facts f
        join changed_files file on file.repository_id = f.repository_id and file.number = f.number
        where ${scope.filter('f')} and f.author_id = ${personId} and f.ended_at > ${after}
          and f.time_to_merge is not null
        group by file.path
      ) files
      group by 1
    ) areas
    where lines > 0
    order by lines desc, path collate "C"
    limit ${AT_MOST}`.execute(db);
  return rows;
}
