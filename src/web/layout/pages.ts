import { shownLogin } from '../people/person-name.tsx';

/** The pages that keys and the command palette lead to; the second key of a chord that begins with G. */
export const pages = [
  { href: '/dashboard', title: 'Dashboard', key: 'd' },
  { href: '/stuck-prs', title: 'Stuck PRs', key: 't' },
  { href: '/prs', title: 'All PRs', key: 'p' },
  { href: '/reviewer-stats', title: 'Reviewers', key: 'r' },
  { href: '/developer-stats', title: 'Developers', key: 'e' },
  { href: '/review-load', title: 'Review load', key: 'l' },
  { href: '/contributors', title: 'Contributors', key: 'c' },
  { href: '/trends', title: 'Trends', key: 'n' },
  { href: '/add-repo', title: 'Add repository', key: 'a' },
  { href: '/settings', title: 'Settings', key: 's' },
] as const;

/** The h1 of each page by the first part of its path; it stands before the page itself is there. */
export const headings = {
  dashboard: 'Engineering Metrics Dashboard',
  'stuck-prs': 'Stuck PRs',
  prs: 'Pull Request Management',
  'reviewer-stats': 'Reviewers',
  'developer-stats': 'Developers',
  'review-load': 'Review Load',
  contributors: 'Contributors',
  trends: 'Trends',
  'add-repo': 'Add repository',
  settings: 'Settings',
  administration: 'Administration',
} as const;

/** The h1 of one contributor's page, or of the page without one. */
export function contributorHeading(username: string | undefined): string {
  return username === undefined ? 'Contributor View' : `Contributor: ${shownLogin(username)}`;
}
