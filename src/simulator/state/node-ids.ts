/**
 * Global node ids: a prefix for the kind and the parts that find the object again, so that no index of all objects is kept.
 * Clients must treat them as opaque, as they must on the real host.
 */
const PREFIXES = {
  R: 'Repository',
  PR: 'PullRequest',
  PRR: 'PullRequestReview',
  PRRC: 'PullRequestReviewComment',
  PRRT: 'PullRequestReviewThread',
  IC: 'IssueComment',
  C: 'Commit',
  PURC: 'PullRequestCommit',
  SCR: 'StatusCheckRollup',
  CR: 'CheckRun',
  CS: 'CheckSuite',
  APP: 'App',
  SC: 'StatusContext',
  RR: 'ReviewRequest',
  U: 'User',
  BOT: 'Bot',
  M: 'Mannequin',
  O: 'Organization',
  T: 'Team',
  LA: 'Label',
  REF: 'Ref',
  EV: 'Event',
  WFR: 'WorkflowRun',
} as const;

export type Prefix = keyof typeof PREFIXES;

export function nodeId(prefix: Prefix, ...parts: readonly (string | number)[]): string {
  return `${prefix}_${Buffer.from(`kw:${parts.join(':')}`).toString('base64url')}`;
}

/** The kind and the parts of a node id, or null for a text that is none. */
export function readNodeId(id: string): { readonly prefix: Prefix; readonly parts: readonly string[] } | null {
  const cut = id.indexOf('_');
  const prefix = id.slice(0, cut);
  if (cut < 1 || !Object.hasOwn(PREFIXES, prefix)) return null;
  const [mark, ...parts] = Buffer.from(id.slice(cut + 1), 'base64url')
    .toString()
    .split(':');
  return mark === 'kw' && parts.length > 0 ? { prefix: prefix as Prefix, parts } : null;
}
