import { sql } from 'kysely';
import { definitionOf, type FigureKey } from '#domain/definitions.ts';
import { periodOf } from '#domain/period.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import type { Context } from '../context.ts';
import type { Compared } from '../db/compared.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { explain } from './explain.ts';
import type { Figure, Frame, Part } from './figure.ts';
import { beginningOf, figures } from './figures.ts';

/** The call that explains a figure: its definition, its window, and the pull requests that went into it. */
export function explainRoutes({ db, now }: Pick<Context, 'db' | 'now'>): Handlers<'explainMetric'> {
  /** Of two who had the same login one after the other, the one active last. */
  async function personIn(scope: Scope, username: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      select person.id from people person
      left join lateral (
        select max(t.last_activity_at) as last_activity_at, sum(t.opened + t.submitted_reviews) > 0 as takes_part
        from contributor_totals t
        where ${scope.filter('t')} and t.person_id = person.id
      ) seen on true
      where lower(person.login) = lower(${username}) and (
        seen.last_activity_at is not null
        or exists (select from review_requests request
          where ${scope.filter('request')} and request.person_id = person.id))
      order by seen.takes_part desc nulls last, seen.last_activity_at desc nulls last, person.id limit 1`.execute(db);
    const [person] = rows;
    if (person === undefined) throw notFound(`Nobody called ${username} takes part in your repositories.`);
    return person.id;
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

  async function partIn(
    scope: Scope,
    figure: Figure,
    key: FigureKey,
    name: string | undefined,
    frame: Pick<Frame, 'now' | 'time_zone'>,
  ): Promise<Part | null> {
    const { parts } = figure;
    if (parts === undefined) return null;
    const part = name === undefined || name.trim() === '' ? null : parts.find(name.trim(), frame);
    if (part === null) throw invalid('part', `of ${key} must be ${parts.named(frame)}`);
    return parts.arePeople ? { ...part, person_id: await personIn(scope, part.name) } : part;
  }

  return {
    explainMetric: async ({ user, params, query }) => {
      const { key, figure } = figureCalled(params.metric, query);
      const scope = await scopeOf(db, user.id, query.repository);
      const moment = now();
      const compared = key.startsWith('pull_request.')
        ? await comparedIn(scope, addressIn(query.pull_request, key), moment)
        : null;
      const isOfPerson = compared === null && !key.startsWith('team.');
      const person_id = isOfPerson ? await personIn(scope, namedIn(query.username, key)) : null;
      const end = compared?.end ?? moment;
      const asked = { now: end, time_zone: user.time_zone };
      const part = await partIn(scope, figure, key, query.part, asked);
      const from = beginningOf(figure, periodOf(query.period), end);
      const { name, definition, unit } = definitionOf(key)!;
      return {
        metric: key,
        name,
        definition,
        unit,
        part: part?.name ?? null,
        window: {
          from: part?.from === undefined ? (from?.toISOString() ?? null) : new Date(part.from).toISOString(),
          to: new Date(part?.to ?? end).toISOString(),
        },
        ...(await explain(
          db,
          figure,
          {
            scope,
            person_id,
            after: from ?? new Date(0),
            ...asked,
            with_automation: query.accounts === 'all',
            part,
            compared,
          },
          query,
        )),
      };
    },
  };
}

/** The figure of that key; a name without its group is looked for among those of a pull request, of a person, or else the team’s. */
function figureCalled(
  metric: string,
  { username, pull_request }: { readonly username?: string | undefined; readonly pull_request?: string | undefined },
): { key: FigureKey; figure: Figure } {
  const ofPerson = username === undefined ? ['team'] : ['contributor', 'developer', 'reviewer', 'load'];
  const groups = pull_request === undefined ? ofPerson : ['pull_request'];
  for (const key of [metric, ...groups.map((group) => `${group}.${metric}`)]) {
    const figure = Object.hasOwn(figures, key) ? figures[key as FigureKey] : undefined;
    if (figure !== undefined) return { key: key as FigureKey, figure };
  }
  throw notFound(`There is no figure called ${metric} that is one number over many pull requests.`);
}

function namedIn(username: string | undefined, key: FigureKey): string {
  if (username !== undefined && username.trim() !== '') return username.trim();
  throw invalid('username', `is needed: ${key} is a figure of one person`);
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
  throw invalid('pull_request', `is needed: ${key} compares one pull request, named as owner/name/number`);
}

function invalid(path: string, message: string): HttpError {
  return new HttpError(400, 'invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
}
