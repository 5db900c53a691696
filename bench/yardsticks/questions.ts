import { NOW } from '../api/fill.ts';

/**
 * A call of the product and the same question as SQL that somebody would write by hand over the stored tables: without the look for who
 * asks and what they may see, without HTTP, and without the columns that only pages need.
 */
export interface Question {
  readonly name: string;
  readonly path: string;
  /** One or more statements, each with its rows; `$1` is the moment of the question where it is used. */
  readonly statements: readonly string[];
  /** Whether it adds up so many rows that a database of columns is asked, too. */
  readonly heavy?: boolean;
  /** The figures in the call's answer that are to be equal, and the same of the statements' rows. */
  ofAnswer(answer: unknown): unknown;
  ofRows(rows: readonly (readonly Row[])[]): unknown;
}

export type Row = Readonly<Record<string, unknown>>;

const names = (list: unknown, field: string) => (list as Row[]).map((row) => row[field]);
const picked = (list: unknown, ...fields: string[]) => (list as Row[]).map((row) => fields.map((field) => row[field]));
const withReviewers = (list: unknown, id: string) =>
  (list as (Row & { reviewers: string[] })[]).map((row) => [row[id], row.reviewers.toSorted()]);
const windows = [
  'total_prs',
  'merged_prs',
  'total_reviews',
  'avg_time_to_merge_hours',
  'avg_review_time_hours',
  'avg_pr_size',
];
const compared = [
  'comparison_set_size',
  'team_p50_cycle_time',
  'team_p75_cycle_time',
  'team_p90_cycle_time',
  'author_set_size',
  'author_avg_cycle_time',
];
const page = 'limit=50&offset=0';
const weeks = new Date(NOW.getTime() - 104 * 7 * 86_400_000).toISOString();

const pointsOf = (answer: unknown) =>
  (answer as { items: { lines: { points: Row[] }[] }[] }).items[0]!.lines[0]!.points;

/** The figures of the dashboard between two bounds. */
const figures = (from: string, to: string) => `
  select opened.*, ended.*, reviewed.*, given.* from
    (select count(*)::int as total_prs, avg(additions + deletions)::float8 as avg_pr_size
      from pull_requests where created_at > ${from} and created_at <= ${to}) opened,
    (select count(*)::int as merged_prs, avg(time_to_merge)::float8 as avg_time_to_merge_hours
      from pull_request_facts where ended_at > ${from} and ended_at <= ${to} and time_to_merge is not null) ended,
    (select avg(time_to_first_review)::float8 as avg_review_time_hours
      from pull_request_facts where first_review_at > ${from} and first_review_at <= ${to}) reviewed,
    (select count(*)::int as total_reviews from reviews where submitted_at > ${from} and submitted_at <= ${to} and counts) given`;

const moment = '$1::timestamptz';
const daysAgo = (days: number) => `${moment} - interval '${days} days'`;

/** `newest` is the highest number in each of the repositories. */
export function questions(newest: number): Question[] {
  const number = newest - 10;
  const below = `repository_id = 2 and number = ${number}`;
  return [
    {
      name: 'team-stats',
      path: '/api/team-stats',
      statements: [
        figures(daysAgo(30), moment),
        figures(daysAgo(60), daysAgo(30)),
        "select count(*)::int as open_prs from pull_requests where state = 'open'",
        `select date_trunc('day', ended_at) as day, count(*) as merged, avg(time_to_merge) as hours from pull_request_facts
          where ended_at > ${daysAgo(30)} and time_to_merge is not null group by 1 order by 1`,
        `select date_trunc('day', first_review_at) as day, avg(time_to_first_review) as hours from pull_request_facts
          where first_review_at > ${daysAgo(30)} group by 1 order by 1`,
      ],
      ofAnswer(answer) {
        const { previous, open_prs, ...now } = answer as Row & { previous: Row };
        return [...windows.map((field) => now[field]), ...windows.map((field) => previous[field]), open_prs];
      },
      ofRows(answers) {
        const [now, before, open] = answers.map((rows) => rows[0]!);
        return [...windows.map((field) => now![field]), ...windows.map((field) => before![field]), open!.open_prs];
      },
      heavy: true,
    },
    {
      name: 'stuck-prs',
      path: '/api/stuck-prs',
      statements: [
        `select p.host_id, p.title, p.created_at, r.owner, r.name, a.login, f.waiting_on, array(
            select v.login from people v where v.id = any(f.reviewer_ids)
            union select coalesce(v.login, q.team) from review_requests q left join people v on v.id = q.person_id
              where q.repository_id = p.repository_id and q.number = p.number and (q.team is not null or v.kind = 'human')) as reviewers
          from pull_requests p join pull_request_facts f using (repository_id, number)
          join repositories r on r.id = p.repository_id left join people a on a.id = p.author_id
          where p.state = 'open' and p.created_at < ${moment} - interval '48 hours' order by p.created_at, lower(r.name), p.number`,
      ],
      ofAnswer: (answer) => withReviewers(answer, 'github_id'),
      ofRows: ([rows]) => withReviewers(rows, 'host_id'),
    },
    {
      name: 'reviewer-stats',
      path: '/api/reviewer-stats',
      statements: [
        `select a.login, count(*)::int as review_count, avg(v.response_hours)::float8 as hours
          from reviews v join people a on a.id = v.author_id
          where v.submitted_at > ${daysAgo(7)} and v.counts and a.kind = 'human'
          group by a.login order by 2 desc, 3 nulls last, 1`,
      ],
      ofAnswer: (answer) => picked(answer, 'reviewer', 'review_count', 'avg_review_time_hours'),
      ofRows: ([rows]) => picked(rows, 'login', 'review_count', 'hours'),
    },
    {
      name: 'review-load',
      path: '/api/review-load',
      statements: [
        `select a.login, coalesce(given.n, 0)::int as given, coalesce(merged.n, 0)::int as merged, coalesce(asked.n, 0)::int as asked
          from people a
          left join (select author_id as id, count(*) as n from reviews where submitted_at > ${daysAgo(7)} and counts group by 1) given using (id)
          left join (select author_id as id, count(*) as n from pull_request_facts
            where ended_at > ${daysAgo(7)} and time_to_merge is not null group by 1) merged using (id)
          left join (select q.person_id as id, count(*) as n from review_requests q join pull_requests p using (repository_id, number)
            where p.state = 'open' and not p.draft group by 1) asked using (id)
          where a.kind = 'human' and (given.n > 0 or merged.n > 0 or asked.n > 0) order by 4 desc, 2 desc, a.login`,
      ],
      ofAnswer: (answer) => picked(answer, 'reviewer', 'reviews_last_week', 'merged_last_week', 'outstanding_reviews'),
      ofRows: ([rows]) => picked(rows, 'login', 'given', 'merged', 'asked'),
    },
    {
      name: 'contributors',
      path: '/api/contributors',
      statements: [
        `select a.login, sum(t.opened)::int as opened, sum(t.merged)::int as merged, sum(t.open)::int as open, max(t.last_activity_at) as at
          from contributor_totals t join people a on a.id = t.person_id where a.kind = 'human'
          group by a.login having sum(t.opened + t.counting_reviews) > 0 order by 5 desc nulls last, a.login`,
      ],
      ofAnswer: (answer) =>
        picked(answer, 'username', 'total_prs_opened', 'total_prs_merged', 'current_open_prs').toSorted(),
      ofRows: ([rows]) => picked(rows, 'login', 'opened', 'merged', 'open').toSorted(),
    },
    ...(
      [
        ['prs, newest', 'updated_at', 'DESC', 'p.updated_at desc'],
        ['prs, by title', 'title', 'ASC', 'p.title_lower'],
      ] as const
    ).map(
      ([name, sortBy, sortOrder, order]): Question => ({
        name,
        path: `/api/prs?${page}&sortBy=${sortBy}&sortOrder=${sortOrder}`,
        statements: [
          'select count(*)::int as n from pull_requests',
          `select p.host_id, p.title, p.state, p.draft, p.created_at, p.updated_at, p.additions + p.deletions as lines, a.login, f.reviewer_ids
            from pull_requests p join pull_request_facts f using (repository_id, number) join repositories r on r.id = p.repository_id
            left join people a on a.id = p.author_id order by ${order}, lower(r.owner), lower(r.name), p.number limit 50`,
        ],
        ofAnswer: (answer) => names((answer as { prs: unknown }).prs, 'github_id'),
        ofRows: ([, rows]) => names(rows, 'host_id'),
      }),
    ),
    {
      name: 'deep dive',
      path: `/api/pr/acme/repository-2/${number}`,
      statements: [
        `select p.title, p.additions, p.deletions, f.* from pull_requests p join pull_request_facts f using (repository_id, number) where p.repository_id = 2 and p.number = ${number}`,
        ...['reviews', 'comments', 'commits', 'events', 'checks', 'changed_files', 'review_requests'].map(
          (table) => `select * from ${table} where ${below}`,
        ),
        `select team.*, author.* from
          (select coalesce(ended_at, ${moment}) as until, author_id from pull_request_facts where ${below}) it,
          lateral (select count(*)::int as comparison_set_size, percentile_cont(0.5) within group (order by f.time_to_merge) as team_p50_cycle_time,
              percentile_cont(0.75) within group (order by f.time_to_merge) as team_p75_cycle_time,
              percentile_cont(0.9) within group (order by f.time_to_merge) as team_p90_cycle_time
            from pull_request_facts f join people a on a.id = f.author_id
            where f.ended_at > it.until - interval '90 days' and f.ended_at <= it.until and f.time_to_merge is not null and a.kind = 'human'
              and (f.repository_id, f.number) <> (2, ${number})) team,
          lateral (select count(*)::int as author_set_size, avg(f.time_to_merge)::float8 as author_avg_cycle_time
            from pull_request_facts f
            where f.author_id = it.author_id and f.ended_at > it.until - interval '180 days' and f.ended_at <= it.until
              and f.time_to_merge is not null and (f.repository_id, f.number) <> (2, ${number})) author`,
      ],
      ofAnswer(answer) {
        const { title, comparative_metrics } = answer as Row & { comparative_metrics: Row };
        return [title, ...compared.map((field) => comparative_metrics[field])];
      },
      ofRows: (answers) => [answers[0]![0]!.title, ...compared.map((field) => answers.at(-1)![0]![field])],
    },
    {
      name: 'trends, median time to merge by week',
      path: `/api/trends?figure=time_to_merge&aggregate=p50&bucket=week&from=${weeks}`,
      statements: [
        `select date_trunc('week', ended_at) as week, percentile_cont(0.5) within group (order by time_to_merge) as median, count(*)::int as n
          from pull_request_facts where ended_at >= '${weeks}' and time_to_merge is not null group by 1 order by 1`,
      ],
      // The first and the last week are not whole.
      ofAnswer: (answer) => names(pointsOf(answer), 'value').slice(1, -1),
      ofRows: ([rows]) => names(rows, 'median').slice(1, -1),
      heavy: true,
    },
  ];
}
