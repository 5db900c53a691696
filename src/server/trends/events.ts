import { type Kysely, sql } from 'kysely';
import type { Note } from '#contract/notes.ts';
import type { Trend } from '#contract/trends.ts';
import { nameOfReviewer } from '#domain/known-tools.ts';
import { defaultHealthSettings, type HealthSettings } from '#domain/signals.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';
import { accountsByTool } from '../metrics/seen-reviewers.ts';
import { notesOf } from './notes.ts';

type Event = Trend['events'][number];
/** Who asks; by a personal token, whose scopes reach no notes, or by a session. */
export type Viewer = Pick<SignedIn, 'id' | 'host'> & { readonly by_token?: boolean };

/** So many are drawn on one time axis. */
export const MOST_EVENTS = 200;

interface Span {
  /** Epoch milliseconds, half-open. */
  readonly from: number;
  readonly to: number;
}

/**
 * What happened in the span to the data of whoever asks, the earliest first (docs/metrics.md#trends): repositories of the scope that they
 * connected, AI reviewers that first acted in it, definitions and thresholds that changed, and notes. Of more than `MOST_EVENTS` the latest;
 * notes of others have the room that all else leaves.
 */
export async function eventsOf(db: Kysely<Database>, scope: Scope, viewer: Viewer, span: Span): Promise<Event[]> {
  const [notes, ...others] = await Promise.all([
    viewer.by_token === true ? [] : notesOf(db, viewer, span, MOST_EVENTS),
    connected(db, scope, span),
    firstActs(db, scope, viewer, span),
    changedDefinitions(db, span),
    changedThresholds(db, viewer, span),
  ]);
  const told = (some: readonly Note[]) => some.map(({ at, text }): Event => ({ at, kind: 'note', text })).reverse();
  const own = [...others.flat(), ...told(notes.filter(({ mine }) => mine))].sort(byTime).slice(-MOST_EVENTS);
  const ofOthers = notes.filter(({ mine }) => !mine).slice(0, MOST_EVENTS - own.length);
  return [...own, ...told(ofOthers)].sort(byTime);
}

const byTime = (a: Event, b: Event) => Date.parse(a.at) - Date.parse(b.at);

const event = (kind: Event['kind'], at: Date, text: string): Event => ({ at: at.toISOString(), kind, text });

async function connected(db: Kysely<Database>, scope: Scope, { from, to }: Span): Promise<Event[]> {
  const { rows } = await sql<{ at: Date; name: string }>`
    select c.connected_at as at, r.owner || '/' || r.name as name
    from connections c join repositories r on r.id = c.repository_id
    where c.user_id = ${scope.user_id} and ${scope.filter('r', 'id')}
      and c.connected_at >= ${new Date(from)} and c.connected_at < ${new Date(to)}
    order by c.connected_at desc, r.id desc limit ${MOST_EVENTS}`.execute(db);
  return rows.reverse().map(({ at, name }) => event('repository_connected', at, `${name} connected`));
}

/** The first act of each AI reviewer in the scope (docs/metrics.md#ai-reviewers), the accounts of one tool together. */
async function firstActs(
  db: Kysely<Database>,
  scope: Scope,
  { host }: Pick<Viewer, 'host'>,
  { from, to }: Span,
): Promise<Event[]> {
  const tools = [...(await accountsByTool(db, host)).keys()];
  const { rows } = await sql<{ tool: string; login: string; at: Date; name: string; number: number }>`
    select act.tool, person.login, act.at, r.owner || '/' || r.name as name, act.number
    from (
      select distinct on (tool) tool, first.*
      from unnest(${tools}::text[]) tool cross join unnest(${scope.repository_ids}::int[]) repository
      cross join lateral (select a.repository_id, a.number, a.person_id, a.first_act_at as at from reviewer_acts a
        where a.repository_id = repository and a.reviewer = tool order by a.first_act_at, a.number limit 1) first
      order by tool, first.at, first.repository_id, first.number
    ) act
    join people person on person.id = act.person_id
    join repositories r on r.id = act.repository_id
    where act.at >= ${new Date(from)} and act.at < ${new Date(to)}
    order by act.at, act.repository_id, act.number, act.tool collate "C"`.execute(db);
  return rows.map(({ at, tool, login, name, number }) =>
    event('ai_reviewer', at, `${nameOfReviewer(tool, login)} reviewed for the first time: ${name}#${number}`),
  );
}

/** When this installation began to compute facts by other definitions; not those that it was set up with. */
async function changedDefinitions(db: Kysely<Database>, { from, to }: Span): Promise<Event[]> {
  const { rows } = await sql<{ at: Date; version: string }>`
    select at, version from (
      select "timestamp"::timestamptz as at, substring(name from 'facts-version-(.*)') as version,
        (select min("timestamp"::timestamptz) from kysely_migration) as set_up_at
      from kysely_migration where name like 'facts-version-%'
    ) change where at > set_up_at and at >= ${new Date(from)} and at < ${new Date(to)}
    order by at desc limit ${MOST_EVENTS}`.execute(db);
  return rows
    .reverse()
    .map(({ at, version }) => event('definitions', at, `The definitions of figures changed (version ${version})`));
}

async function changedThresholds(
  db: Kysely<Database>,
  { host }: Pick<Viewer, 'host'>,
  { from, to }: Span,
): Promise<Event[]> {
  const { rows } = await sql<{ at: Date; before: HealthSettings | null; after: HealthSettings }>`
    select * from (
      select id, set_at as at, lag(settings) over (order by id) as before, settings as after
      from health_settings where host = ${host}
    ) change where at >= ${new Date(from)} and at < ${new Date(to)} order by id desc limit ${MOST_EVENTS}`.execute(db);
  return rows.reverse().flatMap(({ at, before, after }) => {
    const changes = changesBetween(before ?? defaultHealthSettings, after);
    return changes.length === 0 ? [] : [event('thresholds', at, `Thresholds changed: ${changes.join(', ')}`)];
  });
}

/** Each threshold in words, by where it stands in the settings. */
const thresholds: readonly { readonly words: string; readonly of: (settings: HealthSettings) => number }[] = [
  { words: 'lines of a trivial one', of: ({ trivial }) => trivial.lines },
  { words: 'files of a trivial one', of: ({ trivial }) => trivial.files },
  { words: 'words of a stamped one', of: ({ stamped }) => stamped.words },
  { words: 'minutes to a stamp', of: ({ stamped }) => stamped.minutes },
  { words: 'lines read in a minute', of: ({ stamped }) => stamped.lines_per_minute },
  { words: 'rounds of back and forth', of: ({ ping_pong }) => ping_pong.rounds },
  { words: 'turns within a day', of: ({ ping_pong }) => ping_pong.turns },
  { words: 'lines of a big one', of: ({ big }) => big },
  { words: 'days open for long', of: ({ long_open_days }) => long_open_days },
  { words: 'days approved and waiting', of: ({ stale_approval_days }) => stale_approval_days },
];

/** E.g. 'lines of a big one 400 → 500'. */
function changesBetween(before: HealthSettings, after: HealthSettings): string[] {
  const changes = thresholds
    .filter(({ of }) => of(before) !== of(after))
    .map(({ words, of }) => `${words} ${of(before)} → ${of(after)}`);
  return before.generated.join('\n') === after.generated.join('\n') ? changes : [...changes, 'generated files'];
}
