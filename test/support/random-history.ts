import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type {
  CommentRecord,
  CommitRecord,
  EventRecord,
  PersonRef,
  PullRequestRecord,
  ReviewRecord,
  SubmittedState,
} from '#domain/pull-request.ts';
import { ownSignalKeys } from '#domain/signals.ts';
import { noAttribution, unmarked } from './builders.ts';
import type { StoredExtras } from './stored.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

export type RandomPullRequest = PullRequestRecord & Required<Pick<StoredExtras, 'title' | 'updatedAt'>> & StoredExtras;

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
  words: fc.constantFrom(null, 1, 2, 3),
  headline: fc.constantFrom(
    'Change something',
    'Change something',
    "Merge branch 'main'",
    "Merge branch 'mainline'",
    "Merge remote-tracking branch 'origin/main' into topic",
    "Merge remote-tracking branch 'origin/next'",
    'Merge main into topic',
    'Merge two functions',
  ),
});

const size = fc.constantFrom(0, 1, 9, 10, 49, 50, 51, 199, 200, 201, 400, 401, 500, 501, 1000, 1001, 20_000);

/** Approved so many minutes after the opening or so long ago, without much said, and pushed to afterwards. */
const stamp = fc.record({
  by: fc.integer({ min: 0, max: 5 }),
  minutes: fc.constantFrom(1, 5, 5 + 1 / 60, 7, 13, 14, 60),
  ago: fc.constantFrom(null, null, null, null, DAY, 3 * DAY, 3 * DAY + SECOND),
  words: fc.constantFrom(0, 0, 2, 3),
  says: fc.constantFrom(null, null, 2, 3),
  pushes: fc.constantFrom('nothing', 'nothing', 'commit', 'merge', 'force'),
  reviewed: fc.constantFrom(false, false, false, true),
});

/** Done so many minutes after the last push. */
const check = fc.constantFrom(0, 10, 90);

/** Sent back and handed over again so many times, so many hours apart. */
const backAndForth = fc.record({
  by: fc.integer({ min: 0, max: 5 }),
  times: fc.constantFrom(2, 3, 4),
  apart: fc.constantFrom(8, 12, 12 + 1 / 3600, 30),
  comment: fc.boolean(),
});

/** In which words or commits one says that it reverts another, or sets it right. */
const ways = [
  ...(['branch', 'line', 'line of this', 'line of another', 'merge', 'commits', 'some commits'] as const),
  ...(['title', 'title', 'prefix', 'scope', 'numbered', 'merge number', 'cut', 'headline'] as const),
  ...([
    'follow-up',
    'follow-up',
    'follow-up',
    'number',
    'partial',
    'conventional',
    'reapply',
    'reapply',
    'reapply number',
  ] as const),
];
const claim = fc.record({
  way: fc.oneof(fc.constant('follow-up' as const), fc.constantFrom(...ways)),
  of: fc.nat(30),
  latest: fc.constantFrom(true, true, false),
});

const pull = fc.record({
  author: fc.oneof({ weight: 2, arbitrary: fc.integer({ min: 0, max: 5 }) }, { weight: 1, arbitrary: somebody }),
  age,
  openedAsDraft: fc.integer({ min: 0, max: 6 }).map((number) => number === 0),
  draftChanges: fc.oneof(fc.array(age, { maxLength: 0 }), fc.array(age, { maxLength: 2 })),
  outcome: fc.constantFrom(
    ...(['open', 'open', 'open', 'merged', 'merged', 'merged', 'merged', 'merged', 'closed'] as const),
  ),
  endAge: age,
  additions: size,
  deletions: fc.constantFrom(0, 1),
  things: fc.oneof(
    { weight: 1, arbitrary: fc.array(thing, { maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  requested: fc.uniqueArray(somebody, { maxLength: 2 }),
  team: fc.boolean(),
  updatedAge: age,
  title: fc.constantFrom(
    'Fix it',
    'fix It',
    'Émile’s change',
    'zebra 100%',
    'under_score',
    'a',
    'Prefixes',
    'The follow-up',
  ),
  ownTitle: fc.boolean(),
  branch: fc.constantFrom('topic', 'topic', 'hotfix/it', 'fixture'),
  files: fc.uniqueArray(
    fc.constantFrom(
      ...['README.md', 'src/a.ts', 'src/web/b.ts', 'src/web/x/c.ts', 'docs/d.md', 'src/vendor/e.ts'],
      ...['package-lock.json', 'src/generated/f.ts', 'vendor/g/h.js'],
    ),
    { maxLength: 3 },
  ),
  unlisted: fc.integer({ min: 0, max: 6 }).map((number) => (number === 0 ? 1 : 0)),
  lines: fc.integer({ min: 0, max: 40 }),
  base: fc.constantFrom('main', 'main', 'main', 'main', 'main', 'main', 'trunk', 'next'),
  merger: fc.oneof(fc.constant('author' as const), somebody),
  stamp: fc.option(stamp, { freq: 2 }),
  check: fc.option(check, { freq: 2 }),
  backAndForth: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: backAndForth }),
  claim: fc.option(claim, { freq: 2 }),
  notSo: fc.constantFrom(null, null, null, null, ...ownSignalKeys),
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
      fc.array(pull, { minLength: 12, maxLength: 25 }),
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
        const pulls = repository.map((plan, index) => built(plan, names[place]!, index + 1, at));
        return { owner, name, pulls: withClaims(pulls, repository, names[place]!) };
      }),
    };
  });

/** The same, so many milliseconds later. */
export function shifted(pulls: readonly RandomPullRequest[], by: number): RandomPullRequest[] {
  return JSON.parse(JSON.stringify(pulls), (key, value) =>
    typeof value === 'number' && /(At|at|until)$/.test(key) ? value + by : value,
  );
}

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
      marks: details.kind === 'inline' ? unmarked : null,
      resolvedBy: null,
      ...details,
    });
  const review = (by: PersonRef | null, at: number, state: SubmittedState, words = 0) =>
    reviews.push({
      id: nextId(),
      author: by,
      state,
      stateAtSubmission: null,
      submittedAt: Math.min(at, now),
      hasBody: words > 0,
      bodyWords: words,
    });
  const commit = (at: number, headline: string) =>
    commits.push({
      sha: hexOf(`${repository} ${number} ${commits.length}`),
      author,
      authorIsBot: false,
      authoredAt: Math.min(at, now),
      committedAt: Math.min(at, now),
      headline,
      byAgent: false,
      marks: [],
      coAuthors: [],
    });
  const changing = plan.ownTitle ? `Change ${number}` : 'Change something';
  const { stamp, backAndForth } = plan;
  if (stamp !== null) {
    const at =
      stamp.ago === null ? Math.min(createdAt + stamp.minutes * 60 * SECOND, now) : notBefore(createdAt, stamp.ago);
    review(who(stamp.by), at, 'approved', stamp.words);
    if (stamp.says !== null) comment(who(stamp.by), at, { bodyWords: stamp.says });
    if (stamp.pushes === 'commit') commit(at + HOUR, changing);
    if (stamp.pushes === 'merge') commit(at + HOUR, `Merge branch '${plan.base}' into topic`);
    if (stamp.pushes === 'force') event('force_push', Math.min(at + HOUR, now), author);
    if (stamp.reviewed) review(who(stamp.by), at + 2 * HOUR, 'commented', 1);
  }
  if (backAndForth !== null)
    for (let turn = 0; turn < backAndForth.times; turn += 1) {
      const at = createdAt + (1 + turn * backAndForth.apart) * HOUR;
      review(who(backAndForth.by), at, turn % 2 === 0 ? 'changes_requested' : 'commented', 1);
      if (backAndForth.comment) comment(author, Math.min(at + HOUR, now), { bodyWords: 1 });
      else commit(at + HOUR, changing);
    }
  if (plan.check !== null) {
    const completedAt =
      Math.max(createdAt, ...commits.map(({ committedAt }) => committedAt)) + plan.check * 60 * SECOND;
    // Every third one fails.
    const outcome = number % 3 === 0 ? 'failure' : 'success';
    checks.push({ id: nextId(), name: 'test', outcome, completedAt, startedAt: completedAt - HOUR / 4 });
  }
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
          bodyWords: isReply || !item.body ? 0 : (item.words ?? 3),
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
        comment(by, at, { bodyWords: item.words });
        break;
      case 'commit': {
        // Some are in several pull requests, some were made before the opening, some by a clock that is ahead.
        const shared = item.threads === 5;
        const made = shared ? now - 5 * DAY - item.who * HOUR : now - item.age;
        commits.push({
          sha: hexOf(shared ? `shared ${item.who}` : `${repository} ${number} ${commits.length}`),
          author: by,
          authorIsBot: item.who === 6 || (item.dismissed && !shared),
          authoredAt: made,
          committedAt: item.dismissed && item.body && !shared ? now + HOUR : made,
          headline: item.headline === 'Change something' ? changing : item.headline,
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
          startedAt: at - (item.of * HOUR) / 4,
        });
        break;
    }
  }

  // Some end when they are opened.
  const endAge = plan.endAge <= plan.age || plan.lines % 4 === 0 ? plan.endAge : plan.endAge % (plan.age + SECOND);
  const end = plan.outcome === 'open' ? null : notBefore(createdAt, endAge);
  const merger = plan.merger === 'author' ? author : who(plan.merger);
  if (end !== null) {
    if (plan.outcome === 'merged') event('merged', end, merger);
    event('closed', end, plan.outcome === 'merged' ? merger : author);
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
    changedFiles: plan.files.length + plan.unlisted,
    headRef: plan.branch,
    baseRef: plan.base,
    mergedBy: plan.outcome === 'merged' ? merger : null,
    mergeSha: hexOf(`merge ${repository} ${number}`),
    notSo: plan.notSo === null ? [] : [plan.notSo],
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
    title: plan.ownTitle ? `${plan.title} ${number}` : plan.title,
    updatedAt: notBefore(createdAt, plan.updatedAge),
    files: plan.files.map((path, index) => ({ path, additions: plan.lines * index, deletions: 1 })),
  };
}

/** A sha, the same for the same text. */
function hexOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** What pull requests say of those merged before them, the earliest first: what reverts may be reverted itself. */
function withClaims(
  pulls: readonly RandomPullRequest[],
  plans: readonly Plan[],
  repository: string,
): RandomPullRequest[] {
  const claiming = [...pulls];
  const merged = pulls.filter(({ mergedAt }) => mergedAt !== null).toSorted((a, b) => a.mergedAt! - b.mergedAt!);
  for (const [place, { number }] of merged.entries()) {
    const { claim } = plans[number - 1]!;
    if (claim === null || place === 0) continue;
    const target = merged[claim.latest ? place - 1 : claim.of % place]!.number;
    claiming[number - 1] = claimed(claiming[number - 1]!, claiming[target - 1]!, claim.way, repository);
  }
  return claiming;
}

function claimed(
  pull: RandomPullRequest,
  { number, author, title, commits, mergeSha, files }: RandomPullRequest,
  way: (typeof ways)[number] | 'follow-up',
  repository: string,
): RandomPullRequest {
  const reverting = (shas: readonly string[]) => {
    const made = shas.map((sha, index) => ({
      ...pull.commits[0]!,
      sha: hexOf(`${pull.number} reverts ${sha} ${index}`),
    }));
    if (pull.commits[0] === undefined) return pull;
    const messages = made.map((commit, index) => [
      commit.sha,
      `${commit.headline}\n\nThis reverts commit ${shas[index]!.slice(0, 7 + 33 * (index % 2))}.`,
    ]);
    return { ...pull, commits: made, messages: Object.fromEntries(messages) };
  };
  switch (way) {
    case 'follow-up': {
      // Of some more files than the other or of fewer, with lines at the bound, and not always by the same people.
      const those = pull.additions % 2 === 0 ? files.slice(0, 1) : [...files, ...pull.files];
      const once = [...new Map(those.map((file) => [file.path, file])).values()];
      const sameAuthor = pull.deletions === 0 ? { author } : {};
      return { ...pull, title: 'Oops', files: once, changedFiles: once.length, additions: 49, ...sameAuthor };
    }
    case 'branch':
      return { ...pull, headRef: `revert-${number}-topic` };
    case 'line':
      return { ...pull, body: `It broke.\nReverts #${number}\n` };
    case 'line of this':
      return { ...pull, body: `Reverts ${repository.toUpperCase()}#${number}` };
    case 'line of another':
      return { ...pull, body: `Reverts else/other#${number}` };
    case 'merge':
      return reverting([mergeSha!]);
    case 'commits':
      return reverting(commits.map(({ sha }) => sha));
    case 'some commits':
      return reverting(commits.slice(1).map(({ sha }) => sha));
    case 'title':
      return { ...pull, title: `Revert "${title}"` };
    case 'prefix':
      return { ...pull, title: `[1.2] revert "${title}" again` };
    case 'scope':
      return { ...pull, title: `web: Revert "${title}"` };
    case 'numbered':
      return { ...pull, title: `Revert "${title} (#${number})"` };
    case 'merge number':
      return { ...pull, title: `Revert "Merge #${number}: ${title}"` };
    case 'cut':
      return { ...pull, title: `Revert "${title.slice(0, -1)}…${number % 2 === 0 ? '"' : ''}` };
    case 'headline':
      return { ...pull, title: `Revert "${commits[0]?.headline ?? title}"` };
    case 'number':
      return { ...pull, title: `Revert ${number % 2 === 0 ? 'PR ' : ''}#${number}` };
    case 'partial':
      return { ...pull, title: `Partially revert "${title}"` };
    case 'conventional':
      return { ...pull, title: `revert(web): "${title}"` };
    case 'reapply':
      return { ...pull, title: `Reapply "${/^Revert "(.*)"$/.exec(title)?.[1] ?? title}"` };
    case 'reapply number':
      return { ...pull, title: `Reapply "${title} (#${number})"` };
  }
}
