import type { Account } from '../../history.ts';
import { Dice } from './dice.ts';

/** The repositories of the invented company. */
export type RepositoryName =
  | 'storefront'
  | 'ledger'
  | 'courier'
  | 'courier-web'
  | 'quayside'
  | 'pricing'
  | 'depot-tools'
  | 'label-printer';

/** Where people work: shares of their time by repository. */
export type Homes = Readonly<Partial<Record<RepositoryName, number>>>;

/** An invented person. Weeks are counted from the beginning of the demo's history. */
export interface Person {
  readonly account: Account;
  readonly name: string;
  readonly zone: string;
  readonly homes: Homes;
  /** Relative number of pull requests opened. */
  readonly authors: number;
  /** Relative number of reviews given. */
  readonly reviews: number;
  /** Relative number of review requests received beyond those answered. */
  readonly asked: number;
  /** Multiplies the time that others wait for this person; 1 is usual. */
  readonly pace: number;
  readonly joins: number;
  readonly leaves: number;
  /** A long absence, from and to. */
  readonly away: readonly [number, number] | null;
  /** The account was deleted since: the host names nobody. */
  readonly deleted: boolean;
}

type Traits = Partial<Pick<Person, 'asked' | 'pace' | 'joins' | 'leaves' | 'away' | 'deleted'>>;

const OSLO = 'Europe/Oslo';
const LONDON = 'Europe/London';
const LISBON = 'Europe/Lisbon';
const NEW_YORK = 'America/New_York';
const VANCOUVER = 'America/Vancouver';
const SAO_PAULO = 'America/Sao_Paulo';
const KOLKATA = 'Asia/Kolkata';
const MELBOURNE = 'Australia/Melbourne';

function person(
  login: string,
  name: string,
  zone: string,
  [authors, reviews]: readonly [number, number],
  homes: Homes,
  traits: Traits = {},
): Person {
  const id = new Dice('account', login).integer(20_000_000, 180_000_000);
  return {
    account: { id, login, type: 'User', name, email: `${login}@brasswick.example`, avatarUrl: null },
    name,
    zone,
    homes,
    authors,
    reviews,
    asked: 1,
    pace: 1,
    joins: Number.NEGATIVE_INFINITY,
    leaves: Number.POSITIVE_INFINITY,
    away: null,
    deleted: false,
    ...traits,
  };
}

/**
 * Everyone at Brasswick, and the outside contributors of its public tools. The weights make a team: Gini of reviews
 * about 0.45, of pull requests about 0.48 (distributions of real review behaviour, "reviewers", "authors"; company team).
 * The traits make the demo's stories: an overloaded reviewer, a fast responder, someone with many open pull requests,
 * someone back from leave, a new joiner, a leaver, a deleted account.
 */
export const PEOPLE: readonly Person[] = [
  person('sanna-h', 'Sanna Hollis', OSLO, [1.2, 4], { storefront: 2, ledger: 2, courier: 1, quayside: 1 }),
  person('ilse-m', 'Ilse Marren', OSLO, [16, 17], { ledger: 5, storefront: 1, pricing: 1 }, { pace: 0.25, asked: 2 }),
  person('oren-t', 'Oren Tamsin', LONDON, [7, 22], { ledger: 4, pricing: 1, quayside: 1 }, { asked: 2 }),
  person('paulina-k', 'Paulina Kestrel', LISBON, [14, 20], { storefront: 4, ledger: 2 }, { pace: 0.7, asked: 2 }),
  person('matteo-l', 'Matteo Larkby', LISBON, [13, 13], { storefront: 5, pricing: 1 }),
  person('joss-w', 'Joss Wenlock', LONDON, [12, 15], { storefront: 5, courier: 1 }, { asked: 2 }),
  person('yara-f', 'Yara Fenwright', SAO_PAULO, [8, 10], { storefront: 2, courier: 3 }, { pace: 2.2, asked: 2 }),
  person('nils-b', 'Nils Brackwater', OSLO, [9, 9], { ledger: 2, courier: 2, 'depot-tools': 2 }),
  person('devi-r', 'Devi Rowanhall', KOLKATA, [9, 6], { ledger: 4, storefront: 2, pricing: 2 }, { pace: 3, asked: 45 }),
  person('carys-d', 'Carys Dunmore', LONDON, [12, 5], { storefront: 4, courier: 1 }, { pace: 2.5, asked: 2 }),
  person(
    'tobin-a',
    'Tobin Ashgrove',
    NEW_YORK,
    [9, 8],
    { courier: 4, 'courier-web': 2, 'depot-tools': 1 },
    { away: [74.2, 77.3] },
  ),
  person('emre-s', 'Emre Stillwell', OSLO, [10, 7], { ledger: 4, quayside: 2 }),
  person('annika-v', 'Annika Vossberg', OSLO, [11, 12], { 'courier-web': 4, storefront: 2 }),
  person('rafe-c', 'Rafe Coldharbour', NEW_YORK, [10, 11], { storefront: 4, 'courier-web': 1 }),
  person('meera-p', 'Meera Pallavan', KOLKATA, [11, 12], { pricing: 4, ledger: 1 }),
  person('lucio-b', 'Lucio Barrelas', SAO_PAULO, [9, 8], { courier: 4, 'courier-web': 1 }),
  person('hanne-g', 'Hanne Gladvik', OSLO, [8, 10], { quayside: 4, ledger: 1 }),
  person('kit-o', 'Kit Oxenholme', VANCOUVER, [8, 9], { storefront: 4, quayside: 1 }),
  person('sunil-d', 'Sunil Dharwani', KOLKATA, [8, 6], { storefront: 4, pricing: 1 }),
  person('petra-z', 'Petra Zellwood', LISBON, [7, 9], { 'courier-web': 4, courier: 1 }),
  person('drew-m', 'Drew Millbrook', VANCOUVER, [7, 6], { quayside: 4, storefront: 1 }),
  person('noor-e', 'Noor Elderfield', LONDON, [6, 7], { pricing: 3, storefront: 2 }),
  person('gavin-q', 'Gavin Quillmere', MELBOURNE, [8, 9], { storefront: 3, ledger: 2 }),
  person('tess-l', 'Tess Larwood', MELBOURNE, [6, 6], { courier: 3, 'courier-web': 1, 'depot-tools': 1 }),
  person('aleks-w', 'Aleks Wintergate', OSLO, [5, 5], { quayside: 3, 'depot-tools': 2 }),
  person('ines-f', 'Ines Fontarra', LISBON, [6, 5], { storefront: 4 }),
  person('callum-r', 'Callum Redfern', LONDON, [5, 3], { ledger: 3, pricing: 1 }, { pace: 1.5 }),
  person('bea-n', 'Bea Northcliffe', NEW_YORK, [5, 6], { storefront: 3, ledger: 1 }),
  person('ravi-s', 'Ravi Sandlock', KOLKATA, [4, 3], { courier: 3, 'label-printer': 1 }),
  person('joan-y', 'Joan Yardling', VANCOUVER, [4, 4], { 'courier-web': 3, storefront: 1 }),
  person('oskar-j', 'Oskar Jernvall', OSLO, [3, 4], { quayside: 3, 'depot-tools': 1 }),
  person('thea-b', 'Thea Brandmoor', MELBOURNE, [3, 3], { pricing: 3, storefront: 1 }),
  person('wim-d', 'Wim Dekkerhof', LISBON, [2.5, 2], { 'label-printer': 4, 'depot-tools': 2, courier: 1 }),
  person('zadie-k', 'Zadie Kirkwall', LONDON, [7, 4], { storefront: 3, courier: 2 }, { joins: 71.5, pace: 0.8 }),
  person('ruben-h', 'Ruben Halstow', NEW_YORK, [8, 8], { ledger: 3, quayside: 1 }, { leaves: 68 }),
  person('rhona-s', 'Rhona Selbridge', LONDON, [8, 5], { storefront: 3, courier: 2 }, { leaves: 34, deleted: true }),
  person('mads-u', 'Mads Underhaug', OSLO, [1, 0], { 'depot-tools': 1 }),
  person('faye-t', 'Faye Thornbury', NEW_YORK, [0.8, 0], { 'depot-tools': 1, courier: 0.2 }),
  person('hugo-i', 'Hugo Ironside', SAO_PAULO, [0.7, 0], { 'depot-tools': 1 }),
  person('lena-x', 'Lena Xanthe', MELBOURNE, [0.5, 0], { 'depot-tools': 1, 'label-printer': 0.3 }),
];

/** Contributors from outside the company: on their first pull requests the licence assistant asks for a signature. */
export const OUTSIDERS: ReadonlySet<string> = new Set(['mads-u', 'faye-t', 'hugo-i', 'lena-x']);

export const ORGANIZATION = 'brasswick';
