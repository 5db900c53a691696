import { shownLogin } from '../people/person-name.tsx';

interface PageEntry {
  readonly href: string;
  readonly title: string;
  /** The second key of a chord that begins with G. */
  readonly key: string;
  /** Where its link stands in the navigation: in the row, or under "More" where the row has no room for all; null is nowhere. */
  readonly link: 'always' | 'later' | null;
  /** What else the command palette finds it by. */
  readonly words?: string;
}

/** The pages that the navigation, keys and the command palette lead to, in the order of their links. */
export const pages = [
  { href: '/my-work', title: 'My work', key: 'w', link: 'always', words: 'inbox, turn, requested, snooze' },
  { href: '/dashboard', title: 'Dashboard', key: 'd', link: 'always' },
  { href: '/stuck-prs', title: 'Stuck PRs', key: 't', link: 'always' },
  { href: '/prs', title: 'All PRs', key: 'p', link: 'always' },
  { href: '/reviewer-stats', title: 'Reviewers', key: 'r', link: 'always' },
  { href: '/developer-stats', title: 'Developers', key: 'e', link: 'always' },
  { href: '/review-load', title: 'Review load', key: 'l', link: 'always' },
  { href: '/contributors', title: 'Contributors', key: 'c', link: 'always' },
  { href: '/teams', title: 'Teams', key: 'm', link: 'later', words: 'groups, compare, members, cross-team' },
  { href: '/trends', title: 'Trends', key: 'n', link: 'later', words: 'figures over time, charts, percentiles' },
  {
    href: '/health',
    title: 'Review health',
    key: 'h',
    link: 'later',
    words: 'signals, approvals, stamps, reverts, bus factor',
  },
  {
    href: '/ai',
    title: 'AI in review',
    key: 'i',
    link: 'later',
    words: 'agents, bots, Copilot, AI reviewers, credit, who started it',
  },
  { href: '/add-repo', title: 'Add repository', key: 'a', link: null },
  { href: '/settings', title: 'Settings', key: 's', link: null },
] as const satisfies readonly PageEntry[];

/** The links of the navigation, beside that to a new repository. */
export const linkedPages = pages.filter((page) => page.link !== null);

/** Which link stands for a page that has none of its own. */
const parents: Readonly<Record<string, string>> = { contributor: '/contributors', team: '/teams', pr: '/prs' };

/** The address of the link that is current on the page of a path. */
export function linkOf(pathname: string): string {
  return parents[pathname.split('/')[1] ?? ''] ?? pathname;
}

/** Whether the page of a path is one whose address can be kept (docs/product.md#kept-views). */
export function canBeKept(pathname: string): boolean {
  return /^\/(dashboard|prs|contributors|teams|trends|health|ai|contributor\/.+|team\/\d+)$/.test(pathname);
}

/** The h1 of each page by the first part of its path; it stands before the page itself is there. */
export const headings = {
  'my-work': 'My work',
  dashboard: 'Engineering Metrics Dashboard',
  'stuck-prs': 'Stuck PRs',
  prs: 'Pull Request Management',
  'reviewer-stats': 'Reviewers',
  'developer-stats': 'Developers',
  'review-load': 'Review Load',
  contributors: 'Contributors',
  teams: 'Teams',
  trends: 'Trends',
  health: 'Review health',
  ai: 'AI in review',
  'add-repo': 'Add repository',
  settings: 'Settings',
  administration: 'Administration',
} as const;

/** The h1 of one contributor's page, or of the page without one. */
export function contributorHeading(username: string | undefined): string {
  return username === undefined ? 'Contributor View' : `Contributor: ${shownLogin(username)}`;
}

/** The h1 of the page at a path, with or without its query; null where it is not known before the page's own data. */
export function headingAt(path: string): string | null {
  const [screen = '', name] = path.replace(/\?.*/, '').split('/').slice(1);
  if (screen === 'contributor') return contributorHeading(name === undefined ? undefined : decoded(name));
  return Object.entries(headings).find(([known]) => known === screen)?.[1] ?? null;
}

/** Whoever wrote the address may have written it wrong. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
