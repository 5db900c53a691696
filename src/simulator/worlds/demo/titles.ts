import type { Dice } from './dice.ts';
import type { RepositoryName } from './people.ts';
import { LIBRARIES, VOCABULARY, type Vocabulary } from './vocabulary.ts';

const QUALITIES = [
  'versioned',
  'smaller',
  'typed',
  'shared',
  'stricter',
  'simpler',
  'single',
  'dedicated',
  'lazy',
  'configurable',
] as const;

const WAYS = ['optional', 'idempotent', 'testable', 'faster', 'readable', 'deterministic', 'accessible'] as const;

type Template = (vocabulary: Vocabulary, dice: Dice) => string;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const place: Template = (vocabulary, dice) => dice.pick(vocabulary.places);
const thing: Template = (vocabulary, dice) => dice.pick(vocabulary.things);
const action: Template = (vocabulary, dice) => dice.pick(vocabulary.actions);
const condition: Template = (vocabulary, dice) => dice.pick(vocabulary.conditions);

const TEMPLATES: readonly (readonly [weight: number, template: Template])[] = [
  [26, (v, r) => `${capital(place(v, r))}: ${action(v, r)} ${condition(v, r)}`],
  [9, (v, r) => `Fix the ${thing(v, r)} ${condition(v, r)}`],
  [8, (v, r) => `${capital(action(v, r))} ${condition(v, r)}`],
  [7, (v, r) => `Add the ${thing(v, r)} to the ${place(v, r)}`],
  [5, (v, r) => `Move the ${thing(v, r)} out of the ${place(v, r)}`],
  [4, (v, r) => `Remove the legacy ${thing(v, r)} from the ${place(v, r)}`],
  [5, (v, r) => `Cover the ${thing(v, r)} with tests ${condition(v, r)}`],
  [4, (v, r) => `Replace the ${thing(v, r)} with a ${r.pick(QUALITIES)} ${thing(v, r)}`],
  [4, (v, r) => `Split the ${thing(v, r)} from the ${thing(v, r)}`],
  [4, (v, r) => `Log the ${thing(v, r)} ${condition(v, r)}`],
  [4, (v, r) => `Make the ${thing(v, r)} ${r.pick(WAYS)} ${condition(v, r)}`],
  [3, (v, r) => `Use a ${r.pick(QUALITIES)} ${thing(v, r)} in the ${place(v, r)}`],
  [3, (v, r) => `Document the ${thing(v, r)} and the ${thing(v, r)}`],
  [3, (v, r) => `${capital(place(v, r))}: a ${r.pick(QUALITIES)} ${thing(v, r)} ${condition(v, r)}`],
  [2, (v, r) => `Rework the ${thing(v, r)} ${condition(v, r)}`],
];

const COMMIT_TEMPLATES: readonly Template[] = [
  (v, r) => capital(action(v, r)),
  (v, r) => `Cover the ${thing(v, r)}`,
  (v, r) => `Extract the ${thing(v, r)}`,
  (v, r) => `Handle the ${thing(v, r)} ${condition(v, r)}`,
  (v, r) => `Tidy the ${place(v, r)}`,
  (v, r) => `Name the ${thing(v, r)} better`,
];

const RESPONSES = [
  'Address review comments',
  'Take the suggestion from the review',
  'Rename as suggested',
  'Add the missing test',
  'Handle the case found in review',
  'Shorten the name and the comment',
] as const;

/** A title for a pull request by a person or an agent; `taken` holds those given before, and gets the new one. */
export function pullRequestTitle(repository: RepositoryName, dice: Dice, taken: Set<string>): string {
  const vocabulary = VOCABULARY[repository];
  let title = '';
  for (let tries = 0; tries < 8; tries++) {
    const template = dice.weighted(TEMPLATES, ([weight]) => weight);
    if (template !== null) title = template[1](vocabulary, dice);
    if (!taken.has(title)) break;
  }
  taken.add(title);
  return title;
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
