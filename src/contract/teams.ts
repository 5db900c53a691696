import { z } from 'zod';
import { periods } from '#domain/period.ts';
import { endpoint } from './endpoint.ts';
import { visibility } from './notes.ts';
import {
  accountKind,
  comparedWith,
  count,
  hours,
  hoursSpent,
  instant,
  numbered,
  repositoryFilter,
  share,
  teamFilter,
  windowFilter,
} from './values.ts';

const login = z.string().trim().min(1).max(100);

const LONGEST_NAME = 80;
/** So many people can a group have. */
export const MOST_MEMBERS = 500;
/** So many times can one person join and leave a group. */
export const MOST_PERIODS = 20;

const oneTeam = z.object({ id: numbered.describe('The id of a team, as `GET /api/teams` has it.') });

/** A team of the host, or a group of one's own (docs/server.md#teams-and-groups). */
export const team = z.object({
  id: z.number().int(),
  source: z.enum(['host', 'own']),
  handle: z.string().nullable().describe('`organisation/slug`; null of a group.'),
  name: z.string(),
  parent_id: z
    .number()
    .int()
    .nullable()
    .describe(
      "Of the team that it is a part of at the host; null where there is none, where it isn't here, or where the caller doesn't see it.",
    ),
  members_now: count.describe(
    'Different humans of it and of what it holds, now; those whom the caller sees nowhere else among them.',
  ),
  visibility: z.enum(['visible', 'secret', 'mine', 'everyone']),
  assumed_before: instant
    .nullable()
    .describe('Who was a member when it was first read is taken for one before that, too; null of a group.'),
  read_at: instant.nullable().describe('When it was last read whole; null of a group.'),
  stale_since: instant.nullable().describe("Since when nobody's token reads it any more; null while one does."),
  archived_at: instant.nullable(),
  mine: z.boolean().describe('Whether the caller made it.'),
});
export type Team = z.infer<typeof team>;

/** A team with its people and what is asked of it. */
export const wholeTeam = team.extend({
  teams: z.array(z.number().int()).describe("Parts of it that the caller sees: a group's own, a team's children."),
  members: z
    .array(
      z.object({
        username: z.string(),
        display_name: z.string().nullable(),
        avatar_url: z.string().nullable(),
        is_contributor: z
          .boolean()
          .describe(
            'Whether they have a page of their own: whoever was only asked for a review, or only commented or merged, has none.',
          ),
        from: instant
          .nullable()
          .optional()
          .describe('Both only for members now, the maker of a group and administrators; null: always, and still.'),
        to: instant.nullable().optional(),
        via: z
          .array(z.number().int())
          .describe('Through which parts they belong to it; empty: they are members of itself.'),
      }),
    )
    .describe(
      'One for each person and period, by login; for those who may not see when, one for each person who belongs to it now. Bots, agents and those who appear in no repository in scope are not named.',
    ),
  hidden_members: count.describe('How many members now are not named, since they appear in no repository in scope.'),
  requests: z
    .array(
      z.object({
        repo_owner: z.string(),
        repo_name: z.string(),
        pr_number: z.number().int(),
        title: z.string(),
        asked_at: instant,
        team: z.string().describe('The handle of the one that was asked.'),
      }),
    )
    .describe(
      'Review requests to the team or a part of it that are outstanding, not on drafts, the oldest first, at most a hundred.',
    ),
  requests_total: count,
});
export type WholeTeam = z.infer<typeof wholeTeam>;

export const listTeams = endpoint({
  method: 'GET',
  path: '/api/teams',
  summary: 'Teams that the caller’s token lists, own groups, and everyone’s, by name.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: z.object({
    all: z.enum(['true', 'false'], 'must be true or false').default('false').describe('`true`: archived ones, too.'),
  }),
  answer: z.array(team),
});

export const getTeam = endpoint({
  method: 'GET',
  path: '/api/teams/{id}',
  summary: 'A team or group with its members and the reviews that are asked of it.',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  params: oneTeam,
  answer: wholeTeam,
});

export const availableOrganization = z.object({
  login: z.string(),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  teams: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      privacy: z.enum(['visible', 'secret']),
      parent_slug: z.string().nullable(),
      members: count.describe('Its own, without those of its parts.'),
      imported_id: z.number().int().nullable().describe("The id of the team here; null where it isn't imported."),
    }),
  ),
  partial: z.boolean().describe('Whether the host told only a part of them.'),
  standing: z.boolean().describe('Whether the caller imports all of them, those that appear later too.'),
});
export type AvailableOrganization = z.infer<typeof availableOrganization>;

export const listAvailableTeams = endpoint({
  method: 'GET',
  path: '/api/teams/available',
  summary: 'Teams that the caller’s token lists, of organisations that own a repository which the caller connected.',
  access: 'session',
  scope: null,
  table: { list: 'organisations' },
  status: 200,
  answer: z.object({
    organisations: z.array(availableOrganization),
    missing_scope: z.enum(['read:org', 'members:read']).nullable(),
    message: z.string().nullable().describe('What the person reads where the token may not read teams.'),
  }),
});

export const importTeams = endpoint({
  method: 'POST',
  path: '/api/teams/import',
  summary:
    'Imports teams of an organisation, some or all, those that appear later too; 409 over what an installation holds.',
  access: 'session',
  scope: null,
  status: 202,
  body: z
    .object({
      organisation: z.string().min(1).max(100),
      slugs: z.array(z.string().min(1).max(200)).min(1, 'Choose at least one team').max(5000).optional(),
      all: z.literal(true).optional(),
      with_children: z.boolean().default(true),
    })
    .refine(({ slugs, all }) => (slugs === undefined) !== (all === undefined), 'Give either slugs or all'),
  answer: z.object({
    imported: count,
    people: count.describe('Different humans among their members.'),
    teams: z.array(z.object({ id: z.number().int(), handle: z.string() })),
  }),
});

export const refreshTeam = endpoint({
  method: 'POST',
  path: '/api/teams/{id}/refresh',
  summary: 'Reads a team of the host again, once a minute at most.',
  access: 'session',
  scope: null,
  status: 202,
  params: oneTeam,
  answer: z.object({
    read_at: instant.nullable().describe('The last reading; this one ends when `GET` tells a later moment.'),
  }),
});

const groupName = z
  .string('must be a text')
  .transform((text) => text.trim())
  .refine((text) => text !== '', 'must not be empty')
  .refine((text) => [...text].length <= LONGEST_NAME, `must not be longer than ${LONGEST_NAME} letters`);

/** Half-open: a member from the one instant on, at the other no more. Null: always, and still. */
const period = z.object({ from: instant.nullable().default(null), to: instant.nullable().default(null) });

const groupParts = {
  name: groupName,
  visibility,
  members: z.array(z.union([login, period.extend({ username: login })])).max(MOST_MEMBERS * MOST_PERIODS),
  teams: z.array(numbered).max(1000),
};

export const makeGroup = endpoint({
  method: 'POST',
  path: '/api/teams',
  summary:
    'Makes a group of people and teams, for oneself or for everyone signed in; 409 over what one person’s groups hold.',
  access: 'session',
  scope: null,
  status: 201,
  body: z.object({
    ...groupParts,
    visibility: visibility.default('mine'),
    members: groupParts.members.default([]),
    teams: groupParts.teams.default([]),
  }),
  answer: wholeTeam,
});

export const changeGroup = endpoint({
  method: 'PATCH',
  path: '/api/teams/{id}',
  summary:
    'Changes a group; lists are replaced, but for parts and members that the caller does not see, and what is left out stays; 409 over what one person’s groups hold.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneTeam,
  body: z.object(groupParts).partial(),
  answer: wholeTeam,
});

export const deleteTeam = endpoint({
  method: 'DELETE',
  path: '/api/teams/{id}',
  summary: 'Deletes a group, or takes the caller’s import of a team back; it goes with the last import.',
  access: 'session',
  scope: null,
  status: 204,
  params: oneTeam,
});

const oneMember = oneTeam.extend({ username: login.describe('The login of a person.') });

export const saveMember = endpoint({
  method: 'PUT',
  path: '/api/teams/{id}/members/{username}',
  summary: 'Says when somebody was a member of a group: all their periods are replaced.',
  access: 'session',
  scope: null,
  status: 200,
  params: oneMember,
  body: z
    .object({
      periods: z.array(period).min(1, 'Give at least one period').max(MOST_PERIODS, `At most ${MOST_PERIODS} periods`),
      from: instant.nullable(),
      to: instant.nullable(),
    })
    .partial()
    .refine(
      ({ periods, from, to }) => (periods === undefined) !== (from === undefined && to === undefined),
      'Give either periods, or from and to',
    ),
  answer: wholeTeam,
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/teams/{id}/members/{username}',
  summary: 'Takes somebody out of a group, with all their periods.',
  access: 'session',
  scope: null,
  status: 204,
  params: oneMember,
});

const counted = z.object({
  value: z.number().nullable(),
  trend: z.number().nullable().describe('The change in percent; null where either side is null.'),
  before: count.describe('How many things the earlier figure is over.'),
});
const measured = counted.extend({ n: count });

export const teamRow = z.object({
  team: z.object({ id: z.number().int(), name: z.string(), handle: z.string().nullable() }).nullable(),
  key: z
    .enum(['team', 'none', 'scope'])
    .describe('`none`: pull requests of nobody’s team; `scope`: everything that the caller sees.'),
  people_now: count
    .nullable()
    .describe('Different people who are members now; null of the rows that stand for several teams or none.'),
  opened: counted,
  merged: counted,
  time_to_first_review: measured.describe('Hours, the median.'),
  time_to_merge: measured,
  size: measured.describe('Lines changed, the median.'),
  rounds: measured.describe('The median of merged ones with a counting review.'),
  stuck: counted,
  reviews_per_merged: measured.describe('Counting reviews on merged pull requests, for each of these.'),
});
export type TeamRow = z.infer<typeof teamRow>;

export const teamComparison = z.object({
  window: z.object({ from: instant, to: instant }),
  compared_with: comparedWith,
  rows: z.array(teamRow),
});
export type TeamComparison = z.infer<typeof teamComparison>;

export const teamSorts = [
  'name',
  'people_now',
  'opened',
  'merged',
  'time_to_first_review',
  'time_to_merge',
  'size',
  'rounds',
  'stuck',
  'reviews_per_merged',
] as const;

export const compareTeams = endpoint({
  method: 'GET',
  path: '/api/teams/compare',
  summary: 'Teams of one level side by side, then nobody’s team, and everything in scope last.',
  access: 'session',
  scope: 'read:figures',
  table: { list: 'rows' },
  status: 200,
  query: z.object({
    parent: numbered.optional().describe('Its children; without it the teams that are part of none, and groups.'),
    window: z
      .enum(periods, `must be one of: ${periods.join(', ')}`)
      .default('30d')
      .describe('The window that ends now.'),
    repository: repositoryFilter,
    sort: z
      .enum(teamSorts, `must be one of: ${teamSorts.join(', ')}`)
      .default('name')
      .describe('By which column.'),
    order: z.enum(['asc', 'desc'], 'must be asc or desc').default('asc').describe('Ascending or descending.'),
  }),
  answer: teamComparison,
});

/** An open pull request that somebody in the team's view is shown to look at. */
export const teamPullRequest = z.object({
  repo_owner: z.string(),
  repo_name: z.string(),
  pr_number: z.number().int(),
  title: z.string(),
  author: z.string(),
  author_display_name: z.string().nullable(),
  author_avatar_url: z.string().nullable(),
  author_kind: accountKind,
  lines_changed: count,
  since: instant.describe('Since when it waits; of a request, when it was made.'),
  waited_hours: hoursSpent,
});
export type TeamPullRequest = z.infer<typeof teamPullRequest>;

const someOfOpen = z.object({
  total: count,
  items: z.array(teamPullRequest).describe('The longest wait first, at most a hundred.'),
});
/** The share of reviews, and how many of how many they are. */
const reviewsAcross = z.object({ value: share, reviews: count, n: count });

/** Of whom open pull requests of a team wait; each is in one row, so that all rows together are what is open. */
export const teamWaits = ['reviewers', 'author', 'merge', 'nobody'] as const;

export const teamView = z.object({
  window: z.object({ from: instant, to: instant }),
  open: count.describe("The team's open pull requests, now."),
  waits: z
    .array(z.object({ on: z.enum(teamWaits), count, longest_hours: hours }))
    .describe('In the order of `teamWaits`; `reviewers` without those on which nobody is asked.'),
  ready_to_merge: someOfOpen,
  nobody_asked: someOfOpen,
  requests: z
    .object({ total: count, items: z.array(teamPullRequest.extend({ team: z.string() })) })
    .describe(
      'Open requests to the team or a part of it without an answer, whoever the author; `team` is the handle of the one that was asked.',
    ),
  from_outside: reviewsAcross.describe(
    "Of counting reviews on the team's pull requests in the window, those by people who were no members at that moment.",
  ),
  to_outside: reviewsAcross.describe(
    "Of members' counting reviews in the window on pull requests by humans, those on other people's than the team's.",
  ),
});
export type TeamView = z.infer<typeof teamView>;

export const getTeamView = endpoint({
  method: 'GET',
  path: '/api/teams/{id}/view',
  summary: 'What a team’s open pull requests wait for, what is asked of it, and its reviews across teams.',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  params: oneTeam,
  query: z.object({ ...windowFilter, repository: repositoryFilter, team_as: teamFilter.team_as }),
  answer: teamView,
});
