import type { Account, Organization, Team, TeamMembership } from '../../history.ts';
import { hashOf } from '../../random.ts';
import { HOUR, WEEK, wholeSecond } from './calendar.ts';
import { ORGANIZATION, OUTSIDERS, PEOPLE, type Person } from './people.ts';

/** Week of the history in which a demo that begins 78 weeks back is opened for the first time. */
export const OPENING_WEEK = 78;

/** When somebody belongs to a team, in weeks of the history; always and still where nothing is given. */
interface Stay {
  readonly login: string;
  readonly from?: number;
  readonly to?: number;
}

interface TeamPlan extends Pick<Team, 'id' | 'slug' | 'name' | 'parent' | 'secret'> {
  readonly maintainer: string;
  readonly members: readonly (string | Stay)[];
}

/** Gavin's change of teams, half a year before the demo is opened for the first time. */
const MOVE_WEEK = OPENING_WEEK - 26;

/**
 * The teams of the company. Payments is small and waits for reviewers of other teams; Platform reviews for everybody, while its own pull
 * requests wait for one person; Yara is in two teams, Gavin moved; Incident response is secret. The director is in none.
 */
const PLANS: readonly TeamPlan[] = [
  { id: 7_410_210, slug: 'shop', name: 'Shop', maintainer: 'joss-w', members: ['joss-w'] },
  {
    id: 7_410_211,
    slug: 'web',
    name: 'Web',
    parent: 'shop',
    maintainer: 'paulina-k',
    members: [
      ...['paulina-k', 'matteo-l', 'joss-w', 'carys-d', 'rafe-c', 'kit-o', 'sunil-d', 'ines-f', 'bea-n', 'zadie-k'],
      ...['yara-f', { login: 'gavin-q', from: MOVE_WEEK }],
    ],
  },
  {
    id: 7_410_215,
    slug: 'pricing',
    name: 'Pricing',
    parent: 'shop',
    maintainer: 'meera-p',
    members: ['meera-p', 'noor-e', 'thea-b'],
  },
  {
    id: 7_410_212,
    slug: 'payments',
    name: 'Payments',
    maintainer: 'ilse-m',
    members: ['ilse-m', 'devi-r', 'emre-s', 'callum-r', 'ruben-h', { login: 'gavin-q', to: MOVE_WEEK }],
  },
  {
    id: 7_410_213,
    slug: 'field',
    name: 'Field',
    maintainer: 'annika-v',
    members: ['annika-v', 'petra-z', 'lucio-b', 'tobin-a', 'tess-l', 'ravi-s', 'joan-y', 'wim-d', 'yara-f'],
  },
  {
    id: 7_410_214,
    slug: 'platform',
    name: 'Platform',
    maintainer: 'hanne-g',
    members: ['hanne-g', 'oren-t', 'aleks-w', 'drew-m', 'oskar-j', 'nils-b'],
  },
  {
    id: 7_410_216,
    slug: 'incident-response',
    name: 'Incident response',
    secret: true,
    maintainer: 'oren-t',
    members: ['oren-t', 'emre-s', 'nils-b', 'tobin-a'],
  },
];

/** From the first opening of the demo on, people of one team spend two weeks each in another, one after the other. */
const EXCHANGE = {
  home: 'web',
  guestOf: 'platform',
  guests: ['kit-o', 'bea-n', 'sunil-d', 'rafe-c', 'ines-f'],
  from: OPENING_WEEK,
  weeks: 2,
} as const;

export const COMPANY_ACCOUNT: Account = {
  ...{ id: hashOf(`organization/${ORGANIZATION}`), login: ORGANIZATION, type: 'Organization', name: 'Brasswick' },
  ...{ email: null, avatarUrl: null },
};

/** The people of the company now and who of them own it at the host. */
export const COMPANY: Organization = {
  login: ORGANIZATION,
  members: PEOPLE.filter(
    ({ account, deleted, leaves }) => !deleted && leaves === Number.POSITIVE_INFINITY && !OUTSIDERS.has(account.login),
  ).map(({ account: { login } }) => ({ login, owner: ['sanna-h', 'hanne-g'].includes(login) })),
};

/** The teams with who belongs to them when, up to `end`: a later end only adds to it. */
export function teamsOf(since: number, end: number): readonly Team[] {
  const at = (week: number) => (Number.isFinite(week) ? wholeSecond(since + week * WEEK) : null);
  const visits = visitsUntil(since, end);
  return PLANS.map(({ maintainer, members, ...team }): Team => {
    const stays = members.map((member) => (typeof member === 'string' ? { login: member } : member));
    const own = stays.flatMap(({ login, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) => {
      const { joins, leaves } = personNamed(login);
      const whole = {
        login,
        maintainer: login === maintainer,
        from: at(Math.max(from, joins)),
        to: at(Math.min(to, leaves)),
      };
      return team.slug === EXCHANGE.home ? without(whole, visits) : [whole];
    });
    return { ...team, organization: ORGANIZATION, members: team.slug === EXCHANGE.guestOf ? [...own, ...visits] : own };
  });
}

interface Visit extends TeamMembership {
  readonly from: number;
  readonly to: number;
}

function visitsUntil(since: number, end: number): readonly Visit[] {
  const { guests, from, weeks } = EXCHANGE;
  const visits: Visit[] = [];
  for (let start = since + from * WEEK + HOUR; start < end; start += weeks * WEEK)
    visits.push({ login: guests[visits.length % guests.length]!, from: start, to: start + weeks * WEEK });
  return visits;
}

/** What is left of somebody's time in their team when they are away as a guest. */
function without(membership: TeamMembership, visits: readonly Visit[]): readonly TeamMembership[] {
  const parts: TeamMembership[] = [];
  let rest = membership;
  for (const { from, to } of visits.filter(({ login }) => login === membership.login)) {
    parts.push({ ...rest, to: from });
    rest = { ...rest, from: to };
  }
  return [...parts, rest];
}

function personNamed(login: string): Person {
  const found = PEOPLE.find(({ account }) => account.login === login);
  if (found === undefined) throw new Error(`Nobody at ${ORGANIZATION} is called ${login}.`);
  return found;
}
