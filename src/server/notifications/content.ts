import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { WorkItem } from '#contract/my-work.ts';
import { onTheClockOf } from '#domain/calendar-days.ts';
import { isTurn } from '#domain/my-work.ts';
import { GATHER_FOR } from '#domain/notifications/delivery.ts';
import type { Figures, Message, Section } from '#domain/notifications/message.ts';
import { DIGEST_LATE, lastWeek, latestPassing } from '#domain/notifications/moments.ts';
import type { Notice } from '#domain/notifications/notices.ts';
import { nextOpening } from '#domain/notifications/quiet-hours.ts';
import type { Kind } from '#domain/notifications/subscriptions.ts';
import type { Instant } from '#domain/pull-request.ts';
import type { Database } from '../db/database.ts';
import { isWithheld } from '../db/recounts.ts';
import { HttpError } from '../http/errors.ts';
import { isVisible, scopeOf } from '../metrics/scope.ts';
import { channelScope } from './channel-desk.ts';
import { type DeskItem, type DeskOf, type DeskSection, isLeftOutFailing, isTurnTold, isWatched } from './desk.ts';
import type { Tell } from './keys.ts';
import { type Claim, mayBeToldFrom, NOTHING_LEFT, type ToldItem, type Waiting } from './queue.ts';
import { type Recipient, recipients, subscriptionTo } from './recipients.ts';
import { syncNotices } from './sync-notices.ts';
import { personWeek, teamWeek } from './weekly.ts';

/** The most items in a message. */
export const MOST_ITEMS = 20;
/** The most items of each list in a weekly digest, and of what waits longest in that of a team's channel. */
const MOST_OF_WEEK = 10;
const LONGEST_OF_WEEK = 5;

export interface ContentDeps {
  readonly db: Kysely<Database>;
  /** The database as a person with marks of their own sees it, else the same. */
  readonly seenBy: (owner: Recipient['owner']) => Kysely<Database>;
  readonly deskOf: DeskOf;
  /**
   * Whether somebody may get messages now: about work whoever may sign in; about what needs them themselves others, too, whose desk is empty
   * then and whose notices name their own tokens and channels alone.
   */
  readonly isAllowed: (owner: Recipient['owner'], of: 'work' | 'themselves', now: Date) => Promise<boolean>;
  readonly public_url: string;
}

/** What is to be done about a message that is due: what it says is decided now, by what its recipient may read now. */
export type Decision =
  | { readonly do: 'drop'; readonly reason: string }
  | { readonly do: 'defer'; readonly state: 'pending' | 'held'; readonly at: Instant }
  | { readonly do: 'send'; readonly to: Recipient; readonly message: Said; readonly claim: Omit<Claim, 'subject'> };

/** A message but for how it is sent. */
export type Said = Omit<Message<WorkItem>, 'titles' | 'links' | 'recipient' | 'stuck_after' | 'schedule' | 'made_by'>;

export async function decide(deps: ContentDeps, waiting: Waiting, now: Date): Promise<Decision> {
  const [to] = await recipients(deps.db, waiting);
  if (to === undefined) return { do: 'drop', reason: 'Paused, or not wanted any more' };
  const needsThem = waiting.tells.some(({ kind, due_at }) => kind === 'sync' && due_at <= now.getTime());
  if (!(await deps.isAllowed(to.owner, needsThem ? 'themselves' : 'work', now)))
    return { do: 'drop', reason: 'Its recipient may not sign in any more' };
  return waiting.kind === 'daily' || waiting.kind === 'weekly'
    ? await decideDigest(deps, waiting, waiting.kind, to, now)
    : await decideAlert(deps, waiting, to, now);
}

async function decideAlert(deps: ContentDeps, waiting: Waiting, to: Recipient, now: Date): Promise<Decision> {
  const at = now.getTime();
  const opening = nextOpening(to.hours, to.time_zone, at);
  if (opening === null) return { do: 'drop', reason: 'Its recipient has no day on which messages may come' };
  if (opening > at) return { do: 'defer', state: 'held', at: opening };
  const from = await mayBeToldFrom(deps.db, waiting);
  if (from > at) return { do: 'defer', state: 'pending', at: from };
  const due = waiting.tells.filter(({ due_at }) => due_at <= at);
  const later = waiting.tells.filter(({ due_at }) => due_at > at);
  const places = [...new Set(due.flatMap(({ repository_id }) => repository_id ?? []))];
  const desk = places.length > 0 ? await deps.deskOf(to, now, places) : [];
  const found = new Map(desk.flatMap(({ items }) => items).map((one) => [placeOf(one), one]));
  const isTrue = (tell: Tell) => {
    const item = found.get(`${tell.repository_id} ${tell.number}`)?.item;
    if (item === undefined || secondOf(Date.parse(item.since)) !== secondOf(tell.since!)) return false;
    return tell.kind === 'turn'
      ? isTurnTold(to, item) && tell.since! >= subscriptionTo(to, 'turn')!.since
      : isWatched(to, item) && isPassed(to, tell, at);
  };
  const [own] =
    due.some(({ kind }) => kind === 'sync') && to.subscriptions.has('sync')
      ? await syncNotices(deps.db, [to], now)
      : [];
  const told = due.filter((tell) => (tell.kind === 'sync' ? own?.notices.has(tell.key) : isTrue(tell)) ?? false);
  if (told.length === 0) {
    if (later.length === 0) return { do: 'drop', reason: NOTHING_LEFT };
    return { do: 'defer', state: 'pending', at: Math.min(...later.map(({ due_at }) => due_at)) + GATHER_FOR };
  }
  const byPlace = new Map(told.map((tell) => [`${tell.repository_id} ${tell.number}`, tell]));
  const items = desk.flatMap((section) => section.items).filter((one) => byPlace.has(placeOf(one)));
  const kinds = told.map(({ kind }) => kind);
  const kind = (['turn', 'stuck'] as const).find((one) => kinds.includes(one)) ?? 'sync';
  const notices = told.flatMap(({ key }): Notice[] => [own?.notices.get(key) ?? []].flat());
  return {
    do: 'send',
    to,
    message: {
      ...saidOf(waiting, to, at),
      ...{ kind, ...shownOf(items), notices },
      left_out: kind === 'stuck' ? await leftOut(deps, to, now) : 0,
    },
    claim: {
      kind,
      items: items.map((one) => toldItem(one, byPlace.get(placeOf(one))?.repetition ?? null)),
      later,
      untrue: due.filter((tell) => !told.includes(tell)),
    },
  };
}

/** Whether a wait passed its limit, or passed it again as late, by the options of now, and since the subscription as it is now. */
function isPassed(to: Recipient, { since, repetition, due_at }: Tell, now: Instant): boolean {
  const { options, since: from } = subscriptionTo(to, 'stuck')!;
  const passing = latestPassing(since!, options, now);
  if (passing === null || due_at < from) return false;
  return repetition === 0 || passing.hours >= Math.round((due_at - since!) / HOUR);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Whether something of what the user sees is being recounted. */
async function isRecounting(db: Kysely<Database>, user_id: number): Promise<boolean> {
  const { rows } = await sql`
    select from connections c where c.user_id = ${user_id} and ${isVisible} and ${isWithheld('c.repository_id')} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

async function decideDigest(
  deps: ContentDeps,
  waiting: Waiting,
  kind: 'daily' | 'weekly',
  to: Recipient,
  now: Date,
): Promise<Decision> {
  const subscription = subscriptionTo(to, kind);
  if (subscription === null || waiting.due_at.getTime() < subscription.since)
    return { do: 'drop', reason: 'Not wanted any more' };
  const late = now.getTime() - waiting.due_at.getTime();
  // One that was tried in time goes on.
  if (waiting.attempts === 0 && late > DIGEST_LATE)
    return { do: 'drop', reason: 'It could not be sent within two hours of its time' };
  // What is being recounted is told after it, rather than left out, for as long as the digest may still come late.
  if (late < DIGEST_LATE - 10 * MINUTE && (await isRecounting(deps.db, to.owner.id)))
    return { do: 'defer', state: 'pending', at: now.getTime() + MINUTE };
  const desk = await deps.deskOf(to, now);
  const content = kind === 'daily' ? daily(to, desk) : await weekly(deps, waiting, to, desk, now);
  if (content === null) return { do: 'drop', reason: 'There was nothing to say' };
  const items = content.sections.flatMap((section) => section.items);
  return {
    do: 'send',
    to,
    message: {
      ...saidOf(waiting, to, now.getTime()),
      ...digestOf(content),
    },
    claim: { kind, items: items.map((one) => toldItem(one, null)), later: [], untrue: [] },
  };
}

/**
 * What a message of one kind would say now, whatever was told before and when messages may come. Null: nothing.
 * @throws HttpError as the recipient's desk
 */
export async function saidNow(
  deps: Pick<ContentDeps, 'db' | 'seenBy' | 'deskOf'>,
  kind: Kind,
  to: Recipient,
  now: Date,
): Promise<Said | null> {
  const at = now.getTime();
  const said = saidOf({ id: randomUUID(), kind, period: periodOf(kind, to, at) }, to, at);
  if (kind === 'sync') {
    const [own] = await syncNotices(deps.db, [to], now);
    return own === undefined ? null : { ...said, notices: [...own.notices.values()] };
  }
  const desk = await deps.deskOf(to, now);
  if (kind === 'daily' || kind === 'weekly') {
    const content = kind === 'daily' ? daily(to, desk) : await weekly(deps, { due_at: now }, to, desk, now);
    return content === null ? null : { ...said, ...digestOf(content) };
  }
  const after = (subscriptionTo(to, 'stuck')?.options.after ?? 0) * 3_600_000;
  const items = desk
    .flatMap((section) => section.items)
    .filter(({ item }) =>
      kind === 'turn' ? isTurnTold(to, item) : isWatched(to, item) && at - Date.parse(item.since) >= after,
    );
  if (items.length === 0) return null;
  return {
    ...said,
    ...shownOf(items),
    left_out: kind === 'stuck' ? await leftOut(deps, to, now) : 0,
  };
}

/** How many wait for longer than the recipient's limit without being told, because their checks fail. */
async function leftOut({ deskOf }: Pick<ContentDeps, 'deskOf'>, to: Recipient, now: Date): Promise<number> {
  const stuck = subscriptionTo(to, 'stuck');
  if (!stuck?.options.skip_failing) return 0;
  const { after } = stuck.options;
  const desk = await deskOf(to, now);
  return desk
    .flatMap(({ items }) => items)
    .filter(({ item }) => isLeftOutFailing(to, item) && item.waited_hours >= after).length;
}

function periodOf(kind: Kind, to: Recipient, at: Instant): string | null {
  if (kind === 'weekly') return lastWeek(at, to.time_zone).period;
  return kind === 'daily' ? onTheClockOf(to.time_zone, at).toPlainDate().toString() : null;
}

interface DigestContent {
  readonly sections: readonly Section<DeskItem>[];
  readonly figures: Figures | null;
  readonly more: number;
}

/** What waits now: of a person their turn, then what waits for others. Null without any turn. */
function daily(to: Recipient, desk: readonly DeskSection[]): DigestContent | null {
  const wanted = desk.filter(({ key }) => to.team !== null || turnSections.has(key) || key === 'yours_waits');
  const turn = wanted.filter(({ key }) => key !== 'yours_waits');
  if (turn.every(({ total }) => total === 0)) return null;
  let room = MOST_ITEMS;
  const sections = wanted
    .filter(({ total }) => total > 0)
    .map((section) => {
      const items = section.items.slice(0, room);
      room -= items.length;
      return { ...section, items };
    });
  const total = wanted.reduce((sum, section) => sum + section.total, 0);
  return { sections, figures: null, more: total - (MOST_ITEMS - room) };
}

/** Sections of a person's list that are their turn. */
const turnSections: ReadonlySet<string> = new Set(['review', 'author', 'merge', 'team_review']);

async function weekly(
  deps: Pick<ContentDeps, 'seenBy'>,
  waiting: Pick<Waiting, 'due_at'>,
  to: Recipient,
  desk: readonly DeskSection[],
  now: Date,
): Promise<DigestContent | null> {
  const week = lastWeek(waiting.due_at.getTime(), to.time_zone);
  const db = deps.seenBy(to.owner);
  const items = desk.flatMap((section) => section.items).sort((a, b) => (a.item.since < b.item.since ? -1 : 1));
  const section = (key: string, of: readonly DeskItem[], most: number) => ({
    key,
    total: of.length,
    items: of.slice(0, most),
  });
  if (to.team !== null) {
    const scope = await channelScope(db, to);
    if (scope === null || scope.repository_ids.length === 0) return null;
    const figures = await teamWeek(db, scope, week, to.time_zone, now);
    const { open, stuck, week: last, before } = figures;
    const counts = [open, ...Object.values(stuck), last.merged, last.opened, before.merged, before.opened];
    if (counts.every((count) => count === 0)) return null;
    const sections = [section('longest', items, LONGEST_OF_WEEK)].filter(({ total }) => total > 0);
    return { sections, figures, more: 0 };
  }
  const scope = await scopeOrNull(db, to);
  if (scope === null || scope.repository_ids.length === 0) return null;
  const turn = items.filter(({ item }) => isTurn(item.kind));
  const mine = items.filter(({ item }) => item.kind === 'yours_waits');
  const figures = to.person_id === null ? null : await personWeek(db, scope, to.person_id, week, to.time_zone, now);
  const counts = [figures?.week, figures?.before].flatMap((of) => (of ? [of.opened, of.merged, of.reviews] : []));
  if (turn.length + mine.length === 0 && counts.every((count) => count === 0)) return null;
  const sections = [section('turn', turn, MOST_OF_WEEK), section('yours_waits', mine, MOST_OF_WEEK)];
  return { sections: sections.filter(({ total }) => total > 0), figures, more: 0 };
}

/** What a person sees; null while nothing of it may be shown. */
async function scopeOrNull(db: Kysely<Database>, to: Recipient) {
  try {
    return await scopeOf(db, to.user_id);
  } catch (error) {
    if (error instanceof HttpError && error.status === 503) return null;
    throw error;
  }
}

function saidOf({ id, kind, period }: Pick<Waiting, 'id' | 'kind' | 'period'>, to: Recipient, at: Instant): Said {
  return {
    id,
    kind,
    at,
    zone: to.time_zone,
    period,
    items: [],
    sections: [],
    more: 0,
    others_turn: 0,
    figures: null,
    notices: [],
    left_out: 0,
  };
}

/** The part of a message that a digest fills. */
function digestOf({
  sections,
  figures,
  more,
}: DigestContent): Pick<Said, 'items' | 'sections' | 'figures' | 'more' | 'others_turn'> {
  const listed = sections.map((section) => ({ ...section, ...within(section.items) }));
  const others_turn = sections.find(({ key }) => key === 'yours_waits')?.total ?? 0;
  return { items: listed.flatMap((section) => section.items), sections: listed, figures, more, others_turn };
}

/** The same of a message without sections: as many items as it may hold, and the others counted. */
function shownOf(items: readonly DeskItem[]): Pick<Said, 'items' | 'more' | 'others_turn'> {
  return {
    ...within(items.slice(0, MOST_ITEMS)),
    more: Math.max(0, items.length - MOST_ITEMS),
    others_turn: items.filter(({ item }) => item.kind === 'yours_waits').length,
  };
}

function within(items: readonly DeskItem[]): Pick<Said, 'items'> {
  return { items: items.map(({ item }) => item) };
}

function toldItem({ item, repository_id }: DeskItem, repetition: number | null): ToldItem {
  return { repository_id, number: item.pr_number, kind: item.kind, since: Date.parse(item.since), repetition };
}

const placeOf = ({ item, repository_id }: DeskItem) => `${repository_id} ${item.pr_number}`;
const secondOf = (at: Instant) => Math.floor(at / 1000);
