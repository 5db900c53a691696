import type { Definition } from './metric.ts';
import { definitionsOfContributors } from './people.ts';
import { definitionsOfPullRequests } from './pull-request.ts';
import { definitionsOfTheTeam } from './team.ts';

/** Every figure that is shown, by its key: the browser's explanations and docs/metrics.md are made of these texts. */
export const definitions = {
  ...definitionsOfTheTeam,
  ...definitionsOfContributors,
  ...definitionsOfPullRequests,
} as const;

export type FigureKey = keyof typeof definitions;

/** The definition of a figure whose key came from outside; null for an unknown key. */
export function definitionOf(key: string): Definition | null {
  return Object.hasOwn(definitions, key) ? definitions[key as FigureKey] : null;
}
