import { partitionedTables } from '../../src/server/db/distribution.ts';

/**
 * Tables that statements read beyond the repositories that they are given, with the bound that it has and the reason (docs/scaling.md#citus).
 * A test fails where another statement does, and where no file of an entry knows its table any more.
 */
export interface FanOut {
  /** Files of `src/server`, or the folders that they begin with, whose statements do; null: whoever asks. */
  readonly files: readonly string[] | null;
  readonly tables: readonly string[];
  readonly bound: string;
  readonly why: string;
}

export const fanOuts: readonly FanOut[] = [
  {
    files: null,
    tables: ['signal_dismissals'],
    bound: 'one row for each time that somebody said of a signal that it is not so',
    why: 'hashed once for a question, which is faster than a look beside each pull request',
  },
  {
    files: ['my-work/routes.ts', 'sync/events.ts'],
    tables: ['snoozes'],
    bound: 'the snoozes of one person, by the key; or of those who have a page open',
    why: 'found by the names that the address has, or by the repositories that each of them sees',
  },
  {
    files: ['sealed-secrets.ts'],
    tables: ['webhook_old_secrets'],
    bound: 'one row for each webhook whose secret was changed within a day, when the key is changed',
    why: 'each secret is sealed again with the new key',
  },
  {
    files: ['repositories/available.ts'],
    tables: ['contributor_totals'],
    bound: 'the repositories of one page of the host’s list that somebody has connected already',
    why: 'the host knows them by its ids, not ours',
  },
  {
    files: ['repositories/forget.ts'],
    tables: [
      ...[
        'clues',
        'comments',
        'commits',
        'contributor_totals',
        'corrections',
        'events',
        'lens_facts',
        'participations',
      ],
      ...['pull_request_facts', 'pull_requests', 'review_requests', 'review_threads', 'reviews'],
    ],
    bound: 'each table once, when the last repository that named somebody is deleted',
    why: 'nobody’s name stays whom no repository names',
  },
  {
    files: ['accounts/agent-labels.ts', 'db/health-settings.ts'],
    tables: ['pull_request_facts', 'pull_requests'],
    bound: 'the facts of the host’s repositories, when an administrator changes what counts',
    why: 'all of them are to be computed again',
  },
  {
    files: ['accounts/marked-accounts.ts', 'notifications/open-work.ts', 'sync/own-figures.ts', 'sync/events.ts'],
    tables: ['lens_marks', 'lens_pending', 'lenses'],
    bound: 'one row for each person with marks of their own and repository that they see',
    why: 'a person’s marks hold in all that they see; a worker looks for whose figures wait, or may have come',
  },
  {
    files: ['sync/rebuild-facts.ts'],
    tables: ['pull_request_facts'],
    bound: 'as many facts at once as a step computes, found in the indexes of versions and of what is provisional',
    why: 'a worker looks for what is to be computed again, wherever it is',
  },
  {
    files: ['sync/read-again.ts', 'sync/read-clues.ts'],
    tables: ['pull_requests', 'clues'],
    bound: 'one row for each repository, or the first that are due, in an index',
    why: 'a worker looks for the repository of which something is to be read again',
  },
  {
    files: ['sync/changed-names.ts'],
    tables: ['contributor_totals', 'review_requests'],
    bound: 'one look in an index for each repository, when a person has another name',
    why: 'a worker looks for the repositories in which they take part',
  },
  {
    files: ['db/hint-limits.ts'],
    tables: ['absent_numbers'],
    bound: 'those that are a day old, once an hour',
    why: 'they are deleted by their age, wherever they are',
  },
  {
    files: ['administration/gauges.ts'],
    tables: ['unstorable_pull_requests'],
    bound: 'one row for each pull request that could not be read or stored, at most every five seconds',
    why: 'whoever watches the installation is to know how many there are',
  },
  {
    files: ['sync/workflow-runs.ts'],
    tables: ['workflow_reads', 'workflow_runs'],
    bound: 'one row for each repository',
    why: 'a worker looks for the repository whose runs are due',
  },
  {
    files: ['db/partitions.ts'],
    tables: partitionedTables,
    bound: 'each table once, while nothing else runs',
    why: 'it is split into parts, or made one again',
  },
  {
    files: ['db/migrate.ts', 'db/migrations/'],
    tables: [
      ...[
        'changed_files',
        'checks',
        'comments',
        'commits',
        'contributor_months',
        'events',
        'first_acts',
        'lens_facts',
        'lens_marks',
        'lens_pending',
      ],
      ...[
        'number_states',
        'person_numbers',
        'pull_request_changes',
        'pull_request_facts',
        'pull_requests',
        'reviewer_acts',
        'reviews',
        'workflow_run_pull_requests',
        'workflow_runs',
      ],
    ],
    bound: 'once, when a version is started that brings them',
    why: 'what is kept changes for every repository',
  },
];
