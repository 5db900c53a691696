import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** From so many rows on it matters which index a question takes. */
const FEW = 50;

/** Whether so much was stored that what the database knows of its tables is out of date: each time it doubled. */
export function statisticsAreDue(before: number, after: number): boolean {
  return after >= FEW && (before < FEW || Math.floor(Math.log2(after)) > Math.floor(Math.log2(before)));
}

/**
 * Lets the database count what its tables hold, by default everything that an import fills, of repositories or of teams. Without that a server only learns of an
 * import minutes later and the embedded one never: it then finds the pull request of each commit or comment by reading all of its
 * repository's. One table after the other, so that other questions get their turn in between. Not inside a transaction; a table that
 * somebody else counts at the moment is left to them.
 */
export async function refreshStatistics(db: Kysely<Database>, of: readonly CountedTable[] = tables): Promise<void> {
  for (const table of of) await sql`analyze (skip_locked) ${sql.table(table)}`.execute(db);
}

type CountedTable = (typeof tables)[number];

const tables = [
  'people',
  'pull_requests',
  'commits',
  'reviews',
  'comments',
  'events',
  'checks',
  'review_requests',
  'changed_files',
  'review_threads',
  'clues',
  'corrections',
  'revert_claims',
  'reverts',
  'follow_ups',
  'signal_dismissals',
  'first_acts',
  'workflow_reads',
  'workflow_runs',
  'workflow_run_pull_requests',
  'workflow_jobs',
  'pull_request_facts',
  'pull_request_changes',
  'reviewer_acts',
  'participations',
  'contributor_totals',
  'contributor_months',
  'number_states',
  'person_numbers',
  'lenses',
  'lens_marks',
  'lens_pending',
  'lens_facts',
  'lens_reviews',
  'lens_reviewer_acts',
  'lens_participations',
  'lens_totals',
  'lens_months',
  'team_members',
  'team_people',
] as const;
