import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import { compile } from '../metrics/compile.ts';
import type { Asked } from '../metrics/sources/source.ts';

const AT_MOST = 3;

/**
 * In which areas of the code the merged pull requests of the person asked about changed most lines, and the share of each in percent
 * (`code_ownership_areas` in docs/metrics.md#one-person): an area is the first two folders of a path, `.` the root.
 */
export async function codeOwnershipAreas(
  db: Kysely<Database>,
  asked: Asked,
): Promise<ContributorMetrics['code_ownership_areas']> {
  const { rows } = await sql<ContributorMetrics['code_ownership_areas'][number]>`
    select key as path, percentage from ${compile(asked, { percentage: 'code_area_share' }, 'area')} areas
    order by percentage desc, lower(key) collate "C", key collate "C"
    limit ${AT_MOST}`.execute(db);
  return rows;
}
