import { iso } from '../clock.ts';
import type { ChangedFile } from '../history.ts';
import { RestFailure } from '../http.ts';
import { nodeId } from '../state/node-ids.ts';
import type { EventState, InlineState, PullState } from '../state/pull-request.ts';
import { paged, pullIn, type RestAsk, type RestRoute, repositoryOfPullsIn } from './ask.ts';

/** The most commits and files that REST lists of one pull request (GitHub documentation, REST: pull requests). */
const COMMITS = 250;
const FILES = 3000;

const ORDERS: Record<string, (pull: PullState) => number> = {
  created: (pull) => pull.createdAt,
  updated: (pull) => pull.updatedAt,
  popularity: (pull) => pull.comments.length,
  'long-running': (pull) => pull.updatedAt - pull.createdAt,
};

function list(ask: RestAsk) {
  const repository = repositoryOfPullsIn(ask);
  const state = ask.query.get('state') ?? 'open';
  const sort = ask.query.get('sort') ?? 'created';
  const direction = ask.query.get('direction') ?? (sort === 'created' ? 'desc' : 'asc');
  const order = ORDERS[sort];
  if (!['open', 'closed', 'all'].includes(state) || order === undefined) {
    throw new RestFailure(422, 'Validation Failed', {
      errors: [{ resource: 'PullRequest', code: 'invalid', field: order === undefined ? 'sort' : 'state' }],
    });
  }
  const pulls = repository.byCreation
    .all()
    .filter((pull) => state === 'all' || (pull.state === 'OPEN') === (state === 'open'))
    .sort((one, other) => (order(one) - order(other) || one.id - other.id) * (direction === 'desc' ? -1 : 1));
  return paged(ask, pulls, ask.shapes.listedPull);
}

const inlineOf = (pull: PullState): InlineState[] =>
  pull.threads
    .flatMap(({ comments }) => comments)
    .filter(({ review }) => review?.state !== 'PENDING')
    .sort((one, other) => one.at - other.at || one.id - other.id);

const visibleReviews = (ask: RestAsk) =>
  pullIn(ask).reviews.filter((review) => review.state !== 'PENDING' || review.author === ask.token?.account);

/** An issue event; the timeline adds comments, reviews and commits to these. */
function event(ask: RestAsk, source: EventState) {
  const { requestedReviewer, review } = source;
  const who =
    requestedReviewer === undefined
      ? {}
      : requestedReviewer.typeName === 'Team'
        ? { requested_team: ask.shapes.team(requestedReviewer) }
        : { requested_reviewer: ask.shapes.user(requestedReviewer) };
  return {
    id: source.pull.id * 1000 + source.seq,
    node_id: nodeId('EV', source.pull.id, source.seq),
    event: source.name === 'renamed_title' ? 'renamed' : source.name,
    actor: ask.shapes.user(source.actor),
    created_at: iso(source.at),
    commit_id: source.sha ?? source.after ?? null,
    ...(source.from === undefined ? {} : { rename: { from: source.from, to: source.to } }),
    ...(source.label === undefined ? {} : { label: { name: source.label } }),
    ...(review === undefined
      ? {}
      : { dismissed_review: { state: review.given.toLowerCase(), review_id: review.id, dismissal_message: null } }),
    ...who,
    ...(source.name.startsWith('review_request') ? { review_requester: ask.shapes.user(source.actor) } : {}),
  };
}

function timeline(ask: RestAsk) {
  const pull = pullIn(ask);
  const { shapes, world } = ask;
  const rows: { readonly at: number; readonly seq: number; readonly row: unknown }[] = [
    ...pull.events.map((source) => ({ at: source.at, seq: source.seq, row: event(ask, source) })),
    ...pull.comments.map((source) => ({
      at: source.at,
      seq: source.seq,
      row: { event: 'commented', actor: shapes.user(source.author), ...shapes.comment(source) },
    })),
    ...pull.reviews
      .filter(({ state }) => state !== 'PENDING')
      .map((source) => {
        const review = shapes.review(source);
        return {
          at: source.at,
          seq: source.seq,
          row: { ...review, event: 'reviewed', state: review.state.toLowerCase() },
        };
      }),
    ...pull.commits.slice(0, COMMITS).map(({ commit, seq }) => {
      const shape = shapes.commit(pull.repository, commit, world.account(commit.account));
      return {
        at: commit.committedAt,
        seq,
        row: { event: 'committed', sha: commit.sha, node_id: shape.node_id, ...shape.commit },
      };
    }),
  ];
  rows.sort((one, other) => one.at - other.at || one.seq - other.seq);
  return paged(ask, rows, ({ row }) => row);
}

export const pullRequestRoutes: readonly RestRoute[] = [
  { method: 'GET', pattern: '/repos/:owner/:repo/pulls', handle: list },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/pulls/:number',
    handle: (ask) => ({ status: 200, body: ask.shapes.pull(pullIn(ask)) }),
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/pulls/:number/reviews',
    handle: (ask) => paged(ask, visibleReviews(ask), ask.shapes.review),
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/pulls/:number/comments',
    handle: (ask) => paged(ask, inlineOf(pullIn(ask)), ask.shapes.inline),
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/pulls/:number/commits',
    handle: (ask) => {
      const pull = pullIn(ask);
      const shape = ({ commit }: PullState['commits'][number]) =>
        ask.shapes.commit(pull.repository, commit, ask.world.account(commit.account));
      return paged(ask, pull.commits, shape, COMMITS);
    },
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/pulls/:number/files',
    handle: (ask) => {
      const shape = (file: ChangedFile) => ({
        filename: file.path,
        status: 'modified',
        additions: file.additions,
        deletions: file.deletions,
        changes: file.additions + file.deletions,
      });
      return paged(ask, pullIn(ask).files ?? [], shape, FILES);
    },
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/pulls/:number/requested_reviewers',
    handle: (ask) => {
      const { requested_reviewers, requested_teams } = ask.shapes.listedPull(pullIn(ask));
      return { status: 200, body: { users: requested_reviewers, teams: requested_teams } };
    },
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/issues/:number/comments',
    handle: (ask) => paged(ask, pullIn(ask).comments, ask.shapes.comment),
  },
  {
    method: 'GET',
    pattern: '/repos/:owner/:repo/issues/:number/events',
    handle: (ask) => paged(ask, pullIn(ask).events, (source) => event(ask, source)),
  },
  { method: 'GET', pattern: '/repos/:owner/:repo/issues/:number/timeline', handle: timeline },
];
