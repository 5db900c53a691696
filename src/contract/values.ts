import { z } from 'zod';
import { periods } from '#domain/period.ts';

/** An instant on the wire: ISO 8601 in UTC, with `Z` (docs/metrics.md#what-holds-everywhere). */
export const instant = z.iso.datetime();
/** A duration in hours, unrounded; null where there is nothing to measure. */
export const hours = z.number().nullable().meta({ 'x-unit': 'hours' });
/** The same where there always is one. */
export const hoursSpent = z.number().meta({ 'x-unit': 'hours' });
/** A calendar day in the viewer's time zone, yyyy-MM-dd. */
export const day = z.iso.date();
export const count = z.number().int().min(0);
const pasted = z.string().max(500, 'at most 500 characters');
/** Owner and name of a repository as somebody types them, or pastes an address of it. */
export const pastedName = { owner: pasted, name: pasted };
/** 0 to 1; null over nothing. */
export const share = z.number().min(0).max(1).nullable().meta({ 'x-unit': 'share' });
/** 0 to 100; null over nothing. */
export const percent = z.number().min(0).max(100).nullable().meta({ 'x-unit': 'percent' });
/** The change in percent against the window before (docs/metrics.md#what-holds-everywhere). */
export const trend = z.number().meta({ 'x-unit': 'percent' });

/** What says whether a change may be told in percent: the window that figures are compared with, and how far the data reaches back. */
export const comparedWith = z.object({
  from: instant.describe('When the earlier window begins.'),
  history_begins: instant
    .nullable()
    .describe('When the earliest stored pull request of the repositories in question was opened; null without any.'),
  import_complete: z
    .boolean()
    .describe(
      'False until the history of each of these repositories was read to its end once: until then figures are partial.',
    ),
});

export const accountKind = z.enum(['human', 'bot', 'agent', 'ghost']);
export const pullRequestState = z.enum(['open', 'merged', 'closed']);
export const reviewState = z.enum(['approved', 'changes_requested', 'commented', 'dismissed']);
export const waitingOn = z.enum(['author', 'reviewers', 'merge']);
export const waitingReason = z.enum([
  'draft',
  'changes_requested',
  'commented',
  'review_dismissed',
  'never_reviewed',
  'updated_after_review',
  'approved',
]);

/** Whose turn it is; all null once the pull request has ended (docs/metrics.md#whose-turn-the-phases-of-a-pull-request). */
export const turn = {
  waiting_on: waitingOn.nullable(),
  waiting_since: instant.nullable(),
  waiting_reason: waitingReason.nullable(),
};

export const authorship = z.enum(['human', 'assisted', 'agent', 'bot', 'ghost']);
/** By which rule somebody is credited (docs/server.md#who-started-it). */
export const creditRule = z.enum(['author', 'session', 'trailer', 'line', 'assignee', 'asked', 'issue', 'corrected']);

/** Who wrote a pull request and who started it, by the traces that are known: their absence proves nothing. */
export const attribution = {
  authorship,
  agents: z.array(z.string()).describe('The tools that took part, the surest first.'),
  credited_to: z.string().nullable().describe('A login; null where nobody is known.'),
  credit_by: creditRule.nullable(),
};

/** A trace of an agent (docs/server.md#who-wrote-a-pull-request). */
export const evidence = z.object({
  rule: z.number().int().min(1).max(7),
  tool: z.string(),
  confidence: z.enum(['account', 'commit', 'said', 'branch']),
  text: z.string(),
  source: z.string().nullable().describe('The commit, label or branch that it was found in.'),
});

const notWhole = 'must be a whole number';

/** Text that is a whole number and nothing else: what `Number` takes besides, `0x1`, `1e1`, ` 1`, `true`, `[1]` and none at all, is none. */
const digits = /^(\d+|-[1-9]\d*)$/;

/** A whole number from text or JSON, in words for whoever sent something else. */
export function whole<Input = unknown>(from: number, to = Number.MAX_SAFE_INTEGER) {
  const number = z.coerce
    .number<Input>(notWhole)
    .int(notWhole)
    .min(from, `must be ${from} or more`)
    .max(to, `must be ${to} or less`);
  return z
    .custom<Input>((given) => typeof given === 'number' || (typeof given === 'string' && digits.test(given)), notWhole)
    .meta({ type: 'integer', minimum: from, maximum: to })
    .pipe(number);
}

/** The largest number that an id of ours or a number of the host's can have; one beyond it is unknown as that one is. */
const LARGEST = 2_147_483_647;

const numberedFrom = <Input>() => whole<Input>(1).transform((number) => Math.min(number, LARGEST));
/** The id of a repository or team, or the number of a pull request. */
export const numbered = numberedFrom<unknown>();

const parts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (typeof given === 'string' ? [given] : given).flatMap((text) => text.split(',')));

/** A parameter that is given several times, or once with commas; one that names nothing is refused, as nothing would match it. */
export const several = parts
  .transform((texts) => texts.map((text) => text.trim()).filter((text) => text !== ''))
  .refine((texts) => texts.length > 0, 'must not be empty');
/** The same of ids; an empty one is refused. */
const severalNumbered = parts.pipe(z.array(numberedFrom<string>()));

export const repositoryFilter = numbered
  .optional()
  .describe('Narrows to one connected repository, by its id of `GET /api/repositories`.');
/** The same of several. */
export const repositoriesFilter = severalNumbered
  .optional()
  .describe('Narrows to connected repositories, by their ids of `GET /api/repositories`.');
/**
 * Narrows figures to a team: to what its members did while they were; of pull requests to those that members wrote, or with `reviewer`
 * to those that members gave a counting review (docs/metrics.md#teams).
 */
export const teamFilter = {
  team: numbered
    .optional()
    .describe('Narrows to a team, by its id of `GET /api/teams`: to what its members did while they were.'),
  team_as: z
    .enum(['author', 'reviewer'], 'must be author or reviewer')
    .optional()
    .describe(
      'With `team`: of pull requests those that members wrote (`author`, the default), or those that members gave a counting review (`reviewer`).',
    ),
};
/** The same of several teams: to what belongs to any of them. */
export const teamsFilter = {
  ...teamFilter,
  team: severalNumbered
    .optional()
    .describe('Narrows to teams, by their ids of `GET /api/teams`: to what belongs to any of them.'),
};
export const accountsFilter = z
  .enum(['humans', 'all'])
  .optional()
  .describe('`all` adds bots and agents to people; no figure of a human changes by it. `humans` is the default.');
export const creditFilter = z
  .enum(['started'], 'must be started')
  .optional()
  .describe(
    '`started`: an agent’s pull request is an authored one of the person who started it, too (docs/metrics.md#who-started-an-agent).',
  );
/** `hide` leaves out what has the property, `only` leaves out what has it not; absent shows both. */
export const propertyFilter = z.enum(['hide', 'only']).optional();
export const periodFilter = z
  .string()
  .optional()
  .describe(
    `The window that ends now: ${periods.join(', ')}; anything else is 30d (docs/server.md#lists-and-searches).`,
  );

const notMoment = 'must be a date, 2026-03-29, or an instant, 2026-03-29T10:00:00Z';
/** An instant, or a date: its midnight in the viewer's zone. */
export const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], notMoment);

/** From a moment to another, that one not counted: without `from` as long as the call's own window, without `to` until now. */
export const fromToFilter = {
  from: moment
    .optional()
    .describe('When the window begins; left out, as long before its end as the call’s own window is.'),
  to: moment.optional().describe('When the window ends, that moment not counted; left out: now.'),
};

/** Over which time figures are asked: a period that ends now, or `from` and `to`; absent is the call's own window (docs/server.md#lists-and-searches). */
export const windowFilter = {
  period: z
    .enum(periods)
    .optional()
    .describe(
      'A window that ends now, instead of `from` and `to`; left out: the call’s own (docs/server.md#lists-and-searches).',
    ),
  ...fromToFilter,
};

/** The window that a question names, as validated: either a period or a moment or two. */
export interface WindowQuery {
  /** Anything unknown is `30d`. */
  readonly period?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Some of these words. */
export const someOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  several.pipe(z.array(z.enum(values, `must be one of: ${values.join(', ')}`))).meta({ 'x-values': values });

/** Kinds of authorship, any of them. */
export const authorshipsFilter = someOf(['human', 'assisted', 'agent', 'bot', 'ghost'])
  .optional()
  .describe('Pull requests of any of these kinds of authorship.');
