import { describe, expect, it } from 'vitest';
import { aPerson, aPullRequest, hour, noAttribution, OPENED_AT } from '../../test/support/builders.ts';
import { marksOfCommit, marksOfDescription } from './agent-traces.ts';
import { attributionOf } from './attribution.ts';
import type { PersonRef } from './pull-request.ts';

/*
 * Made-up pull requests as the host tells them, by their texts, accounts and events, with who wrote and who started each
 * (docs/server.md#who-wrote-a-pull-request).
 */

const HOST = 'github.com';
const ada = aPerson('ada', { id: '1', displayName: 'Ada Byron' });
const ben = aPerson('ben', { id: '2' });
const cara = aPerson('cara', { id: '3' });
const bot = aPerson('renovate[bot]', { id: '10', kind: 'bot' });
const copilot = aPerson('copilot-swe-agent[bot]', { id: '198982749', kind: 'agent' });
const devin = aPerson('devin-ai-integration[bot]', { id: '158243242', kind: 'agent' });
const claude = aPerson('claude[bot]', { id: '209825114', kind: 'agent' });
const rabbit = aPerson('coderabbitai[bot]', { id: '136622811', kind: 'agent' });
const house = aPerson('house-writer[bot]', { id: '77', kind: 'agent' });
const people = [ada, ben, cara, bot, copilot, devin, claude, rabbit, house];

interface Commit {
  readonly message?: string;
  readonly name?: string;
  readonly email?: string;
  /** The account that the host resolves the git author to. */
  readonly account?: PersonRef | null;
}

interface Case {
  readonly author?: PersonRef | null;
  readonly commits?: readonly Commit[];
  readonly body?: string;
  readonly branch?: string;
  readonly labels?: readonly string[];
  readonly namedLabels?: readonly { readonly label: string; readonly tool: string }[];
  readonly host?: string;
  /** Person, minutes after the opening, and until when. */
  readonly assigned?: readonly (readonly [PersonRef, number, number?])[];
  /** Who asked whom, minutes after the opening; null for a team. */
  readonly asked?: readonly (readonly [PersonRef, PersonRef | null, number])[];
  readonly reviewedAfter?: number;
  readonly session?: PersonRef;
  readonly issue?: readonly PersonRef[];
  readonly corrected?: { readonly authorship: 'human' | 'assisted' | 'agent'; readonly tool: string | null };
  readonly credit?: { readonly person: PersonRef | null };
}

function attributed(given: Case) {
  const host = given.host ?? HOST;
  const minutes = (after: number) => hour(0) + after * 60_000;
  const accountOf = ({ id, login }: { id: string | null; login: string }) =>
    people.find((person) => (id === null ? person.login.toLowerCase() === login : person.id === id)) ?? null;
  const known = (named: readonly { id: string | null; login: string }[]) =>
    named.map(accountOf).filter((person) => person !== null);
  const { marks, requestedBy } = marksOfDescription(given.body ?? '');
  const record = aPullRequest({
    author: given.author === undefined ? ada : given.author,
    createdAt: OPENED_AT,
    headRef: given.branch ?? 'topic',
    commits: (given.commits ?? [{}]).map(
      ({ message = 'Fix', name = 'Ada', email = 'ada@example.com', account = null }, index) => {
        const found = marksOfCommit({ message, authorName: name, authorEmail: email }, host);
        return {
          ...{ sha: `${index}`.padStart(40, 'c'), author: account, authorIsBot: false, headline: 'Fix' },
          ...{ authoredAt: OPENED_AT, committedAt: OPENED_AT, byAgent: found.marks.length > 0 },
          ...{ marks: found.marks, coAuthors: known(found.coAuthors) },
        };
      },
    ),
    events: (given.asked ?? []).map(([actor, reviewer, after], index) => ({
      ...{ id: `${index}`, type: 'review_requested', at: minutes(after), actor, reviewer },
      ...{ team: reviewer === null ? '@acme/core' : null, reviewId: null, previousState: null },
    })),
    attribution: {
      ...noAttribution,
      labels: given.labels ?? [],
      namedLabels: given.namedLabels ?? [],
      knownIds: host === HOST,
      descriptionMarks: marks,
      requestedBy: known(requestedBy.map((login) => ({ id: null, login: login.toLowerCase() }))),
      assignments: (given.assigned ?? []).map(([person, from, until]) => ({
        ...{ person, at: minutes(from), until: until === undefined ? null : minutes(until) },
      })),
      sessionActor: given.session ?? null,
      issueActors: given.issue ?? [],
      correctedAuthorship: given.corrected ?? null,
      correctedCredit: given.credit ?? null,
    },
  });
  const found = attributionOf(record, given.reviewedAfter === undefined ? null : minutes(given.reviewedAfter));
  const { authorship, agents, confidence, evidence, creditedTo, creditBy } = found;
  return [
    authorship,
    agents.join(' '),
    confidence,
    evidence.map(({ rule }) => rule).join(' '),
    creditedTo?.login ?? null,
    creditBy,
  ];
}

const by = (address: string) => `Fix\n\nCo-authored-by: Somebody <${address}>`;
const noreply = (person: PersonRef, host = HOST) => `${person.id}+${person.login}@users.noreply.${host}`;
const byCopilot = { email: '198982749+Copilot@users.noreply.github.com' } as const;
const human = ['human', '', null, '', 'ada', 'author'] as const;
const assisted = (agents: string, confidence: string, rules: string) =>
  ['assisted', agents, confidence, rules, 'ada', 'author'] as const;
const agent = (agents: string, rules: string, credited: string | null, rule: string | null) =>
  ['agent', agents, 'account', rules, credited, rule] as const;

const wrote: readonly (readonly [name: string, given: Case, expected: readonly (string | null)[]])[] = [
  ['a person’s without a trace', {}, human],
  ['a person’s of a branch with a slash', { branch: 'feature/claude' }, human],
  ['a bot’s', { author: bot }, ['bot', '', null, '', null, null]],
  [
    'a bot’s that is called as a tool',
    { author: aPerson('devin-ci[bot]', { id: '11', kind: 'bot' }) },
    ['bot', '', null, '', null, null],
  ],
  ['a deleted account’s', { author: null }, ['ghost', '', null, '', null, null]],
  [
    'a deleted account’s with a trace',
    { author: null, branch: 'claude/x' },
    ['ghost', 'claude', 'branch', '6', null, null],
  ],
  [
    'a bot’s with an agent’s trace',
    { author: bot, commits: [{ message: by('noreply@anthropic.com') }] },
    ['bot', 'claude', 'commit', '3', null, null],
  ],
  ['Copilot’s', { author: copilot }, agent('copilot', '1', null, null)],
  ['Devin’s', { author: devin }, agent('devin', '1', null, null)],
  ['an agent’s that only the team knows', { author: house }, agent('house-writer', '1', null, null)],
  [
    'a person’s called as a tool',
    { author: aPerson('claude', { id: '5' }) },
    ['human', '', null, '', 'claude', 'author'],
  ],
  ['a commit by an agent’s account', { commits: [{ account: claude }] }, assisted('claude', 'commit', '2')],
  ['a commit by an agent that only reviews', { commits: [{ account: rabbit }] }, human],
  [
    'a commit by an agent’s address',
    { commits: [{ email: 'cursoragent@cursor.com' }] },
    assisted('cursor', 'commit', '2'),
  ],
  ['a commit by an address of many', { commits: [{ email: 'someone@cursor.com' }] }, human],
  [
    'a commit by an address in capitals',
    { commits: [{ email: 'Codex@OpenAI.com' }] },
    assisted('codex', 'commit', '2'),
  ],
  ['a trailer of Claude', { commits: [{ message: by('noreply@anthropic.com') }] }, assisted('claude', 'commit', '3')],
  [
    'a trailer of Copilot by its number',
    { commits: [{ message: by('198982749+Copilot@users.noreply.github.com') }] },
    assisted('copilot', 'commit', '3'),
  ],
  [
    'a trailer of an agent that was renamed',
    { commits: [{ message: by('158243242+devin-was@users.noreply.github.com') }] },
    human,
  ],
  [
    'a trailer of an agent’s number with [bot]',
    { commits: [{ message: by('158243242+devin-ai-integration[bot]@users.noreply.github.com') }] },
    assisted('devin', 'commit', '3'),
  ],
  [
    'a trailer of a reviewing agent',
    { commits: [{ message: by('136622811+coderabbitai[bot]@users.noreply.github.com') }] },
    human,
  ],
  [
    'a trailer of a person called Claude',
    { commits: [{ message: 'Fix\n\nCo-authored-by: Claude <claude@example.com>' }] },
    human,
  ],
  [
    'a trailer amid the message',
    { commits: [{ message: 'Fix\n\nCo-authored-by: x <amp@ampcode.com>\n\nMore.' }] },
    assisted('amp', 'commit', '3'),
  ],
  ['a trailer in a sentence', { commits: [{ message: 'Fix what Co-authored-by: x <amp@ampcode.com> did' }] }, human],
  [
    'a suggestion taken over',
    { commits: [{ message: 'Apply suggestions from code review\n\nCo-authored-by: Copilot <copilot@github.com>' }] },
    human,
  ],
  [
    'one suggestion taken over',
    { commits: [{ message: 'Apply suggestion from code review\n\nCo-authored-by: Copilot <copilot@github.com>' }] },
    human,
  ],
  [
    'a file updated by a suggestion',
    { commits: [{ message: 'Update main.ts\n\nCo-authored-by: Copilot <copilot@github.com>' }] },
    human,
  ],
  [
    'a file updated for a reason',
    { commits: [{ message: 'Update main.ts\n\nIt was slow.\n\nCo-authored-by: Copilot <copilot@github.com>' }] },
    assisted('copilot', 'commit', '3'),
  ],
  ['made with Cursor', { commits: [{ message: 'Fix\n\nMade-with: Cursor' }] }, assisted('cursor', 'commit', '4')],
  ['made with something else', { commits: [{ message: 'Fix\n\nMade-with: love' }] }, human],
  [
    'assisted by a tool',
    { commits: [{ message: 'Fix\n\nAssisted-by: Claude Code 2' }] },
    assisted('claude', 'commit', '4'),
  ],
  ['assisted by a person called Claude', { commits: [{ message: 'Fix\n\nAssisted-by: my friend Claude' }] }, human],
  [
    'written by Replit',
    { commits: [{ message: 'Fix\n\nReplit-Commit-Author: Agent' }] },
    assisted('replit', 'commit', '4'),
  ],
  [
    'generated with Claude Code',
    { commits: [{ message: 'Fix\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)' }] },
    assisted('claude', 'commit', '4'),
  ],
  ['an author’s name of aider', { commits: [{ name: 'Ada (aider)' }] }, assisted('aider', 'commit', '4')],
  ['a headline of aider', { commits: [{ message: 'aider: Fix' }] }, assisted('aider', 'commit', '4')],
  ['a label', { labels: ['Claude-Code-Assisted'] }, assisted('claude', 'said', '5')],
  ['a label that is longer', { labels: ['copilot-review'] }, human],
  ['labels that every object has', { labels: ['constructor', '__proto__'] }, human],
  [
    'a label of the settings',
    { labels: ['AI'], namedLabels: [{ label: 'ai', tool: 'devin' }] },
    assisted('devin', 'said', '5'),
  ],
  ['a branch', { branch: 'codex/fix' }, assisted('codex', 'branch', '6')],
  ['a branch in capitals', { branch: 'Jules/fix' }, assisted('jules', 'branch', '6')],
  ['a branch without a slash', { branch: 'claude' }, human],
  [
    'a branch of somebody who is called so',
    { author: aPerson('devin', { id: '6' }), branch: 'devin/fix' },
    ['human', '', null, '', 'devin', 'author'],
  ],
  [
    'a branch of somebody whose name holds it',
    { author: aPerson('dk', { id: '7', displayName: 'Jules Verne' }), branch: 'jules/fix' },
    ['human', '', null, '', 'dk', 'author'],
  ],
  [
    'a branch of somebody whose login holds it as a part',
    { author: aPerson('claudette', { id: '8' }), branch: 'claude/fix' },
    ['assisted', 'claude', 'branch', '6', 'claudette', 'author'],
  ],
  [
    'a footer',
    { body: 'Fixes it.\n\nGenerated with [Claude Code](https://claude.com/claude-code)' },
    assisted('claude', 'said', '7'),
  ],
  [
    'a footer of Devin',
    { body: 'Link to Devin session: https://app.devin.ai/sessions/1' },
    assisted('devin', 'said', '7'),
  ],
  ['a footer that is quoted', { body: '> Generated with [Claude Code](https://claude.com/claude-code)' }, human],
  [
    'two tools, the surer first',
    { branch: 'claude/x', commits: [{ message: 'Fix\n\nMade-with: Cursor' }] },
    assisted('cursor claude', 'commit', '4 6'),
  ],
  [
    'an agent’s on another host, whose numbers are others',
    { host: 'ghe.example.org', author: aPerson('writer[bot]', { id: '198982749', kind: 'agent' }) },
    agent('writer', '1', null, null),
  ],
  [
    'Copilot on another host, by its login',
    { host: 'ghe.example.org', author: aPerson('copilot-swe-agent[bot]', { id: '12', kind: 'agent' }) },
    agent('copilot', '1', null, null),
  ],
  [
    'said to be a person’s',
    { branch: 'claude/x', corrected: { authorship: 'human', tool: null } },
    ['human', '', 'branch', '6', 'ada', 'author'],
  ],
  [
    'said to be assisted',
    { corrected: { authorship: 'assisted', tool: 'amp' } },
    ['assisted', 'amp', null, '', 'ada', 'author'],
  ],
  [
    'an agent’s account’s, said to be assisted',
    { author: copilot, corrected: { authorship: 'assisted', tool: 'copilot' }, assigned: [[ben, 1]] },
    ['assisted', 'copilot', 'account', '1', null, null],
  ],
  [
    'a bot’s, said to be a person’s',
    { author: bot, corrected: { authorship: 'human', tool: null } },
    ['human', '', null, '', null, null],
  ],
  [
    'said to be an agent’s',
    { corrected: { authorship: 'agent', tool: 'amp' }, assigned: [[ben, 1]] },
    ['agent', 'amp', null, '', 'ben', 'assignee'],
  ],
  [
    'said to be an agent’s, of which its author asked a reviewer and was assigned the issue',
    { corrected: { authorship: 'agent', tool: 'amp' }, asked: [[ada, ben, 6]], issue: [cara] },
    ['agent', 'amp', null, '', null, null],
  ],
];

const named = (...who: PersonRef[]): Commit => ({
  ...byCopilot,
  message: `Fix\n\n${who.map((person) => `Co-authored-by: x <${noreply(person)}>`).join('\n')}`,
});

const started: readonly (readonly [name: string, given: Case, credited: string | null, rule: string | null])[] = [
  ['the session’s actor', { session: ben }, 'ben', 'session'],
  ['not a session that the agent began itself', { session: copilot }, null, null],
  ['whom its commits name', { commits: [named(ben)] }, 'ben', 'trailer'],
  ['whom most of its commits name', { commits: [named(ben), named(cara), named(cara)] }, 'cara', 'trailer'],
  [
    'of as many the one named first',
    { commits: [named(cara, ben), named(ben)].concat(named(cara)) },
    'cara',
    'trailer',
  ],
  ['twice in one counts once', { commits: [named(ben, ben), named(cara), named(cara)] }, 'cara', 'trailer'],
  ['not whom a person’s commit names', { commits: [{ message: by(noreply(ben)) }] }, null, null],
  ['not a bot or the agent', { commits: [named(bot, copilot)] }, null, null],
  [
    'by the id, not the login',
    { commits: [{ ...byCopilot, message: by('2+who-ben-was@users.noreply.github.com') }] },
    'ben',
    'trailer',
  ],
  [
    'by the login where there is no id',
    { commits: [{ ...byCopilot, message: by('ben@users.noreply.github.com') }] },
    'ben',
    'trailer',
  ],
  [
    'by the login of another host',
    { commits: [{ ...byCopilot, message: by('3+ben@users.noreply.ghe.example.org') }] },
    'ben',
    'trailer',
  ],
  [
    'nobody whom nobody knows',
    { commits: [{ ...byCopilot, message: by('999+nobody@users.noreply.github.com') }] },
    null,
    null,
  ],
  ['not a plain address', { commits: [{ ...byCopilot, message: by('ben@example.com') }] }, null, null],
  ['whom a line names', { body: 'Requested by: Ben (@ben)' }, 'ben', 'line'],
  ['nobody where lines name two', { body: 'Requested by: @ben\nRequested by: @cara' }, null, null],
  ['not whom a quoted line names', { body: '> Requested by: @ben' }, null, null],
  ['who was assigned at the opening', { assigned: [[ben, 9]] }, 'ben', 'assignee'],
  [
    'also where others are assigned later',
    {
      assigned: [
        [ben, 10],
        [cara, 11],
      ],
    },
    'ben',
    'assignee',
  ],
  [
    'not who was unassigned at once',
    {
      assigned: [
        [ben, 1, 5],
        [cara, 60],
      ],
    },
    'cara',
    'assignee',
  ],
  [
    'also who was unassigned later',
    {
      assigned: [
        [ben, 1, 60],
        [cara, 60],
      ],
    },
    'ben',
    'assignee',
  ],
  [
    'nobody where two were',
    {
      assigned: [
        [ben, 1],
        [cara, 2],
      ],
    },
    null,
    null,
  ],
  [
    'not an agent that is assigned',
    {
      assigned: [
        [copilot, 1],
        [ben, 2],
      ],
    },
    'ben',
    'assignee',
  ],
  [
    'not a bot that is called as a person',
    {
      assigned: [[aPerson('carol', { id: '12', kind: 'bot' }), 1]],
      asked: [[copilot, aPerson('dave', { id: '13', kind: 'bot' }), 2]],
    },
    null,
    null,
  ],
  ['whom the agent asked', { asked: [[copilot, ben, 6]] }, 'ben', 'asked'],
  ['not whom others asked', { asked: [[ada, ben, 6]] }, null, null],
  [
    'nobody where it asked two before a review',
    {
      asked: [
        [copilot, ben, 6],
        [copilot, cara, 7],
      ],
      reviewedAfter: 60,
    },
    null,
    null,
  ],
  [
    'also where it asked another after it',
    {
      asked: [
        [copilot, ben, 6],
        [copilot, cara, 70],
      ],
      reviewedAfter: 60,
    },
    'ben',
    'asked',
  ],
  [
    'teams aside',
    {
      asked: [
        [copilot, null, 6],
        [copilot, ben, 7],
      ],
    },
    'ben',
    'asked',
  ],
  ['whom the issue names', { issue: [ben] }, 'ben', 'issue'],
  ['nobody where it names two', { issue: [ben, cara] }, null, null],
  ['whom somebody says', { credit: { person: cara }, session: ben }, 'cara', 'corrected'],
  ['nobody, where somebody says so', { credit: { person: null }, session: ben }, null, 'corrected'],
];

describe('who wrote it', () => {
  it.each(wrote)('%s', (_, given, expected) => {
    expect(attributed(given)).toEqual(expected);
  });
});

describe('who started an agent’s', () => {
  it.each(started)('%s', (_, given, credited, rule) => {
    expect(attributed({ author: copilot, commits: [byCopilot], ...given }).slice(4)).toEqual([credited, rule]);
  });
});

describe('the order of the rules', () => {
  it('shows as one trace after the other is taken away', () => {
    const everything: Case = {
      ...{ author: copilot, labels: ['claude-code-assisted'], branch: 'gemini/x' },
      commits: [
        { email: 'cursoragent@cursor.com' },
        { message: by('codex@openai.com') },
        { message: 'Fix\n\nReplit-Commit-Author: Agent' },
      ],
      body: 'Link to Devin run: https://app.devin.ai/sessions/1',
    };
    const without: readonly Case[] = [
      {},
      { author: ada },
      { commits: everything.commits!.slice(1) },
      { commits: everything.commits!.slice(2) },
      { commits: [] },
      { labels: [] },
      { body: '' },
      { branch: 'x' },
    ];
    const steps = without.map((_, index) => attributed(Object.assign({}, everything, ...without.slice(0, index + 1))));

    expect(steps.map(([authorship, agents, confidence, rules]) => [authorship, agents, confidence, rules])).toEqual([
      ['agent', 'copilot codex cursor replit claude devin gemini', 'account', '1 3 2 4 5 7 6'],
      ['assisted', 'codex cursor replit claude devin gemini', 'commit', '3 2 4 5 7 6'],
      ['assisted', 'codex replit claude devin gemini', 'commit', '3 4 5 7 6'],
      ['assisted', 'replit claude devin gemini', 'commit', '4 5 7 6'],
      ['assisted', 'claude devin gemini', 'said', '5 7 6'],
      ['assisted', 'devin gemini', 'said', '7 6'],
      ['assisted', 'gemini', 'branch', '6'],
      ['human', '', null, ''],
    ]);
  });

  it('of credit, too', () => {
    const dee = (login: string, id: string) => aPerson(login, { id });
    const [p1, p4, p5, p6] = [dee('p1', '21'), dee('p4', '24'), dee('p5', '25'), dee('p6', '26')];
    const everything: Case = {
      ...{ author: copilot, credit: { person: dee('p0', '20') }, session: p1, commits: [named(ben)] },
      ...{ body: 'Requested by: @cara', assigned: [[p4, 1]], asked: [[copilot, p5, 2]], issue: [p6] },
    };
    const without: readonly object[] = [
      {},
      { credit: undefined },
      { session: undefined },
      { commits: [byCopilot] },
      { body: '' },
      { assigned: [] },
      { asked: [] },
      { issue: [] },
    ];
    const steps = without.map((_, index) =>
      attributed(Object.assign({}, everything, ...without.slice(0, index + 1))).slice(4),
    );

    expect(steps).toEqual([
      ['p0', 'corrected'],
      ['p1', 'session'],
      ['ben', 'trailer'],
      ['cara', 'line'],
      ['p4', 'assignee'],
      ['p5', 'asked'],
      ['p6', 'issue'],
      [null, null],
    ]);
  });
});
