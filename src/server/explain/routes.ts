import { sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Explanation, explainMetric } from '#contract/explain.ts';
import { definitions, type FigureKey } from '#domain/metrics/definitions.ts';
import type { Definition, MetricKey } from '#domain/metrics/metric.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Compared } from '../db/compared.ts';
import { invalidValue, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { asking, NO_PERSON } from '../metrics/asked.ts';
import { windowOf } from '../metrics/asked-window.ts';
import { countedOf } from '../metrics/catalogue.ts';
import { takesPart } from '../metrics/conditions.ts';
import { explain } from '../metrics/explain.ts';
import { withReviewed } from '../metrics/person-numbers.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { totalsByPerson } from '../metrics/starters.ts';
import { type Bucket, bucketLookup } from './parts.ts';

/** A figure that is one number over many pull requests. */
type Figure = Definition & { readonly metric: MetricKey };

type Narrowed = Pick<QueryOf<typeof explainMetric>, 'repository' | 'credit'>;

/** Explains a figure that is told elsewhere, to whoever asks. */
export type Explainer = (
  db: Context['db'],
  asked: { readonly user: SignedIn; readonly query: QueryOf<typeof explainMetric>; readonly now: Date },
) => Promise<Explanation>;

/**
 * The call that explains a figure: its definition, its window, and the pull requests that went into it. What other capabilities tell, by key,
 * is injected by compose.ts.
 */
export function explainRoutes(
  { db, now }: Pick<Context, 'db' | 'now'>,
  elsewhere: Readonly<Record<string, Explainer>> = {},
): Handlers<'explainMetric'> {
  /** Of two who had the same login one after the other, the one active last. */
  async function personIn(scope: Scope, username: string): Promise<number | null> {
    const { rows } = await sql<{ id: number }>`
      select person.id from people person
      left join lateral (
        select max(t.last_activity_at) as last_activity_at, bool_or(${takesPart('t')}) as takes_part
        from ${totalsByPerson(scope)} t
        where ${scope.filter('t')} and t.person_id = person.id
      ) seen on true
      where lower(person.login) = lower(${username}) and (
        seen.last_activity_at is not null or seen.takes_part
        or exists (select from review_requests request
          where ${scope.filter('request')} and request.person_id = person.id))
      order by seen.takes_part desc nulls last, seen.last_activity_at desc nulls last, person.id limit 1`.execute(db);
    return rows[0]?.id ?? null;
  }

  /** Whom another of the user's repositories knows did nothing in this one, which is an answer and no error. */
  async function personAsked(user: SignedIn, scope: Scope, { repository, credit }: Narrowed, username: string) {
    const person =
      (await personIn(scope, username)) ??
      (repository === undefined ? null : await personIn(await scopeOf(db, user.id, undefined, { credit }), username));
    return found(person, username);
  }

  async function comparedIn(scope: Scope, address: Address, moment: Date): Promise<Compared> {
    const { rows } = await sql<
      Omit<Compared, 'end' | 'ends_now' | 'hours'> & { created_at: Date; ended_at: Date | null }
    >`
      select p.repository_id, p.number, p.author_id, p.lines_changed, p.created_at, p.ended_at
      from repositories r
      join pull_requests p on p.repository_id = r.id and p.number = ${address.number}
      where ${scope.filter('r', 'id')}
        and lower(r.owner) = lower(${address.owner}) and lower(r.name) = lower(${address.name})`.execute(db);
    const [found] = rows;
    if (found === undefined) throw notFound('PR not found');
    const { created_at, ended_at, ...it } = found;
    const end = Math.min((ended_at ?? moment).getTime(), moment.getTime());
    const hours = hoursBetween(Math.min(created_at.getTime(), end), end);
    return { ...it, end: new Date(end), ends_now: ended_at === null || ended_at >= moment, hours };
  }

  return {
    explainMetric: async ({ user, params, query }) => {
      const explainer = Object.hasOwn(elsewhere, params.metric) ? elsewhere[params.metric]! : null;
      if (explainer !== null) {
        demandCredited(params.metric, query);
        return await explainer(db, { user, query, now: now() });
      }
      const { key, figure } = figureCalled(params.metric, query);
      demandCredited(key, query);
      const asTeam = await scopeOf(db, user.id, query.repository, query);
      // What one pull request is compared with is the same whichever team is looked at.
      const ofEverybody = figure.among !== undefined;
      const isByPullRequest = key.startsWith('team.') && countedOf(figure.metric).from.belongs.pull !== undefined;
      const scope = ofEverybody ? asTeam.ofEverybody : isByPullRequest ? await withReviewed(db, asTeam) : asTeam;
      const moment = now();
      const compared =
        figure.among === undefined ? null : await comparedIn(scope, addressIn(query.pull_request, key), moment);
      const isOfPerson = compared === null && !key.startsWith('team.');
      const person = isOfPerson ? await personAsked(user, scope, query, namedIn(query.username, key)) : null;
      const end = compared?.end ?? moment;
      const part = await partIn(scope, figure, key, query.part, end, user.time_zone);
      const window = windowOf(figure.window, query, end, user.time_zone);
      const from = part?.from ?? window.from;
      const span = part?.window ?? window.span;
      const asked = asking(scope, end, user.time_zone, {
        window: compared?.ends_now === false ? { ...span, until: end } : span,
        person: figure.among === 'author' ? (compared?.author_id ?? NO_PERSON) : person,
        ...(figure.among === 'team' && { people: 'humans' }),
        ...(figure.listed && { people: query.accounts === 'all' ? 'known' : 'humans' }),
        compared,
      });
      const { name, definition, unit } = figure;
      return {
        metric: key,
        name,
        definition,
        unit,
        part: part?.name ?? null,
        window: {
          from: from === null ? null : new Date(from).toISOString(),
          to: new Date(part?.to ?? window.to).toISOString(),
        },
        ...(await explain(db, { ...figure, only: part?.only ?? {} }, asked, query)),
      };
    },
  };

  async function partIn(
    scope: Scope,
    { part: kind }: Figure,
    key: FigureKey,
    name: string | undefined,
    moment: Date,
    timeZone: string,
  ): Promise<Bucket | null> {
    if (kind === undefined) return null;
    const { find, named } = bucketLookup(kind, moment, timeZone);
    const part = name === undefined || name.trim() === '' ? null : find(name.trim());
    if (part === null) throw invalidValue('part', `of ${key} must be ${named}`);
    if (kind !== 'reviewer') return part;
    return { ...part, only: { reviewer: String(found(await personIn(scope, part.name), part.name)) } };
  }
}

/** @throws HttpError 404 */
function found(person: number | null, username: string): number {
  if (person === null) throw notFound(`Nobody called ${username} takes part in your repositories.`);
  return person;
}

/** Lists of developers and contributors alone count agents' pull requests to who started them where they are asked to. */
function demandCredited(key: string, { credit }: Pick<QueryOf<typeof explainMetric>, 'credit'>): void {
  if (credit !== undefined && !/^(developer|contributor|all_time)\./.test(key))
    throw invalidValue('credit', `is a choice of figures of developers and contributors: ${key} is none`);
}

/** The figure of that key; a name without its group is looked for among those of a pull request, of a person, or else the team’s. */
function figureCalled(
  metric: string,
  { username, pull_request }: { readonly username?: string | undefined; readonly pull_request?: string | undefined },
): { key: FigureKey; figure: Figure } {
  const ofPerson = username === undefined ? ['team'] : ['contributor', 'developer', 'reviewer', 'load'];
  const groups = pull_request === undefined ? ofPerson : ['pull_request'];
  for (const key of [metric, ...groups.map((group) => `${group}.${metric}`)]) {
    const figure: Definition | undefined = Object.hasOwn(definitions, key) ? definitions[key as FigureKey] : undefined;
    if (figure?.metric !== undefined) return { key: key as FigureKey, figure: { ...figure, metric: figure.metric } };
  }
  throw notFound(`There is no figure called ${metric} that is one number over many pull requests.`);
}

function namedIn(username: string | undefined, key: FigureKey): string {
  if (username !== undefined && username.trim() !== '') return username.trim();
  throw invalidValue('username', `is needed: ${key} is a figure of one person`);
}

interface Address {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
}

/** The largest number that a pull request can have. */
const LARGEST = 2_147_483_647;

function addressIn(pullRequest: string | undefined, key: FigureKey): Address {
  const [, owner, name, number] = /^([^/]+)\/([^/]+)\/([1-9]\d*)$/.exec(pullRequest ?? '') ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name, number: Math.min(Number(number), LARGEST) };
  throw invalidValue('pull_request', `is needed: ${key} compares one pull request, named as owner/name/number`);
}
