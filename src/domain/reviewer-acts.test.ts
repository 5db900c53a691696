import { describe, expect, it } from 'vitest';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  closed,
  comments,
  finds,
  forcePushed,
  hour,
  merged,
  pushed,
  reopened,
  says,
} from '../../test/support/builders.ts';
import { historyOf } from './history.ts';
import type { PullRequestRecord } from './pull-request.ts';
import { type Fate, PEOPLE, type ReviewerActs, reviewerActsOf } from './reviewer-acts.ts';

const NOW = hour(1000);
const END = 48;
const A = 'agent-a';

function actsIn(
  record: PullRequestRecord,
  reviewer: string,
  readyAt: number | null = record.createdAt,
): ReviewerActs | null {
  return reviewerActsOf(historyOf(record, NOW), readyAt).find((acts) => acts.reviewer === reviewer) ?? null;
}

function onlyFate(record: PullRequestRecord, reviewer = A): Fate | null {
  const { fates } = actsIn(record, reviewer)!;
  const found = (Object.keys(fates) as Fate[]).filter((fate) => fates[fate] > 0);
  expect(found.length).toBeLessThan(2);
  return found[0] ?? null;
}

describe('what became of a finding', () => {
  const outdated = { outdated: true };
  const resolved = (login: string) => finds(1, login, {}, { resolvedBy: aPerson('ada') });

  it.each<[string, Fate | null, Parameters<typeof aPullRequest>[1][]]>([
    ['changed by a push after it', 'changed', [finds(1, A, outdated), pushed(2)]],
    ['changed by a push in the second of the end', 'changed', [finds(1, A, outdated), pushed(END)]],
    [
      'changed by a push dated later than the end, which came by then',
      'changed',
      [finds(1, A, outdated), pushed(END + 1)],
    ],
    ['not by one in its own second', 'ignored', [finds(1, A, outdated), pushed(1)]],
    ['not by one before it', 'ignored', [finds(3, A, outdated), pushed(2)]],
    ['not by a push alone', 'ignored', [finds(1, A), pushed(2)]],
    ['not by lines that changed without a push', 'ignored', [finds(1, A, outdated)]],
    ['not by its own author’s push', 'ignored', [finds(1, A, outdated), pushed(2, A)]],
    ['changed by another agent’s', 'changed', [finds(1, A, outdated), pushed(2, 'agent-b')]],
    ['changed by a commit of nobody known', 'changed', [finds(1, A, outdated), pushed(2, null)]],
    [
      'changed by what a bot commits in a person’s name',
      'changed',
      [finds(1, 'rita', outdated), pushed(2, 'rita', { authorIsBot: true })],
    ],
    ['changed by a force push', 'changed', [finds(1, A, outdated), forcePushed(2)]],
    ['not by its own author’s force push', 'ignored', [finds(1, A, outdated), forcePushed(2, A)]],
    ['not by a force push after the end', 'ignored', [finds(1, A, outdated), forcePushed(END + 1)]],
    ['resolved by a person', 'resolved', [finds(1, A, {}, { resolvedBy: aPerson('ada') })]],
    [
      'resolved before it is answered',
      'resolved',
      [finds(1, A, {}, { id: 'f', resolvedBy: aPerson('ada') }), finds(2, 'ada', {}, { inReplyTo: 'f' })],
    ],
    ['changed before it is resolved', 'changed', [finds(1, A, outdated, { resolvedBy: aPerson('ada') }), pushed(2)]],
    ['not by whoever resolves it where no agent commented: that is not read', 'ignored', [resolved('rita')]],
    ['resolved where an agent commented, too', 'resolved', [resolved('rita'), finds(2, A)]],
    ['not by the agent that resolves its own', 'ignored', [finds(1, A, {}, { resolvedBy: aPerson(A) })]],
    ['not by a bot', 'ignored', [finds(1, A, {}, { resolvedBy: aPerson('bot-b') })]],
    [
      'answered by the author of the pull request',
      'answered',
      [finds(1, A, {}, { id: 'f' }), finds(2, 'ada', {}, { inReplyTo: 'f' })],
    ],
    [
      'answered in the second of the end',
      'answered',
      [finds(1, A, {}, { id: 'f' }), finds(END, 'ada', {}, { inReplyTo: 'f' })],
    ],
    ['not after the end', 'ignored', [finds(1, A, {}, { id: 'f' }), finds(END + 1, 'ada', {}, { inReplyTo: 'f' })]],
    ['not in another thread', 'ignored', [finds(1, A, {}, { id: 'f' }), finds(2, 'ada', {}, { inReplyTo: 'g' })]],
    ['not by an agent', 'ignored', [finds(1, A, {}, { id: 'f' }), finds(2, 'agent-b', {}, { inReplyTo: 'f' })]],
    [
      'answered by an answer to an answer',
      'answered',
      [
        finds(1, A, {}, { id: 'f' }),
        finds(2, A, {}, { id: 'g', inReplyTo: 'f' }),
        finds(3, 'ada', {}, { inReplyTo: 'g' }),
      ],
    ],
    ['hidden as off topic', 'dismissed_by_hand', [finds(1, A, { minimized: 'off-topic' })]],
    ['hidden for no reason that is told', 'dismissed_by_hand', [finds(1, A, { minimized: 'unknown' })]],
    ['not hidden as resolved', 'ignored', [finds(1, A, { minimized: 'resolved' })]],
    [
      'answered before it is hidden',
      'answered',
      [finds(1, A, { minimized: 'spam' }, { id: 'f' }), finds(2, 'ada', {}, { inReplyTo: 'f' })],
    ],
    ['nothing known where it was not read', null, [finds(1, A, null)]],
    [
      'answered at the end of a long thread',
      'answered',
      [
        finds(1, A, {}, { id: '0' }),
        ...Array.from({ length: 50 }, (_, at) => finds(2, A, {}, { id: String(at + 1), inReplyTo: String(at) })),
        finds(3, 'ada', {}, { inReplyTo: '50' }),
      ],
    ],
    [
      'not answered by whoever answers themselves in a circle',
      'ignored',
      [
        finds(1, A, {}, { id: 'f' }),
        finds(2, 'ada', {}, { id: 'g', inReplyTo: 'h' }),
        finds(2, 'ada', {}, { id: 'h', inReplyTo: 'g' }),
      ],
    ],
  ])('is %s', (_, fate, happenings) => {
    const record = aPullRequest({}, ...happenings, merged(END));
    expect(onlyFate(record, record.comments[0]!.author!.kind === 'human' ? PEOPLE : A)).toBe(fate);
  });

  it('is told of very many as of few, whoever opened as many threads as they could', () => {
    const one = aPullRequest(
      {},
      finds(1, A, outdated, { id: 'f' }),
      finds(2, 'bo', {}, { inReplyTo: 'f' }),
      merged(END),
    );
    const [finding, answer] = one.comments;
    const many = 30_000;
    const comments = Array.from({ length: many }, (_, at) => [
      { ...finding!, id: `f${at}` },
      { ...answer!, id: `a${at}`, inReplyTo: at % 2 === 0 ? `f${at}` : `a${at - 1}` },
    ]).flat();
    const commits = Array.from({ length: 10_000 }, () => aPullRequest({}, pushed(0.5)).commits[0]!);

    expect(actsIn({ ...one, comments, commits }, A)?.fates).toMatchObject({ answered: many / 2, ignored: many / 2 });
  });

  it('is told when the pull request has ended, and no longer once it is open again', () => {
    const told = [finds(1, A, outdated), pushed(2)];
    expect(onlyFate(aPullRequest({}, ...told))).toBeNull();
    expect(onlyFate(aPullRequest({}, ...told, merged(END)))).toBe('changed');
    const again = aPullRequest({}, ...told, closed(END), reopened(50));
    expect(actsIn(again, A)).toMatchObject({ findings: 1, fates: { changed: 0 }, noisy: 0 });
  });

  it('of another end may be another: a push after the first one counts for the second', () => {
    const told = [finds(1, A, outdated), forcePushed(60)];
    expect(onlyFate(aPullRequest({}, ...told, merged(END)))).toBe('ignored');
    expect(onlyFate(aPullRequest({}, ...told, closed(END), reopened(50), merged(70)))).toBe('changed');
  });

  it('is another person’s answer where a person found it, not their own', () => {
    const own = aPullRequest(
      {},
      finds(1, 'rita', {}, { id: 'f' }),
      finds(2, 'rita', {}, { inReplyTo: 'f' }),
      merged(END),
    );
    expect(onlyFate(own, PEOPLE)).toBe('ignored');
    const others = aPullRequest(
      {},
      finds(1, 'rita', {}, { id: 'f' }),
      finds(2, 'ada', {}, { inReplyTo: 'f' }),
      merged(END),
    );
    expect(onlyFate(others, PEOPLE)).toBe('answered');
    const pushes = aPullRequest({}, finds(1, 'rita', outdated), pushed(2, 'rita'), merged(END));
    expect(onlyFate(pushes, PEOPLE)).toBe('ignored');
  });

  it('is noise where it is ignored, hidden by hand, or more people dislike it than like it', () => {
    const noisy = (...happenings: Parameters<typeof aPullRequest>[1][]) =>
      actsIn(aPullRequest({}, ...happenings, merged(END)), A)!.noisy;
    expect(noisy(finds(1, A))).toBe(1);
    expect(noisy(finds(1, A, { minimized: 'spam' }))).toBe(1);
    expect(noisy(finds(1, A, outdated), pushed(2))).toBe(0);
    expect(noisy(finds(1, A, { outdated: true, thumbsUp: 1, thumbsDown: 2 }), pushed(2))).toBe(1);
    expect(noisy(finds(1, A, { outdated: true, thumbsUp: 2, thumbsDown: 2 }), pushed(2))).toBe(0);
    expect(
      actsIn(aPullRequest({}, finds(1, A, { thumbsUp: 1, thumbsDown: 2 }), finds(2, A, { thumbsUp: 3 })), A),
    ).toMatchObject({
      thumbs_up: 4,
      thumbs_down: 2,
    });
  });
});

describe('an act', () => {
  const has = (record: PullRequestRecord, reviewer = A) => actsIn(record, reviewer) !== null;
  const reviewer = { id: '175728472', login: 'copilot-pull-request-reviewer[bot]', kind: 'agent' as const };
  const coder = { id: '198982749', login: 'copilot-swe-agent[bot]', kind: 'agent' as const };
  const both = { id: '209825114', login: 'claude[bot]', kind: 'agent' as const };
  /** Of no AI, but some team marks it as an agent. */
  const reporter = { id: '15368', login: 'github-actions[bot]', kind: 'agent' as const };
  const as = (who: object, record: PullRequestRecord): PullRequestRecord => ({
    ...record,
    reviews: record.reviews.map((review) => ({ ...review, author: aPerson('x', who) })),
    comments: record.comments.map((comment) => ({ ...comment, author: aPerson('x', who) })),
  });

  it('is a submitted review, an inline comment or, of what the list of known automation says reviews, a general comment', () => {
    expect(has(aPullRequest({}, approves(1, A)))).toBe(true);
    expect(has(aPullRequest({}, finds(1, A)))).toBe(true);
    expect(has(aPullRequest({}, says(1, A)))).toBe(false);
    expect(has(aPullRequest({}, pushed(1, A)))).toBe(false);
    expect(has(as(reviewer, aPullRequest({}, says(1, A))), 'copilot')).toBe(true);
    expect(has(as(coder, aPullRequest({}, says(1, A))), 'copilot')).toBe(false);
    expect(has(as(coder, aPullRequest({}, finds(1, A))), 'copilot')).toBe(true);
    expect(has(as(both, aPullRequest({}, says(1, A))), 'claude')).toBe(true);
  });

  it('is none of the reports in the conversation of automation that a team marks as an agent', () => {
    expect(has(as(reporter, aPullRequest({}, says(1, A), says(2, A))), 'github-actions')).toBe(false);
    const reported = as(reporter, aPullRequest({}, says(1, A), finds(2, A), says(3, A)));
    expect(actsIn(reported, 'github-actions')).toMatchObject({ acted_at: [hour(2)], findings: 1 });
  });

  it('lies between the opening and the end, both of them in it', () => {
    const acted = (at: number) => has(aPullRequest({}, approves(at, A), merged(END)));
    expect([-1, 0, END, END + 1].map(acted)).toEqual([false, true, true, false]);
  });

  it('is on another’s pull request: no account of the tool opened it, and of people not the author', () => {
    expect(has(as(reviewer, aPullRequest({ author: aPerson('y', coder) }, finds(1, A))), 'copilot')).toBe(false);
    expect(has(aPullRequest({}, says(1, 'ada')), PEOPLE)).toBe(false);
    expect(has(aPullRequest({}, says(1, 'rita')), PEOPLE)).toBe(true);
    expect(has(aPullRequest({}, says(1, 'bot-b')), 'bot-b')).toBe(false);
    expect(has(aPullRequest({}, says(1, null)), PEOPLE)).toBe(false);
  });

  it('of a tool is that of any of its accounts, and a push of one is its own', () => {
    const record = aPullRequest({}, finds(1, A, { outdated: true }), pushed(2, 'agent-b'), merged(END));
    const joined = {
      ...as(reviewer, record),
      commits: record.commits.map((commit) => ({ ...commit, author: aPerson('z', coder) })),
    };
    expect(onlyFate(joined, 'copilot')).toBe('ignored');
  });

  it('makes a finding where it opens a thread: answers and summaries are none', () => {
    const record = aPullRequest({}, comments(1, A, { threads: 2, replies: 1 }), says(2, A));
    expect(actsIn(as(both, record), 'claude')).toMatchObject({ findings: 2, acted_at: [1, 1, 1, 1, 2].map(hour) });
  });
});

describe('the wait for the first act', () => {
  const waited = (readyAt: number | null, ...happenings: Parameters<typeof aPullRequest>[1][]) =>
    actsIn(aPullRequest({}, ...happenings), A, readyAt === null ? null : hour(readyAt))!.wait;

  it('counts from ready, or the latest request before it that names the reviewer', () => {
    expect(waited(1, approves(5, A))).toBe(4);
    expect(waited(1, asks(2, A), asks(4, A), approves(5, A))).toBe(1);
    expect(waited(1, asks(4, 'rita'), asks(6, A), approves(5, A))).toBe(4);
    expect(waited(3, asks(2, A), approves(5, A))).toBe(2);
    expect(waited(1, asks(5, A), approves(5, A))).toBe(0);
  });

  it('is nothing before it was ready, and not told of what never was', () => {
    expect(waited(8, approves(5, A))).toBe(0);
    expect(waited(null, approves(5, A))).toBeNull();
  });
});
