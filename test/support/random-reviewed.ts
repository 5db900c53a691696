import { createHash } from 'node:crypto';
import type { CommentRecord, CommitRecord, EventRecord, PersonRef, ReviewRecord } from '#domain/pull-request.ts';
import { noAttribution } from './builders.ts';
import type { RandomHistory, RandomPullRequest, RandomRepository } from './random-history.ts';
import type { StoredMarks } from './stored.ts';

/*
 * Random histories in which agents write and review beside people, by a seed. Everything happens at whole half hours, so that much happens
 * at once and at the edges of windows.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const person = (id: number, login: string, kind: PersonRef['kind']): PersonRef => ({
  ...{ id: String(id), login, kind },
  displayName: kind === 'human' ? `${login} Émil` : null,
  avatarUrl: null,
});
export const humans = ['ada', 'Bo', 'cy', 'Dee', 'eve'].map((login, index) => person(501 + index, login, 'human'));
/** Two accounts of one tool, one that only reviews, one that does both, one that only writes, and one that is in no list. */
export const agents = [
  person(601, 'copilot-pull-request-reviewer[bot]', 'agent'),
  person(602, 'copilot-swe-agent[bot]', 'agent'),
  person(603, 'coderabbitai[bot]', 'agent'),
  person(604, 'claude[bot]', 'agent'),
  person(605, 'devin-ai-integration[bot]', 'agent'),
  person(606, 'house-writer', 'agent'),
];
export const bot = person(701, 'renovate[bot]', 'bot');

const SIZES = [0, 1, 10, 20, 49, 50, 51, 90, 150, 200, 201, 400, 500, 501, 1000, 1001];
const PATHS = ['src/a.ts', 'src/b.ts', 'src/web/c.ts', 'docs/d.md'];

interface Random {
  /** From 0 up to 1, that one not. */
  next(): number;
  /** A whole number below. */
  below(bound: number): number;
  /** Whether something of this probability happens. */
  is(probability: number): boolean;
  of<T>(items: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { next, below, is: (probability) => next() < probability, of: (items) => items[below(items.length)]! };
}

/** Two repositories of a bit less than a year, in which some agents began to review long after the beginning. */
export function randomReviewed(seed: number, moment: number | null = null): RandomHistory {
  const random = randomFrom(seed);
  const some = random.of(['2026-03-10T14:30:00Z', '2026-11-01T06:30:00Z', '2026-07-15T00:00:00Z']);
  const now = moment ?? Date.parse(some);
  const repository = (owner: string, name: string, count: number): RandomRepository => {
    const since = new Map(agents.map(({ id }) => [id, now - random.of([90, 120, 150, 400]) * DAY]));
    const pulls: RandomPullRequest[] = [];
    for (let number = 1; number <= count; number += 1)
      pulls.push(aPull(random, `${owner}/${name}`, number, now, since, pulls));
    return { owner, name, pulls };
  };
  return {
    now,
    repositories: [repository('Acme', 'Web', 90), repository('acme', 'api', 45), repository('else', 'where', 8)],
  };
}

function aPull(
  random: Random,
  repository: string,
  number: number,
  now: number,
  since: ReadonlyMap<string, number>,
  earlier: readonly RandomPullRequest[],
): RandomPullRequest {
  const author = random.is(0.55)
    ? random.of(humans)
    : random.is(0.15)
      ? bot
      : random.is(0.15)
        ? null
        : random.of(agents);
  const createdAt = now - (random.is(0.2) ? random.below(290) * DAY : random.below(290 * 24) * HOUR);
  const life = random.of([0, 1, 5, 24, 30, 48, 72, 100, 240]) * HOUR;
  const outcome = createdAt + life > now || random.is(0.1) ? 'open' : random.is(0.75) ? 'merged' : 'closed';
  const end = outcome === 'open' ? null : createdAt + life;
  let ids = 1000;
  const nextId = () => {
    ids += 1;
    return String(ids);
  };
  const moment = () =>
    Math.min(now, createdAt + random.below(Math.max(1, Math.ceil((life * 2.4) / HOUR))) * (HOUR / 2));

  const events: EventRecord[] = [];
  const event = (type: EventRecord['type'], at: number, actor: PersonRef | null, reviewer: PersonRef | null = null) =>
    events.push({ id: nextId(), type, at, actor, reviewer, team: null, reviewId: null, previousState: null });
  const commits: CommitRecord[] = [];
  const messages: Record<string, string> = {};
  const reviews: ReviewRecord[] = [];
  const comments: CommentRecord[] = [];
  const marks: Record<string, StoredMarks> = {};
  const threads: Record<string, { resolved: boolean; by: PersonRef | null }> = {};

  const commit = (at: number, by: PersonRef | null, authorIsBot = false) => {
    const sha = hexOf(`${repository} ${number} ${commits.length}`);
    const headline = random.of(['Change something', 'Change something', 'Apply suggestions from code review']);
    const [who, other] = [random.of(humans), random.of(humans)];
    const trailers = random.is(0.7)
      ? []
      : [
          random.of([
            'Co-authored-by: Claude <noreply@anthropic.com>',
            'Co-authored-by: Somebody <somebody@mail.example>',
            'Made-with: Cursor',
            `Co-authored-by: ${who.login} <${who.id}+old-name@users.noreply.host.test>`,
            `Co-authored-by: ${who.login} <${who.id}+${who.login}@users.noreply.host.test>\nCo-authored-by: ${other.login} <${other.login}@users.noreply.host.test>`,
            'Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>',
          ]),
        ];
    if (trailers.length > 0) messages[sha] = [headline, '', ...trailers].join('\n');
    commits.push({
      ...{ sha, author: by, authorIsBot, authoredAt: at, committedAt: at, headline },
      ...{ byAgent: false, marks: [], coAuthors: [] },
    });
  };
  const inline = (at: number, by: PersonRef | null, reviewId: string | null, inReplyTo: string | null) => {
    const id = nextId();
    comments.push({
      id,
      kind: 'inline',
      author: by,
      createdAt: at,
      reviewId,
      inReplyTo,
      path: 'src/a.ts',
      ...{ bodyWords: null, marks: null, resolvedBy: null },
    });
    if (random.is(0.8))
      marks[id] = {
        outdated: random.is(0.55),
        minimized: random.is(0.7) ? null : random.of(['resolved', 'outdated', 'off-topic', 'spam']),
        up: random.of([0, 0, 1, 2]),
        down: random.of([0, 0, 1, 2]),
      };
    if (inReplyTo === null && random.is(0.5))
      threads[id] = { resolved: random.is(0.7), by: random.of([...humans, ...agents, null]) };
  };
  const isThere = (by: PersonRef | null, at: number) => by?.kind !== 'agent' || at >= since.get(by.id)!;
  const reviewer = () =>
    random.is(0.4) ? random.of(humans) : random.is(0.1) ? null : random.is(0.1) ? bot : random.of(agents);
  const review = (at: number, by: PersonRef | null, findings: number, replies: number) => {
    const id = nextId();
    const words = random.of([0, 1, 3]);
    const state =
      findings + replies > 0 ? 'commented' : random.of(['approved', 'changes_requested', 'commented'] as const);
    reviews.push({
      ...{ id, author: by, state, stateAtSubmission: null, submittedAt: at },
      hasBody: words > 0,
      bodyWords: words,
    });
    const roots = comments.filter(({ kind, createdAt }) => kind === 'inline' && createdAt <= at);
    for (let index = 0; index < findings; index += 1) inline(at, by, id, null);
    for (let index = 0; index < replies && roots.length > 0; index += 1) inline(at, by, id, random.of(roots).id);
  };

  let draft = random.is(0.15);
  if (draft && random.is(0.8)) {
    event('ready_for_review', moment(), author);
    draft = false;
  }
  if (random.is(0.6)) commit(createdAt - random.below(3) * DAY, author, random.is(0.1));
  // What happens later answers what happened before.
  const moments = Array.from({ length: random.below(16) }, moment).sort((a, b) => a - b);
  for (const at of moments) {
    const by = reviewer();
    switch (
      random.of(['review', 'review', 'review', 'reply', 'reply', 'general', 'push', 'push', 'force', 'request'])
    ) {
      case 'review':
        if (isThere(by, at)) review(at, by, random.of([0, 1, 2, 3, 4, 12]), 0);
        break;
      case 'reply':
        if (isThere(by, at)) review(at, by, random.of([0, 0, 1]), 1);
        break;
      case 'general':
        if (isThere(by, at))
          comments.push({
            ...{ id: nextId(), kind: 'general', author: by, createdAt: at },
            ...{ reviewId: null, inReplyTo: null, path: null, bodyWords: 3, marks: null, resolvedBy: null },
          });
        break;
      case 'push':
        commit(at, random.is(0.5) ? author : by, random.is(0.1));
        break;
      case 'force':
        event('force_push', at, random.is(0.5) ? author : by);
        break;
      case 'request': {
        const asked = random.is(0.5) ? random.of(agents) : random.of(humans);
        event('review_requested', at, random.is(0.7) ? author : random.of(humans), asked);
        break;
      }
    }
  }
  if (end !== null && life > 2 * HOUR && random.is(0.15)) {
    event('closed', createdAt + HOUR, author);
    event('reopened', createdAt + 2 * HOUR, author);
  }
  const merger = random.is(0.5) ? author : random.of(humans);
  if (outcome === 'merged') event('merged', end!, merger);
  if (end !== null) event('closed', end, outcome === 'merged' ? merger : author);

  const size = random.of(random.is(0.6) ? SIZES.slice(0, 9) : SIZES);
  const before = earlier.filter(({ mergedAt }) => mergedAt !== null);
  const isReverting = outcome === 'merged' && before.length > 0 && random.is(0.08);
  const branch = random.of(['topic', 'topic', 'topic', 'hotfix/it', 'claude/it', 'codex/it', 'copilot/it']);
  const files = PATHS.filter(() => random.is(0.35));
  return {
    ...{ number, author, createdAt, draft, state: outcome },
    mergedAt: outcome === 'merged' ? end : null,
    closedAt: end,
    additions: Math.ceil(size * 0.7),
    deletions: size - Math.ceil(size * 0.7),
    changedFiles: files.length + (random.is(0.1) ? 1 : 0),
    headRef: isReverting ? `revert-${random.of(before).number}-topic` : branch,
    baseRef: random.of(['main', 'main', 'next']),
    mergedBy: outcome === 'merged' ? merger : null,
    mergeSha: hexOf(`merge ${repository} ${number}`),
    attribution: {
      ...noAttribution,
      labels: random.is(0.9) ? [] : random.of([['Claude-Code-Assisted'], ['bug'], ['copilot-review', 'copilot']]),
      assignments: random.is(0.85)
        ? []
        : [
            { person: random.of(humans), at: createdAt + random.of([0, 9, 11]) * 60_000, until: null },
            ...(random.is(0.5)
              ? [{ person: random.of(agents), at: createdAt, until: random.is(0.5) ? null : createdAt + HOUR }]
              : []),
          ],
    },
    body: random.is(0.85)
      ? 'What it does.'
      : random.of([
          'It does.\n\nGenerated with [Claude Code](https://claude.com/claude-code)',
          'Link to Devin run: https://app.devin.ai/sessions/1',
          `Requested by: @${random.of(humans).login}`,
          `> Requested by: @${random.of(humans).login}`,
        ]),
    ...{ commits, messages, reviews, comments, events, marks, known: humans },
    // Hosts are asked about the threads of those alone that have ended.
    threads: end === null ? {} : threads,
    checks: Array.from({ length: random.of([0, 0, 1, 3]) }, () => {
      const startedAt = moment();
      const isRunning = random.is(0.1);
      return {
        ...{ id: nextId(), name: random.of(['build', 'test']), startedAt },
        completedAt: isRunning ? null : startedAt + HOUR / 4,
        outcome: isRunning
          ? null
          : random.of(['success', 'failure', 'timed_out', 'cancelled', 'neutral', 'action_required']),
      };
    }),
    requested: [],
    title: random.of(['Fix it', 'The oops', 'Change something', 'Prefixes']),
    updatedAt: end ?? createdAt,
    files: files.map((path, index) => ({ path, additions: index + 1, deletions: 0 })),
  };
}

/** A sha, the same for the same text. */
function hexOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
