import { z } from 'zod';
import { team } from '#contract/teams.ts';
import { instant } from '#contract/values.ts';
import { definitions } from '#domain/metrics/definitions.ts';
import { counted, listed, listOf } from './shapes.ts';
import { STRANGERS, tool } from './tool.ts';

const nothing = z.strictObject({});

const repository = z.strictObject({
  repository: z.string(),
  /** All that the host had then is in; null before the first look that completed. */
  last_synced_at: instant.nullable(),
});

const listRepositories = tool({
  name: 'list_repositories',
  title: 'Repositories',
  description: `The repositories that the token reads and until when each is known (last_synced_at). Those that its owner may not read now are left out. ${STRANGERS}`,
  scope: 'read:figures',
  takes: nothing,
  answers: listOf(repository),
  async ask(calls) {
    const synced = await calls.lastSynced();
    const items = (await calls.call('listRepositories')).map(({ id, full_name }) => ({
      repository: full_name,
      last_synced_at: synced.get(id) ?? null,
    }));
    return { text: `${counted(items.length, 'repository', 'repositories')}.`, answer: listed(items, 100) };
  },
});

const teamRow = team
  .pick({ id: true, name: true, handle: true, parent_id: true, members_now: true, read_at: true })
  .strict();

const listTeams = tool({
  name: 'list_teams',
  title: 'Teams',
  description: `Teams and groups that the owner of the token sees, by id, and when each was read. Archived ones and the names of members are left out. ${STRANGERS}`,
  scope: 'read:figures',
  takes: nothing,
  answers: listOf(teamRow),
  async ask(calls) {
    const items = (await calls.call('listTeams')).map(({ id, name, handle, parent_id, members_now, read_at }) => ({
      ...{ id, name, handle, parent_id, members_now, read_at },
    }));
    return { text: `${counted(items.length, 'team')}.`, answer: listed(items, 100) };
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
