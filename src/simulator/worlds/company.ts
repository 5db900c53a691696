import type { Organization, RepositoryHistory, Team, TeamMembership, World } from '../history.ts';
import { createRandom, type Random } from '../random.ts';
import { DAY, person, repository } from './builder.ts';
import { life } from './generated.ts';

const ORGANIZATIONS = ['atlas', 'borealis', 'cumulus', 'delta', 'ember'] as const;
const REPOSITORIES = 1_200;
const PEOPLE = 600;
/** Per organisation: so many teams at the root, each with so many parts, each of these with so many parts. Sixty in all. */
const ROOTS = 2;
const PARTS = 2;
const SUBPARTS = [2, 1];
/** Of all repositories the busiest, which hold most pull requests. */
const BUSY = 300;
const YEARS = 2;

/**
 * A company of five organisations with 1,200 repositories, 600 people and 60 teams in three levels, some of them secret, among which
 * people move over two years. A sixth of the people are in two organisations; a repository is read by all members or by some teams
 * alone. `count` pull requests lie in the 300 busiest repositories, the same for the same seed. No picture of any real company.
 */
export function companyWorld(count: number, now: number, seed: number): World {
  const random = createRandom(seed);
  const people = Array.from({ length: PEOPLE }, (_, at) => person(`dev-${at + 1}`, { id: 1_000 + at }));
  const logins = people.map(({ login }) => login);
  const membersOf = new Map<string, string[]>(ORGANIZATIONS.map((organization) => [organization, []]));
  for (const [at, login] of logins.entries()) {
    membersOf.get(ORGANIZATIONS[at % ORGANIZATIONS.length]!)!.push(login);
    if (at % 6 === 0) membersOf.get(ORGANIZATIONS[(at + 1) % ORGANIZATIONS.length]!)!.push(login);
  }
  const organizations = ORGANIZATIONS.map(
    (login): Organization => ({
      login,
      members: membersOf.get(login)!.map((member, at) => ({ login: member, owner: at < 2 })),
    }),
  );
  const start = now - YEARS * 365 * DAY;
  const teams = ORGANIZATIONS.flatMap((login, at) => teamsOf(login, at, membersOf.get(login)!, start, now, random));
  return {
    name: 'company',
    accounts: [
      ...people,
      ...ORGANIZATIONS.map((login, at) => person(login, { type: 'Organization', id: 900 + at })),
      person('outsider', { id: 899 }),
    ],
    organizations,
    teams,
    repositories: Array.from({ length: REPOSITORIES }, (_, at) => {
      const owner = ORGANIZATIONS[at % ORGANIZATIONS.length]!;
      const share = Math.floor(count / BUSY) + (at < count % BUSY ? 1 : 0);
      const history = { at, owner, members: membersOf.get(owner)!, teams, pulls: at < BUSY ? share : 0 };
      return repositoryOf(history, start, now, random);
    }),
    signIn: ['dev-1', 'dev-2', 'dev-3', 'outsider'],
  };
}

/** Teams in three levels; everybody is in one of the lowest, a fifth of them in another one since some day. */
function teamsOf(
  organization: string,
  place: number,
  members: readonly string[],
  start: number,
  now: number,
  random: Random,
): Team[] {
  const teams: Team[] = [];
  const add = (slug: string, more: Partial<Team>) => {
    const team = {
      id: 5_000 + place * 100 + teams.length,
      organization,
      slug,
      name: slug.replaceAll('-', ' '),
      ...more,
    };
    teams.push(team);
    return team;
  };
  const lowest: { readonly slug: string; readonly parent: string; readonly secret: boolean }[] = [];
  for (let root = 1; root <= ROOTS; root += 1) {
    const slug = `group-${root}`;
    add(slug, { members: [always(members[root]!, true)] });
    for (let part = 1; part <= PARTS; part += 1) {
      const inner = `${slug}-part-${part}`;
      add(inner, { parent: slug });
      for (let sub = 1; sub <= SUBPARTS[part - 1]!; sub += 1)
        lowest.push({ slug: `${inner}-squad-${sub}`, parent: inner, secret: root === ROOTS && part === 2 });
    }
  }
  const membership = new Map(lowest.map(({ slug }) => [slug, [] as TeamMembership[]]));
  for (const [at, login] of members.entries()) {
    const home = lowest[at % lowest.length]!.slug;
    const other = lowest[(at + 1) % lowest.length]!.slug;
    if (at % 5 !== 0) {
      membership.get(home)!.push(always(login, false));
      continue;
    }
    const moved = start + random.between(30, YEARS * 365 - 30) * DAY;
    membership.get(home)!.push({ login, from: null, to: moved });
    membership.get(other)!.push({ login, from: moved, to: moved + 400 * DAY < now ? moved + 400 * DAY : null });
  }
  for (const { slug, parent, secret } of lowest) add(slug, { parent, secret, members: membership.get(slug)! });
  return teams;
}

const always = (login: string, maintainer: boolean): TeamMembership => ({ login, maintainer, from: null, to: null });

function repositoryOf(
  {
    at,
    owner,
    members,
    teams,
    pulls,
  }: {
    readonly at: number;
    readonly owner: string;
    readonly members: readonly string[];
    readonly teams: readonly Team[];
    readonly pulls: number;
  },
  start: number,
  now: number,
  random: Random,
): RepositoryHistory {
  const ours = teams.filter(({ organization, members: people }) => organization === owner && people !== undefined);
  const readers = at % 4 === 0 ? teamReaders(random.pick(ours)) : members;
  const authors = (readers.length < 2 ? members : readers).slice(0, 12);
  const step = (now - start) / (pulls + 1);
  const lives = Array.from({ length: pulls }, (_, index) => {
    const createdAt = Math.floor((start + step * (index + 1)) / 1000) * 1000;
    return life(index + 1, createdAt, now, authors, random, 100_000_000 + at * 10_000);
  });
  return repository(20_000 + at, `${owner}/service-${at + 1}`, start - random.between(0, 300) * DAY, lives, {
    private: at % 10 !== 9,
    archived: at >= BUSY && at % 15 === 0,
    fork: at >= BUSY && at % 13 === 0,
    readers,
    admins: members.slice(0, 2),
  });
}

const teamReaders = ({ members = [] }: Team) => members.map(({ login }) => login);
