import type { Allowed } from './auth/allowed.ts';
import type { NewCredential } from './auth/credentials.ts';
import { departuresOf } from './auth/departures.ts';
import { personalToken, sessionRoutes } from './auth/routes.ts';
import { signIn } from './auth/sign-in.ts';
import type { CapabilityDeps } from './compose-capabilities.ts';
import type { Syncs } from './compose-syncs.ts';
import { exploring } from './demo/explore.ts';
import type { CodeHost } from './host/host.ts';
import type { Limits } from './http/limits.ts';
import { beginWithSnoozes } from './my-work/first-snoozes.ts';
import { checkEverythingOf } from './repositories/access.ts';
import { connectRepository } from './repositories/connect.ts';
import { connectFollowed } from './repositories/following.ts';
import { createWebhook } from './repositories/webhook.ts';
import type { RequestOrigin } from './security-events.ts';
import type { ServerDeps } from './server-deps.ts';
import { sleep } from './sleep.ts';
import { savePeople } from './sync/people.ts';
import { passOnSyncs } from './sync/settle.ts';
import { makeGroupOf } from './teams/groups.ts';
import { importHostTeams } from './teams/import.ts';
import { hasWithheldTeams, readTeamsOf } from './teams/reading.ts';

/** A sign-in that hid teams from its person waits at most this long, in milliseconds, until they are read with the new token. */
const PATIENCE_WITH_TEAMS = 5000;

export type SignIn = ReturnType<typeof composeSignIn>;

/** How people come and go: signing in, sessions, what becomes of their tokens, and visitors of the demo. */
export function composeSignIn(
  server: ServerDeps,
  deps: CapabilityDeps,
  { startSync, several }: Syncs,
  limits: Pick<Limits, 'countVisitor'>,
  cleanUpSoon: () => void,
  closing: AbortSignal,
) {
  const { config, box, demo, now, log } = server;
  const { timeLimit = (milliseconds: number) => AbortSignal.timeout(milliseconds) } = server;
  const { hosts, administrators, noteSecurityEvent, credentials, connecting, teams, groups, inBackground } = deps;
  const { db, public_url } = deps.context;

  const explore =
    demo &&
    exploring({
      ...{ process: demo.process, host: demo.host, db, now, log },
      signIn: (token) =>
        signIn({ db, credentials, savePeople, now }, demo.host, personalToken(token), { logins: null, orgs: null }),
      connect: (user, name) => connectRepository(connecting, user, name),
      importTeams: async (user, organisation) =>
        void (await importHostTeams(teams, user, { organisation, all: true, with_children: true })),
      readTeams: (user) => readTeamsOf(teams, user),
      makeGroup: async (user, group) => void (await makeGroupOf(groups, user, group)),
      snooze: async (user_id) => closing.aborted || (await beginWithSnoozes(db, user_id, now())),
      sleep: (milliseconds) => sleep(milliseconds, closing),
      startSync: async (user_id, repository_id) => void (await startSync(user_id, repository_id)),
      deliver: async (user_id, repository_id) => {
        await createWebhook(connecting, user_id, repository_id, demo.deliver_to);
      },
    });

  async function signInWith(
    at: CodeHost,
    given: NewCredential,
    allowed: Allowed,
    replace: boolean,
    request: RequestOrigin,
  ) {
    const user = await signIn({ db, credentials, savePeople, now, timeLimit }, at, given, allowed, replace);
    const { id } = user;
    // What they see is checked with the credential that they have just signed in with; the answer does not wait for it.
    inBackground(checkEverythingOf(connecting, id), 'access could not be checked after a sign-in', { user: id });
    inBackground(
      connectFollowed(several, { id, host: at.key }, { ip: request.ip, id: request.id }),
      'failed to connect followed repositories after a sign-in',
      { user: id },
    );
    const reading = readTeamsOf(teams, { id, host: at.key });
    inBackground(reading, 'teams could not be read after a sign-in', { user: id });
    await noteSecurityEvent({ event: 'token_stored', actor: id, subject: at.label }, request);
    // A page that is given the list of teams without those that are hidden takes them for gone, and forgets which one was chosen.
    if (await hasWithheldTeams(db, id)) await endOf(reading, timeLimit(PATIENCE_WITH_TEAMS));
    return user;
  }

  const departures = departuresOf({
    ...{ db, hosts, box, now, log, noteSecurityEvent, cleanUpSoon },
    passOnSyncs: (user_id) => passOnSyncs(deps.syncing, user_id),
    handOverSyncs: (user_id) => passOnSyncs(deps.syncing, user_id, null),
  });
  const sessions = sessionRoutes({
    ...{ db, hosts, administrators, now, public_url, signInWith, noteSecurityEvent, departures },
    allowed: deps.allowed,
    host_url: config.github_url,
    allow_token_sign_in: config.allow_token_sign_in,
    api_token_days: config.allow_api_tokens ? config.api_token_max_days : null,
    assistants: config.enable_mcp,
    demo: explore,
    countVisitor: limits.countVisitor,
    inBackground,
  });

  return { explore, signInWith, departures, sessions };
}

/** Waits until the work has ended, well or not, or the signal is aborted. */
async function endOf(work: Promise<unknown>, enough: AbortSignal): Promise<void> {
  const aborted = new Promise((resolve) => enough.addEventListener('abort', resolve, { once: true }));
  await Promise.race([work.catch(() => undefined), aborted]);
}
