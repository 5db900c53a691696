import fc from 'fast-check';
import type {
  CommentRecord,
  CommitRecord,
  EventRecord,
  PersonRef,
  PullRequestRecord,
  ReviewRecord,
} from '#domain/pull-request.ts';
import { noAttribution } from './builders.ts';
import type { StoredExtras } from './stored.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

export type RandomPullRequest = PullRequestRecord & Required<Pick<StoredExtras, 'title' | 'updatedAt'>>;

export interface RandomRepository {
  readonly owner: string;
  readonly name: string;
  readonly pulls: readonly RandomPullRequest[];
}

/** Some repositories with whatever happened in them, as the host could tell it at `now`. */
export interface RandomHistory {
  readonly now: number;
  readonly repositories: readonly RandomRepository[];
}

/** Everybody who appears, by place; the places behind the last are deleted accounts. */
export const people: readonly PersonRef[] = [
  ...['ada', 'Bo', 'cy', 'Dee', 'eve', 'fay'].map((login) => person(login, 'human')),
  person('renovator', 'bot'),
  person('Copilot-like', 'agent'),
];

function person(login: string, kind: PersonRef['kind']): PersonRef {
  const displayName = kind === 'human' ? `${login} Émil` : null;
  return { id: String(1000 + login.length * 100 + login.charCodeAt(0)), login, kind, displayName, avatarUrl: null };
}

/** Zones whose days differ from those of UTC by whole, half and quarter hours, some with clocks that change. */
export const zones = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Europe/Oslo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
];

const somebody = fc.integer({ min: 0, max: people.length });
const who = (place: number): PersonRef | null => people[place] ?? null;

/** How long before now: often at the edge of a window, or a second beside it. */
const age = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(2, 7, 7, 7, 14, 30, 30, 30, 35, 42, 60, 84, 90, 90, 180, 182, 365),
        fc.constantFrom(-1, 0, 0, 1),
      )
      .map(([days, seconds]) => days * DAY + seconds * SECOND),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 * 24 * 4 }).map((quarters) => (quarters * HOUR) / 4) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 100 * 24 * 3600 }).map((seconds) => seconds * SECOND) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 400 * 24 }).map((hours) => hours * HOUR) },
);

const thing = fc.record({
  kind: fc.constantFrom(
    'review',
    'review',
    'review',
    'reply',
    'comment',
    'commit',
    'commit',
    'request',
    'force',
    'check',
  ),
  who: somebody,
  age,
  state: fc.constantFrom('approved' as const, 'changes_requested' as const, 'commented' as const),
  body: fc.boolean(),
  threads: fc.constantFrom(0, 0, 1, 5),
  dismissed: fc.integer({ min: 0, max: 9 }).map((number) => number <= 1),
  of: somebody,
  later: fc.constantFrom(0, 0, HOUR, 30 * HOUR),
});

const size = fc.constantFrom(0, 1, 50, 51, 199, 200, 201, 500, 501, 1000, 1001, 20_000);

const pull = fc.record({
  author: somebody,
  age,
  openedAsDraft: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  draftChanges: fc.array(age, { maxLength: 2 }),
  outcome: fc.constantFrom('open' as const, 'merged' as const, 'merged' as const, 'closed' as const),
  endAge: age,
  additions: size,
  deletions: fc.constantFrom(0, 1),
  things: fc.array(thing, { maxLength: 8 }),
  requested: fc.uniqueArray(somebody, { maxLength: 2 }),
  team: fc.boolean(),
  updatedAge: age,
  title: fc.constantFrom('Fix it', 'fix It', 'Émile’s change', 'zebra 100%', 'under_score', 'a'),
  files: fc.uniqueArray(fc.constantFrom('README.md', 'src/a.ts', 'src/web/b.ts', 'src/web/x/c.ts', 'docs/d.md'), {
    maxLength: 3,
  }),
  lines: fc.integer({ min: 0, max: 40 }),
});
type Plan = typeof pull extends fc.Arbitrary<infer T> ? T : never;

/** Random histories of three repositories at a moment that is sometimes the hour of a clock change. */
export const randomHistory: fc.Arbitrary<RandomHistory> = fc
  .record({
    now: fc.constantFrom(
      '2026-03-10T14:30:00Z',
      '2026-11-01T06:30:00Z',
      '2026-03-29T01:00:00Z',
      '2026-04-04T15:00:00Z',
      '2026-07-15T00:00:00Z',
    ),
    plans: fc.tuple(
      fc.array(pull, { minLength: 5, maxLength: 25 }),
      fc.array(pull, { maxLength: 15 }),
      fc.array(pull, { maxLength: 8 }),
    ),
  })
  .map(({ now, plans }) => {
    const at = Date.parse(now);
    const names = ['Acme/Web', 'acme/api', 'else/where'];
    return {
      now: at,
      repositories: plans.map((repository, place) => {
        const [owner = '', name = ''] = names[place]!.split('/');
        return { owner, name, pulls: repository.map((plan, index) => built(plan, names[place]!, index + 1, at)) };
      }),
    };
  });

/** Turns a plan into what the host would tell: nothing before the opening, draft changes that alternate, ends that end. */
function built(plan: Plan, repository: string, number: number, now: number): RandomPullRequest {
  const author = who(plan.author);
  const createdAt = now - plan.age;
  const notBefore = (earliest: number, itsAge: number) => Math.max(earliest, now - itsAge);
  let ids = 0;
  const nextId = () => String(1000 + ids++);
  const events: EventRecord[] = [];
  const event = (type: EventRecord['type'], at: number, actor: PersonRef | null, details: Partial<EventRecord> = {}) =>
    events.push({
      id: nextId(),
      type,
      at,
      actor,
      reviewer: null,
      team: null,
      reviewId: null,
      previousState: null,
      ...details,
    });

  let draft = plan.openedAsDraft;
  const changes = [...new Set(plan.draftChanges.map((itsAge) => notBefore(createdAt + SECOND, itsAge)))];
  for (const at of changes.sort((a, b) => a - b)) {
    draft = !draft;
    event(draft ? 'convert_to_draft' : 'ready_for_review', Math.min(at, now), author);
  }
  if (plan.openedAsDraft && changes.length === 0) draft = true;

  const commits: CommitRecord[] = [];
  const reviews: ReviewRecord[] = [];
  const comments: CommentRecord[] = [];
  const checks: PullRequestRecord['checks'][number][] = [];
  const comment = (by: PersonRef | null, at: number, details: Partial<CommentRecord>) =>
    comments.push({
      id: nextId(),
      kind: 'general',
      author: by,
      createdAt: at,
      reviewId: null,
      inReplyTo: null,
      path: null,
      bodyWords: null,
      ...details,
    });
  for (const item of plan.things) {
    const by = who(item.who);
    const at = notBefore(createdAt, item.age);
    switch (item.kind) {
      case 'review':
      case 'reply': {
        const id = nextId();
        const isReply = item.kind === 'reply';
        const dismissed = !isReply && item.dismissed && item.state !== 'commented';
        reviews.push({
          id,
          author: by,
          state: isReply ? 'commented' : dismissed ? 'dismissed' : item.state,
          stateAtSubmission: null,
          submittedAt: at,
          hasBody: !isReply && item.body,
          bodyWords: null,
        });
        for (let index = 0; index < (isReply ? 1 : item.threads); index += 1) {
          comment(by, at, { kind: 'inline', reviewId: id, inReplyTo: isReply ? 'earlier' : null, path: 'src/a.ts' });
        }
        if (dismissed) {
          const dismissedAt = Math.min(at + item.later, now);
          event('review_dismissed', dismissedAt, who(item.of), { reviewId: id, previousState: item.state });
        }
        break;
      }
      case 'comment':
        comment(by, at, {});
        break;
      case 'commit': {
        // Some are in several pull requests, some were made before the opening, some by a clock that is ahead.
        const shared = item.threads === 5;
        const made = shared ? now - 5 * DAY - item.who * HOUR : now - item.age;
        commits.push({
          sha: shared ? `shared-${item.who}` : `commit-${repository}-${number}-${commits.length}`,
          author: by,
          authorIsBot: item.who === 6 || (item.dismissed && !shared),
          authoredAt: made,
          committedAt: item.dismissed && item.body && !shared ? now + HOUR : made,
          headline: 'Change something',
          byAgent: false,
          marks: [],
          coAuthors: [],
        });
        break;
      }
      case 'request':
        if (item.body) event('review_requested', at, author, { team: '@acme/core' });
        else if (who(item.of) !== null) event('review_requested', at, author, { reviewer: who(item.of) });
        break;
      case 'force':
        event('force_push', at, by);
        break;
      case 'check':
        checks.push({
          id: nextId(),
          name: 'build',
          outcome: item.body ? 'success' : null,
          completedAt: item.body ? at : null,
          startedAt: null,
        });
        break;
    }
  }

  const end = plan.outcome === 'open' ? null : notBefore(createdAt, plan.endAge);
  if (end !== null) {
    if (plan.outcome === 'merged') event('merged', end, author);
    event('closed', end, author);
  }
  const unique = [...new Map(commits.map((commit) => [commit.sha, commit])).values()];
  return {
    number,
    state: plan.outcome,
    draft,
    author,
    createdAt,
    mergedAt: plan.outcome === 'merged' ? end : null,
    closedAt: end,
    additions: plan.additions,
    deletions: plan.deletions,
    changedFiles: plan.files.length,
    headRef: 'topic',
    baseRef: 'main',
    mergedBy: plan.outcome === 'merged' ? author : null,
    attribution: noAttribution,
    commits: unique,
    reviews,
    comments,
    events,
    checks,
    requested: [
      ...plan.requested.flatMap((place) => {
        const asked = who(place);
        return asked === null ? [] : [{ person: asked }];
      }),
      ...(plan.team ? [{ team: '@acme/core' }] : []),
    ],
    title: plan.title,
    updatedAt: notBefore(createdAt, plan.updatedAge),
    files: plan.files.map((path, index) => ({ path, additions: plan.lines * index, deletions: 1 })),
  };
}
