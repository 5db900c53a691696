import * as accounts from './accounts.ts';
import * as administration from './administration.ts';
import * as aiAuthorship from './ai-authorship.ts';
import * as aiReviewers from './ai-reviewers.ts';
import * as assistants from './assistants.ts';
import * as connecting from './connecting.ts';
import * as contributors from './contributors.ts';
import type { Endpoint } from './endpoint.ts';
import * as explain from './explain.ts';
import * as health from './health.ts';
import * as messagePreviews from './message-previews.ts';
import * as myWork from './my-work.ts';
import * as notes from './notes.ts';
import * as notifications from './notifications.ts';
import * as pullRequests from './pull-requests.ts';
import * as repositories from './repositories.ts';
import * as session from './session.ts';
import * as sync from './sync.ts';
import * as team from './team.ts';
import * as teams from './teams.ts';
import * as tokens from './tokens.ts';
import * as trends from './trends.ts';
import * as views from './views.ts';

/** What calls are about, in the order in which a reader looks for them. */
export const groups: readonly { readonly name: string; readonly about: string; readonly of: readonly object[] }[] = [
  { name: 'Team', about: 'The team’s figures, what is stuck, and how people fare.', of: [team] },
  { name: 'Pull requests', about: 'The list and each one in depth.', of: [pullRequests] },
  { name: 'My work', about: 'What waits for the caller.', of: [myWork] },
  { name: 'Contributors', about: 'People, their figures, pull requests and review hours.', of: [contributors] },
  { name: 'Teams and groups', about: 'Who belongs together, and how teams compare.', of: [teams] },
  { name: 'Trends', about: 'Figures over time, and notes beside them.', of: [trends, notes] },
  { name: 'Health', about: 'Signals of the review practice.', of: [health] },
  {
    name: 'AI',
    about: 'AI reviewers and agents’ pull requests, with people’s beside.',
    of: [aiReviewers, aiAuthorship],
  },
  { name: 'Explanations', about: 'What a figure means and which pull requests went into it.', of: [explain] },
  { name: 'Repositories', about: 'Connecting them, their history and webhooks.', of: [repositories, connecting] },
  { name: 'Syncs', about: 'Reading the host now, how far that is, and what changed.', of: [sync] },
  { name: 'Notifications', about: 'What people are told, and by which channel.', of: [notifications, messagePreviews] },
  { name: 'Views', about: 'Addresses that are kept.', of: [views] },
  { name: 'Accounts', about: 'Which accounts are bots and agents.', of: [accounts] },
  { name: 'Tokens and assistants', about: 'Ways in beside the browser.', of: [tokens, assistants] },
  { name: 'Session', about: 'Signing in and out.', of: [session] },
  { name: 'Administration', about: 'For administrators.', of: [administration] },
];

/** The name of the group that a call belongs to. @throws for one of a file that no group names */
export function groupOf(entry: Endpoint): string {
  const found = groups.find(({ of }) => of.some((file) => Object.values(file).includes(entry)));
  if (found === undefined) throw new Error(`Name a group for the file of ${entry.path}.`);
  return found.name;
}
