/** The pages that keys and the command palette lead to; the second key of a chord that begins with G. */
export const pages = [
  { href: '/dashboard', title: 'Dashboard', key: 'd' },
  { href: '/stuck-prs', title: 'Stuck PRs', key: 't' },
  { href: '/prs', title: 'All PRs', key: 'p' },
  { href: '/reviewer-stats', title: 'Reviewers', key: 'r' },
  { href: '/developer-stats', title: 'Developers', key: 'e' },
  { href: '/review-load', title: 'Review load', key: 'l' },
  { href: '/contributors', title: 'Contributors', key: 'c' },
  { href: '/add-repo', title: 'Add repository', key: 'a' },
  { href: '/settings', title: 'Settings', key: 's' },
] as const;
