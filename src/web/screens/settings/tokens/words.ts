import type { ApiToken } from '#contract/tokens.ts';
import type { TokenScope } from '#domain/personal-tokens.ts';

/** What each scope lets a token read, as its choice says it. */
export const scopeWords: Readonly<Record<TokenScope, { readonly label: string; readonly what: string }>> = {
  'read:figures': {
    label: 'Figures and pull requests',
    what: 'What the dashboards, lists, trends and pages of people show.',
  },
  'read:mine': { label: 'My work', what: 'What waits for you, and what you wait for.' },
};

/** The repositories of a token in a few words: 'all repositories', 'acme/web and acme/api', 'acme/web and 3 more'. */
export function repositoriesInWords(
  repositories: ApiToken['repositories'],
  names: ReadonlyMap<number, string>,
): string {
  if (repositories === 'all') return 'all repositories';
  const known = repositories.flatMap((id) => names.get(id) ?? []);
  const lost = repositories.length - known.length;
  if (known.length === 0)
    return lost === 1 ? 'a repository that you no longer read' : 'repositories that you no longer read';
  const [first, second] = known;
  if (repositories.length === 1) return first!;
  return repositories.length === 2 && second !== undefined
    ? `${first} and ${second}`
    : `${first} and ${repositories.length - 1} more`;
}

/** In how many days tokens may end that are made here, the usual first choice among them. */
export function choicesOfDays(max_days: number): readonly number[] {
  const usual = [7, 30, 90, 180, 365].filter((days) => days <= max_days);
  return usual.includes(max_days) || max_days > 365 ? usual : [...usual, max_days];
}
