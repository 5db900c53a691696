import type { MyWork, WorkItem } from '#contract/my-work.ts';
import { counted } from '#domain/counted.ts';
import { formatAge } from '#domain/duration.ts';
import { workReasonLabel } from '#domain/my-work.ts';
import { formatCount, formatMoment, instantOf } from '../../time/moment.ts';

export type SectionKey = MyWork['sections'][number]['key'];
export type Section = MyWork['sections'][number];

export const sectionTitles: Readonly<Record<SectionKey, string>> = {
  review: 'Waiting for your review',
  author: 'Waiting for you as author',
  merge: 'Ready to merge',
  team_review: 'Asked through a team',
  yours_waits: 'Yours, waiting for others',
  reviewed_waits: 'Waiting for the author',
  draft: 'Drafts',
  snoozed: 'Snoozed',
};

/** Those that are the person's turn; the others are folded when many stand above them. */
export const turnKeys = ['review', 'author', 'merge', 'team_review'] as const satisfies readonly SectionKey[];

export const isTurnKey = (key: SectionKey): boolean => (turnKeys as readonly SectionKey[]).includes(key);

export const keyOfItem = ({ repo_owner, repo_name, pr_number }: WorkItem) => `${repo_owner}/${repo_name}/${pr_number}`;

/** "8 waiting for you", or that nothing does. */
export function waitingForYou(count: number): string {
  return count === 0 ? 'Nothing waits for you' : `${formatCount(count)} waiting for you`;
}

/** Whether the server lists the first of a section alone. */
const isCut = ({ items, total }: Section): boolean => total > items.length;

const isCutTurn = (section: Section): boolean => isTurnKey(section.key) && isCut(section);

/** ", 3 of them over 48 hours": what follows the number, "at least" where some are not listed; nothing where none is. */
export function overdueWords(sections: readonly Section[]): string {
  const overdue = sections
    .filter(({ key }) => isTurnKey(key))
    .flatMap(({ items }) => items.filter((item) => item.overdue));
  const [first] = overdue;
  if (first === undefined) return '';
  const count = `${sections.some(isCutTurn) ? 'at least ' : ''}${formatCount(overdue.length)}`;
  return `, ${count} of them over ${first.overdue_after_hours} hours`;
}

/** Why an item stands where it stands, as a sentence without its full stop. */
export function reasonWords(item: WorkItem): string {
  const { kind, waits_for } = item;
  const words = workReasonLabel(item);
  const capitalized = words.charAt(0).toUpperCase() + words.slice(1);
  return kind === 'yours_waits' && waits_for.length > 0 ? `${capitalized} · ${waits_for.join(', ')}` : capitalized;
}

/** What one can send somebody who is waited for; nothing is sent from here. */
export function nudgeOf(item: WorkItem, now: number, zone: string): string {
  const { title, repo_owner, repo_name, pr_number, waits_for, waiting_on, since, github_url } = item;
  const whom = waiting_on === 'author' ? 'its author' : waits_for.length === 0 ? 'a reviewer' : waits_for.join(', ');
  const at = instantOf(since);
  const when = at === null ? '' : ` since ${formatMoment(at, now, zone)} (${formatAge(at, now)})`;
  return `${title} (${repo_owner}/${repo_name}#${pr_number}) waits for ${whom}${when}: ${github_url}`;
}

/** When a snoozed item comes back: "until Fri 20 Nov, 09:00", "until it changes", or whichever is first. */
export function untilWords(
  { until, until_change }: { readonly until: string | null; readonly until_change: boolean },
  now: number,
  zone: string,
): string {
  const at = instantOf(until);
  if (at === null) return 'until it changes';
  return `until ${formatMoment(at, now, zone)}${until_change ? ' or until it changes' : ''}`;
}

/** What waits for others, where nothing waits for the person: "2 of yours wait for others · 1 draft"; empty without any. */
export function othersWords(sections: readonly Section[]): string {
  const totalOf = (key: SectionKey) => sections.find((section) => section.key === key)?.total ?? 0;
  const others = (key: SectionKey, one: string, many: string) => {
    const total = totalOf(key);
    return total === 0 ? [] : [counted(total, one, many)];
  };
  return [
    ...others('yours_waits', 'of yours waits for others', 'of yours wait for others'),
    ...others('reviewed_waits', 'waits for its author', 'wait for their authors'),
    ...others('draft', 'draft', 'drafts'),
    ...others('snoozed', 'snoozed', 'snoozed'),
  ].join(' · ');
}

/** What there is to do about a folded section, in a few words; empty where its title says it. */
export function foldedWords(section: Section, now: number, zone: string): string {
  const { key, items } = section;
  if (key === 'reviewed_waits') return 'nothing to do until the author acts';
  // Of more than are listed the next one may be any: they stand by how long they wait.
  if (key !== 'snoozed' || isCut(section)) return '';
  const next = Math.min(...items.map(({ snooze }) => instantOf(snooze?.until) ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(next) ? `next one back ${formatMoment(next, now, zone)}` : '';
}

/** One that left a list between two answers, with its place there. */
export interface Ended {
  readonly section: SectionKey;
  readonly at: number;
  readonly item: WorkItem;
}

/**
 * What stood among the person's turns before and stands nowhere any more. Nothing while some of these are not listed: what is not in the list
 * may have moved to where it isn't seen.
 */
export function endedBetween(before: readonly Section[], after: readonly Section[]): readonly Ended[] {
  if ([...before, ...after].some(isCutTurn)) return [];
  const left = new Set(after.flatMap(({ items }) => items.map(keyOfItem)));
  return before
    .filter(({ key }) => isTurnKey(key))
    .flatMap(({ key, items }) =>
      items.flatMap((item, at) => (left.has(keyOfItem(item)) ? [] : [{ section: key, at, item }])),
    );
}
