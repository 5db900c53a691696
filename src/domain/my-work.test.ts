import { describe, expect, it } from 'vitest';
import {
  type ChecksState,
  checksState,
  compareWork,
  type Involvement,
  isCalledBack,
  isTurn,
  type OpenWork,
  type WorkKind,
  type WorkSection,
  workOf,
} from './my-work.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse('2026-03-31T12:00:00Z');
const since = now - 3 * DAY;

const turn = (on: OpenWork['waiting_on'], more: Partial<OpenWork> = {}): OpenWork => ({
  waiting_on: on,
  waiting_since: since,
  waiting_reason: { author: 'changes_requested', reviewers: 'updated_after_review', merge: 'approved' }[on] as never,
  draft: false,
  ...more,
});
const draft = turn('author', { draft: true, waiting_reason: 'draft' });
const nobody: Involvement = {
  isCredited: false,
  isAuthor: false,
  reviewedAt: null,
  opinion: null,
  isDismissedApproval: false,
  askedAt: null,
  team: null,
  isAgentsAnswer: false,
};
const part = (more: Partial<Involvement>): Involvement => ({ ...nobody, ...more });
const author = part({ isCredited: true, isAuthor: true });
const engaged = part({ reviewedAt: since - DAY });
const asked = part({ askedAt: since + HOUR });
const ofTeam = part({ team: { handle: '@acme/web', askedAt: since + HOUR } });
const kindOf = (of: OpenWork, by: Involvement) => {
  const item = workOf(of, by, now);
  return item === null ? null : `${item.kind} ${item.reason}`;
};

describe('what an open pull request is to a person', () => {
  // Rows: who they are; columns: whose turn it is.
  it.each([
    [
      'its author',
      author,
      'author changes_requested',
      'yours_waits updated_after_review',
      'merge approved',
      'draft draft',
    ],
    [
      'whoever is asked',
      asked,
      'reviewed_waits changes_requested',
      'review requested',
      'reviewed_waits approved',
      null,
    ],
    [
      'whoever reviewed',
      engaged,
      'reviewed_waits changes_requested',
      'review_again updated',
      'reviewed_waits approved',
      null,
    ],
    ['somebody of a team that is asked', ofTeam, null, 'team_review requested_of_team', null, null],
    ['anybody else', nobody, null, null, null, null],
    [
      'who started the agent that wrote it',
      part({ isCredited: true }),
      'author changes_requested',
      'yours_waits updated_after_review',
      'merge approved',
      'draft draft',
    ],
    [
      'who is asked by their agent',
      part({ isCredited: true, askedAt: since }),
      'author changes_requested',
      'review requested',
      'merge approved',
      'draft draft',
    ],
  ])('%s', (_, who, ofAuthor, ofReviewers, ofMerge, ofDraft) => {
    expect(kindOf(turn('author'), who)).toBe(ofAuthor);
    expect(kindOf(turn('reviewers'), who)).toBe(ofReviewers);
    expect(kindOf(turn('merge'), who)).toBe(ofMerge);
    expect(kindOf(draft, who)).toBe(ofDraft);
  });

  it('waits for a review since the later of the request and the turn', () => {
    const at = (askedAt: number) => workOf(turn('reviewers'), part({ askedAt }), now);
    expect(at(since + HOUR)).toMatchObject({ since: since + HOUR, askedAt: since + HOUR, team: null });
    expect(at(since - HOUR)).toMatchObject({ since, askedAt: since - HOUR });
    const team = workOf(turn('reviewers'), part({ team: { handle: '@acme/web', askedAt: since - HOUR } }), now);
    expect(team).toMatchObject({ since, askedAt: since - HOUR, team: '@acme/web' });
  });

  it('leaves whoever reviewed for the team since it was asked in peace', () => {
    const at = (reviewedAt: number) => kindOf(turn('reviewers'), part({ ...ofTeam, reviewedAt, opinion: 'approved' }));
    expect(at(since + HOUR)).toBe('reviewed_waits approved_by_you');
    expect(at(since + HOUR - 1)).toBe('team_review requested_of_team');
  });

  it('is the first that holds of several', () => {
    const team = ofTeam.team;
    const kind = (more: Partial<Involvement>) => kindOf(turn('reviewers'), part({ ...more, team }))?.split(' ')[0];
    expect(kind({ askedAt: since, reviewedAt: since - DAY })).toBe('review');
    expect(kind({ reviewedAt: since - DAY })).toBe('review_again');
    expect(kind({ reviewedAt: since - DAY, opinion: 'approved' })).toBe('team_review');
    expect(kind({ isCredited: true })).toBe('team_review');
    expect(kindOf(turn('reviewers'), part({ isCredited: true, reviewedAt: since - DAY }))).toMatch(/^review_again/);
    expect(kindOf(turn('reviewers'), part({ isCredited: true, reviewedAt: since - DAY, opinion: 'approved' }))).toMatch(
      /^yours_waits/,
    );
  });

  it('never asks the author through their own team', () => {
    expect(kindOf(turn('reviewers'), part({ ...author, team: ofTeam.team }))).toMatch(/^yours_waits/);
  });
});

/*
 * Everything that somebody can have to do with an open pull request, each with each, against a table of which exactly one row holds for
 * every case: no row depends on those before it.
 */
describe('everything together', () => {
  const moments = { year: -31 * DAY, before: -DAY, second: 0, hour: HOUR, later: 2 * HOUR } as const;
  const waits = {
    hours: 24 * HOUR - 1,
    day: DAY,
    ninety: 90 * DAY,
    over90: 90 * DAY + 1,
    year: 365 * DAY,
    over: 365 * DAY + 1,
  };
  const relations = ['none', 'before', 'second', 'hour'] as const;
  const people = {
    author: [true, true],
    starter: [false, true],
    written: [true, false],
    other: [false, false],
  } as const;
  type Moment = keyof typeof moments;
  type Wait = keyof typeof waits;

  /** Which reviews call back whoever gave them, by how long it has waited since. */
  const calls = read(`
    opinion            when                       | hours day ninety over90 year over
    none               none                       | no    no  no     no     no   no
    approved           *                          | no    no  no     no     no   no
    commented          year                       | no    no  no     no     no   no
    commented          before,second,hour,later   | yes   yes yes    no     no   no
    changes_requested  year                       | yes   yes yes    yes    yes  no
    changes_requested  before,second,hour,later   | yes   yes yes    yes    yes  no`);

  /** Whom a request of their team reaches, by when they reviewed. */
  const reaches = read(`
    team    | none year before second hour later
    none    | no   no   no     no     no   no
    before  | yes  yes  no     no     no   no
    second  | yes  yes  yes    no     no   no
    hour    | yes  yes  yes    yes    no   no`);

  const items = read(`
    turn       who             asked        called  team            reviewed  | kind           reason    since
    draft      author,starter  *            *       *               *         | draft          *         turn
    draft      written,other   *            *       *               *         | nothing        -         -
    agents     author,starter  *            *       *               *         | yours_waits    agent     turn
    author     author,starter  *            *       *               *         | author         *         turn
    agents     written         *            *       *               *         | nothing        -         -
    author     written         *            *       *               *         | nothing        -         -
    agents     other           none         *       *               no        | nothing        -         -
    author     other           none         *       *               no        | nothing        -         -
    agents     other           none         *       *               yes       | reviewed_waits *         turn
    author     other           none         *       *               yes       | reviewed_waits *         turn
    agents     other           before,second,hour * *               *         | reviewed_waits *         turn
    author     other           before,second,hour * *               *         | reviewed_waits *         turn
    merge      author,starter  *            *       *               *         | merge          *         turn
    merge      written         *            *       *               *         | nothing        -         -
    merge      other           none         *       *               no        | nothing        -         -
    merge      other           none         *       *               yes       | reviewed_waits *         turn
    merge      other           before,second,hour * *               *         | reviewed_waits *         turn
    reviewers  *               before,second *      *               *         | review         requested turn
    reviewers  *               hour         *       *               *         | review         requested hour
    reviewers  *               none         yes     *               *         | review_again   again     turn
    reviewers  starter,other   none         no      before,second   *         | team_review    requested_of_team turn
    reviewers  starter,other   none         no      hour            *         | team_review    requested_of_team hour
    reviewers  starter         none         no      none            *         | yours_waits    *         turn
    reviewers  author          none         no      *               *         | yours_waits    *         turn
    reviewers  written         none         no      *               *         | nothing        -         -
    reviewers  other           none         no      none            no        | nothing        -         -
    reviewers  other           none         no      none            yes       | reviewed_waits own       turn`);

  const againWords = read(`
    opinion             dismissed              | reason
    changes_requested   *                      | answered
    commented           yes                    | dismissed
    commented           no                     | updated`);
  const ownWords = read(`
    opinion                      | reason
    approved                     | approved_by_you
    commented,changes_requested  | faded`);

  it('is what one row of the table says, in every combination', () => {
    const wrong: string[] = [];
    const rows = new Set<object>();
    let cases = 0;
    for (const one of combinations()) {
      cases += 1;
      const opinion = one.review === null ? 'none' : (one.review.opinion ?? 'commented');
      const when = one.review === null ? 'none' : one.review.when;
      const called = only(calls, { opinion, when })[one.wait]!;
      const reached = only(reaches, { team: one.team })[when]!;
      // Whoever wrote it is never asked through their own team.
      const team = reached === 'yes' && !people[one.who][0] ? one.team : 'none';
      const turn = one.isAgentsAnswer && one.on === 'author' && one.wait === 'hours' ? 'agents' : one.on;
      const reviewed = when === 'none' ? 'no' : 'yes';
      const row = only(items, { turn, who: one.who, asked: one.asked, called, team, reviewed });
      const { kind, reason, since: from } = row;
      rows.add(row);
      const dismissed = one.reason === 'review_dismissed' && one.isDismissedApproval ? 'yes' : 'no';
      const why =
        reason === 'again'
          ? only(againWords, { opinion, dismissed }).reason
          : reason === 'own'
            ? only(ownWords, { opinion }).reason
            : reason === '*'
              ? one.reason
              : reason;
      const expected = kind === 'nothing' ? 'nothing' : `${kind} ${why} ${from === 'hour' ? HOUR : 0}`;
      const began = now - waits[one.wait];
      const found = workOf(
        {
          waiting_on: one.on === 'draft' ? 'author' : one.on,
          waiting_since: began,
          waiting_reason: one.reason,
          draft: one.on === 'draft',
        },
        {
          ...{ isAuthor: people[one.who][0], isCredited: people[one.who][1] },
          askedAt: one.asked === 'none' ? null : began + moments[one.asked],
          team: one.team === 'none' ? null : { handle: '@acme/web', askedAt: began + moments[one.team] },
          reviewedAt: one.review === null ? null : began + moments[one.review.when],
          opinion: one.review?.opinion ?? null,
          ...{ isDismissedApproval: one.isDismissedApproval, isAgentsAnswer: one.isAgentsAnswer },
        },
        now,
      );
      const said = found === null ? 'nothing' : `${found.kind} ${found.reason} ${found.since - began}`;
      if (said !== expected) wrong.push(`${JSON.stringify(one)}: ${said}, not ${expected}`);
      else if (found !== null && found.askedAt !== askedOf(one, found.kind, began))
        wrong.push(`${JSON.stringify(one)}: asked at ${found.askedAt}`);
      else if (found !== null && found.team !== (found.kind === 'team_review' ? '@acme/web' : null))
        wrong.push(`${JSON.stringify(one)}: asked through ${found.team}`);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect([cases, rows.size]).toEqual([172_032, items.length]);
  });

  interface Case {
    readonly on: OpenWork['waiting_on'] | 'draft';
    readonly reason: OpenWork['waiting_reason'];
    readonly who: keyof typeof people;
    readonly asked: (typeof relations)[number];
    readonly team: (typeof relations)[number];
    readonly review: { readonly when: Moment; readonly opinion: Involvement['opinion'] } | null;
    readonly wait: Wait;
    readonly isDismissedApproval: boolean;
    readonly isAgentsAnswer: boolean;
  }

  function askedOf({ asked, team }: Case, kind: WorkKind, began: number): number | null {
    const at = (moment: (typeof relations)[number]) => (moment === 'none' ? null : began + moments[moment]);
    if (kind === 'draft') return at(asked);
    return at(kind === 'team_review' ? team : asked);
  }

  function* combinations(): Iterable<Case> {
    const both = [true, false];
    const turns = [
      ['draft', ['draft']],
      ['author', ['changes_requested', 'commented']],
      ['reviewers', ['never_reviewed', 'updated_after_review', 'review_dismissed']],
      ['merge', ['approved']],
    ] as const;
    const opinions = [null, 'approved', 'changes_requested'] as const;
    const reviews = [
      null,
      ...(Object.keys(moments) as Moment[]).flatMap((when) => opinions.map((opinion) => ({ when, opinion }))),
    ];
    for (const [on, reasons] of turns)
      for (const reason of reasons)
        for (const who of Object.keys(people) as (keyof typeof people)[])
          for (const asked of relations)
            for (const team of relations)
              for (const review of reviews)
                for (const wait of Object.keys(waits) as Wait[])
                  for (const isDismissedApproval of both)
                    for (const isAgentsAnswer of both)
                      yield { on, reason, who, asked, team, review, wait, isDismissedApproval, isAgentsAnswer };
  }
});

interface TableRow extends Readonly<Record<string, unknown>> {
  /** The cells of a column, where commas part what holds; `*` holds of everything. */
  readonly holds: Readonly<Record<string, ReadonlySet<string>>>;
}

/** A table of conditions, a bar, and what follows. */
function read(text: string): readonly TableRow[] {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.map((cells) => {
    const named = head.map((name, at) => [name, cells[at]!] as const);
    return {
      ...Object.fromEntries(named),
      holds: Object.fromEntries(named.map(([name, cell]) => [name, new Set(cell.split(','))])),
    };
  });
}

/** The one row that holds. */
function only(table: readonly TableRow[], of: Readonly<Record<string, string>>) {
  const named = Object.entries(of);
  const found = table.filter(({ holds }) =>
    named.every(([name, value]) => holds[name]!.has('*') || holds[name]!.has(value)),
  );
  if (found.length !== 1) throw new Error(`${found.length} rows hold for ${JSON.stringify(of)}`);
  return found[0] as TableRow & Readonly<Record<string, string>>;
}

describe('a reviewer whom nobody asked again', () => {
  const waits = (days: number, reviewedBefore: number, opinion: Involvement['opinion'] = null) => {
    const waiting_since = now - days * DAY;
    return isCalledBack({ waiting_since }, { reviewedAt: waiting_since - reviewedBefore * DAY, opinion }, now);
  };

  it('is called back by what was done within 30 days of their review, for 90 days', () => {
    expect(waits(90, 30)).toBe(true);
    expect(waits(90, 30.001)).toBe(false);
    expect(waits(90.001, 30)).toBe(false);
  });

  it('is called back for a year where they asked for changes, however old that is', () => {
    expect(waits(365, 500, 'changes_requested')).toBe(true);
    expect(waits(365.001, 500, 'changes_requested')).toBe(false);
  });

  it('is never called back while their approval stands', () => {
    expect(waits(1, 1, 'approved')).toBe(false);
    expect(kindOf(turn('reviewers'), part({ reviewedAt: since - DAY, opinion: 'approved' }))).toBe(
      'reviewed_waits approved_by_you',
    );
  });

  it('is not called back by anything without a review', () => {
    expect(isCalledBack({ waiting_since: now - DAY }, { reviewedAt: null, opinion: null }, now)).toBe(false);
  });

  it('reads why', () => {
    const dismissed = turn('reviewers', { waiting_reason: 'review_dismissed' });
    expect(kindOf(turn('reviewers'), part({ ...engaged, opinion: 'changes_requested' }))).toBe('review_again answered');
    expect(kindOf(dismissed, part({ ...engaged, isDismissedApproval: true }))).toBe('review_again dismissed');
    expect(kindOf(dismissed, engaged)).toBe('review_again updated');
    expect(kindOf(turn('reviewers', { waiting_since: now - 91 * DAY }), part({ reviewedAt: now - 92 * DAY }))).toBe(
      'reviewed_waits faded',
    );
  });
});

it('an agent has a day to answer the review of who started it', () => {
  const mine = part({ isCredited: true, isAgentsAnswer: true, reviewedAt: now - DAY });
  const at = (waiting_since: number) => kindOf(turn('author', { waiting_since }), mine);
  expect(at(now - DAY + 1)).toBe('yours_waits agent');
  expect(at(now - DAY)).toBe('author changes_requested');
  expect(workOf(turn('author'), mine, now)).toMatchObject({ since, agentUntil: since + DAY });
  expect(workOf(turn('author'), author, now)).toMatchObject({ agentUntil: null });
});

it.each<[WorkKind, boolean]>([
  ['author', true],
  ['merge', true],
  ['review', true],
  ['review_again', true],
  ['team_review', true],
  ['yours_waits', false],
  ['reviewed_waits', false],
  ['draft', false],
])('%s is their turn: %s', (kind, turns) => {
  expect(isTurn(kind)).toBe(turns);
});

describe('the order within a section', () => {
  const item = (name: string, overdue: boolean, checks: ChecksState | null, since: number) => ({
    ...{ name, overdue, checks, since },
  });
  const all = [
    item('late', true, 'passing', 2),
    item('later', true, null, 1),
    item('late, failing', true, 'failing', 0),
    item('fresh', false, 'running', 9),
    item('fresher', false, null, 8),
    item('fresh, failing', false, 'failing', 7),
  ];
  const ordered = (section: WorkSection) =>
    all.toSorted((one, other) => compareWork(section, one, other)).map(({ name }) => name);

  it('has what is overdue first, then what fails last, then the longest wait first', () => {
    const expected = ['later', 'late', 'late, failing', 'fresher', 'fresh', 'fresh, failing'];
    for (const section of ['review', 'author', 'team_review', 'snoozed'] as const)
      expect(ordered(section)).toEqual(expected);
  });

  it('has what fails last of what is ready to merge, overdue or not', () => {
    expect(ordered('merge')).toEqual(['later', 'late', 'fresher', 'fresh', 'late, failing', 'fresh, failing']);
  });
});

describe('the badge of checks', () => {
  const check = (name: string, outcome: string | null) => ({ name, outcome });

  it('is that of the latest of each name', () => {
    expect(checksState([check('unit', 'failure'), check('unit', 'success')])).toBe('passing');
    expect(checksState([check('unit', 'success'), check('unit', 'failure')])).toBe('failing');
    expect(checksState([check('unit', 'failure'), check('unit', null)])).toBe('running');
  });

  it('fails where one failed, whatever else runs', () => {
    for (const outcome of ['failure', 'timed_out', 'startup_failure', 'action_required', 'error'])
      expect(checksState([check('unit', outcome), check('lint', null), check('e2e', 'success')])).toBe('failing');
  });

  it('is null of what was cancelled or went stale, and passes for every other end', () => {
    expect(checksState([check('unit', 'cancelled'), check('unit', 'stale')])).toBeNull();
    expect(checksState([check('unit', 'success'), check('unit', 'cancelled')])).toBe('passing');
    expect(checksState([check('unit', 'failure'), check('unit', 'cancelled')])).toBe('failing');
    for (const outcome of ['success', 'neutral', 'skipped'])
      expect(checksState([check('unit', outcome)])).toBe('passing');
    expect(checksState([])).toBeNull();
  });
});
