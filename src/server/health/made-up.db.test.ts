import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import type { PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import { type OwnSignalKey, ownSignalKeys } from '#domain/signals.ts';
import {
  AUTHOR,
  aPerson,
  aPullRequest,
  approves,
  asks,
  closed,
  comments,
  dismisses,
  draft,
  forcePushed,
  type Happening,
  hour,
  merged,
  pushed,
  ready,
  reopened,
  replies,
  requestsChanges,
  says,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aConnection, aRepository, aUser, HOST, type StoredExtras, store } from '../../../test/support/stored.ts';
import type { SignedIn } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { healthRoutes, healthSettingsRoutes } from './routes.ts';

/*
 * Pull requests on both sides of every clause and threshold of a signal (docs/metrics.md#signals), and what is told of them: which are listed,
 * which are counted, and which are left out, and why.
 */

const FROM = Date.parse('2026-02-01T00:00:00Z');
const TO = Date.parse('2026-06-01T00:00:00Z');
const NOW = new Date('2026-06-20T12:00:00Z');
const SECOND = 1 / 3600;
const MINUTE = 1 / 60;
const DAY = 24;
/** The window's edges, and moments before its end, as hours. */
const [from, to] = [FROM, TO].map((at) => (at - hour(0)) / 3_600_000) as [number, number];

type Pull = PullRequestRecord & StoredExtras;
/** It has the signal or has it not, is left out and why, or isn't asked at all. */
type Is = 'yes' | 'no' | 'trivial' | 'dismissed' | 'unknown' | 'aside';
type Row = readonly [what: string, is: Is, pull: Pull];

let numbers = 0;
/** A pull request of its own number, opened at `createdAt`, with these differences, to which some things happen. */
function of(more: Partial<Pull>, ...happenings: Happening[]): Pull {
  numbers += 1;
  return { ...aPullRequest({ number: numbers }, ...happenings), ...more };
}
/** Merged by bo at hour 100. */
const life = (...happenings: Happening[]) => of({}, ...happenings, merged(100, 'bo'));
const lived = (more: Partial<Pull>, ...happenings: Happening[]) => of(more, ...happenings, merged(100, 'bo'));
const lines = (count: number, files = 1): Partial<Pull> => ({ additions: count, deletions: 0, changedFiles: files });
const file = (path: string, count: number) => ({ path, additions: count, deletions: 0 });
const by = (login: string): { author: PersonRef } => ({ author: aPerson(login) });
const notSo = (key: OwnSignalKey) => ({ notSo: [key] });
const headline = (text: string) => ({ headline: text });

/** Whom every signal of what was merged is asked of: `has` would have it. */
const population = (key: OwnSignalKey, has: readonly Happening[] = [], more: Partial<Pull> = {}): Row[] => [
  ['somebody says that it is not so', 'dismissed', lived({ ...more, ...notSo(key) }, ...has)],
  ['with an agent’s commit in it', 'yes', lived(more, pushed(0, 'agent-copilot'), ...has)],
  ['a bot’s', 'aside', lived({ ...more, ...by('bot-ci') }, ...has)],
  ['an agent’s', 'aside', lived({ ...more, ...by('agent-copilot') }, ...has)],
  ['of a deleted account', 'aside', lived({ ...more, author: null }, ...has)],
  ['on another base', 'aside', lived({ ...more, baseRef: 'next' }, ...has)],
  ['on the default branch by its earlier name', 'yes', lived({ ...more, baseRef: 'master' }, ...has)],
  ['still open', 'aside', of(more, ...has)],
  ['closed', 'aside', of(more, ...has, closed(100))],
];

const tables: Readonly<Record<OwnSignalKey, Row[]>> = {
  merged_unreviewed: [
    ['nobody looked', 'yes', life()],
    ['approved', 'no', life(approves(1, 'bo'))],
    ['reviewed', 'no', life(comments(1, 'bo'))],
    ['reviewed at the very merge', 'no', life(approves(100, 'bo'))],
    ['reviewed a second later', 'yes', life(approves(100 + SECOND, 'bo'))],
    ['reviewed by a bot', 'yes', life(approves(1, 'bot-ci'))],
    ['reviewed by an agent', 'yes', life(comments(1, 'agent-copilot', { threads: 2 }))],
    ['reviewed by its author', 'yes', life(comments(1, AUTHOR), says(2, AUTHOR))],
    ['reviewed by a deleted account', 'yes', life(approves(1, null))],
    ['commented on alone', 'no', life(says(1, 'bo'))],
    ['commented on at the very merge', 'no', life(says(100, 'bo'))],
    ['commented on a second later', 'yes', life(says(100 + SECOND, 'bo'))],
    ['a bot comments', 'yes', life(says(1, 'bot-ci'))],
    ['9 lines in a file', 'trivial', lived(lines(9))],
    ['9 lines in two files', 'yes', lived(lines(9, 2))],
    ['10 lines in a file', 'yes', lived(lines(10))],
    ['10 lines, one of them generated', 'trivial', lived({ ...lines(10), files: [file('go.sum', 1)] })],
    ['merged as the window begins', 'yes', of({ createdAt: hour(from - 1) }, merged(from))],
    ['merged a second before', 'aside', of({ createdAt: hour(from - 1) }, merged(from - SECOND))],
    ['merged a second before its end', 'yes', of({}, merged(to - SECOND))],
    ['merged as it ends', 'aside', of({}, merged(to))],
    ...population('merged_unreviewed'),
  ],
  merged_unapproved: [
    ['nobody looked', 'yes', life()],
    ['approved', 'no', life(approves(1, 'bo'))],
    ['approved at the very merge', 'no', life(approves(100, 'bo'))],
    ['approved a second later', 'yes', life(approves(100 + SECOND, 'bo'))],
    ['commented on', 'yes', life(comments(1, 'bo'))],
    ['approved, then commented on', 'no', life(approves(1, 'bo'), comments(2, 'bo'))],
    ['approved, then thought better of', 'yes', life(approves(1, 'bo'), requestsChanges(2, 'bo'))],
    ['asked to change, then approved', 'no', life(requestsChanges(1, 'bo'), approves(2, 'bo'))],
    ['approved by one, not by another', 'no', life(approves(1, 'bo'), requestsChanges(2, 'cy'))],
    ['dismissed before the merge', 'yes', life(approves(1, 'bo', { id: 'a' }), dismisses(99, 'a'))],
    ['dismissed after it', 'no', life(approves(1, 'bo', { id: 'b' }), dismisses(101, 'b'))],
    ['approved by a bot', 'yes', life(approves(1, 'bot-ci'))],
    ['approved by its author', 'yes', life(approves(1, AUTHOR))],
    ['approved as a draft', 'no', life(draft(1), approves(2, 'bo'), ready(3))],
    ['pushed to afterwards', 'no', life(approves(1, 'bo'), pushed(2))],
    ['9 lines in a file', 'trivial', lived(lines(9))],
    ['so large that the host counts no file', 'yes', lived(lines(0, 0))],
    ...population('merged_unapproved'),
  ],
  merged_over_objection: [
    ['nobody looked', 'no', life()],
    ['asked to change', 'yes', life(requestsChanges(1, 'bo'))],
    ['asked at the very merge', 'yes', life(requestsChanges(100, 'bo'))],
    ['asked a second later', 'no', life(requestsChanges(100 + SECOND, 'bo'))],
    ['then approved', 'no', life(requestsChanges(1, 'bo'), approves(2, 'bo'))],
    ['then approved by another', 'yes', life(requestsChanges(1, 'bo'), approves(2, 'cy'))],
    ['then commented on', 'yes', life(requestsChanges(1, 'bo'), comments(2, 'bo'))],
    ['dismissed before the merge', 'no', life(requestsChanges(1, 'bo', { id: 'c' }), dismisses(99, 'c'))],
    ['dismissed after it', 'yes', life(requestsChanges(1, 'bo', { id: 'd' }), dismisses(101, 'd'))],
    ['a bot asks', 'no', life(requestsChanges(1, 'bot-ci'))],
    ['a deleted account asks', 'no', life(requestsChanges(1, null))],
    ['9 lines in a file', 'trivial', lived(lines(9), requestsChanges(1, 'bo'))],
    ...population('merged_over_objection', [requestsChanges(1, 'bo')]),
  ],
  self_merged: [
    ['by its author', 'yes', lived({ mergedBy: aPerson(AUTHOR) })],
    ['by another', 'no', lived({ mergedBy: aPerson('bo') })],
    ['by its author, approved', 'no', lived({ mergedBy: aPerson(AUTHOR) }, approves(1, 'bo'))],
    ['approved by its author', 'yes', lived({ mergedBy: aPerson(AUTHOR) }, approves(1, AUTHOR))],
    [
      'dismissed before the merge',
      'yes',
      lived({ mergedBy: aPerson(AUTHOR) }, approves(1, 'bo', { id: 'e' }), dismisses(99, 'e')),
    ],
    [
      'dismissed after it',
      'no',
      lived({ mergedBy: aPerson(AUTHOR) }, approves(1, 'bo', { id: 'f' }), dismisses(101, 'f')),
    ],
    ['by nobody known', 'unknown', lived({ mergedBy: null })],
    ['by a bot', 'unknown', of({ mergedBy: aPerson('bot-ci') }, merged(100, 'bot-ci'))],
    ['by an agent', 'unknown', of({ mergedBy: aPerson('agent-copilot') }, merged(100, 'agent-copilot'))],
    ['9 lines in a file', 'trivial', lived({ ...lines(9), mergedBy: aPerson(AUTHOR) })],
    ['9 lines by nobody known', 'trivial', lived({ ...lines(9), mergedBy: null })],
    ...population('self_merged', [], { mergedBy: aPerson(AUTHOR) }),
  ],
  stamped: [
    ['within five minutes', 'yes', life(approves(5 * MINUTE, 'bo'))],
    ['a second more', 'no', life(approves(5 * MINUTE + SECOND, 'bo'))],
    ['300 lines within ten', 'yes', lived(lines(300), approves(10 * MINUTE, 'bo'))],
    ['300 lines, a second more', 'no', lived(lines(300), approves(10 * MINUTE + SECOND, 'bo'))],
    [
      '300 lines, but 150 generated',
      'no',
      lived({ ...lines(300), files: [file('go.sum', 150)] }, approves(6 * MINUTE, 'bo')),
    ],
    ['not approved', 'no', life(comments(MINUTE, 'bo', { body: false, threads: 0 }))],
    ['two words', 'yes', life(approves(MINUTE, 'bo', { words: 2 }))],
    ['three words', 'no', life(approves(MINUTE, 'bo', { words: 3 }))],
    ['three words of another’s review', 'no', life(approves(MINUTE, 'bo'), comments(50, 'cy', { words: 3 }))],
    ['three words of a bot’s review', 'yes', life(approves(MINUTE, 'bo'), comments(50, 'bot-ci', { words: 3 }))],
    ['said in two words', 'yes', life(approves(MINUTE, 'bo'), says(50, 'cy', 2))],
    ['said in three', 'no', life(approves(MINUTE, 'bo'), says(50, 'cy', 3))],
    ['said in words not counted', 'no', life(approves(MINUTE, 'bo'), says(50, 'cy', null))],
    ['said by its author', 'yes', life(approves(MINUTE, 'bo'), says(50, AUTHOR, 30))],
    ['said after the merge', 'yes', life(approves(MINUTE, 'bo'), says(100 + SECOND, 'cy', 30))],
    ['a line commented on', 'no', life(approves(MINUTE, 'bo', { threads: 1 }))],
    ['a line commented on by a bot', 'yes', life(approves(MINUTE, 'bo'), comments(2, 'bot-ci', { threads: 1 }))],
    ['a line commented on by its author', 'yes', life(approves(MINUTE, 'bo'), comments(2, AUTHOR, { threads: 1 }))],
    ['a line commented on after the merge', 'yes', life(approves(MINUTE, 'bo'), comments(101, 'cy', { threads: 1 }))],
    ['approved as a draft alone', 'no', life(draft(0.5), approves(0.5 + MINUTE, 'bo'), ready(3))],
    ['soon after it was ready', 'yes', life(ready(10), approves(10 + 5 * MINUTE, 'bo'))],
    ['later than that', 'no', life(ready(10), approves(10 + 5 * MINUTE + SECOND, 'bo'))],
    ['soon after they were asked', 'yes', life(asks(20, 'bo'), approves(20 + 5 * MINUTE, 'bo'))],
    ['soon after another was asked', 'no', life(asks(20, 'cy'), approves(20 + MINUTE, 'bo'))],
    ['soon after a push', 'yes', life(pushed(20), approves(20 + 5 * MINUTE, 'bo'))],
    ['the second was fast', 'no', life(approves(10, 'bo'), pushed(20), approves(20 + MINUTE, 'cy'))],
    ['by a bot alone', 'no', life(approves(MINUTE, 'bot-ci'))],
    ['9 lines in a file', 'trivial', lived(lines(9), approves(MINUTE, 'bo'))],
    ...population('stamped', [approves(MINUTE, 'bo')]),
  ],
  approved_then_pushed: [
    ['nothing pushed', 'no', life(pushed(1), approves(2, 'bo'))],
    ['pushed to', 'yes', life(approves(2, 'bo'), pushed(3))],
    ['pushed to at that moment', 'no', life(approves(2, 'bo'), pushed(2))],
    ['not approved', 'aside', life(comments(2, 'bo'), pushed(3))],
    ['dismissed before the merge', 'aside', life(approves(2, 'bo', { id: 'g' }), pushed(3), dismisses(99, 'g'))],
    ['dismissed after it', 'yes', life(approves(2, 'bo', { id: 'h' }), pushed(3), dismisses(101, 'h'))],
    ['reviewed again', 'no', life(approves(2, 'bo'), pushed(3), comments(4, 'cy'))],
    ['reviewed again by a bot', 'yes', life(approves(2, 'bo'), pushed(3), comments(4, 'bot-ci'))],
    ['reviewed, and pushed to again', 'yes', life(approves(2, 'bo'), pushed(3), comments(4, 'cy'), pushed(5))],
    ['approved by another afterwards', 'no', life(approves(2, 'bo'), pushed(3), approves(4, 'cy'))],
    ['a merge of the base', 'no', life(approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge branch 'main' into x")))],
    [
      'a merge of the remote base',
      'no',
      life(approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge remote-tracking branch 'origin/main' into x"))),
    ],
    ['a merge by the host', 'no', life(approves(2, 'bo'), pushed(3, AUTHOR, headline('Merge main into x')))],
    ['a merge of another branch', 'yes', life(approves(2, 'bo'), pushed(3, AUTHOR, headline("Merge branch 'mainly'")))],
    ['by force', 'no', life(approves(2, 'bo'), forcePushed(3))],
    ['by force, with a commit', 'no', life(approves(2, 'bo'), pushed(3), forcePushed(4))],
    ['by force, reviewed again', 'no', life(approves(2, 'bo'), forcePushed(3), comments(4, 'bo'))],
    ['by force after the merge', 'yes', life(approves(2, 'bo'), pushed(3), forcePushed(101))],
    ['9 lines in a file', 'yes', lived(lines(9), approves(2, 'bo'), pushed(3))],
    ...population('approved_then_pushed', [approves(2, 'bo'), pushed(3)]),
  ],
  ping_pong: [
    ['not reviewed', 'aside', life(pushed(1))],
    ['three rounds', 'no', life(...rounds(3, 30))],
    ['four rounds', 'yes', life(...rounds(4, 30))],
    ['four rounds, one of them a bot’s', 'no', life(...rounds(3, 30), comments(90, 'bot-ci'))],
    ['four reviews, no push before the last', 'no', life(...rounds(3, 30).slice(0, -1), comments(90, 'bo'))],
    ['two turns in a day', 'no', life(...rounds(2, 1))],
    ['three turns in a day', 'yes', life(...rounds(3, 1))],
    ['three turns in exactly a day', 'yes', life(...rounds(3, 12))],
    ['three turns in a second more', 'no', life(...rounds(3, 12 + SECOND))],
    ['three turns, one by being ready', 'no', life(...rounds(2, 1), draft(3), ready(4))],
    ['9 lines in a file', 'yes', lived(lines(9), ...rounds(4, 20))],
    ...population('ping_pong', rounds(4, 20)),
  ],
  big: [
    ['400 lines', 'no', lived(lines(400))],
    ['401 lines', 'yes', lived(lines(401))],
    ['401 lines, most of them deleted', 'yes', lived({ additions: 1, deletions: 400 })],
    ['401 lines, one generated', 'no', lived({ ...lines(401), files: [file('web/package-lock.json', 1)] })],
    [
      '1,000 lines, 599 generated',
      'yes',
      lived({ ...lines(1000, 2), files: [file('a.ts', 401), file('api/generated/b.ts', 599)] }),
    ],
    [
      '1,000 lines, 600 generated',
      'no',
      lived({ ...lines(1000, 2), files: [file('a.ts', 400), file('vendor/b.ts', 600)] }),
    ],
    [
      '1,000 lines in a folder of another name',
      'yes',
      lived({ ...lines(1000, 2), files: [file('a.ts', 400), file('src/vendor/b.ts', 600)] }),
    ],
    ['401 lines, one generated, files cut', 'yes', lived({ ...lines(401, 3), files: [file('go.sum', 1)] })],
    ['9 lines in a file', 'no', lived(lines(9))],
    ...population('big', [], lines(401)),
  ],
  long_open: [
    ['exactly 14 days', 'no', of({ createdAt: hour(to - 14 * DAY) })],
    ['a second more', 'yes', of({ createdAt: hour(to - 14 * DAY - SECOND) })],
    ['one day', 'no', of({ createdAt: hour(to - DAY) })],
    ['from this very moment', 'no', of({ createdAt: TO })],
    ['opened later', 'aside', of({ createdAt: hour(to + SECOND) })],
    ['a draft', 'aside', of({ draft: true })],
    ['a draft then', 'aside', of({}, draft(1), ready(to + 1))],
    ['a draft since', 'yes', of({ draft: true }, draft(to + 1))],
    ['merged later', 'yes', of({}, merged(to + SECOND))],
    ['closed at this very moment', 'aside', of({}, closed(to))],
    ['merged before', 'aside', life()],
    ['closed and open again', 'yes', of({}, closed(1), reopened(2))],
    ['a bot’s', 'aside', of(by('bot-ci'))],
    ['on another base', 'aside', of({ baseRef: 'next' })],
    ['9 lines in a file', 'yes', of(lines(9))],
    ['somebody says that it is not so', 'dismissed', of(notSo('long_open'))],
  ],
  stale_approval: [
    ['exactly 3 days', 'no', of({}, approves(to - 3 * DAY, 'bo'))],
    ['a second more', 'yes', of({}, approves(to - 3 * DAY - SECOND, 'bo'))],
    ['approved again', 'yes', of({}, approves(to - 4 * DAY, 'bo'), approves(to - 1, 'cy'))],
    ['not approved', 'aside', of({}, comments(1, 'bo'))],
    ['approved later', 'aside', of({}, approves(to + SECOND, 'bo'))],
    ['asked to change since', 'aside', of({}, approves(1, 'bo'), requestsChanges(2, 'bo'))],
    ['dismissed since', 'aside', of({}, approves(1, 'bo', { id: 'i' }), dismisses(2, 'i'))],
    ['dismissed later', 'yes', of({}, approves(1, 'bo', { id: 'j' }), dismisses(to + 1, 'j'))],
    ['by a bot', 'aside', of({}, approves(1, 'bot-ci'))],
    ['merged later', 'yes', of({}, approves(1, 'bo'), merged(to + SECOND))],
    ['merged before', 'aside', life(approves(1, 'bo'))],
    ['on another base', 'aside', of({ baseRef: 'next' }, approves(1, 'bo'))],
    ['somebody says that it is not so', 'dismissed', of(notSo('stale_approval'), approves(1, 'bo'))],
  ],
  reverted: [
    ...undone('after 30 days', 'yes', 30 * DAY),
    ...undone('after a second more', 'no', 30 * DAY + SECOND),
    ...undone('on the day', 'yes', 1),
    ...undone('never merged', 'no', 1, { state: 'open', mergedAt: null, closedAt: null }),
    ...undone('on another base', 'no', 1, { baseRef: 'next' }),
    ...undone('by a bot', 'yes', 1, by('bot-ci')),
    ...undone('said in its text', 'yes', 1, (number) => ({ headRef: 'x', body: `Reverts acme/reverted#${number}` })),
    ...undone('of another repository', 'no', 1, (number) => ({ headRef: 'x', body: `Reverts acme/other#${number}` })),
    ...undone('said in its title', 'yes', 1, { headRef: 'x', title: 'Revert "said in its title"' }),
    ...undone('said in part', 'no', 1, { headRef: 'x', title: 'Revert "said in part" partially' }),
    ...undone('said in a convention', 'no', 1, { headRef: 'x', title: 'revert: said in a convention' }),
    ...undone('said by its number', 'yes', 1, (number) => ({ headRef: 'x', title: `Revert PR #${number}` })),
    ...backAgain('back after 7 days', 'no', 7 * DAY),
    ...backAgain('back after a second more', 'yes', 7 * DAY + SECOND),
    ...population('reverted').map(([what, is, pull]): Row => [what, is === 'yes' ? 'no' : is, pull]),
    ['merged 30 days before the end', 'aside', of({}, merged(to - 30 * DAY))],
    ['merged a second earlier', 'no', of({}, merged(to - 30 * DAY - SECOND))],
  ],
  followed_up: [
    ...after('within 7 days', 'yes', 7 * DAY),
    ...after('a second later', 'no', 7 * DAY + SECOND),
    ...after('half of the smaller', 'yes', 1, {}, ['a', 'y']),
    ...after('less than half of it', 'no', 1, {}, ['a', 'y', 'z']),
    ...after('half of the other', 'yes', 1, {}, ['a', 'b', 'v', 'w', 'x', 'y', 'z']),
    ...after('49 lines', 'yes', 1, lines(49)),
    ...after('50 lines', 'no', 1, lines(50)),
    ...after('a word', 'yes', 1, { title: 'Hotfix: the menu' }),
    ...after('a word within another', 'no', 1, { title: 'Prefixes and fixtures' }),
    ...after('a word beside a digit', 'no', 1, { title: 'Add fix2' }),
    ...after('two words', 'yes', 1, { title: 'A follow-up' }),
    ...after('a branch', 'yes', 1, { title: 'The menu', headRef: 'repair/menu' }),
    ...after('no word', 'no', 1, { title: 'The menu' }),
    ...after('by another', 'no', 1, by('cy')),
    ...after('by a reviewer', 'yes', 1, by('bo')),
    ...after('not merged', 'no', 1, { state: 'closed', mergedAt: null }),
    ...after('files of the later cut', 'no', 1, lines(8, 9), ['a'], 'unknown'),
    ['files cut', 'unknown', lived(lines(8, 9))],
    ['somebody says that it is not so', 'dismissed', lived(notSo('followed_up'))],
    ['merged 7 days before the end', 'aside', of({}, merged(to - 7 * DAY))],
    ['merged a second earlier', 'no', of({}, merged(to - 7 * DAY - SECOND))],
  ],
};

/** So many reviews, so many hours apart, each answered by a push half an hour later. */
function rounds(count: number, apart: number): Happening[] {
  return Array.from({ length: count }, (_, turn) => [
    comments(1 + turn * apart, 'bo'),
    pushed(1.5 + turn * apart),
  ]).flat();
}

/** One that is merged, and another, so many hours later, that reverts it as the host's button does, unless said otherwise. */
function undone(
  what: string,
  is: Is,
  later: number,
  more: Partial<Pull> | ((number: number) => Partial<Pull>) = {},
): Row[] {
  const target = life();
  const said = typeof more === 'function' ? more(target.number) : more;
  const revert = of({ headRef: `revert-${target.number}-topic`, ...said }, merged(100 + later));
  const isThere = revert.state === 'merged' && revert.author!.kind === 'human' && revert.baseRef === 'main';
  return [
    [what, is, target],
    [`${what}, the other`, isThere ? 'no' : 'aside', revert],
  ];
}

/** Reverted an hour after its merge, and so many hours later that is reverted: what is reverted then is the revert. */
function backAgain(what: string, is: Is, later: number): Row[] {
  const [target, revert] = undone(what, is, 1) as [Row, Row];
  const again = of({ headRef: `revert-${revert[2].number}-topic` }, merged(101 + later));
  return [target, [revert[0], 'yes', revert[2]], [`${what}, again`, 'no', again]];
}

/** One of two files that bo reviews, and another of ada's, so many hours later, that sets it right, unless said otherwise. */
function after(
  what: string,
  is: Is,
  later: number,
  more: Partial<Pull> = {},
  names: readonly string[] = ['a'],
  isLater: Is = 'no',
): Row[] {
  const inFolder = (some: readonly string[]) => ({
    ...lines(8, some.length),
    files: some.map((name) => file(`${what}/${name}.ts`, 1)),
  });
  const first = lived(inFolder(['a', 'b', 'c', 'd']), approves(1, 'bo'));
  const second = of({ headRef: 'fix/x', ...inFolder(names), ...noFix(more) }, merged(100 + later));
  return [
    [what, is, first],
    [`${what}: later`, second.state === 'merged' ? isLater : 'aside', second],
  ];
}

/** A title of its own tells, not the branch. */
function noFix(more: Partial<Pull>): Partial<Pull> {
  return more.title === undefined ? more : { headRef: 'topic', ...more };
}

let database: OpenDatabase;
let user: number;
const repositories = new Map<string, number>();

async function aRepositoryOf(name: string, pulls: readonly Pull[]): Promise<void> {
  const { db } = database;
  const id = await aRepository(db, `acme/${name}`);
  await sql`update repositories set default_branch = 'main', former_default_branches = '{master}' where id = ${id}`.execute(
    db,
  );
  await aConnection(db, user, id);
  await store(db, id, NOW.getTime(), pulls);
  repositories.set(name, id);
}

beforeAll(async () => {
  database = await openTestDatabase();
  user = await aUser(database.db);
  for (const [key, rows] of Object.entries(tables))
    await aRepositoryOf(
      key,
      rows.map(([what, , pull]) => ({ title: what, ...pull })),
    );
});
afterAll(() => database.close());

const signedIn = (): SignedIn => ({ id: user, host: HOST, login: 'root', time_zone: 'UTC', own_marks: false });
const queryOf = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  from: new Date(FROM).toISOString(),
  to: new Date(TO).toISOString(),
  repository: String(repositories.get(name)),
  ...more,
});

async function told(name: string, key: string, more: Readonly<Record<string, string>> = {}) {
  const { getHealth } = healthRoutes({ db: database.db, now: () => NOW });
  const query = endpoints.getHealth.query.parse(queryOf(name, more));
  const { signals } = await getHealth({ user: signedIn(), query } as never);
  return signals.find((signal) => signal.key === key)!;
}

async function listed(name: string, key: string, more: Readonly<Record<string, string>> = {}): Promise<number[]> {
  const { listSignalPullRequests } = healthRoutes({ db: database.db, now: () => NOW });
  const query = endpoints.listSignalPullRequests.query.parse(queryOf(name, { limit: '200', ...more }));
  const { items, total } = await listSignalPullRequests({ user: signedIn(), params: { key }, query } as never);
  expect(total).toBe(items.length);
  return items.map(({ pr_number }) => pr_number);
}

describe('what is told beside a pull request of a signal', () => {
  const why = async (name: string, key: string) => {
    const { listSignalPullRequests } = healthRoutes({ db: database.db, now: () => NOW });
    const query = endpoints.listSignalPullRequests.query.parse(queryOf(name, { limit: '200' }));
    const { items } = await listSignalPullRequests({ user: signedIn(), params: { key }, query } as never);
    return items.map(({ pr_number, why: said }) => ({ number: pr_number, said }));
  };

  it('is what made it one: not the earlier fix of a stranger', async () => {
    const [first, own] = after('named', 'yes', 24).map(([, , pull]) => pull) as [Pull, Pull];
    const strangers = of({ headRef: 'fix/y', ...lines(8, 1), files: own.files, ...by('cy') }, merged(101));
    await aRepositoryOf('named', [first, own, strangers]);

    expect(await why('named', 'followed_up')).toEqual([
      { number: first.number, said: expect.stringContaining(`#${own.number}`) },
    ]);
  });

  it('is the revert that lasted: not an earlier one that was taken back', async () => {
    const [[, , target], [, , soon], [, , again]] = backAgain('named', 'yes', DAY) as [Row, Row, Row];
    const later = of({ headRef: 'x', body: `Reverts acme/named-revert#${target.number}` }, merged(200));
    await aRepositoryOf('named-revert', [target, soon, again, later]);

    expect(await why('named-revert', 'reverted')).toContainEqual({
      number: target.number,
      said: expect.stringContaining(`#${later.number}`),
    });
  });
});

it('tells what is decided later of full days and weeks before the window, also where clocks change in between', async () => {
  const { getHealth } = healthRoutes({ db: database.db, now: () => NOW });
  const query = endpoints.getHealth.query.parse({ from: '2026-03-02', to: '2026-03-30' });
  const user = { ...signedIn(), time_zone: 'Europe/Oslo' };
  const { signals } = await getHealth({ user, query } as never);

  const { window, series } = signals.find(({ key }) => key === 'followed_up')!;
  expect(window).toEqual({ from: '2026-02-22T23:00:00.000Z', to: '2026-03-22T23:00:00.000Z' });
  expect(series.at(-1)!.from).toBe('2026-03-16');
});

it('lists those of one moment by the names of their repositories', async () => {
  await aRepositoryOf('order-b', [of({})]);
  await aRepositoryOf('Order-a', [of({}), of({})]);
  const repository = ['order-b', 'Order-a'].map((name) => repositories.get(name)).join(',');
  const newest = numbers;

  expect(await listed('order-b', 'long_open', { repository })).toEqual([newest - 1, newest, newest - 2]);
});

it('is told over its window, of what is open as of one moment', async () => {
  await aRepositoryOf('windows', [of({})]);
  const windowOf = async (key: string) => (await told('windows', key)).window;
  const end = new Date(TO).toISOString();

  expect(await windowOf('big')).toEqual({ from: new Date(FROM).toISOString(), to: end });
  expect(await windowOf('long_open')).toEqual({ from: end, to: end });
  expect(await windowOf('stale_approval')).toEqual({ from: end, to: end });
});

it('is not known of what may be on another base while the default branch is not known, unless all are asked for', async () => {
  await aRepositoryOf('branchless', [life(), lived({ baseRef: 'next' }), of({}), lived(by('bot-ci'))]);
  await sql`update repositories set default_branch = null, former_default_branches = '{}'
    where id = ${repositories.get('branchless')}`.execute(database.db);
  const unreviewed = (more = {}) => told('branchless', 'merged_unreviewed', more);
  const longOpen = (more = {}) => told('branchless', 'long_open', more);
  const left_out = { trivial: 0, dismissed: 0, undecided: 0 };

  expect(await unreviewed()).toMatchObject({ value: null, n: 0, left_out: { ...left_out, unknown: 2 } });
  expect(await longOpen()).toMatchObject({ value: null, n: 0, left_out: { ...left_out, unknown: 1 } });
  expect(await listed('branchless', 'merged_unreviewed')).toEqual([]);
  const all_bases = 'true';
  expect(await unreviewed({ all_bases })).toMatchObject({ value: 1, n: 2, left_out: { ...left_out, unknown: 0 } });
  expect(await longOpen({ all_bases })).toMatchObject({ value: 1, n: 1, left_out: { ...left_out, unknown: 0 } });
  expect(await listed('branchless', 'merged_unreviewed', { all_bases })).toHaveLength(2);
});

it('lists every page of a CSV as of its first', async () => {
  const first = of({ createdAt: hour(from) }, merged(from + 1));
  await aRepositoryOf('pages', [first]);
  const moment = new Date(hour(from + 2));
  const { listSignalPullRequests } = healthRoutes({ db: database.db, now: () => new Date(hour(from + 9 * DAY)) });
  const query = endpoints.listSignalPullRequests.query.parse({
    repository: String(repositories.get('pages')),
    period: '7d',
  });
  const csv = { isFirstPage: false, most: 100_000, page: 5000, now: moment };

  const page = await listSignalPullRequests({
    ...{ user: signedIn(), params: { key: 'merged_unreviewed' }, query, csv },
  } as never);

  expect(page.total).toBe(1);
});

describe.each(ownSignalKeys)('%s', (key) => {
  const rows = tables[key];
  const ofKind = (wanted: Is) => rows.filter(([, is]) => is === wanted);

  it('lists the pull requests that have it, and no others', async () => {
    const found = await listed(key, key);

    const whats = rows.flatMap(([what, , { number }]) => (found.includes(number) ? [what] : []));
    expect(whats).toEqual(ofKind('yes').map(([what]) => what));
  });

  it('is their share of those that it is asked of; the others are left out, and why', async () => {
    const [yes, no] = [ofKind('yes').length, ofKind('no').length];

    const { value, n, left_out } = await told(key, key);

    expect({ n, left_out }).toEqual({
      n: yes + no,
      left_out: {
        trivial: ofKind('trivial').length,
        dismissed: ofKind('dismissed').length,
        unknown: ofKind('unknown').length,
        undecided: 0,
      },
    });
    expect(value).toBeCloseTo(yes / (yes + no), 12);
    expect(rows.length).toBeGreaterThanOrEqual(8);
  });
});

it('beside what nobody looked at stands what was commented on alone, beside pushes those by force', async () => {
  expect(await told('merged_unreviewed', 'merged_unreviewed')).toMatchObject({
    merged_on_comment: { value: expect.closeTo(2 / 19, 12), n: 19 },
  });
  expect(await told('approved_then_pushed', 'approved_then_pushed')).toMatchObject({
    by_force: { value: expect.closeTo(2 / 19, 12), n: 19 },
  });
});

it('how long until a revert is told of reverts however late, by whomever, and of reapplications', async () => {
  expect(await told('reverted', 'reverted')).toMatchObject({
    time_to_revert: { median: 1, p90: expect.closeTo(30 * DAY, 9), n: 11 },
  });
});

it('an agent’s pull request is merged by whoever asked it for one as by its author', async () => {
  const agents = (login: string, ...more: Happening[]) =>
    lived({ ...by('agent-copilot'), mergedBy: aPerson(login) }, asks(1, 'cy', 'agent-copilot'), ...more);
  const [theirs, ...others] = [agents('cy'), agents('bo'), agents('cy', approves(2, 'bo'))];
  await aRepositoryOf('agents', [theirs!, ...others]);

  expect(await listed('agents', 'self_merged', { authorship: 'agent' })).toEqual([theirs!.number]);
  expect(await told('agents', 'self_merged', { authorship: 'agent' })).toMatchObject({ value: 1 / 3, n: 3 });
  expect(await told('agents', 'self_merged')).toMatchObject({ value: null, n: 0 });
});

describe('review_depth', () => {
  const found: readonly (readonly [what: string, findings: number | null, pull: Pull])[] = [
    ['approved', 0, life(approves(1, 'bo'))],
    ['two threads', 2, life(comments(1, 'bo', { threads: 2 }))],
    ['threads of two people', 3, life(comments(1, 'bo', { threads: 2 }), approves(2, 'cy', { threads: 1 }))],
    ['answers in threads', 1, life(comments(1, 'bo', { threads: 1, replies: 3 }))],
    ['a thread of its author’s', 0, life(approves(1, 'bo'), comments(2, AUTHOR, { threads: 1 }))],
    ['threads of a bot’s', 0, life(approves(1, 'bo'), comments(2, 'bot-ci', { threads: 4 }))],
    ['a thread at the very merge', 1, life(comments(100, 'bo', { threads: 1 }))],
    ['a thread after the merge', 0, life(approves(1, 'bo'), comments(101, 'cy', { threads: 1 }))],
    ['answers alone', null, life(replies(1, 'bo', 2))],
    ['said in the conversation', null, life(says(1, 'bo'))],
    ['a bot’s', null, lived(by('bot-ci'), comments(1, 'bo', { threads: 1 }))],
    ['9 lines in a file', 9, lived(lines(9), comments(1, 'bo', { threads: 9 }))],
    ['still open', null, of({}, comments(1, 'bo', { threads: 1 }))],
  ];
  beforeAll(
    async () =>
      await aRepositoryOf(
        'review_depth',
        found.map(([, , pull]) => pull),
      ),
  );

  it('is the mean number of threads that others opened, over what was reviewed, all of which is listed', async () => {
    const reviewed = found.filter(([, findings]) => findings !== null);

    expect((await listed('review_depth', 'review_depth')).toSorted((a, b) => a - b)).toEqual(
      reviewed.map(([, , { number }]) => number),
    );
    expect(await told('review_depth', 'review_depth')).toMatchObject({
      value: expect.closeTo(16 / 9, 12),
      n: 9,
      p50: 1,
      p90: expect.closeTo(4.2, 12),
      none: expect.closeTo(4 / 9, 12),
      left_out: { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 },
    });
  });
});

describe('a threshold that an administrator changes turns over', () => {
  const save = async (body: unknown) => {
    const administrators = { require: async () => {} };
    const { saveHealthSettings } = healthSettingsRoutes({ db: database.db, now: () => NOW, administrators });
    await saveHealthSettings({ user: signedIn(), body: endpoints.saveHealthSettings.body.parse(body) } as never);
  };

  it.each<[key: OwnSignalKey, body: object, turned: string[]]>([
    ['merged_unreviewed', { trivial: { lines: 9 } }, ['9 lines in a file', '10 lines, one of them generated']],
    ['merged_unreviewed', { trivial: { files: 2 } }, ['9 lines in two files']],
    ['merged_over_objection', { trivial: { lines: 9 } }, ['9 lines in a file']],
    ['self_merged', { trivial: { lines: 0 } }, ['9 lines in a file']],
    ['stamped', { stamped: { words: 3 } }, ['three words', 'three words of another’s review', 'said in three']],
    ['stamped', { stamped: { minutes: 6 } }, ['a second more', '300 lines, but 150 generated', 'later than that']],
    ['stamped', { stamped: { lines_per_minute: 29 } }, ['300 lines, a second more']],
    [
      'ping_pong',
      { ping_pong: { rounds: 3 } },
      [
        'three rounds',
        'four rounds, one of them a bot’s',
        'four reviews, no push before the last',
        'three turns in a second more',
      ],
    ],
    [
      'ping_pong',
      { ping_pong: { turns: 2 } },
      ['two turns in a day', 'three turns in a second more', 'three turns, one by being ready'],
    ],
    ['big', { big: 399 }, ['400 lines', '401 lines, one generated', '1,000 lines, 600 generated']],
    [
      'big',
      { big: 401 },
      [
        '401 lines',
        '401 lines, most of them deleted',
        '1,000 lines, 599 generated',
        '401 lines, one generated, files cut',
        'with an agent’s commit in it',
        'on the default branch by its earlier name',
      ],
    ],
    ['long_open', { long_open_days: 13 }, ['exactly 14 days']],
    ['long_open', { long_open_days: 15 }, ['a second more']],
    ['stale_approval', { stale_approval_days: 2 }, ['exactly 3 days']],
    ['stale_approval', { stale_approval_days: 4 }, ['a second more', 'approved again']],
  ])('%s by %j: those between the old and the new, and no others', async (key, body, turned) => {
    const before = await listed(key, key);
    await save(body);
    const now = await listed(key, key);
    const { value, n } = await told(key, key);
    await sql`truncate health_settings`.execute(database.db);

    const whats = tables[key].flatMap(([what, , { number }]) =>
      before.includes(number) === now.includes(number) ? [] : [what],
    );
    expect(whats).toEqual(turned);
    expect(value).toBeCloseTo(now.length / n, 12);
  });
});

/** Pull requests of ada's that these people approve, so many each. */
function reviewedBy(counts: Readonly<Record<string, number>>, more: Partial<Pull> = {}): Pull[] {
  return Object.entries(counts).flatMap(([login, count]) =>
    Array.from({ length: count }, () => lived(more, approves(1, login))),
  );
}

describe('concentration', () => {
  const none = { value: null, top_share: null, gini: null };
  it.each<[what: string, pulls: Pull[], told: object]>([
    [
      'exactly half',
      reviewedBy({ bo: 5, cy: 3, dee: 2 }),
      { n: 10, reviewers: 3, value: 1, top_share: 0.5, gini: 0.2 },
    ],
    ['less than half', reviewedBy({ bo: 4, cy: 3, dee: 3 }), { n: 10, value: 2, top_share: 0.4 }],
    ['as many each', reviewedBy({ bo: 2, cy: 2, dee: 2, eve: 2 }), { n: 8, value: 2, top_share: 0.25, gini: 0 }],
    ['two people, and the author', reviewedBy({ bo: 2, cy: 2 }), { n: 4, reviewers: 2, value: 1, top_share: 0.5 }],
    ['one, and the author', reviewedBy({ bo: 9 }), { n: 9, reviewers: 1, ...none }],
    ['one, the author, and a third', [...reviewedBy({ bo: 9 }), life(says(1, 'cy'))], { n: 9, value: 1, top_share: 1 }],
    [
      'reviews by bots, by authors and by deleted accounts aside',
      [...reviewedBy({ bo: 1, cy: 1 }), ...reviewedBy({ 'bot-ci': 3, ada: 3 }), life(approves(1, null))],
      { n: 2, reviewers: 2, value: 1 },
    ],
    [
      'of bots’ pull requests, of other bases and of what is open, too',
      [
        ...reviewedBy({ bo: 1, cy: 1 }),
        ...reviewedBy({ bo: 2 }, by('bot-ci')),
        ...reviewedBy({ bo: 2 }, { baseRef: 'next' }),
        of({}, approves(1, 'bo')),
      ],
      { n: 7, reviewers: 2, value: 1, top_share: 6 / 7 },
    ],
    [
      'reviews before the window and at its end aside',
      [
        ...reviewedBy({ bo: 1, cy: 1 }),
        of({ createdAt: hour(from - 9) }, approves(from, 'dee'), approves(from - SECOND, 'dee')),
        of({}, approves(to - SECOND, 'dee'), approves(to, 'dee')),
      ],
      { n: 4, reviewers: 3, value: 1, top_share: 0.5 },
    ],
  ])('of %s', async (what, pulls, expected) => {
    await aRepositoryOf(what.replaceAll(/\W/g, '-'), pulls);
    expect(await told(what.replaceAll(/\W/g, '-'), 'concentration')).toMatchObject(expected);
  });

  it('of merges is told apart, by the people who merged', async () => {
    const mergedBy = (login: string, count: number) =>
      Array.from({ length: count }, () => of({ mergedBy: aPerson(login) }, approves(1, 'bo'), merged(100, login)));
    await aRepositoryOf('merges', [
      ...mergedBy('cy', 3),
      ...mergedBy('dee', 2),
      ...mergedBy('bot-ci', 9),
      life(says(1, 'cy')),
    ]);

    expect(await told('merges', 'concentration')).toMatchObject({
      value: 1,
      n: 14,
      reviewers: 1,
      merges: { reviewers: 2, half: 1, top_share: 0.6, gini: expect.closeTo(0.1, 12) },
    });
  });

  it('lists the pull requests that were reviewed, each once', async () => {
    const twice = life(approves(1, 'bo'), approves(2, 'cy'));
    await aRepositoryOf('listed', [twice, life(approves(1, 'bot-ci')), life(approves(3, 'dee'))]);

    expect(await listed('listed', 'concentration')).toEqual([twice.number + 2, twice.number]);
    expect(await told('listed', 'concentration')).toMatchObject({ value: 2, n: 3 });
  });
});

describe('an area', () => {
  const inArea = { files: [file('web/charts/line.ts', 8)] };
  /** Reviewed one after the other by the people whom the letters stand for. */
  const inTurn = (letters: string) =>
    [...letters].map((letter, at) => lived(inArea, approves(1 + at, { b: 'bo', c: 'cy', d: 'dee' }[letter]!)));
  const merges = (login: string, count: number) =>
    Array.from({ length: count }, () => lived({ ...inArea, ...by(login) }));

  it.each<[what: string, pulls: Pull[], told: readonly object[]]>([
    ['19 reviewed', inTurn('bcd'.repeat(6).concat('b')), []],
    ['20 reviewed', inTurn('bcdb'.repeat(5)), [{ area: 'web/charts', reviewers: 3, half: 1, at_risk: false }]],
    ['16 of 20 by one', inTurn('bbbbc'.repeat(4)), [{ top_share: 0.8, at_risk: true }]],
    ['15 of 20 by one', inTurn('bbbc'.repeat(5)), [{ top_share: 0.75, at_risk: false }]],
    ['the last ten by one', inTurn('c'.repeat(10).concat('b'.repeat(10))), [{ top_share: 0.5, at_risk: true }]],
    ['the last nine by one', inTurn('c'.repeat(11).concat('b'.repeat(9))), [{ half: 1, at_risk: false }]],
    ['three merges', [...inTurn('bcdb'.repeat(5)), ...merges('eve', 3)], [{ could: ['ada', 'eve'] }]],
    ['two merges', [...inTurn('bcdb'.repeat(5)), ...merges('eve', 2)], [{ could: ['ada'] }]],
    ['1 of 20 reviews', [...inTurn('bbbc'.repeat(4).concat('bccd')), ...merges('dee', 3)], [{ could: ['ada'] }]],
    ['1 of 21 reviews', [...inTurn('bbbc'.repeat(5).concat('d')), ...merges('dee', 3)], [{ could: ['ada', 'dee'] }]],
    ['a bot’s merges', [...inTurn('bcdb'.repeat(5)), ...merges('bot-ci', 3)], [{ could: ['ada'] }]],
  ])('of which %s', async (what, pulls, expected) => {
    const name = `area-${what.replaceAll(/\W/g, '-')}`;
    await aRepositoryOf(name, pulls);
    const { getHealth } = healthRoutes({ db: database.db, now: () => NOW });
    const query = endpoints.getHealth.query.parse(queryOf(name));

    const { areas } = await getHealth({ user: signedIn(), query } as never);

    expect(areas).toHaveLength(expected.length);
    expect(areas).toMatchObject(expected);
  });
});
