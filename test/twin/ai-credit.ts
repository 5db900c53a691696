import type { PersonRef } from '#domain/pull-request.ts';
import { messagesOf, toolsOfCommit } from './ai-accounts.ts';
import { isHuman, type TwinPull } from './pull-request.ts';

/** Who started a pull request, and by which rule that is known. */
export interface TwinCredit {
  readonly person: PersonRef | null;
  readonly by: string | null;
}

const nobody: TwinCredit = { person: null, by: null };

/** Of a person's the author; of an agent's whoever the first rule names that names somebody. */
export function startedBy(on: TwinPull): TwinCredit {
  const { author, known: everybody = [] } = on.pull;
  if (author?.kind === 'human') return { person: author, by: 'author' };
  if (author?.kind !== 'agent') return nobody;
  const trailer = namedMost(on, everybody);
  if (trailer !== null) return { person: trailer, by: 'trailer' };
  const rules: [string, readonly (PersonRef | null)[]][] = [
    ['line', namedInLines(on, everybody)],
    ['assignee', assigned(on)],
    ['asked', asked(on, author)],
  ];
  for (const [by, all] of rules) {
    const found = new Map<string, PersonRef>();
    for (const person of all) if (isHuman(person)) found.set(person.id, person);
    const [person] = found.values();
    if (person !== undefined && found.size === 1) return { person, by };
  }
  return nobody;
}

/** Whom most of the commits by agents name as a co-author, each commit once; of as many the first. */
function namedMost({ pull }: TwinPull, everybody: readonly PersonRef[]): PersonRef | null {
  const counts: { person: PersonRef; count: number }[] = [];
  for (const { commit, message } of messagesOf(pull)) {
    if (commit.author?.kind !== 'agent' && toolsOfCommit(commit, message).length === 0) continue;
    const inThis: string[] = [];
    for (const line of message.split('\n')) {
      const [, id, login] = /^Co-authored-by: .*<(?:(\d+)\+)?([^@<>]+)@users\.noreply\.host\.test>$/.exec(line) ?? [];
      if (login === undefined) continue;
      const person = everybody.find((one) =>
        id === undefined ? one.login.toLowerCase() === login.toLowerCase() : one.id === id,
      );
      if (person === undefined || !isHuman(person) || inThis.includes(person.id)) continue;
      inThis.push(person.id);
      const known = counts.find((one) => one.person.id === person.id);
      if (known === undefined) counts.push({ person, count: 1 });
      else known.count += 1;
    }
  }
  let most: { person: PersonRef; count: number } | null = null;
  for (const one of counts) if (most === null || one.count > most.count) most = one;
  return most?.person ?? null;
}

function namedInLines({ pull }: TwinPull, everybody: readonly PersonRef[]): PersonRef[] {
  return (pull.body ?? '').split('\n').flatMap((line) => {
    const login = /^Requested by: @(\S+)$/.exec(line)?.[1]?.toLowerCase();
    return everybody.filter((one) => one.login.toLowerCase() === login);
  });
}

function assigned({ pull, createdAt }: TwinPull): PersonRef[] {
  const end = createdAt + 10 * 60_000;
  const then = pull.attribution.assignments.filter(({ at, until }) => at <= end && (until === null || until > end));
  const people = then.map(({ person }) => person).filter(isHuman);
  if (people.length > 0) return people;
  return pull.attribution.assignments.filter(({ until }) => until === null).map(({ person }) => person);
}

/** Whom the agent itself asked for a review, all before the first one that counts; where it asked nobody before, the first. */
function asked({ pull, counting }: TwinPull, author: PersonRef): (PersonRef | null)[] {
  const requests = pull.events
    .filter(({ type, actor, reviewer }) => type === 'review_requested' && actor?.id === author.id && isHuman(reviewer))
    .sort((a, b) => a.at - b.at);
  const first = counting[0]?.at ?? Number.POSITIVE_INFINITY;
  const before = requests.filter(({ at }) => at < first);
  return (before.length > 0 ? before : requests.slice(0, 1)).map(({ reviewer }) => reviewer);
}

export const creditedOf = (on: TwinPull) => startedBy(on).person;

/** The same, with agents' pull requests as those of who started them, too. */
export function withStarters(pulls: readonly TwinPull[]): TwinPull[] {
  return pulls.map((on) => {
    const isAgents = on.pull.author?.kind === 'agent';
    return isAgents ? { ...on, startedBy: creditedOf(on) } : on;
  });
}
