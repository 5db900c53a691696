import { describe, expect, it } from 'vitest';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  closed,
  comments,
  dismisses,
  draft,
  forcePushed,
  merged,
  pending,
  pushed,
  ready,
  reopened,
  replies,
  requestsChanges,
  says,
} from '../support/builders.ts';
import { factsInHours } from '../support/facts-in-hours.ts';

type Facts = Partial<ReturnType<typeof factsInHours>>;

/** What is promised, what happened (hours after the opening), what the facts say at hour 100. */
type Row = [promise: string, pullRequest: PullRequestRecord, facts: Facts];

const NOW = 100;

function table(title: string, rows: Row[]) {
  describe(title, () => {
    it.each(rows)('%s', (_promise, pullRequest, expected) => {
      const facts = factsInHours(pullRequest, NOW);

      expect(facts).toMatchObject(expected);
    });
  });
}

table('drafts', [
  [
    'opened as a draft, it is ready and waits from ready_for_review on',
    aPullRequest({}, ready(4), approves(6, 'rita'), merged(8)),
    {
      opened_as_draft: true,
      ready_at: 4,
      first_review_at: 6,
      time_to_first_review: 2,
      time_to_merge: 8,
      phases: ['development 0-4', 'waiting 4-6', 'approved 6-8'],
      active_development_time: 4,
      waiting_for_review_time: 2,
      post_approval_time: 2,
    },
  ],
  [
    'a draft that was never ready has no ready_at and waits for its author',
    aPullRequest({ draft: true }, pushed(2), comments(3, 'rita')),
    {
      opened_as_draft: true,
      ready_at: null,
      first_review_at: null,
      last_review_at: 3,
      time_to_first_review: null,
      waiting_on: 'author',
      waiting_since: 0,
      waiting_reason: 'draft',
      phases: ['development 0-'],
      response_times: [null],
    },
  ],
  [
    'a draft twice: the second draft is no time to first review, and ready_at stays',
    aPullRequest({}, ready(2), draft(5), ready(10), approves(12, 'rita'), merged(13)),
    {
      ready_at: 2,
      first_review_at: 12,
      time_to_first_review: 5,
      phases: ['development 0-2', 'waiting 2-5', 'development 5-10', 'waiting 10-12', 'approved 12-13'],
      response_times: [2],
    },
  ],
  [
    'opened ready and converted to a draft later, it was ready from the opening',
    aPullRequest({ draft: true }, draft(3)),
    { opened_as_draft: false, ready_at: 0, phases: ['waiting 0-3', 'development 3-'], waiting_reason: 'draft' },
  ],
  [
    'an approval in a draft counts, but never approves, also not once it is ready',
    aPullRequest({}, approves(2, 'rita'), ready(4), merged(9)),
    {
      first_review_at: null,
      last_review_at: 2,
      review_cycles: 1,
      approved_at: null,
      post_approval_time: null,
      phases: ['development 0-4', 'waiting 4-9'],
      response_times: [null],
    },
  ],
  [
    'a draft leaves approved for development',
    aPullRequest({ draft: true }, approves(2, 'rita'), draft(5)),
    { phases: ['waiting 0-2', 'approved 2-5', 'development 5-'], approved_at: null, waiting_for_review_time: 5 },
  ],
  [
    'a review at the instant of ready_for_review is no review during a draft',
    aPullRequest({}, approves(4, 'rita'), ready(4)),
    { first_review_at: 4, time_to_first_review: 0, approved_at: 4, response_times: [0] },
  ],
  [
    'a review at the instant of the conversion is a review during a draft',
    aPullRequest({ draft: true }, approves(4, 'rita'), draft(4)),
    { first_review_at: null, last_review_at: 4, approved_at: null, response_times: [null] },
  ],
  [
    'a conversion keeps the phase of an author who already had to act, now because it is a draft',
    aPullRequest({ draft: true }, requestsChanges(3, 'rita'), draft(6)),
    { phases: ['waiting 0-3', 'development 3-'], waiting_since: 3, waiting_reason: 'draft' },
  ],
  [
    'closed as a draft, it was in development all along',
    aPullRequest({ draft: true }, closed(6)),
    { phases: ['development 0-6'], waiting_on: null, active_development_time: 6, time_to_merge: null },
  ],
]);

table('who counts', [
  [
    'a reply of the author to inline comments is no review, but hands it back to the reviewers',
    aPullRequest({}, comments(2, 'rita', { threads: 2 }), replies(5, 'ada', 2)),
    {
      counting: 1,
      review_cycles: 1,
      phases: ['waiting 0-2', 'development 2-5', 'waiting 5-'],
      waiting_reason: 'updated_after_review',
    },
  ],
  [
    "an author's review of their own pull request never counts",
    aPullRequest({}, approves(2, 'ada')),
    { counting: 0, first_review_at: null, phases: ['waiting 0-'], has_reviewer: false },
  ],
  [
    "a reviewer's reply hands nothing over",
    aPullRequest({}, replies(2, 'rita')),
    {
      counting: 0,
      phases: ['waiting 0-'],
      waiting_reason: 'never_reviewed',
      has_reviewer: false,
      first_agent_review_at: null,
      provisional_until: null,
    },
  ],
  [
    "a reviewer's general comment hands nothing over",
    aPullRequest({}, says(2, 'rita')),
    { counting: 0, phases: ['waiting 0-'], waiting_reason: 'never_reviewed' },
  ],
  [
    'a review that both answers and opens a thread counts',
    aPullRequest({}, comments(2, 'rita', { body: false, threads: 1, replies: 2 })),
    { counting: 1, phases: ['waiting 0-2', 'development 2-'], waiting_reason: 'commented' },
  ],
  [
    'a commented review with neither a text nor an inline comment counts',
    aPullRequest({}, comments(2, 'rita', { body: false })),
    { counting: 1, first_review_at: 2 },
  ],
  [
    'an approval without a text that only answers in threads is an approval, not a reply',
    aPullRequest({}, approves(2, 'rita', { replies: 2 })),
    { counting: 1, approved_at: 2 },
  ],
  [
    'replies with a text count',
    aPullRequest({}, comments(2, 'rita', { body: true, replies: 2 })),
    { counting: 1, first_review_at: 2 },
  ],
  [
    'reviews of bots and agents, also bots typed as users, count for nobody and move nothing',
    aPullRequest({}, approves(1, 'bot-drahtbot'), requestsChanges(2, 'agent-reviewer')),
    {
      counting: 0,
      first_review_at: null,
      first_agent_review_at: 2,
      phases: ['waiting 0-'],
      has_reviewer: false,
    },
  ],
  [
    'the first review of an agent is the first of any agent, and of no bot',
    aPullRequest({}, approves(1, 'bot-updates'), replies(2, 'agent-b'), approves(3, 'agent-a'), approves(4, 'agent-b')),
    { first_agent_review_at: 2, counting: 0 },
  ],
  [
    "a deleted account's review counts for nobody",
    aPullRequest({}, approves(2, null)),
    { counting: 0, first_review_at: null, phases: ['waiting 0-'], latest_opinion: null },
  ],
  [
    'on a pull request of a deleted account, comments of deleted accounts are nobody’s action',
    aPullRequest({ author: null }, requestsChanges(2, 'rita'), says(3, null), merged(5)),
    { counting: 1, phases: ['waiting 0-2', 'development 2-5'] },
  ],
  [
    'a review after the merge does not count',
    aPullRequest({}, merged(5), approves(6, 'rita')),
    { counting: 0, first_review_at: null, last_review_at: null, review_cycles: 0, approved_at: null },
  ],
  [
    'what the author does after the closing hands nothing over',
    aPullRequest({}, requestsChanges(2, 'rita'), closed(4), says(6, 'ada')),
    { phases: ['waiting 0-2', 'development 2-4'], active_development_time: 2 },
  ],
  [
    'a review in the second of the merge counts and approves for no time',
    aPullRequest({}, approves(5, 'rita'), merged(5)),
    { counting: 1, approved_at: 5, post_approval_time: 0, phases: ['waiting 0-5'] },
  ],
  [
    'a review dated before the opening does not count',
    aPullRequest({}, approves(-1, 'rita')),
    { counting: 0, first_review_at: null },
  ],
  [
    'merged without a review, it waited until the merge',
    aPullRequest({}, merged(5)),
    {
      counting: 0,
      review_cycles: 0,
      time_to_first_review: null,
      time_to_merge: 5,
      phases: ['waiting 0-5'],
      post_approval_time: null,
      waiting_on: null,
    },
  ],
]);

table('approvals, changes and dismissals', [
  [
    'approval, then changes, then approval: the last one is the one that lasts',
    aPullRequest({}, approves(2, 'rita'), requestsChanges(4, 'sam'), pushed(7), approves(9, 'sam'), merged(10)),
    {
      phases: ['waiting 0-2', 'approved 2-4', 'development 4-7', 'waiting 7-9', 'approved 9-10'],
      approved_at: 9,
      active_development_time: 3,
      waiting_for_review_time: 6,
      post_approval_time: 1,
      review_cycles: 2,
      latest_opinion: 'approved',
      approved_first_time: true,
    },
  ],
  [
    'an approval approves whoever else still requests changes',
    aPullRequest({}, requestsChanges(2, 'rita'), approves(3, 'sam')),
    { approved_at: 3, waiting_on: 'merge', waiting_reason: 'approved', approved_first_time: false },
  ],
  [
    'a comment after an approval without a push between leaves it approved',
    aPullRequest({}, approves(2, 'rita'), comments(4, 'sam')),
    { approved_at: 2, phases: ['waiting 0-2', 'approved 2-'] },
  ],
  [
    'a comment after an approval with a push between leads to development',
    aPullRequest({}, approves(2, 'rita'), pushed(3), comments(4, 'sam')),
    { approved_at: null, phases: ['waiting 0-2', 'approved 2-4', 'development 4-'], waiting_reason: 'commented' },
  ],
  [
    'only a push since the latest approval makes a comment lead to development',
    aPullRequest({}, approves(2, 'rita'), pushed(3), approves(4, 'sam'), comments(5, 'tess')),
    { approved_at: 2, phases: ['waiting 0-2', 'approved 2-'] },
  ],
  [
    'a push alone does not leave approved',
    aPullRequest({}, approves(2, 'rita'), pushed(3)),
    { approved_at: 2, waiting_on: 'merge' },
  ],
  [
    'a dismissed approval without another leads back to waiting',
    aPullRequest({}, approves(2, 'rita', { id: 'first' }), dismisses(4, 'first')),
    {
      counting: 1,
      phases: ['waiting 0-2', 'approved 2-4', 'waiting 4-'],
      waiting_reason: 'review_dismissed',
      waiting_since: 4,
      latest_opinion: null,
      approved_first_time: false,
    },
  ],
  [
    'a dismissed approval beside another one that stands changes nothing',
    aPullRequest({}, approves(2, 'rita', { id: 'first' }), approves(3, 'sam'), dismisses(4, 'first')),
    { approved_at: 2, phases: ['waiting 0-2', 'approved 2-'] },
  ],
  [
    'the other approval must have been given since the last push',
    aPullRequest({}, approves(2, 'rita'), pushed(3), approves(4, 'sam', { id: 'second' }), dismisses(5, 'second')),
    { phases: ['waiting 0-2', 'approved 2-5', 'waiting 5-'], waiting_reason: 'review_dismissed' },
  ],
  [
    'an approval at the instant of the last push was given since it, and stands',
    aPullRequest({}, approves(3, 'rita'), pushed(3), approves(4, 'sam', { id: 'second' }), dismisses(5, 'second')),
    { phases: ['waiting 0-3', 'approved 3-'], approved_at: 3 },
  ],
  [
    'the dismissal of an approval that its giver took back leads to waiting too, when no other was given since the last push',
    aPullRequest(
      {},
      approves(1, 'rita', { id: 'once' }),
      requestsChanges(2, 'rita'),
      approves(3, 'sam'),
      pushed(4),
      dismisses(5, 'once'),
    ),
    { phases: ['waiting 0-1', 'approved 1-2', 'development 2-3', 'approved 3-5', 'waiting 5-'] },
  ],
  [
    "an approval that its giver replaced by a newer one doesn't stand",
    aPullRequest({}, approves(2, 'rita'), approves(3, 'rita', { id: 'again' }), dismisses(4, 'again')),
    { phases: ['waiting 0-2', 'approved 2-4', 'waiting 4-'] },
  ],
  [
    'the dismissal of an approval that its giver has repeated changes nothing',
    aPullRequest({}, approves(2, 'rita', { id: 'once' }), approves(3, 'rita'), dismisses(4, 'once')),
    { phases: ['waiting 0-2', 'approved 2-'] },
  ],
  [
    'the dismissal of the last request for changes leads to waiting',
    aPullRequest({}, requestsChanges(2, 'rita', { id: 'no' }), dismisses(4, 'no')),
    {
      phases: ['waiting 0-2', 'development 2-4', 'waiting 4-'],
      waiting_reason: 'review_dismissed',
      approved_first_time: false,
    },
  ],
  [
    'the dismissal of one of two requests for changes changes nothing',
    aPullRequest({}, requestsChanges(2, 'rita', { id: 'no' }), requestsChanges(3, 'sam'), dismisses(4, 'no')),
    { phases: ['waiting 0-2', 'development 2-'], waiting_reason: 'changes_requested' },
  ],
  [
    'a dismissed approval that was given in a draft never approved anything',
    aPullRequest({}, approves(1, 'rita', { id: 'early' }), ready(2), dismisses(3, 'early')),
    { phases: ['development 0-2', 'waiting 2-'], waiting_reason: 'never_reviewed' },
  ],
  [
    'a dismissed review whose earlier state the host does not tell acts as a comment',
    aPullRequest({
      reviews: [
        {
          id: 'lost',
          author: aPerson('rita'),
          state: 'dismissed',
          stateAtSubmission: null,
          submittedAt: Date.parse('2026-03-02T11:00:00Z'),
          hasBody: true,
          bodyWords: 3,
        },
      ],
    }),
    { counting: 1, phases: ['waiting 0-2', 'development 2-'], waiting_reason: 'commented' },
  ],
  [
    'such a review takes back no opinion of its giver',
    aPullRequest(
      {},
      requestsChanges(2, 'rita', { id: 'no' }),
      comments(3, 'rita', { id: 'lost' }),
      (pullRequest) => {
        const [first, lost] = pullRequest.reviews;
        pullRequest.reviews = [first!, { ...lost!, state: 'dismissed' }];
      },
      dismisses(4, 'no'),
    ),
    { phases: ['waiting 0-2', 'development 2-4', 'waiting 4-'], waiting_reason: 'review_dismissed' },
  ],
  [
    'an action of the author takes up a request for changes and does not repeat a dismissal',
    aPullRequest({}, requestsChanges(2, 'rita', { id: 'no' }), says(3, 'ada'), dismisses(4, 'no')),
    { phases: ['waiting 0-2', 'development 2-3', 'waiting 3-'], waiting_reason: 'updated_after_review' },
  ],
  [
    "someone else's review request is no action of the author",
    aPullRequest({}, comments(2, 'rita'), asks(3, 'sam', 'rita')),
    { phases: ['waiting 0-2', 'development 2-'] },
  ],
  [
    "the author's review request hands it back",
    aPullRequest({}, comments(2, 'rita'), asks(3, 'sam')),
    { phases: ['waiting 0-2', 'development 2-3', 'waiting 3-'] },
  ],
  [
    'a request for changes that was answered is no reason any more',
    aPullRequest({}, requestsChanges(2, 'rita'), pushed(3), comments(4, 'rita')),
    { waiting_since: 4, waiting_reason: 'commented' },
  ],
  [
    'several comments in a row are one development phase, and any request for changes in it is the reason',
    aPullRequest({}, comments(2, 'rita'), requestsChanges(3, 'sam'), comments(4, 'rita')),
    { waiting_since: 2, waiting_reason: 'changes_requested' },
  ],
]);

table('one second', [
  [
    'a push at the instant of a review lies before it: it neither opens a round after it nor hands back',
    aPullRequest({}, requestsChanges(2, 'rita'), pushed(2), comments(3, 'rita')),
    { review_cycles: 1, phases: ['waiting 0-2', 'development 2-'], response_times: [0, null] },
  ],
  [
    'a push at the instant of the second review opens a round with it',
    aPullRequest({}, comments(2, 'rita'), comments(3, 'rita'), pushed(3)),
    { review_cycles: 2, response_times: [2, 0] },
  ],
  [
    'a push at the instant of an approval does not lie between it and a later comment',
    aPullRequest({}, approves(2, 'rita'), pushed(2), comments(3, 'sam')),
    { approved_at: 2 },
  ],
  [
    'two reviews in the same second take effect in the order of their ids',
    aPullRequest({}, approves(2, 'rita'), requestsChanges(2, 'sam')),
    { phases: ['waiting 0-2', 'development 2-'], review_cycles: 1, waiting_reason: 'changes_requested' },
  ],
  [
    "the author's comment at the instant of a review lies before it",
    aPullRequest({}, comments(2, 'rita'), comments(4, 'rita'), says(4, 'ada')),
    { phases: ['waiting 0-2', 'development 2-4', 'development 4-'], waiting_since: 4 },
  ],
  [
    'a dismissal at the instant of an approval lies after it',
    aPullRequest({}, approves(2, 'rita', { id: 'gone' }), dismisses(2, 'gone')),
    { phases: ['waiting 0-2', 'waiting 2-'], waiting_since: 2, waiting_reason: 'review_dismissed' },
  ],
]);

table('rounds and response times', [
  [
    'a review opens a round only after a push since the one before',
    aPullRequest({}, comments(2, 'rita'), approves(3, 'sam'), pushed(4), pushed(5), approves(6, 'rita')),
    { review_cycles: 2, response_times: [2, 3, 1] },
  ],
  [
    'a force push opens a round',
    aPullRequest({}, comments(2, 'rita'), forcePushed(4), approves(6, 'rita')),
    {
      review_cycles: 2,
      response_times: [2, 2],
    },
  ],
  [
    'a review requested from a team asks each of its reviewers',
    aPullRequest({}, asks(3, '@org/core'), approves(5, 'rita')),
    { response_times: [2] },
  ],
  [
    'a review requested from someone else does not ask this reviewer',
    aPullRequest({}, asks(3, 'sam'), approves(5, 'rita')),
    { response_times: [5] },
  ],
  [
    'a second review without anything new is a follow-up without a response time',
    aPullRequest({}, comments(2, 'rita'), approves(5, 'rita')),
    { response_times: [2, null] },
  ],
  [
    'a request after the review is not what it answers',
    aPullRequest({}, approves(2, 'rita'), asks(3, 'rita'), comments(7, 'rita')),
    { response_times: [2, 4] },
  ],
  [
    'a request at the instant of the earlier review leaves a follow-up',
    aPullRequest({}, comments(2, 'rita'), asks(2, 'rita'), approves(7, 'rita')),
    { response_times: [0, null] },
  ],
]);

table('dates', [
  [
    'commits dated before the opening were pushed at the opening',
    aPullRequest({}, pushed(-50), pushed(-2), approves(2, 'rita')),
    { review_cycles: 1, response_times: [2], phases: ['waiting 0-2', 'approved 2-'] },
  ],
  [
    'a commit from a clock that runs ahead was pushed now',
    aPullRequest({}, requestsChanges(2, 'rita'), pushed(500)),
    {
      phases: ['waiting 0-2', 'development 2-100', 'waiting 100-'],
      waiting_since: 100,
      active_development_time: 98,
      provisional_until: Date.parse('2026-03-02T09:00:00Z') + 500 * 3_600_000,
    },
  ],
  [
    'a commit dated after the merge was pushed at the merge',
    aPullRequest({}, comments(2, 'rita'), pushed(20), merged(5)),
    { phases: ['waiting 0-2', 'development 2-5'], active_development_time: 3, waiting_for_review_time: 2 },
  ],
  [
    'time between a close and a reopening counts like any other',
    aPullRequest({}, requestsChanges(2, 'rita'), closed(4), reopened(50)),
    { phases: ['waiting 0-2', 'development 2-'], waiting_on: 'author', active_development_time: 98 },
  ],
  [
    'reviews between a close and a reopening count',
    aPullRequest({}, closed(4), approves(6, 'rita'), reopened(8)),
    { counting: 1, approved_at: 6 },
  ],
]);

table('reviewers', [
  [
    'lists name those who reviewed, then the humans, then the teams asked now who have not',
    aPullRequest(
      {},
      comments(1, 'sam'),
      approves(2, 'rita'),
      comments(3, 'sam'),
      pending('@org/core', 'tess', 'sam', 'agent-reviewer', 'uma'),
    ),
    { reviewer_names: ['sam', 'rita', 'tess', 'uma', '@org/core'], has_reviewer: true },
  ],
  [
    'a team alone is a reviewer',
    aPullRequest({}, pending('@org/core')),
    { reviewer_names: ['@org/core'], has_reviewer: true },
  ],
  [
    'an agent asked alone is no reviewer',
    aPullRequest({}, pending('agent-reviewer')),
    { reviewer_names: [], has_reviewer: false },
  ],
]);

describe('the reviewers of the detail', () => {
  it('have their counting reviews, all their comments, and rates over what there is', () => {
    const pullRequest = aPullRequest(
      {},
      requestsChanges(2, 'rita', { threads: 3 }),
      replies(3, 'rita', 2),
      says(4, 'rita'),
      pushed(5),
      approves(6, 'rita'),
      comments(7, 'sam', { id: 'note' }),
      requestsChanges(8, 'tess'),
      pushed(9),
      approves(10, 'tess'),
      pushed(11),
      approves(12, 'tess'),
    );

    const { reviewers } = factsInHours(pullRequest, NOW);

    expect(reviewers).toEqual([
      {
        person: aPerson('rita'),
        reviews_submitted: 2,
        total_comments: 7,
        avg_response_time: 1.5,
        approval_rate: 50,
      },
      { person: aPerson('sam'), reviews_submitted: 1, total_comments: 1, avg_response_time: 2, approval_rate: null },
      {
        person: aPerson('tess'),
        reviews_submitted: 3,
        total_comments: 1,
        avg_response_time: 5 / 3,
        approval_rate: 200 / 3,
      },
    ]);
  });
});

describe('the latest review', () => {
  it('of each reviewer is the last that counts, of bots and agents the last; authors and deleted accounts have none', () => {
    const pullRequest = aPullRequest(
      {},
      comments(1, 'rita'),
      approves(2, 'sam', { id: 'of sam' }),
      approves(3, 'rita', { id: 'of rita' }),
      replies(4, 'rita'),
      approves(5, 'agent-x'),
      approves(6, 'agent-x', { id: 'of agent-x' }),
      approves(7, null),
      approves(8, 'ada'),
      replies(9, 'agent-x'),
    );

    const { reviews } = factsInHours(pullRequest, NOW);

    expect(reviews.filter(({ is_latest }) => is_latest).map(({ id }) => id)).toEqual([
      'of sam',
      'of rita',
      'of agent-x',
    ]);
    const others = reviews.filter(({ role }) => role === 'reply' || role === 'aside');
    expect(others.map(({ response_time }) => response_time)).toEqual([null, null, null, null]);
  });
});

describe('a pull request with 300 reviews', () => {
  it('keeps every one, in one round where nothing was pushed', () => {
    const reviews = Array.from({ length: 300 }, (_, index) => comments(1 + index / 10, `reviewer-${index % 30}`));

    const facts = factsInHours(aPullRequest({}, ...reviews), NOW);

    expect(facts).toMatchObject({ counting: 300, review_cycles: 1, last_review_at: 30.9 });
    expect(facts.reviewers).toHaveLength(30);
    expect(facts.response_times.filter((hours) => hours !== null)).toHaveLength(30);
  });
});

describe('the last human activity', () => {
  it.each([
    ['the opening', aPullRequest(), 0],
    ['a push by a person', aPullRequest({}, pushed(3)), 3],
    ['no push by a bot', aPullRequest({}, pushed(3, 'bot-updates')), 0],
    ['no push by a bot without an account', aPullRequest({}, pushed(3, null, { authorIsBot: true })), 0],
    ['a push by nobody known', aPullRequest({}, pushed(3, null)), 3],
    ['no comment of an agent', aPullRequest({}, says(3, 'agent-reviewer')), 0],
    ['a reply', aPullRequest({}, replies(3, 'rita')), 3],
    ['a draft change', aPullRequest({}, draft(2), ready(3)), 3],
    ['no review request', aPullRequest({}, asks(3, 'rita')), 0],
  ])('is %s', (_what, pullRequest, expected) => {
    expect(factsInHours(pullRequest, NOW).last_human_activity_at).toBe(expected);
  });
});
