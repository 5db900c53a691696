import { type Kysely, sql } from 'kysely';

/**
 * Signals are told of what was merged in a window from an index alone: the facts themselves are three times as wide, and lie apart. It
 * takes three seconds for a million pull requests.
 */
const schema = `
create index pull_request_facts_merged on pull_request_facts (repository_id, ended_at)
  include (number, author_id, authorship, by_agent, agents, base_ref, signals, lines_changed, lines_counted, changed_files, files_known,
    opened_as_draft, time_to_merge, review_cycles, last_review_at, standing_approvals, standing_requests, commented_by_others,
    inline_by_others, human_findings, self_merged, review_words, approval_lag_minutes, commits_after_approval, forced_after_approval,
    turns_in_a_day, ci_wait_hours)
  where time_to_merge is not null
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
