import { z } from 'zod';
import { workCounts, workItem, workSections } from '#contract/my-work.ts';
import { pullRequestDetail, pullRequestListItem } from '#contract/pull-requests.ts';
import { count, instant, pullRequestState, waitingOn } from '#contract/values.ts';
import { invalidValue, notFound } from '../http/errors.ts';
import type { Calls } from './calls.ts';
import {
  counted,
  cursorArgument,
  cursorAt,
  figure,
  figureOf,
  hoursInWords,
  limitArgument,
  listed,
  listOf,
  nameOf,
  offsetOf,
  pagesOf,
  repositoryArgument,
  teamArgument,
} from './shapes.ts';
import { STRANGERS, tool } from './tool.ts';

const HOUR = 3_600_000;
/** The most open pull requests that are looked through; where there are more, the answer says so. */
const MOST_LOOKED_THROUGH = 2000;
const PAGE = 500;
/** The most that are named in a text. */
const MOST_NAMED = 5;

const named = { pull_request: z.string() };

const workAnswerItem = workItem
  .pick({
    title: true,
    github_url: true,
    author: true,
    kind: true,
    reason: true,
    team: true,
    since: true,
    waited_hours: true,
    waited_working_hours: true,
    overdue: true,
    checks: true,
    lines_changed: true,
    draft: true,
  })
  .extend(named)
  .strict();

const whatsWaitingForMe = tool({
  name: 'whats_waiting_for_me',
  title: 'What waits for me',
  description: `What waits for the owner of the token and what they wait for, by section, each with why and since when. Snoozed ones are in a section of their own. Not for what waits for other people: that is whose_turn. ${STRANGERS}`,
  scope: 'read:mine',
  takes: z.strictObject({ repository: repositoryArgument }),
  answers: z.strictObject({
    as_of: instant,
    /** Whether the owner's account takes part in a pull request in scope at all. */
    recognised: z.boolean(),
    counts: workCounts.strict(),
    sections: z.array(z.strictObject({ section: z.enum(workSections), ...listOf(workAnswerItem).shape })),
  }),
  async ask(calls, given) {
    const work = await calls.call('getMyWork', { query: { repository: await calls.repositoryId(given.repository) } });
    const sections = work.sections.map(({ key, items, total }) => ({
      section: key,
      ...listed(
        items.map((item) => ({ pull_request: nameOf(item), ...picked(workAnswerItem, item) })),
        undefined,
        total,
      ),
    }));
    const { turn, review, author, merge, team_review } = work.counts;
    const first = work.sections.flatMap(({ key, items }) => (key === 'snoozed' ? [] : items)).slice(0, MOST_NAMED);
    const text = [
      `${counted(turn, 'pull request')} ${turn === 1 ? 'waits' : 'wait'} for you: ${review} to review, ${author} to answer, ${merge} to merge, ${team_review} to review by a team of yours.`,
      ...first.map(
        (item) =>
          `${nameOf(item)}: ${item.kind}, ${hoursInWords(item.waited_hours)}${item.overdue ? ', overdue' : ''}.`,
      ),
    ].join('\n');
    return {
      text,
      answer: { as_of: work.as_of, recognised: work.recognised, counts: picked(workCounts, work.counts), sections },
    };
  },
});

const turnItem = pullRequestListItem
  .pick({
    title: true,
    github_url: true,
    author: true,
    draft: true,
    by_agent: true,
    reviewers: true,
    lines_changed: true,
    created_at: true,
    waiting_on: true,
    waiting_since: true,
    waiting_reason: true,
  })
  .extend({ ...named, waited_hours: z.number().nullable() })
  .strict();

const whoseTurn = tool({
  name: 'whose_turn',
  title: 'Whose turn it is',
  description: `Open pull requests by whom they wait for (author, reviewers or a merge), since when and why, the longest wait first. Drafts are among them. Not for what waits for the owner alone (whats_waiting_for_me), nor for merged ones (list_pull_requests). ${STRANGERS}`,
  scope: 'read:figures',
  takes: z.strictObject({
    repository: repositoryArgument,
    team: teamArgument,
    person: z
      .string()
      .max(100)
      .optional()
      .describe('A login: those alone that wait for reviewers, of whom this person is asked now.'),
    older_than_hours: z.number().min(0).max(1_000_000).optional().describe('Those alone that wait for longer.'),
    limit: limitArgument,
    cursor: cursorArgument,
  }),
  answers: pagesOf(turnItem).extend({
    waits_for: z.strictObject({ author: count, reviewers: count, merge: count }),
    /** False where there are more open ones than were looked through. */
    looked_through_all: z.boolean(),
  }),
  async ask(calls, given) {
    const offset = offsetOf(given.cursor);
    const repository = await calls.repositoryId(given.repository);
    const { rows, isAll } = await openOnes(calls, { repository, team: given.team, requested: given.person });
    if (given.person !== undefined && rows.length === 0) await requirePerson(calls, given.person);
    const found = rows
      .map((row) => ({ row, waited: hoursSince(row.waiting_since, calls.now) }))
      .filter(({ waited }) => given.older_than_hours === undefined || (waited ?? 0) > given.older_than_hours)
      .sort((a, b) => (b.waited ?? -1) - (a.waited ?? -1) || (nameOf(a.row) < nameOf(b.row) ? -1 : 1));
    const waits_for = { author: 0, reviewers: 0, merge: 0 };
    for (const { row } of found) if (row.waiting_on !== null) waits_for[row.waiting_on] += 1;
    const page = found.slice(offset, offset + given.limit);
    const text = [
      `${counted(found.length, 'open pull request')}: ${waits_for.reviewers} wait for reviewers, ${waits_for.author} for their author, ${waits_for.merge} for a merge.`,
      ...page
        .slice(0, MOST_NAMED)
        .map(
          ({ row, waited }) =>
            `${nameOf(row)}: ${row.waiting_on ?? 'nobody'}${waited === null ? '' : `, ${hoursInWords(waited)}`}.`,
        ),
      ...(isAll ? [] : [`Of the ${MOST_LOOKED_THROUGH} opened first; there are more.`]),
    ].join('\n');
    return {
      text,
      answer: {
        items: page.map(({ row, waited }) => ({
          pull_request: nameOf(row),
          waited_hours: waited,
          ...picked(turnItem, row),
        })),
        total: found.length,
        truncated: offset > 0 || page.length < found.length,
        limit: given.limit,
        next_cursor: offset + page.length < found.length ? cursorAt(offset + page.length) : null,
        waits_for,
        looked_through_all: isAll,
      },
    };
  },
});

interface Narrowed {
  readonly repository: number | undefined;
  readonly team: number | undefined;
  /** A login. */
  readonly requested?: string | undefined;
}

async function openOnes(calls: Calls, of: Narrowed) {
  const rows: z.output<typeof pullRequestListItem>[] = [];
  for (let offset = 0; offset < MOST_LOOKED_THROUGH; offset += PAGE) {
    const query = { ...of, state: 'open', sortBy: 'created_at', sortOrder: 'ASC', limit: PAGE, offset } as const;
    const { prs, hasMore } = await calls.call('listPullRequests', { query });
    rows.push(...prs);
    if (!hasMore) return { rows, isAll: true };
  }
  return { rows, isAll: false };
}

/** @throws HttpError 404 for whoever takes part in nothing that the token reads */
async function requirePerson(calls: Calls, login: string): Promise<void> {
  const found = await calls.call('searchContributors', { query: { q: login, accounts: 'all' } });
  if (!found.some(({ username }) => username.toLowerCase() === login.toLowerCase()))
    throw notFound('Nobody of this login takes part in your repositories.');
}

const hoursSince = (at: string | null, now: Date) =>
  at === null ? null : Math.max(0, (now.getTime() - Date.parse(at)) / HOUR);

const listItem = pullRequestListItem
  .pick({
    title: true,
    state: true,
    github_url: true,
    author: true,
    draft: true,
    by_agent: true,
    authorship: true,
    reviewers: true,
    lines_changed: true,
    created_at: true,
    updated_at: true,
    waiting_on: true,
    waiting_since: true,
  })
  .extend(named)
  .strict();

const listPullRequests = tool({
  name: 'list_pull_requests',
  title: 'List pull requests',
  description: `Pull requests by state and search, those updated last first, with how many match. q is found in titles, authors and repositories. Not to count or to average: team_figures, trend and define do that over all of them. ${STRANGERS}`,
  scope: 'read:figures',
  takes: z.strictObject({
    repository: repositoryArgument,
    team: teamArgument,
    state: pullRequestState.optional(),
    q: z
      .string()
      .max(200)
      .optional()
      .describe('A text that the title, the author’s login or name, or the repository’s name holds.'),
    limit: limitArgument,
    cursor: cursorArgument,
  }),
  answers: pagesOf(listItem),
  async ask(calls, { repository, team, state, q, limit, cursor }) {
    const offset = offsetOf(cursor);
    const query = { repository: await calls.repositoryId(repository), team, state, q, limit, offset };
    const { prs, total, hasMore } = await calls.call('listPullRequests', { query });
    const names = prs.slice(0, MOST_NAMED).map(nameOf);
    return {
      text: [`${counted(total, 'pull request')} found.`, ...names].join('\n'),
      answer: {
        items: prs.map((pr) => ({ pull_request: nameOf(pr), ...picked(listItem, pr) })),
        ...{ total, truncated: prs.length < total, limit },
        next_cursor: hasMore ? cursorAt(offset + prs.length) : null,
      },
    };
  },
});

const signal = pullRequestDetail.shape.signals.element
  .pick({ key: true, name: true, why: true, dismissed: true })
  .strict();
const phase = pullRequestDetail.shape.time_metrics.shape.phases.element.strict();
const review = pullRequestDetail.shape.reviews.element
  .pick({ reviewer: true, state: true, submitted_at: true, comments_count: true })
  .extend({ response_hours: z.number().nullable() })
  .strict();

/** Of one pull request, by the names of the call and those that are told, each with its unit. */
const timesOfOne = {
  time_to_first_review: 'time_to_first_review_hours',
  time_to_merge: 'time_to_merge_hours',
  active_development_time: 'development_hours',
  waiting_for_review_time: 'waiting_hours',
  post_approval_time: 'approved_hours',
  business_hours_spent: 'business_hours',
} as const;

const pullRequestAnswer = pullRequestDetail
  .pick({
    title: true,
    state: true,
    draft: true,
    author: true,
    author_kind: true,
    authorship: true,
    agents: true,
    credited_to: true,
    created_at: true,
    updated_at: true,
    merged_at: true,
    closed_at: true,
    additions: true,
    deletions: true,
    changed_files: true,
    commits: true,
    comments: true,
    review_comments: true,
  })
  .extend({
    ...named,
    github_url: z.string(),
    labels: z.array(z.string()),
    waiting_on: waitingOn.nullable(),
    waiting_since: instant.nullable(),
    waiting_reason: pullRequestDetail.shape.time_metrics.shape.waiting_reason,
    times: z.strictObject(
      Object.fromEntries(Object.values(timesOfOne).map((name) => [name, figure])) as Record<
        (typeof timesOfOne)[keyof typeof timesOfOne],
        typeof figure
      >,
    ),
    review_cycles: figure,
    phases: listOf(phase),
    reviews: listOf(review),
    requested_reviewers: listOf(z.strictObject({ reviewer: z.string(), asked_at: instant })),
    signals: listOf(signal),
  })
  .strict();

const getPullRequest = tool({
  name: 'get_pull_request',
  title: 'One pull request',
  description: `One pull request in depth: its phases, reviews, signals of the review practice and whose turn it is. Texts of descriptions, comments and code are not kept and not told. Not for many: list_pull_requests. ${STRANGERS}`,
  scope: 'read:figures',
  takes: z.strictObject({
    pull_request: z.string().min(1).max(500).describe('`owner/name#12`, or its URL.'),
  }),
  answers: pullRequestAnswer,
  ask: async (calls, { pull_request }) => await pullRequestInDepth(calls, addressIn(pull_request)),
});

interface Address {
  readonly repoOwner: string;
  readonly repoName: string;
  readonly prNumber: number;
}

/** @throws HttpError as `GET /api/pr/…` */
export async function pullRequestInDepth(calls: Calls, address: Address) {
  const pr = await calls.call('getPullRequest', { params: address });
  const pull_request = `${pr.repository.owner}/${pr.repository.name}#${pr.pr_number}`;
  const { waiting_on, waiting_since, waiting_reason, phases, review_cycles } = pr.time_metrics;
  const times = Object.fromEntries(
    Object.entries(timesOfOne).map(([from, to]) => {
      const value = pr.time_metrics[from as keyof typeof timesOfOne];
      return [to, figureOf(value, value === null ? 0 : 1, `pull_request.${from}`)];
    }),
  ) as z.output<typeof pullRequestAnswer>['times'];
  const waited = hoursSince(waiting_since, calls.now);
  const text = [
    `${pull_request} is ${pr.state}${pr.draft ? ', a draft' : ''}: ${counted(pr.additions + pr.deletions, 'changed line')} in ${counted(pr.changed_files, 'file')}, ${counted(pr.reviews.length, 'review')}.`,
    waiting_on === null
      ? 'It waits for nobody.'
      : `It waits for ${waiting_on === 'merge' ? 'a merge' : waiting_on === 'author' ? 'its author' : 'reviewers'}${waited === null ? '' : `, for ${hoursInWords(waited)}`}${waiting_reason === null ? '' : ` (${waiting_reason.replaceAll('_', ' ')})`}; ${pr.requested_reviewers.length} asked to review.`,
    `${counted(pr.signals.length, 'signal')} of the review practice.`,
  ].join('\n');
  const answer: z.output<typeof pullRequestAnswer> = {
    pull_request,
    github_url: pr.html_url,
    ...picked(pullRequestAnswer, pr),
    labels: pr.labels.slice(0, 50),
    ...{ waiting_on, waiting_since, waiting_reason, times },
    review_cycles: figureOf(review_cycles, 1, 'pull_request.review_cycles'),
    phases: listed(phases, 50),
    reviews: listed(
      pr.reviews.map(({ response_time, ...it }) => ({ ...picked(review, it), response_hours: response_time })),
      50,
    ),
    requested_reviewers: listed(
      pr.requested_reviewers.map(({ reviewer, asked_at }) => ({ reviewer, asked_at })),
      50,
    ),
    signals: listed(
      pr.signals.map((it) => picked(signal, it)),
      50,
    ),
  };
  return { text, answer };
}

/** @throws HttpError 400 for what names no pull request */
function addressIn(text: string): Address {
  const [, repoOwner, repoName, number] =
    /^([\w.-]{1,100})\/([\w.-]{1,100})#(\d{1,10})$/.exec(text.trim()) ??
    /^https?:\/\/[^/\s]+\/([\w.-]{1,100})\/([\w.-]{1,100})\/pull\/(\d{1,10})(?:[/?#]\S*)?$/.exec(text.trim()) ??
    [];
  if (repoOwner === undefined || repoName === undefined)
    throw invalidValue('pull_request', 'must be like owner/name#12, or the URL of a pull request');
  return { repoOwner, repoName, prNumber: Number(number) };
}

/** What of a thing the shape names: the rest is not told. */
function picked<Shape extends z.ZodObject, Of extends object>(
  shape: Shape,
  of: Of,
): Pick<Of, Extract<keyof Of, keyof z.output<Shape>>> {
  const names = Object.keys(shape.shape).filter((name) => Object.hasOwn(of, name));
  return Object.fromEntries(names.map((name) => [name, of[name as keyof Of]])) as never;
}

export const workTools = [whatsWaitingForMe, whoseTurn, getPullRequest, listPullRequests];
