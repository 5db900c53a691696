import { z } from 'zod';
import { team } from '#contract/teams.ts';
import { instant } from '#contract/values.ts';
import { definitions } from '#domain/metrics/definitions.ts';
import { counted, cursorArgument, cursorAt, listed, listOf, offsetOf, pagesOf } from './shapes.ts';
import { STRANGERS, tool } from './tool.ts';

const PAGE = 100;

/** What narrows a long list; `names` are those that `q` is looked for in. */
const takes = (names: string) =>
  z.strictObject({
    q: z.string().max(200).optional().describe(`A text that ${names} holds, in upper or lower case.`),
    cursor: cursorArgument,
  });

/** The page of what has the text in one of its names. */
function pageOf<Item>(
  items: readonly Item[],
  { q = '', cursor }: { q?: string | undefined; cursor?: string | undefined },
  namesOf: (item: Item) => readonly string[],
) {
  const offset = offsetOf(cursor);
  const sought = q.trim().toLowerCase();
  const found = items.filter((item) => namesOf(item).some((name) => name.toLowerCase().includes(sought)));
  const next = offset + PAGE;
  return {
    ...listed(found.slice(offset), PAGE, found.length),
    next_cursor: next < found.length ? cursorAt(next) : null,
  };
}

const repository = z.strictObject({
  repository: z.string(),
  /** All that the host had then is in; null before the first look that completed. */
  last_synced_at: instant.nullable(),
});

const listRepositories = tool({
  name: 'list_repositories',
  title: 'Repositories',
  description: `The repositories that the token reads and until when each is known (last_synced_at). Those that its owner may not read now are left out. A hundred at a time. ${STRANGERS}`,
  scope: 'read:figures',
  takes: takes('`owner/name`'),
  answers: pagesOf(repository),
  async ask(calls, given) {
    const synced = await calls.lastSynced();
    const items = (await calls.call('listRepositories')).map(({ id, full_name }) => ({
      repository: full_name,
      last_synced_at: synced.get(id) ?? null,
    }));
    const answer = pageOf(items, given, (item) => [item.repository]);
    return { text: `${counted(answer.total, 'repository', 'repositories')}.`, answer };
  },
});

const teamRow = team
  .pick({ id: true, name: true, handle: true, parent_id: true, members_now: true, read_at: true })
  .strict();

const listTeams = tool({
  name: 'list_teams',
  title: 'Teams',
  description: `Teams and groups that the owner of the token sees, by id, and when each was read. Archived ones and the names of members are left out. A hundred at a time. ${STRANGERS}`,
  scope: 'read:figures',
  takes: takes('its name or handle'),
  answers: pagesOf(teamRow),
  async ask(calls, given) {
    const items = (await calls.call('listTeams')).map(({ id, name, handle, parent_id, members_now, read_at }) => ({
      ...{ id, name, handle, parent_id, members_now, read_at },
    }));
    const answer = pageOf(items, given, ({ name, handle }) => [name, handle ?? '']);
    return { text: `${counted(answer.total, 'team')}.`, answer };
  },
});

const figureRow = z.strictObject({
  figure: z.string(),
  name: z.string(),
  unit: z.string(),
  /** Which tool takes it. */
  for: z.enum(['define', 'trend']),
});

const listFigures = tool({
  name: 'list_figures',
  title: 'Figures',
  description:
    'The keys that define and trend take, with names and units: with `for` those of one of the two, without it the first hundred of both. Figures that are words, moments or facts of one pull request are left out: get_pull_request tells those.',
  scope: 'read:figures',
  takes: z.strictObject({ for: figureRow.shape.for.optional().describe('Those alone that this tool takes.') }),
  answers: listOf(figureRow),
  async ask(calls, given) {
    const followed = (await calls.call('listFigures')).map(({ key, name, unit }) => ({
      ...{ figure: key as string, name, unit: unit as string, for: 'trend' as const },
    }));
    const defined = Object.entries(definitions)
      .filter(([key, of]) => 'metric' in of && !('part' in of) && !key.startsWith('pull_request.'))
      .map(([key, { name, unit }]) => ({ figure: key, name, unit, for: 'define' as const }));
    const items = [...defined, ...followed].filter((row) => given.for === undefined || row.for === given.for);
    return { text: `${counted(items.length, 'figure')}.`, answer: listed(items, 100) };
  },
});

export const listTools = [listRepositories, listTeams, listFigures];
