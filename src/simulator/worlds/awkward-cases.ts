import type { Entry, PullRequestHistory, ReviewState } from '../history.ts';
import { shaOf } from '../random.ts';
import { commit, DAY, HOUR, MINUTE, pull, SECOND, size } from './builder.ts';

/** Odd lives of single pull requests. Each title says what is odd; `mona` writes, `octo` and `hubot` review, unless it says otherwise. */
export function awkwardCases(now: number): readonly PullRequestHistory[] {
  let number = 0;
  let ids = 100_000;
  const next = () => {
    ids += 1;
    return ids;
  };
  const cases: PullRequestHistory[] = [];
  /** Opens the next one, so many days ago; `life` gets its opening time. */
  const odd = (
    title: string,
    life: (opened: number) => readonly Entry[],
    more: Partial<PullRequestHistory> = {},
    author: string | null = 'mona',
  ) => {
    number += 1;
    const opened = more.createdAt ?? now - (40 - (number % 35)) * DAY - 3 * HOUR;
    cases.push(pull(20_000 + number, number, title, author, opened, life(opened), more));
  };
  const review = (
    at: number,
    by: string | null,
    state: ReviewState,
    more: Partial<Extract<Entry, { kind: 'review' }>> = {},
  ): Entry => ({
    at,
    by,
    kind: 'review',
    id: next(),
    state,
    bodyLength: 12,
    commit: null,
    comments: [],
    ...more,
  });
  const remark = (at: number, author: string | null, inReplyTo: number | null = null) => ({
    id: next(),
    at,
    author,
    path: 'src/main.ts',
    inReplyTo,
  });
  const push = (at: number, name = `push-${next()}`, by = 'mona'): Entry => ({
    at,
    by,
    kind: 'commits',
    commits: [commit(name, by, at)],
  });
  const merged = (at: number, by: string | null = 'octo'): Entry => ({
    at,
    by,
    kind: 'merged',
    commit: shaOf(`merge-${next()}`),
  });
  const ready = (at: number): Entry => ({ at, by: 'mona', kind: 'ready_for_review' });
  const draft = (at: number): Entry => ({ at, by: 'mona', kind: 'convert_to_draft' });

  odd('Opened as a draft and never ready', () => [], { openedAsDraft: true });
  odd(
    'Opened as a draft, ready a day later',
    (at) => [ready(at + DAY), review(at + DAY + HOUR, 'octo', 'APPROVED'), merged(at + 2 * DAY)],
    {
      openedAsDraft: true,
    },
  );
  odd('A draft twice', (at) => [
    draft(at + HOUR),
    ready(at + 5 * HOUR),
    review(at + 6 * HOUR, 'octo', 'CHANGES_REQUESTED'),
    draft(at + 7 * HOUR),
    ready(at + 30 * HOUR),
    review(at + 31 * HOUR, 'octo', 'APPROVED'),
    merged(at + 32 * HOUR),
  ]);
  odd(
    'Reviewed while a draft',
    (at) => [review(at + HOUR, 'octo', 'APPROVED'), ready(at + 2 * HOUR), review(at + 3 * HOUR, 'hubot', 'COMMENTED')],
    {
      openedAsDraft: true,
    },
  );
  odd('The author answers inline comments', (at) => {
    const first = remark(at + HOUR, 'octo');
    return [
      review(at + HOUR, 'octo', 'COMMENTED', { comments: [first], bodyLength: 0 }),
      review(at + 2 * HOUR, 'mona', 'COMMENTED', {
        comments: [remark(at + 2 * HOUR, 'mona', first.id)],
        bodyLength: 0,
      }),
      review(at + 3 * HOUR, 'octo', 'COMMENTED', {
        comments: [remark(at + 3 * HOUR, 'octo', first.id)],
        bodyLength: 0,
      }),
    ];
  });
  odd('A bot whose account is a person’s (DrahtBot)', (at) => [
    { at: at + MINUTE, by: 'DrahtBot', kind: 'comment', id: next() },
    review(at + 2 * MINUTE, 'DrahtBot', 'COMMENTED'),
    review(at + HOUR, 'octo', 'APPROVED'),
  ]);
  odd('Copilot, typed as a person, reviews first', (at) => [
    review(at + MINUTE, 'Copilot', 'COMMENTED', { comments: [remark(at + MINUTE, 'Copilot')] }),
    review(at + DAY, 'octo', 'APPROVED'),
  ]);
  odd(
    'Opened by a bot',
    (at) => [review(at + HOUR, 'octo', 'APPROVED'), merged(at + 2 * HOUR, 'dependabot[bot]')],
    {},
    'dependabot[bot]',
  );
  odd('An approval that is dismissed', (at) => {
    const approval = review(at + HOUR, 'octo', 'APPROVED');
    const id = approval.kind === 'review' ? approval.id : 0;
    return [approval, { at: at + 2 * HOUR, by: 'mona', kind: 'review_dismissed', review: id }];
  });
  odd('Approval, then changes, then approval', (at) => [
    review(at + HOUR, 'octo', 'APPROVED'),
    review(at + 2 * HOUR, 'octo', 'CHANGES_REQUESTED'),
    push(at + 3 * HOUR),
    review(at + 4 * HOUR, 'octo', 'APPROVED'),
    merged(at + 5 * HOUR),
  ]);
  odd('Closed and reopened', (at) => [
    { at: at + HOUR, by: 'mona', kind: 'closed' },
    { at: at + DAY, by: 'mona', kind: 'reopened' },
    review(at + DAY + HOUR, 'octo', 'COMMENTED'),
  ]);
  odd('Merged without any review', (at) => [merged(at + 10 * MINUTE, 'mona')]);
  odd('Merged in the second in which it was opened', (at) => [merged(at, 'mona')]);
  odd('Reviewed after the merge', (at) => [merged(at + HOUR), review(at + DAY, 'hubot', 'APPROVED')]);
  odd('Commits older than the pull request', (at) => [review(at + HOUR, 'octo', 'APPROVED')], {
    commits: [commit('old-1', 'mona', now - 400 * DAY), commit('old-2', 'mona', now - 200 * DAY)],
  });
  odd('A commit dated in the future', (at) => [review(at + HOUR, 'octo', 'COMMENTED')], {
    commits: [commit('future', 'mona', now + 400 * DAY)],
  });
  odd('Written by a deleted account', (at) => [review(at + HOUR, 'octo', 'APPROVED'), merged(at + DAY)], {}, null);
  odd('Reviewed and merged by deleted accounts', (at) => [review(at + HOUR, null, 'APPROVED'), merged(at + DAY, null)]);
  odd('Two reviews in one second', (at) => [
    review(at + HOUR, 'octo', 'APPROVED'),
    review(at + HOUR, 'hubot', 'CHANGES_REQUESTED'),
  ]);
  odd('A push in the second of a review', (at) => [
    review(at + HOUR, 'octo', 'CHANGES_REQUESTED'),
    push(at + 2 * HOUR),
    review(at + 2 * HOUR, 'octo', 'APPROVED'),
  ]);
  odd('A team is asked', (at) => [
    { at: at + MINUTE, by: 'mona', kind: 'review_requested', reviewer: { team: 'odd/reviewers' } },
  ]);
  odd('Asked, taken back, asked again', (at) => [
    { at: at + MINUTE, by: 'mona', kind: 'review_requested', reviewer: { account: 'octo' } },
    { at: at + HOUR, by: 'mona', kind: 'review_request_removed', reviewer: { account: 'octo' } },
    { at: at + 2 * HOUR, by: 'hubot', kind: 'review_requested', reviewer: { account: 'octo' } },
  ]);
  odd('A force push that drops commits', (at) => [
    push(at + HOUR),
    push(at + 2 * HOUR),
    {
      at: at + 3 * HOUR,
      by: 'mona',
      kind: 'force_push',
      before: shaOf('dropped'),
      after: shaOf('kept'),
      commits: [commit('kept', 'mona', at + 3 * HOUR)],
      size: size(3, 1),
    },
    review(at + 4 * HOUR, 'octo', 'APPROVED'),
  ]);
  odd('Reviews with empty and blank texts', (at) => [
    review(at + HOUR, 'octo', 'COMMENTED', { bodyLength: 0 }),
    review(at + 2 * HOUR, 'octo', 'COMMENTED', { bodyLength: 4, blank: true }),
    review(at + 3 * HOUR, 'hubot', 'APPROVED', { bodyLength: 0 }),
  ]);
  odd('A blank text around a reply', (at) => {
    const first = remark(at + HOUR, 'octo');
    const reply = remark(at + 2 * HOUR, 'hubot', first.id);
    return [
      review(at + HOUR, 'octo', 'CHANGES_REQUESTED', { comments: [first] }),
      review(at + 2 * HOUR, 'hubot', 'COMMENTED', { comments: [reply], bodyLength: 3, blank: true }),
    ];
  });
  odd('A pending review that only its author sees', (at) => [
    review(at + HOUR, 'octo', 'PENDING', { comments: [remark(at + HOUR, 'octo')] }),
  ]);
  odd('Reviewed by a mannequin', (at) => [review(at + HOUR, 'mona-import', 'APPROVED')], {}, 'octo-import');
  odd('Opened by an organisation account', (at) => [review(at + HOUR, 'octo', 'APPROVED')], {}, 'odd');
  odd('Closed in the second of the merge', (at) => [merged(at + HOUR), { at: at + HOUR, by: 'octo', kind: 'closed' }]);
  odd('Closed a second after the merge', (at) => [
    merged(at + HOUR),
    { at: at + HOUR + SECOND, by: 'octo', kind: 'closed' },
  ]);
  odd('A comment and an inline comment that were deleted', (at) => {
    const inline = remark(at + HOUR, 'octo');
    const comment = next();
    return [
      review(at + HOUR, 'octo', 'COMMENTED', { comments: [inline], bodyLength: 9 }),
      { at: at + HOUR, by: 'octo', kind: 'comment', id: comment },
      { at: at + 2 * HOUR, by: 'octo', kind: 'comment_deleted', id: inline.id },
      { at: at + 2 * HOUR, by: 'octo', kind: 'comment_deleted', id: comment },
    ];
  });
  odd('Renamed, rebased onto another branch, branch deleted', (at) => [
    {
      at: at + HOUR,
      by: 'mona',
      kind: 'renamed',
      from: 'WIP',
      to: 'Renamed, rebased onto another branch, branch deleted',
    },
    { at: at + 2 * HOUR, by: 'mona', kind: 'base_changed', from: 'main', to: 'release' },
    merged(at + 3 * HOUR),
    { at: at + 4 * HOUR, by: 'mona', kind: 'head_ref_deleted' },
  ]);
  odd('No commits, no lines, no text', () => [], {
    commits: [],
    size: { additions: 0, deletions: 0, files: [] },
    bodyLength: 0,
  });
  odd('A change of two million lines', () => [], { size: size(2_000_000, 1_500_000, 'vendor/all.js') });
  odd('<script>alert("title")</script> & <b>bold</b>', () => []);
  odd('=HYPERLINK("http://mail.example","Click")', () => []);
  odd('+1 @sum -2', () => []);
  odd('עברית שמתחילה מימין ‏ then left', () => []);
  odd('👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag, e\u0301 combined', () => []);
  odd(`${'A very long title that goes on '.repeat(8)}`.slice(0, 256), () => []);
  odd("Robert'); DROP TABLE pull_requests; -- 100% _wild_", () => []);
  odd('Open for four years', (at) => [review(at + 600 * DAY, 'octo', 'COMMENTED')], { createdAt: now - 1461 * DAY });
  odd('Labelled only', (at) => [{ at: at + 2 * DAY, by: 'octo', kind: 'labeled', label: 'wontfix' }]);
  odd('Checks that failed, were skipped and passed', (at) => [
    {
      at: at + HOUR,
      by: null,
      kind: 'check',
      id: next(),
      name: 'build',
      app: 'GitHub Actions',
      startedAt: at + MINUTE,
      outcome: 'FAILURE',
    },
    {
      at: at + HOUR,
      by: null,
      kind: 'check',
      id: next(),
      name: 'lint',
      app: 'GitHub Actions',
      startedAt: at + MINUTE,
      outcome: 'SKIPPED',
    },
    push(at + 2 * HOUR),
    {
      at: at + 3 * HOUR,
      by: null,
      kind: 'check',
      id: next(),
      name: 'build',
      app: 'GitHub Actions',
      startedAt: at + 2 * HOUR,
      outcome: 'SUCCESS',
    },
    { at: at + 3 * HOUR, by: 'hubot', kind: 'status', id: next(), context: 'ci/deploy', state: 'ERROR' },
  ]);

  odd('300 reviews', (at) =>
    Array.from({ length: 300 }, (_, index) =>
      review(at + (index + 1) * HOUR, index % 2 === 0 ? 'octo' : 'hubot', index === 299 ? 'APPROVED' : 'COMMENTED'),
    ),
  );
  odd('320 commits', () => [], {
    commits: Array.from({ length: 320 }, (_, index) =>
      commit(`many-${index}`, 'mona', now - 60 * DAY + index * MINUTE),
    ),
  });
  odd('101 comments and 100 threads', (at) => [
    ...Array.from(
      { length: 101 },
      (_, index): Entry => ({ at: at + (index + 1) * MINUTE, by: 'hubot', kind: 'comment', id: next() }),
    ),
    ...Array.from({ length: 100 }, (_, index) =>
      review(at + DAY + index * MINUTE, 'octo', 'COMMENTED', {
        comments: [remark(at + DAY + index * MINUTE, 'octo')],
        bodyLength: 0,
      }),
    ),
  ]);
  odd('One review with 130 inline comments', (at) => [
    review(at + DAY, 'octo', 'CHANGES_REQUESTED', {
      comments: Array.from({ length: 130 }, () => remark(at + DAY, 'octo')),
    }),
  ]);
  odd('120 pending requests', (at) =>
    Array.from(
      { length: 120 },
      (_, index): Entry => ({
        at: at + MINUTE,
        by: 'mona',
        kind: 'review_requested',
        reviewer: { account: `crowd-${index + 1}` },
      }),
    ),
  );
  odd('140 timeline events', (at) =>
    Array.from(
      { length: 140 },
      (_, index): Entry => (index % 2 === 0 ? draft(at + (index + 1) * HOUR) : ready(at + (index + 1) * HOUR)),
    ),
  );
  odd('150 changed files', () => [], {
    size: {
      additions: 150,
      deletions: 0,
      files: Array.from({ length: 150 }, (_, index) => ({
        path: `src/part-${index}/file.ts`,
        additions: 1,
        deletions: 0,
      })),
    },
  });
  odd('Inline comments from before there were reviews, and a reply in a review of today', (at) => {
    const [opening, answer] = [next(), next()];
    const path = 'src/main.ts';
    return [
      { at: at + HOUR, by: 'octo', kind: 'inline_comment', id: opening, path, inReplyTo: null },
      { at: at + 2 * HOUR, by: 'mona', kind: 'inline_comment', id: answer, path, inReplyTo: opening },
      review(at + DAY, 'octo', 'COMMENTED', { bodyLength: 0, comments: [remark(at + DAY, 'octo', opening)] }),
    ];
  });
  return cases;
}
