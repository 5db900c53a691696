import type { Dice } from './dice.ts';
import type { RepositoryName } from './people.ts';
import { LIBRARIES, VOCABULARY, type Vocabulary } from './vocabulary.ts';

/** What may be wrong with a thing under a circumstance, and is put right. */
const MENDS = ['fix', 'correct', 'check', 'test', 'keep'] as const;

/** What can be done to anything, at any time. */
const CHORES = [
  'Simplify',
  'Rework',
  'Clean up',
  'Refactor',
  'Document',
  'Add tests for',
  'Improve',
  'Extract',
  'Rename',
  'Review',
] as const;

const AGES = ['old', 'legacy', 'unused', 'duplicated', 'last parts of the old'] as const;

const MODULES = ['a separate module', 'a separate file', 'the shared package', 'a separate package'] as const;

const WAYS = [
  'testable',
  'faster',
  'easier to read',
  'configurable',
  'more robust',
  'easier to change',
  'consistent',
] as const;

/** How many of each kind of word a title is told apart by, besides those that are the repository's. */
const QUALITIES = 10;

type Slot = 'place' | 'thing' | 'action' | 'condition' | 'quality' | 'way';

interface Template {
  readonly weight: number;
  /** One draw each, in this order. */
  readonly slots: readonly Slot[];
  /** `draws` lie between 0, included, and 1. */
  readonly title: (vocabulary: Vocabulary, draws: readonly number[]) => string;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function of<T>(items: readonly T[], draw = 0): T {
  return items[Math.floor(draw * items.length)] as T;
}

const home = (vocabulary: Vocabulary, thing: string) => vocabulary.homes[vocabulary.things.indexOf(thing)] ?? '';

/** "fix the voucher field"; nobody checks a check. */
const mendOf = (thing: string, mend: string) =>
  `${mend === 'check' && thing.endsWith('check') ? 'test' : mend} the ${thing}`;

/** "Checkout: fix the voucher field" */
const mendAtHome = (v: Vocabulary, thing: string, mend: string) => `${capital(home(v, thing))}: ${mendOf(thing, mend)}`;

/** A circumstance that does not say the thing's name again. */
function circumstance({ conditions }: Vocabulary, thing: string, draw = 0): string {
  const named = thing.split(' ');
  return of(
    conditions.filter((condition) => !condition.split(' ').some((word) => word.length > 3 && named.includes(word))),
    draw,
  );
}

/** "fix the voucher field on small screens" */
const mendUnder = (v: Vocabulary, thing: string, mend: string, draw: number | undefined) =>
  `${mendOf(thing, mend)} ${circumstance(v, thing, draw)}`;

const TEMPLATES: readonly Template[] = [
  {
    weight: 26,
    slots: ['place', 'action', 'condition'],
    title: (v, [a, b, c]) => `${capital(home(v, of(v.things, a)))}: ${mendUnder(v, of(v.things, a), of(MENDS, b), c)}`,
  },
  {
    weight: 9,
    slots: ['thing', 'condition'],
    title: (v, [a, b]) => capital(mendUnder(v, of(v.things, a), 'fix', b)),
  },
  {
    weight: 8,
    slots: ['action', 'condition'],
    title: (v, [a, b]) => {
      const { words, conditions } = of(v.actions, a);
      return `${capital(words)} ${of(conditions, b)}`;
    },
  },
  { weight: 7, slots: ['thing', 'place'], title: (v, [a, b]) => `${of(CHORES, b)} the ${of(v.things, a)}` },
  {
    weight: 5,
    slots: ['thing', 'place'],
    title: (v, [a, b]) => `Move the ${of(v.things, a)} into ${of(MODULES, b)}`,
  },
  {
    weight: 4,
    slots: ['thing', 'place'],
    title: (v, [a, b]) => `Remove the ${of(AGES, b)} ${of(v.things, a)}`,
  },
  {
    weight: 5,
    slots: ['thing', 'condition'],
    title: (v, [a, b]) => capital(mendUnder(v, of(v.things, a), 'test', b)),
  },
  {
    weight: 4,
    slots: ['thing', 'quality', 'thing'],
    title: (v, [a, , c]) => mendAtHome(v, of(v.things, a), of(['rewrite', 'reorganise', 'streamline', 'tidy up'], c)),
  },
  {
    weight: 4,
    slots: ['thing', 'thing'],
    title: (v, [a]) => `Separate the ${of(v.things, a)} from the ${home(v, of(v.things, a))}`,
  },
  {
    weight: 4,
    slots: ['thing', 'condition'],
    title: (v, [a, b]) => capital(mendUnder(v, of(v.things, a), 'check', b)),
  },
  {
    weight: 4,
    slots: ['thing', 'way', 'condition'],
    title: (v, [a, b]) => `Make the ${of(v.things, a)} ${of(WAYS, b)}`,
  },
  {
    weight: 3,
    slots: ['quality', 'thing', 'place'],
    title: (v, [a, b]) => `${of(CHORES, a)} the ${of(v.things, b)}`,
  },
  {
    weight: 3,
    slots: ['thing', 'thing'],
    title: (v, [a, b]) => {
      const first = Math.floor((a ?? 0) * v.things.length);
      // Another one than the first.
      const second = (first + 1 + Math.floor((b ?? 0) * (v.things.length - 1))) % v.things.length;
      return `Document the ${v.things[first]} and the ${v.things[second]}`;
    },
  },
  {
    weight: 3,
    slots: ['place', 'quality', 'thing', 'condition'],
    title: (v, [a, , c, d]) =>
      `${capital(home(v, of(v.things, c)))}: ${mendUnder(v, of(v.things, c), of(MENDS, a), d)}`,
  },
  {
    weight: 2,
    slots: ['thing', 'condition'],
    title: (v, [a, b]) => capital(mendUnder(v, of(v.things, a), 'correct', b)),
  },
];

type CommitTemplate = (vocabulary: Vocabulary, dice: Dice) => string;

const thing: CommitTemplate = (vocabulary, dice) => dice.pick(vocabulary.things);

const COMMIT_TEMPLATES: readonly CommitTemplate[] = [
  (v, r) => capital(r.pick(v.actions).words),
  (v, r) => `Test the ${thing(v, r)}`,
  (v, r) => `Extract the ${thing(v, r)}`,
  (v, r) => `Fix the ${thing(v, r)} ${r.pick(v.conditions)}`,
  (v, r) => `Tidy the ${r.pick(v.places)}`,
  (v, r) => `Rename the ${thing(v, r)}`,
];

const RESPONSES = [
  'Address review comments',
  'Take the suggestion from the review',
  'Rename as suggested',
  'Add the missing test',
  'Handle the case found in review',
  'Shorten the name and the comment',
] as const;

/** What titles were given in a repository, as they read and by what was drawn for them. */
export interface TakenTitles {
  readonly titles: Set<string>;
  readonly draws: Set<string>;
}

export function noTitles(): TakenTitles {
  return { titles: new Set(), draws: new Set() };
}

/** How often another circumstance or word is tried for a title that reads like one before. */
const MOST_VARIATIONS = 40;

/**
 * A title for a pull request by a person or an agent. How many draws that takes depends on how many of each kind of word there are, never
 * on the words, so that better words change nothing else in the world.
 */
export function pullRequestTitle(repository: RepositoryName, dice: Dice, taken: TakenTitles): string {
  const vocabulary = VOCABULARY[repository];
  let title = '';
  let key = '';
  for (let tries = 0; tries < 8; tries++) {
    const template = dice.weighted(TEMPLATES, ({ weight }) => weight);
    if (template !== null) {
      const draws = template.slots.map(() => dice.next());
      key = [
        TEMPLATES.indexOf(template),
        ...draws.map((draw, at) => wordOf(vocabulary, template.slots[at], draw)),
      ].join();
      title = unlike(taken.titles, vocabulary, template, draws);
    }
    if (!taken.draws.has(key)) break;
  }
  taken.draws.add(key);
  taken.titles.add(title);
  return title;
}

function wordOf(vocabulary: Vocabulary, slot: Slot | undefined, draw: number): number {
  const { places, things, actions, conditions } = vocabulary;
  const numbers = {
    place: places.length,
    thing: things.length,
    action: actions.length,
    condition: conditions.length,
    quality: QUALITIES,
    way: WAYS.length,
  };
  return slot === undefined ? 0 : Math.floor(draw * numbers[slot]);
}

/** The drawn title; where that was given before the next one like it, then the next of the largest kind, and in the end the same again. */
function unlike(
  given: ReadonlySet<string>,
  vocabulary: Vocabulary,
  template: Template,
  draws: readonly number[],
): string {
  const drawn = template.title(vocabulary, draws);
  for (const { title } of [template, TEMPLATES[0] as Template]) {
    for (let variation = 0; variation < MOST_VARIATIONS; variation++) {
      // Steps that meet every word of a list, and not in its order.
      const varied = title(
        vocabulary,
        [draws[0] ?? 0, draws[1] ?? 0, draws[2] ?? draws[1] ?? 0, draws[3] ?? 0].map(
          (draw, at) => (draw + variation * (at === draws.length - 1 ? 0.381966 : 0.0721)) % 1,
        ),
      );
      if (!given.has(varied)) return varied;
    }
  }
  return drawn;
}

/** The headline of a commit beyond the first. */
export function commitHeadline(repository: RepositoryName, dice: Dice): string {
  return dice.pick(COMMIT_TEMPLATES)(VOCABULARY[repository], dice);
}

/** The headline of a commit that answers a review. */
export function responseHeadline(repository: RepositoryName, dice: Dice): string {
  return dice.chance(0.5) ? dice.pick(RESPONSES) : commitHeadline(repository, dice);
}

export function bumpTitle(dice: Dice): string {
  const version = [dice.integer(0, 9), dice.integer(0, 24), dice.integer(0, 12)];
  const next = [...version];
  const part = dice.weighted([0, 1, 2], (each) => [1, 5, 9][each] ?? 0) ?? 2;
  next[part] = (next[part] ?? 0) + 1;
  if (part < 2) next[2] = 0;
  if (part < 1) next[1] = 0;
  return `Bump ${dice.pick(LIBRARIES)} from ${version.join('.')} to ${next.join('.')}`;
}

/** Lower-case words joined by hyphens, short enough for a branch name. */
export function branchSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 44)
    .replace(/-$/, '');
}
