import { sql } from 'kysely';
import { definitionOf, type FigureKey } from '#domain/definitions.ts';
import { periodOf } from '#domain/period.ts';
import type { Context } from '../context.ts';
import { type Scope, scopeOf } from '../db/scope.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/serve.ts';
import { explain } from './explain.ts';
import { beginningOf, type Figure, figures } from './figures.ts';

/** The call that explains a figure: its definition, its window, and the pull requests that went into it. */
export function explainRoutes({ db, now }: Pick<Context, 'db' | 'now'>): Handlers<'explainMetric'> {
  async function personIn(scope: Scope, username: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      select person.id from people person
      where lower(person.login) = lower(${username}) and (
        exists (select from contributor_totals t
          where t.repository_id = any(${scope.repository_ids}::int[]) and t.person_id = person.id)
        or exists (select from review_requests request
          where request.repository_id = any(${scope.repository_ids}::int[]) and request.person_id = person.id))
      order by person.id desc limit 1`.execute(db);
    const [person] = rows;
    if (person === undefined) throw notFound(`Nobody called ${username} takes part in your repositories.`);
    return person.id;
  }

  return {
    explainMetric: async ({ user, params, query }) => {
      const { key, figure } = figureCalled(params.metric, query.username !== undefined);
      const scope = await scopeOf(db, user.id, query.repository);
      const person_id = key.startsWith('team.') ? null : await personIn(scope, namedIn(query.username, key));
      const moment = now();
      const from = beginningOf(figure, periodOf(query.period), moment);
      const frame = { scope, person_id, after: from ?? new Date(0), now: moment, time_zone: user.time_zone };
      const { name, definition, unit } = definitionOf(key)!;
      return {
        metric: key,
        name,
        definition,
        unit,
        window: { from: from?.toISOString() ?? null, to: moment.toISOString() },
        ...(await explain(db, figure, frame, query)),
      };
    },
  };
}

/** The figure of that key; a name without its group is looked for among a person's figures, or else the team's. */
function figureCalled(metric: string, ofPerson: boolean): { key: FigureKey; figure: Figure } {
  const groups = ofPerson ? ['contributor', 'developer', 'reviewer', 'load'] : ['team'];
  for (const key of [metric, ...groups.map((group) => `${group}.${metric}`)]) {
    const figure = Object.hasOwn(figures, key) ? figures[key as FigureKey] : undefined;
    if (figure !== undefined) return { key: key as FigureKey, figure };
  }
  throw notFound(`There is no figure called ${metric} that is one number over many pull requests.`);
}

function namedIn(username: string | undefined, key: FigureKey): string {
  if (username !== undefined && username.trim() !== '') return username.trim();
  const message = `is needed: ${key} is a figure of one person`;
  throw new HttpError(400, 'invalid_request', `username: ${message}`, { issues: [{ path: 'username', message }] });
}
