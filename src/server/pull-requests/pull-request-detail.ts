import { type Kysely, sql } from 'kysely';
import type { AttributionAnswer, PullRequestDetail, TimeMetrics } from '#contract/pull-requests.ts';
import type { Attribution } from '#domain/attribution.ts';
import { businessHours } from '#domain/business-hours.ts';
import { factsOfHistory, type PullRequestFacts, phaseTimes } from '#domain/facts.ts';
import { type History, historyOf } from '#domain/history.ts';
import { hoursBetween, type Instant, type PullRequestRecord } from '#domain/pull-request.ts';
import { pendingReviews } from '#domain/reviewers.ts';
import { timelineOf } from '#domain/timeline.ts';
import type { Database } from '../db/database.ts';
import { storedRecords } from '../db/stored-records.ts';
import { isContributor } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { comparisonOf } from './comparison.ts';
import { signalsOfPullRequest } from './signals.ts';

export interface FoundRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

/** The repository in scope of that name, without regard to case, or null. */
export async function findRepository(
  db: Kysely<Database>,
  scope: Scope,
  owner: string,
  name: string,
): Promise<FoundRepository | null> {
  const { rows } = await sql<FoundRepository>`
    select id, owner, name from repositories
    where ${scope.filter(null, 'id')} and lower(owner) = lower(${owner}) and lower(name) = lower(${name})`.execute(db);
  return rows[0] ?? null;
}

/** One pull request in depth as it is stored (docs/metrics.md#one-pull-request), or null when it is not. It asks many small questions. */
export async function pullRequestDetail(
  db: Kysely<Database>,
  scope: Scope,
  repository: FoundRepository,
  number: number,
  now: Date,
  timeZone: string,
): Promise<PullRequestDetail | null> {
  const pull = await db
    .selectFrom('pull_requests as p')
    .innerJoin('pull_request_facts as f', (join) =>
      join.onRef('f.repository_id', '=', 'p.repository_id').onRef('f.number', '=', 'p.number'),
    )
    .selectAll('p')
    .select('f.by_agent')
    .where('p.repository_id', '=', repository.id)
    .where('p.number', '=', number)
    .executeTakeFirst();
  const { records, rowIdOf, health } = await storedRecords(db, repository.id, [number]);
  const record = records.get(number);
  if (pull === undefined || record === undefined) return null;

  const history = historyOf(record, now.getTime());
  const facts = factsOfHistory(history);
  const counting = facts.reviews.filter((review) => review.role === 'counting');
  const timeline = timelineOf(history);
  const requested = pendingReviews(history);
  const assignees = record.attribution.assignments.flatMap(({ person, until }) => (until === null ? [person] : []));
  return {
    pr_number: number,
    title: pull.title,
    state: pull.state,
    draft: pull.draft,
    html_url: pull.url,
    repository: { owner: repository.owner, name: repository.name },
    author: record.author?.login ?? 'ghost',
    author_avatar_url: record.author?.avatarUrl ?? null,
    author_kind: record.author?.kind ?? 'ghost',
    by_agent: pull.by_agent,
    ...attributionAnswerOf(record, facts.attribution),
    ...(await signalsOfPullRequest(db, scope, { repository_id: repository.id, number }, health.settings, now)),
    traces_read: record.attribution.areCommitsRead,
    labels: [...record.attribution.labels],
    assignees: assignees.map(({ login }) => login),
    assignee_kinds: assignees.map(({ kind }) => kind),
    created_at: pull.created_at.toISOString(),
    updated_at: pull.updated_at.toISOString(),
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changed_files,
    commits: pull.commits,
    merged_at: pull.merged_at?.toISOString() ?? null,
    closed_at: pull.closed_at?.toISOString() ?? null,
    comments: pull.comments,
    review_comments: pull.review_comments,
    timeline: timeline.map((event) => ({
      id: `${event.type}-${event.id}`,
      type: event.type,
      description: event.description,
      actor: event.actor?.login ?? null,
      actor_avatar: event.actor?.avatarUrl ?? null,
      actor_kind: event.actor?.kind ?? null,
      timestamp: iso(event.at),
      metadata: event.metadata,
    })),
    reviews: counting.map((review) => ({
      id: review.id,
      reviewer: review.author?.login ?? 'ghost',
      reviewer_avatar: review.author?.avatarUrl ?? null,
      state: review.state,
      submitted_at: iso(review.submitted_at),
      comments_count: review.comments_count,
      response_time: review.response_time,
    })),
    reviewers: facts.reviewers.map(({ person, ...summary }) => ({
      username: person.login,
      avatar_url: person.avatarUrl,
      ...summary,
    })),
    requested_reviewers: requested.map(({ person, name, askedAt }) => ({
      reviewer: name,
      avatar_url: person?.avatarUrl ?? null,
      asked_at: iso(askedAt),
    })),
    contributors: await contributorsAmong(
      db,
      scope,
      [...timeline.map(({ actor }) => actor), ...requested.map(({ person }) => person)].flatMap((person) =>
        person === null ? [] : [rowIdOf(person.id)],
      ),
    ),
    time_metrics: timeMetricsOf(history, facts, timeZone),
    comparative_metrics: await comparisonOf(db, scope, {
      repository_id: repository.id,
      number,
      author_id: pull.author_id,
      end: new Date(history.end),
      ends_now: history.end >= now.getTime(),
      hours: hoursBetween(history.createdAt, history.end),
      lines_changed: pull.lines_changed,
    }),
  };
}

/** The logins of those of these people who exist as contributors. */
async function contributorsAmong(db: Kysely<Database>, scope: Scope, people: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ login: string }>`
    select person.login from people person
    where person.id = any(${[...new Set(people)]}::int[]) and ${isContributor(scope, sql`person.id`)}
    order by lower(person.login) collate "C", person.id`.execute(db);
  return rows.map(({ login }) => login);
}

/** Who wrote a pull request and who started it, as the wire tells it. */
export function attributionAnswerOf(
  { attribution: { correctedAuthorship, correctedCredit } }: PullRequestRecord,
  { authorship, agents, creditedTo, creditBy, confidence, evidence }: Attribution,
): AttributionAnswer {
  return {
    authorship,
    agents: [...agents],
    credited_to: creditedTo?.login ?? null,
    credit_by: creditBy,
    confidence,
    evidence: [...evidence],
    corrected: { authorship: correctedAuthorship !== null, credit: correctedCredit !== null },
  };
}

function timeMetricsOf(history: History, facts: PullRequestFacts, timeZone: string): TimeMetrics {
  return {
    time_to_first_review: facts.time_to_first_review,
    time_to_merge: facts.time_to_merge,
    ...phaseTimes(facts, history.now),
    ...businessHours(history.createdAt, history.end, timeZone),
    review_cycles: facts.review_cycles,
    ready_at: isoOrNull(facts.ready_at),
    first_review_at: isoOrNull(facts.first_review_at),
    first_agent_review_at: isoOrNull(facts.first_agent_review_at),
    approved_at: isoOrNull(facts.approved_at),
    waiting_on: facts.waiting_on,
    waiting_since: isoOrNull(facts.waiting_since),
    waiting_reason: facts.waiting_reason,
    phases: facts.phases.map(({ phase, from, to }) => ({ phase, from: iso(from), to: isoOrNull(to) })),
  };
}

function iso(at: Instant): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : iso(at);
}
