import type { Authorship } from './authorship.ts';
import { isSamePerson } from './history.ts';
import type { Assignment, Instant, PersonRef } from './pull-request.ts';

/** By which rule somebody is credited, in the order in which they are tried after `author`. */
export type CreditRule = 'author' | 'session' | 'trailer' | 'line' | 'assignee' | 'asked' | 'issue' | 'corrected';

/** By which of them it is known who started an agent's, in the order in which they are tried. */
export const creditRules = [
  'session',
  'trailer',
  'line',
  'assignee',
  'asked',
  'issue',
  'corrected',
] as const satisfies readonly CreditRule[];

/** Whom pull requests are credited to that are credited to nobody: no login of the host. */
export const NOBODY = 'none';

export interface CreditInput {
  readonly authorship: Authorship;
  readonly author: PersonRef | null;
  readonly createdAt: Instant;
  /** In the host's order, with the accounts that each names as co-authors. */
  readonly commits: readonly { readonly byAgent: boolean; readonly coAuthors: readonly PersonRef[] }[];
  readonly sessionActor: PersonRef | null;
  readonly requestedBy: readonly PersonRef[];
  readonly assignments: readonly Assignment[];
  readonly requests: readonly {
    readonly at: Instant;
    readonly actor: PersonRef | null;
    /** Null for a team. */
    readonly reviewer: PersonRef | null;
  }[];
  /** Of the first counting review. */
  readonly firstReviewAt: Instant | null;
  readonly issueActors: readonly PersonRef[];
  /** What somebody says better, null for nothing; `person` is null for nobody. */
  readonly corrected: { readonly person: PersonRef | null } | null;
}

export interface CreditFacts {
  /** Null where nobody is known. */
  readonly creditedTo: PersonRef | null;
  readonly creditBy: CreditRule | null;
}

/** Whoever is assigned so soon after the opening was named by who started the agent, in milliseconds. */
const AT_THE_OPENING = 10 * 60_000;

/** What each rule names of an agent's pull request; only what names one human is taken. */
const rules: readonly (readonly [CreditRule, (input: CreditInput) => readonly PersonRef[]])[] = [
  ['session', ({ sessionActor }) => humans([sessionActor])],
  ['trailer', mostNamed],
  ['line', ({ requestedBy }) => humans(requestedBy)],
  ['assignee', assigned],
  ['asked', asked],
  ['issue', ({ author, issueActors }) => (isPersons(author) ? [] : humans(issueActors))],
];

/**
 * Who started a pull request (docs/server.md#who-started-it): of a person's the author, unless an agent's or a bot's account opened what somebody
 * corrected to be a person's; of an agent's the first human whom a rule names.
 */
export function creditOf(input: CreditInput): CreditFacts {
  const { authorship, author, corrected } = input;
  if (corrected !== null) return { creditedTo: corrected.person, creditBy: 'corrected' };
  if (authorship === 'human' || authorship === 'assisted')
    return isPersons(author) ? { creditedTo: author, creditBy: 'author' } : nobody;
  if (authorship !== 'agent') return nobody;
  for (const [rule, named] of rules) {
    const [person, ...others] = named(input);
    if (person !== undefined && others.length === 0) return { creditedTo: person, creditBy: rule };
  }
  return nobody;
}

const nobody: CreditFacts = { creditedTo: null, creditBy: null };

/**
 * Whether a person's account opened it. Of what somebody corrected to be an agent's, whom that account asks for a review, and who gives it an
 * issue, says nothing of who started the agent.
 */
function isPersons(author: PersonRef | null): boolean {
  return author?.kind === 'human';
}

/** The human accounts among them, each once. */
function humans(people: readonly (PersonRef | null)[]): PersonRef[] {
  const found = people.filter((person) => person?.kind === 'human');
  return [...new Map(found.map((person) => [person!.id, person!])).values()];
}

/** Whom most of the agent's commits name; of several the one named first. */
function mostNamed({ commits }: CreditInput): PersonRef[] {
  const counts = new Map<string, { person: PersonRef; commits: number }>();
  for (const { byAgent, coAuthors } of commits) {
    if (!byAgent) continue;
    for (const person of humans(coAuthors)) {
      const count = counts.get(person.id) ?? { person, commits: 0 };
      count.commits += 1;
      counts.set(person.id, count);
    }
  }
  // Sorting is stable: who was named first stays before others with as many.
  return [...counts.values()]
    .sort((a, b) => b.commits - a.commits)
    .slice(0, 1)
    .map(({ person }) => person);
}

/** Who was assigned at the opening and stayed so for its first minutes; where nobody was, who is assigned now. */
function assigned({ assignments, createdAt }: CreditInput): PersonRef[] {
  const end = createdAt + AT_THE_OPENING;
  const then = assignments.filter(({ at, until }) => at <= end && (until === null || until > end));
  const atOpening = humans(then.map(({ person }) => person));
  if (atOpening.length > 0) return atOpening;
  return humans(assignments.filter(({ until }) => until === null).map(({ person }) => person));
}

/** The first human whom the agent itself asked for a review, unless it asked others before there was one. */
function asked({ author, requests, firstReviewAt }: CreditInput): PersonRef[] {
  if (isPersons(author)) return [];
  const own = requests.filter(({ actor }) => isSamePerson(actor, author)).toSorted((a, b) => a.at - b.at);
  const before = humans(
    own.filter(({ at }) => firstReviewAt === null || at < firstReviewAt).map(({ reviewer }) => reviewer),
  );
  if (before.length > 0) return before;
  return humans(own.map(({ reviewer }) => reviewer)).slice(0, 1);
}
