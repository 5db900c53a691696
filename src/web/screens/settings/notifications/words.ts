import type { ChannelSubscription, Delivery, NotificationChannel, Subscription } from '#contract/notifications.ts';
import type { Team } from '#contract/teams.ts';
import { counted } from '#domain/counted.ts';
import { dayName, daysInWords } from '#domain/notifications/day-words.ts';
import { afterHours, defaultOptions, delayMinutes } from '#domain/notifications/subscriptions.ts';
import { teamNames } from '#domain/team-names.ts';

export type Kind = Subscription['kind'];
/** A person's own ways to be told. */
export type OwnChannel = Subscription['channel'];
/** What is set of a kind, whatever it is sent by. */
export type Options = Omit<ChannelSubscription, 'kind'>;
/** Whether a person is told, or a channel in which several read. */
export type Recipient = 'person' | 'channel';

interface KindWords {
  readonly kind: Kind;
  readonly title: string;
  /** What it is about, by whom it is for; null where that one does not get it. */
  readonly about: Readonly<Record<Recipient, string | null>>;
}

/** The kinds of messages in the order of the settings. */
const kinds: readonly KindWords[] = [
  {
    kind: 'turn',
    title: 'Your turn',
    about: { person: 'a review is asked of you, or was answered; yours is ready to merge', channel: null },
  },
  {
    kind: 'stuck',
    title: 'Stuck',
    about: { person: 'your turn has lasted longer than a limit', channel: 'what waits longer than a limit' },
  },
  { kind: 'daily', title: 'Daily', about: { person: 'what waits now', channel: 'what waits now' } },
  {
    kind: 'weekly',
    title: 'Weekly',
    about: { person: 'last week against the week before', channel: 'last week against the week before' },
  },
  {
    kind: 'sync',
    title: 'Sync trouble',
    about: { person: 'a repository of yours stopped, a token ends, a channel was paused', channel: null },
  },
];

/** The kinds that a recipient can be told of. */
export const kindsFor = (recipient: Recipient) => kinds.filter(({ about }) => about[recipient] !== null);

/** What a kind is called, also that of a test. */
export function kindTitle(kind: Delivery['kind']): string {
  return kinds.find((one) => one.kind === kind)?.title ?? 'Test';
}

/** What is set of a kind before anybody sets something. */
export function usualOptions(kind: Kind, recipient: Recipient): Options {
  const usual: Partial<Record<Kind, object>> = defaultOptions[recipient];
  return { ...usual[kind] };
}

/** What is wrong with numbers that are set, by their names, in the server's words; empty where nothing is. */
export function numberProblems({ delay, after }: Options): Readonly<Record<string, string>> {
  const problems = Object.entries({ delay: problemOf(delay, delayMinutes), after: problemOf(after, afterHours) });
  return Object.fromEntries(problems.flatMap(([name, problem]) => (problem === null ? [] : [[name, problem]])));
}

function problemOf(value: number | undefined, { least, most }: { readonly least: number; readonly most: number }) {
  if (value === undefined) return null;
  if (!Number.isInteger(value)) return 'must be a whole number';
  if (value < least) return `must be ${least} or more`;
  return value > most ? `must be ${most} or less` : null;
}

/** '24 h', and whole days from three on: '7 days'. */
function hoursInWords(hours: number): string {
  return hours >= 72 && hours % 24 === 0 ? `${hours / 24} days` : `${hours} h`;
}

/** What is set of a kind, in a line; empty where there is nothing to set. */
export function optionsInWords(kind: Kind, options: Options): string {
  const parts: string[] = [];
  if (kind === 'turn') {
    parts.push(options.delay === 0 ? 'at once' : `after ${options.delay} min`);
    parts.push(options.team_review ? 'also through a team' : 'not through a team');
  }
  if (kind === 'stuck') {
    parts.push(`after ${hoursInWords(options.after ?? 24)}`);
    if (options.repeat != null) parts.push(`again each ${hoursInWords(options.repeat)}`);
    if (options.mine) parts.push('yours that wait too');
    if (options.humans_only) parts.push('people’s alone');
    if (options.skip_failing === false) parts.push('failing checks too');
  }
  if (kind === 'daily') parts.push(`${options.time}`, daysInWords(options.weekdays ?? []));
  if (kind === 'weekly') parts.push(`${dayName(options.weekday ?? 1)} ${options.time}`);
  return parts.join(', ');
}

/** What a channel sends, in a line. */
export function subscriptionsInWords(subscriptions: readonly ChannelSubscription[]): string {
  const told = kinds.flatMap(({ kind, title }) => {
    const one = subscriptions.find((subscription) => subscription.kind === kind);
    if (one === undefined) return [];
    const options = optionsInWords(kind, one);
    return [options === '' ? title.toLowerCase() : `${title.toLowerCase()} ${options}`];
  });
  return told.length === 0 ? 'sends nothing yet' : told.join(' · ');
}

/** Who gets to see what in a channel. */
export function reachInWords({
  personal,
  titles,
  reaches,
}: Pick<NotificationChannel, 'personal' | 'titles' | 'reaches'>): string {
  if (personal) return 'Gets what is for you. Whoever reads it there sees it, too.';
  if (!titles) return 'Sends owner/name#number without titles.';
  const { repositories, private: hidden } = reaches;
  return `Everyone in that channel will see titles of ${counted(repositories, 'repository', 'repositories')}, ${hidden} of them private.`;
}

/** The teams to which a channel can be narrowed, as options, with the one that is chosen, also where it is archived or gone. */
export function teamsToChoose(
  teams: readonly Pick<Team, 'id' | 'name' | 'handle' | 'archived_at'>[],
  chosen: number | null,
): { readonly value: string; readonly label: string }[] {
  const listed = teams.filter(({ id, archived_at }) => archived_at === null || id === chosen);
  const options = [...teamNames(listed)].map(([id, label]) => ({ value: String(id), label }));
  if (chosen === null || listed.some(({ id }) => id === chosen)) return options;
  return [...options, { value: String(chosen), label: 'A team that is gone' }];
}

export const typeNames: Readonly<Record<NotificationChannel['type'], string>> = {
  slack: 'Slack',
  teams: 'Teams',
  webhook: 'Webhook',
  mail: 'Mail',
};

/** What a message was written for. */
export const messageTypeNames = { ...typeNames, slack_dm: 'Slack message' } as const;

export const ownChannelNames: Readonly<Record<OwnChannel, string>> = { mail: 'Mail', slack_dm: 'Slack message' };

/** As the sentence about a message goes on: 'Stuck by mail'. */
export const byOwnChannel: Readonly<Record<OwnChannel, string>> = { mail: 'by mail', slack_dm: 'by Slack' };

/** The time of day that somebody typed, '9:30' or '0930' as '09:30'; null for what is none. */
export function timeOf(text: string): string | null {
  const [, hour, minute] = /^\s*(\d{1,2})[:.]?(\d\d)\s*$/.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${hour.padStart(2, '0')}:${minute}`;
}

/** Minutes from midnight of a time of day, '09:30'. */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
