import type { Kysely } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { saveMember } from '#contract/teams.ts';
import type { Context, SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Handlers } from '../http/serve.ts';
import { compareTeamsOf } from './compare-teams.ts';
import {
  changeGroupOf,
  deleteGroupOf,
  type GivenPeriod,
  type GroupDeps,
  makeGroupOf,
  removeMemberOf,
  saveMemberOf,
} from './groups.ts';
import { takeBackImport } from './import.ts';
import { teamsSeenBy } from './list-teams.ts';
import { teamViewOf } from './team-view.ts';
import { wholeTeam } from './whole-team.ts';

/**
 * The calls about teams as people see them, and about groups of one's own (docs/server.md#teams-and-groups). `as` shows accounts as the
 * caller marks them; what is stored is everybody's.
 */
export function groupRoutes(
  as: Pick<Context, 'db'>,
  deps: GroupDeps & {
    /**
     * Runs one change after the other, of everybody whom the process serves: each holds the lock of teams while it writes the people of all
     * groups around its own, and more at once would only hold connections.
     */
    readonly inTurn: <Result>(change: () => Result) => Result;
    /** A team of the host is gone: names of people who are nowhere else go, too; the caller does not wait for it. */
    readonly forgetPeopleSoon: () => void;
  },
): Handlers<
  | 'listTeams'
  | 'getTeam'
  | 'makeGroup'
  | 'changeGroup'
  | 'deleteTeam'
  | 'saveMember'
  | 'removeMember'
  | 'compareTeams'
  | 'getTeamView'
> {
  const { now, administrators, inTurn } = deps;
  const db: Kysely<Database> = as.db;
  const whole = async (user: SignedIn, id: number) =>
    await wholeTeam(db, user, id, now(), await administrators.includes(user));
  return {
    listTeams: async ({ user, query }) => {
      const teams = await teamsSeenBy(db, user.id, now());
      return query.all === 'true' ? teams : teams.filter(({ archived_at }) => archived_at === null);
    },
    getTeam: async ({ user, params }) => await whole(user, params.id),
    compareTeams: async ({ user, query }) => await compareTeamsOf(db, user, query, now()),
    getTeamView: async ({ user, params, query }) => await teamViewOf(db, user, params.id, query, now()),
    makeGroup: async ({ user, body }) => await whole(user, await inTurn(() => makeGroupOf(deps, user, body))),
    changeGroup: async ({ user, params, body }) => {
      await inTurn(() => changeGroupOf(deps, user, params.id, body));
      return await whole(user, params.id);
    },
    deleteTeam: async ({ user, params }) => {
      const takenBack = await inTurn(() => takeBackImport(deps.db, user, params.id));
      if (takenBack === 'gone') deps.forgetPeopleSoon();
      if (takenBack === null) await inTurn(() => deleteGroupOf(deps, user, params.id));
    },
    saveMember: async ({ user, params, body }) => {
      await inTurn(() => saveMemberOf(deps, user, params.id, params.username, periodsIn(body)));
      return await whole(user, params.id);
    },
    removeMember: async ({ user, params }) =>
      void (await inTurn(() => removeMemberOf(deps, user, params.id, params.username))),
  };
}

/** What `{from, to}` is short for. */
function periodsIn({ periods, from = null, to = null }: BodyOf<typeof saveMember>): readonly GivenPeriod[] {
  return periods ?? [{ from, to }];
}
