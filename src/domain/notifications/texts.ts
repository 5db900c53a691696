import { onTheClockOf } from '../calendar-days.ts';
import { hostnameOf } from '../code-host.ts';
import { formatDuration } from '../duration.ts';
import { type WorkReason, workReasonLabel } from '../my-work.ts';
import { shareWords } from '../percent.ts';
import type { Instant } from '../pull-request.ts';
import { type WaitingOn, type WaitingReason, waitingOnLabel, waitingReasonLabel } from '../whose-turn.ts';
import { dayName, daysInWords } from './day-words.ts';
import type { Figures, Median, Message, Schedule } from './message.ts';
import type { Notice } from './notices.ts';
import { CONFIRMATION_HOURS, TEST_TEXT } from './subscriptions.ts';

/** Needs `Temporal`. What messages say, whatever they are sent by. */

/** What of an item stands in a message. */
export interface MessageItem {
  readonly repo_owner: string;
  readonly repo_name: string;
  readonly pr_number: number;
  readonly title: string;
  readonly github_url: string;
  readonly author: string;
  readonly kind: string;
  readonly reason: WorkReason;
  /** `@organisation/slug`, where the recipient is asked through it. */
  readonly team: string | null;
  readonly asked_at: string | null;
  readonly reviewed: boolean;
  readonly since: string;
  readonly waiting_on: WaitingOn;
  /** Whose review it waits for, by name; empty unless it waits for reviewers. */
  readonly waits_for: readonly string[];
}

export interface LetterItem {
  /** `owner/name#12` */
  readonly place: string;
  /** Null where the channel leaves titles out. Cleaned: nothing in it becomes a link or a mention. */
  readonly title: string | null;
  /** Why, and since when. */
  readonly why: string;
  /** At Mergelight. */
  readonly url: string;
  readonly host_url: string;
  /** "open at GitHub" */
  readonly host_label: string;
}

/** A number, and over how many things it is; null where it is a count itself. */
export interface LetterFigure {
  readonly value: string;
  readonly n: string | null;
}

export interface LetterRow {
  readonly label: string;
  readonly last: LetterFigure;
  /** Null where there is nothing to compare with. */
  readonly before: LetterFigure | null;
}

export interface LetterPart {
  readonly heading: string | null;
  readonly items: readonly LetterItem[];
  readonly notices: readonly Notice[];
  readonly rows: readonly LetterRow[];
}

/** A message as it is laid out: plain sentences, nothing yet of how mail or Slack write them. */
export interface Letter {
  readonly subject: string;
  readonly headline: string;
  readonly parts: readonly LetterPart[];
  /** How many more there are; null for none. */
  readonly more: string | null;
  readonly open: { readonly label: string; readonly url: string };
  readonly settings: { readonly label: string; readonly url: string };
  /** Null where there is no link by which mails of this kind stop. */
  readonly stop: { readonly label: string; readonly url: string } | null;
  readonly footer: string;
}

const headings: Readonly<Record<string, string>> = {
  turn: 'Your turn now',
  review: 'Waiting for your review',
  author: 'Waiting for you as author',
  merge: 'Ready to merge',
  team_review: 'Asked through a team',
  yours_waits: 'Yours, waiting for others',
  longest: 'Waiting longest',
};
/** In the channel of a team nothing is "yours". */
const headingsOfTeam: Readonly<Record<string, string>> = {
  review: 'Waiting for reviewers',
  author: 'Waiting for authors',
  merge: 'Ready to merge',
};

/** So few things that one of them moves a median much. */
const FEW_BELOW = 5;

/** The most notices in a message; the others are counted. */
const MOST_NOTICES = 10;

/** @param public_url where Mergelight is, without a slash at its end */
export function layOut(message: Message<MessageItem>, public_url: string): Letter {
  const { kind, items, sections, links, recipient } = message;
  const isTeam = recipient.type === 'channel';
  const notices = message.notices.slice(0, MOST_NOTICES);
  const more = message.more + message.notices.length - notices.length;
  const part = (heading: string | null, of: Partial<LetterPart>): LetterPart => ({
    ...{ heading, items: [], notices: [], rows: [] },
    ...of,
  });
  const lines = (of: readonly MessageItem[]) => of.map((item) => letterItem(message, item, public_url));
  const wordsOf = (key: string) => (isTeam ? headingsOfTeam[key] : undefined) ?? headings[key] ?? key;
  const listed = sections.map((section) =>
    part(`${wordsOf(section.key)}: ${section.total}`, { items: lines(section.items) }),
  );
  const parts = [
    ...(kind === 'test' ? [] : sections.length > 0 ? listed : [part(null, { items: lines(items) })]),
    ...(message.figures === null ? [] : [part(weekWords(message), { rows: rowsOf(message.figures) })]),
    ...(notices.length === 0 ? [] : [part(items.length > 0 ? 'Needs you' : null, { notices })]),
  ].filter((one) => one.items.length + one.rows.length + one.notices.length > 0);
  return {
    subject: subjectOf(message),
    headline: headlineOf(message),
    parts,
    more: more > 0 ? `+ ${more} more` : null,
    open: { label: isTeam ? 'Open Mergelight' : 'Open My work', url: links.open },
    settings: { label: isTeam ? 'Settings' : 'Change what reaches you', url: links.settings },
    stop: links.unsubscribe === null ? null : { label: 'Stop these mails', url: links.unsubscribe },
    footer: footerOf(message),
  };
}

function footerOf({ kind, zone, made_by, schedule, left_out }: Message<unknown>): string {
  if (kind === 'test' || schedule === null) return 'Somebody pressed “Send a test” in the settings of Mergelight.';
  const without =
    left_out === 0 ? '' : `${left_out} more with failing checks ${left_out === 1 ? 'is' : 'are'} left out. `;
  const when = scheduleWords(schedule);
  const isDigest = kind === 'daily' || kind === 'weekly';
  if (made_by !== null) {
    const comes = isDigest ? `this comes ${when}` : `messages come ${when}`;
    return `${without}Times are in ${zone}. ${made_by} made this channel and can change what comes here; ${comes}.`;
  }
  const asked = isDigest ? `${when} because you asked for it` : `because you asked for it; messages come ${when}`;
  return `${without}Times are in ${zone}. You get this ${asked}.`;
}

/** 'on Mondays at 09:00', 'at 09:00 (Monday to Friday)', '08:00 to 19:00, Monday to Friday', 'at any time'. */
function scheduleWords(schedule: Schedule): string {
  if ('weekday' in schedule) return `on ${dayName(schedule.weekday)}s at ${schedule.time}`;
  const days = daysInWords(schedule.weekdays, dayName);
  if ('time' in schedule) return `at ${schedule.time} (${days})`;
  return schedule.mode === 'off' ? 'at any time' : `${schedule.from} to ${schedule.to}, ${days}`;
}

/** The one mail that an address gets before it is confirmed; `login` is who wants it. */
export function confirmationMail(
  login: string,
  public_url: string,
  token: string,
): { readonly subject: string; readonly text: string } {
  return {
    subject: 'Mergelight: confirm this address',
    text: [
      `${login} would like messages of Mergelight at ${public_url} to be sent to this address.`,
      `Confirm it within ${CONFIRMATION_HOURS} hours:`,
      `${public_url}/confirm/${token}`,
      'If you don’t know what this is about, do nothing: without that, nothing else is sent here.',
    ].join('\n\n'),
  };
}

/** Of a mail, and what the log calls the message. */
export function subjectOf(message: Message<MessageItem>): string {
  const { kind, recipient, period } = message;
  if (kind === 'test') return 'Mergelight: a test';
  if (recipient.type === 'channel') {
    const about = kind === 'weekly' ? `week ${weekOf(period)}` : `${totalOf(message)} waiting`;
    return `Mergelight: ${plainLine(recipient.name)}, ${about}`;
  }
  return kind === 'weekly' ? 'Mergelight: your week' : `Mergelight: ${waitingWords(message)}`;
}

function headlineOf(message: Message<MessageItem>): string {
  const { kind, recipient, period, stuck_after } = message;
  if (kind === 'test') return TEST_TEXT;
  const total = totalOf(message);
  const pulls = total === 1 ? '1 pull request' : `${total} pull requests`;
  const [have, wait] = total === 1 ? ['has', 'waits'] : ['have', 'wait'];
  if (kind === 'weekly')
    return recipient.type === 'channel' ? `${plainLine(recipient.name)}, week ${weekOf(period)}` : 'Your week';
  if (kind === 'stuck' && stuck_after !== null && total > 0)
    return `${pulls} ${have} waited longer than ${stuck_after === 1 ? '1 hour' : `${stuck_after} hours`}`;
  if (recipient.type === 'channel') return `${pulls} ${wait} now`;
  const words = waitingWords(message);
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

/** "2 waiting for you", of a person; of what waits for others alone that it is theirs. */
function waitingWords(message: Message<MessageItem>): string {
  const total = totalOf(message);
  if (total === 0) return 'something needs you';
  const waiting = total - message.others_turn;
  return waiting > 0 ? `${waiting} waiting for you` : `${total} of yours, waiting for others`;
}

function totalOf({ items, sections, more }: Message<MessageItem>): number {
  return sections.length > 0 ? sections.reduce((sum, { total }) => sum + total, 0) : items.length + more;
}

/** 47 of `2026-W47`. */
function weekOf(period: string | null): number {
  return Number(/W(\d+)$/.exec(period ?? '')?.[1] ?? 0);
}

function weekWords({ period }: Message<unknown>): string {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(period ?? '') ?? [];
  if (year === undefined || week === undefined) return 'Last week, against the week before';
  // The fourth of January lies in the first week of its year.
  const fourth = new Temporal.PlainDate(Number(year), 1, 4);
  const monday = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: Number(week) - 1 });
  const sunday = monday.add({ days: 6 });
  const from = monday.month === sunday.month ? '' : ` ${monthNames[monday.month - 1]}`;
  return `Last week, ${monday.day}${from} to ${sunday.day} ${monthNames[sunday.month - 1]}, against the week before`;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Mon 23 Nov, 09:00`, with the year where it is another one. */
function momentWords(at: Instant, zone: string, now: Instant): string {
  const clock = onTheClockOf(zone, at);
  const year = clock.year === onTheClockOf(zone, now).year ? '' : ` ${clock.year}`;
  const time = [clock.hour, clock.minute].map((part) => String(part).padStart(2, '0')).join(':');
  return `${dayName(clock.dayOfWeek).slice(0, 3)} ${clock.day} ${monthNames[clock.month - 1]}${year}, ${time}`;
}

function letterItem(
  { recipient, titles, zone, at }: Message<unknown>,
  item: MessageItem,
  public_url: string,
): LetterItem {
  const { repo_owner, repo_name, pr_number, title, since, github_url } = item;
  const when = `since ${momentWords(Date.parse(since), zone, at)}`;
  return {
    place: `${repo_owner}/${repo_name}#${pr_number}`,
    title: titles ? harmless(title) : null,
    why: recipient.type === 'channel' ? whyOfTeam(item, when) : `${whyOfPerson(item)}, ${when}`,
    url: `${public_url}/pr/${repo_owner}/${repo_name}/${pr_number}`,
    host_url: github_url,
    host_label: `open at ${hostWords(github_url)}`,
  };
}

function hostWords(url: string): string {
  const hostname = hostnameOf(url);
  return hostname === 'github.com' ? 'GitHub' : hostname;
}

function whyOfPerson(item: MessageItem): string {
  const { kind, waits_for } = item;
  if (kind === 'yours_waits' && waits_for.length > 0) return `waits for ${namesIn(waits_for)}`;
  if (kind === 'merge') return 'approved, ready to merge';
  return workReasonLabel(item);
}

/** Names appear beside what waits for them alone. */
function whyOfTeam({ reason, waiting_on, waits_for, author }: MessageItem, when: string): string {
  const who =
    waiting_on === 'reviewers'
      ? waits_for.length > 0
        ? `waits for ${namesIn(waits_for)}`
        : 'nobody is asked'
      : `by ${author}`;
  return `${waitingOnLabel(waiting_on)} · ${waitingReasonLabel(reason as WaitingReason)}, ${when} · ${who}`;
}

/** "ada, bo and cyd"; of many the first ones. */
function namesIn(names: readonly string[]): string {
  if (names.length > MOST_NAMES)
    return `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const MOST_NAMES = 5;

function rowsOf(figures: Figures): LetterRow[] {
  const row = (label: string, last: LetterFigure, before: LetterFigure | null): LetterRow => ({ label, last, before });
  if (figures.of === 'person') {
    const { week, before } = figures;
    return [
      row('Opened', countWords(week.opened), countWords(before.opened)),
      row('Merged', countWords(week.merged), countWords(before.merged)),
      row('Reviews given', countWords(week.reviews), countWords(before.reviews)),
      row('Median response time', medianWords(week.response), medianWords(before.response)),
      row('Median time to first review of yours', medianWords(week.first_review), medianWords(before.first_review)),
    ];
  }
  const { week, before, open, stuck } = figures;
  const share = (of: number | null) => ({ value: shareWords(of), n: null });
  return [
    row('Merged', countWords(week.merged), countWords(before.merged)),
    row('Opened', countWords(week.opened), countWords(before.opened)),
    row('Median time to first review', medianWords(week.first_review), medianWords(before.first_review)),
    row('Median time to merge', medianWords(week.merge), medianWords(before.merge)),
    row('Opened by agents', share(week.by_agents), share(before.by_agents)),
    row('Open now', countWords(open), null),
    row('Stuck now, waiting for reviewers', countWords(stuck.reviewers), null),
    row('Stuck now, waiting for authors', countWords(stuck.author), null),
    row('Stuck now, ready to merge', countWords(stuck.merge), null),
  ];
}

function countWords(count: number): LetterFigure {
  return { value: String(count), n: null };
}

function medianWords({ hours, n }: Median): LetterFigure {
  return { value: formatDuration(hours), n: hours === null ? null : `n ${n}${n < FEW_BELOW ? ', few' : ''}` };
}

/** "5.2 h, n 12" */
export function figureWords({ value, n }: LetterFigure): string {
  return n === null ? value : `${value}, ${n}`;
}

/** A stranger's text as one line, without control and bidi characters. */
export function plainLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/**
 * The same, in which no program sees a link, a picture, a mail address or a mention, by whatever dots and in Markdown either: an invisible word
 * joiner breaks them.
 */
function harmless(text: string): string {
  return plainLine(text).replace(/:(?=\/\/)|@(?=\S)|[.。．｡](?=[\p{L}\d])|\](?=[([:])|!(?=\[)/gu, '$&\u2060');
}
