import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { FACTS_VERSION } from '#domain/facts.ts';
import {
  defaultQuietHours,
  pauseReasons,
  type StuckOptions,
  type TurnOptions,
} from '#domain/notifications/subscriptions.ts';
import { subjectOf } from '#domain/notifications/texts.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  checked,
  closed,
  dismisses,
  hour,
  merged,
  noAttribution,
  OPENED_AT,
  pending,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { casesHere, empty, openTestDatabase } from '../../../test/support/database.ts';
import { followMarks } from '../../../test/support/follow-marks.ts';
import {
  deskIn,
  type Notified,
  named,
  notifiedBox,
  openNotified,
  setQuietHours,
  subscribe,
  told,
  touched,
} from '../../../test/support/notified.ts';
import { aChannel, aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import { aTeam } from '../../../test/support/teams.ts';
import { mayBeTold } from '../auth/allowed.ts';
import type { Hosts } from '../context.ts';
import { lookAtHeldAgain } from '../db/held-messages.ts';
import { lensOf } from '../db/lens.ts';
import type { OpenDatabase } from '../db/open.ts';
import { rebuild } from '../sync/rebuild-facts.ts';
import { channelDesk } from './channel-desk.ts';
import { forgetOldNotifications } from './log.ts';
import type { Outcome } from './outlets.ts';
import { nextDue } from './queue.ts';
import { recipientOfKind } from './recipients.ts';
import { unsubscribe, unsubscribeToken } from './unsubscribe.ts';

const EARLY = '2026-02-01T00:00:00Z';
const turn = (more: Partial<TurnOptions> = {}): TurnOptions => ({ delay: 10, team_review: false, ...more });
const stuck = (more: Partial<StuckOptions> = {}): StuckOptions => ({ after: 24, repeat: null, mine: false, ...more });
const always = { ...defaultQuietHours, mode: 'off' } as const;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
});

let ada: number;
let bea: number;
let repository: number;
let names = 0;
beforeEach(async () => {
  const { db } = database;
  await empty(db, 'users', 'repositories', 'people', 'teams', 'notification_facts');
  ada = await aUser(db);
  bea = await aUser(db);
  await named(db, ada, 'ada');
  await named(db, bea, 'bea');
  names += 1;
  repository = await aRepository(db, `acme/app-${names}`, [ada, bea]);
  await touched(db, repository, EARLY);
  await db
    .insertInto('notification_facts')
    .values({ id: 1, version: FACTS_VERSION, since: new Date(EARLY) })
    .execute();
});

const at = (hours: number) => new Date(hour(hours)).toISOString();

/** Opens the world at so many hours after 2026-03-02T09:00Z, a Monday. */
/** `@acme/core`, of which Bea is the only member. */
async function aTeamOfBea(db: OpenDatabase['db']): Promise<void> {
  const people = db.selectFrom('people').select('id').where('login', '=', 'bea');
  const { id: person } = await people.executeTakeFirstOrThrow();
  await aTeam(db, 'core', [bea], [{ person, from: null, to: null }]);
}

function open(hours: number): Notified {
  return openNotified(database.db, at(hours), deskIn(database.db));
}

/** A pull request of ada's that asks bea at so many hours. */
const asking = (number: number, hours: number, ...more: Parameters<typeof aPullRequest>[1][]) =>
  aPullRequest({ number, createdAt: hour(hours) }, asks(hours, 'bea'), pending('bea'), ...more);

async function change(pulls: Parameters<typeof store>[3], hours: number): Promise<void> {
  await store(database.db, repository, hour(hours), pulls);
  await database.db
    .updateTable('repositories')
    .set({ changed_at: new Date(hour(hours)) })
    .where('id', '=', repository)
    .execute();
}

const rows = async () =>
  await database.db
    .selectFrom('notifications')
    .select(['state', 'last_error'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
const states = async () => (await rows()).map(({ state }) => state);
const reasons = async () => (await rows()).map(({ last_error }) => last_error);

describe('a turn', () => {
  it('is told once, its delay and ten seconds after it began, whatever is looked at again', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn(), EARLY);
    const world = open(0);
    await change([asking(1, 0)], 0);

    await world.pass(600);
    expect(told(world.delivered)).toEqual([]);
    await world.pass(10);
    expect(told(world.delivered)).toEqual(['turn 1']);
    expect(world.delivered[0]!.to).toMatchObject({ type: 'mail', target: 'bea@example.org' });
    await change([asking(1, 0)], 0.3);
    await rebuild(database.db, repository, [1], new Date(hour(0.3)));
    await openNotified(database.db, at(1), deskIn(database.db)).worker.workOff();
    await world.pass(3600, 60);

    expect(told(world.delivered)).toEqual(['turn 1']);
    expect(await states()).toEqual(['sent']);
  });

  it('is not told when it ended within the delay', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn(), EARLY);
    const world = open(0);
    await change([asking(1, 0)], 0);
    await world.pass(60);
    await change([asking(1, 0, closed(0.05))], 0.05);
    await world.pass(1200, 60);

    expect(told(world.delivered)).toEqual([]);
    expect(await states()).toEqual(['dropped']);
  });

  it('waits ten seconds for what falls due with it; the next message comes half an hour later and holds what came meanwhile', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const world = open(0);
    await change([asking(1, 0)], 0);
    await world.worker.workOff();
    await change([asking(2, 5 / 3600)], 5 / 3600);
    await world.pass(10, 5);
    expect(told(world.delivered)).toEqual(['turn 1 2']);

    await change([asking(3, 0.1), asking(4, 0.2)], 0.2);
    await world.pass(1790, 10);
    expect(told(world.delivered)).toEqual(['turn 1 2']);
    await world.pass(20, 10);
    expect(told(world.delivered)).toEqual(['turn 1 2', 'turn 3 4']);
  });

  it('is split from what is not due yet', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 60 }), EARLY);
    const world = open(0);
    await change([asking(1, 0), asking(2, 0.75)], 0.75);
    await world.pass(3600 * 1.1, 60);
    expect(told(world.delivered)).toEqual(['turn 1']);
    await world.pass(3600, 60);
    expect(told(world.delivered)).toEqual(['turn 1', 'turn 2']);
  });

  it('that began before the subscription, or before history was complete, is not told', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), at(2));
    await change([asking(1, 1)], 2);
    const world = open(2);
    await world.pass(60);
    expect(told(world.delivered)).toEqual([]);
    await change([asking(2, 2)], 2.1);
    await touched(database.db, repository, at(2.05));
    await world.pass(60);
    expect(told(world.delivered)).toEqual([]);
    await change([asking(3, 2.2)], 2.2);
    await world.pass(1200, 60);
    expect(told(world.delivered)).toEqual(['turn 3']);
  });

  it('is told to its second: one of the second in which the subscription was made is', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), new Date(hour(0) + 700).toISOString());
    const world = open(0);
    await change([asking(1, 0)], 0);
    await world.pass(20);

    expect(told(world.delivered)).toEqual(['turn 1']);
  });

  it('that came by what the person did is not told', async () => {
    await subscribe(database.db, { user_id: ada }, 'turn', turn({ delay: 0 }), EARLY);
    const world = open(1);
    await change(
      [
        aPullRequest(
          { number: 1 },
          approves(1, 'bea', { id: 'a' }),
          dismisses(1.1, 'a', 'bea'),
          asks(1.1, 'ada', 'ada'),
        ),
        aPullRequest({ number: 2 }, requestsChanges(1, 'bea')),
        aPullRequest(
          { number: 3, createdAt: hour(1), author: { ...aPullRequest().author!, id: 'bea', login: 'bea' } },
          asks(1, 'ada', 'ada'),
          pending('ada'),
        ),
      ],
      1.2,
    );
    await world.pass(60);

    expect(told(world.delivered)).toEqual(['turn 2']);
  });

  it('that came because an agent did not answer is told its delay after the agent’s day, though the review was theirs', async () => {
    await subscribe(database.db, { user_id: ada }, 'turn', turn(), EARLY);
    await setQuietHours(database.db, ada, always);
    const assignments = [{ person: aPerson('ada'), at: hour(0.1), until: null }];
    const agents = { author: aPerson('agent-x'), attribution: { ...noAttribution, assignments } };
    const world = open(1);
    await change(
      [
        aPullRequest({ number: 1, ...agents }, requestsChanges(1, 'ada')),
        aPullRequest({ number: 2, ...agents }, requestsChanges(1, 'bea')),
      ],
      1,
    );
    for (const hours of [1, 1.2]) await world.at(at(hours));
    expect(told(world.delivered)).toEqual(['turn 2']);

    for (const hours of [24.8, 25, 25.16]) await world.at(at(hours));
    expect(told(world.delivered)).toEqual(['turn 2']);
    await world.at(at(25.2));
    expect(told(world.delivered)).toEqual(['turn 2', 'turn 1']);
    expect(world.delivered[1]!.message.items).toMatchObject([
      { kind: 'author', since: new Date(hour(1)).toISOString() },
    ]);
  });

  it('of somebody who is asked by name and by their team in one second is told once', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0, team_review: true }), EARLY);
    await change([asking(1, 0, asks(0, '@acme/core'), pending('bea', '@acme/core'))], 0);
    await aTeamOfBea(db);
    const world = open(0);
    await world.pass(1200, 60);

    expect(world.failures).toEqual([]);
    expect(told(world.delivered)).toEqual(['turn 1']);
  });

  it('of a team whose address was written in other capitals when it was asked began when it was asked', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0, team_review: true }), at(1));
    await change([asking(1, 0), aPullRequest({ number: 2 }, asks(2, '@Acme/Core'), pending('@acme/core'))], 2);
    await aTeamOfBea(db);
    const world = open(2);
    await world.pass(1200, 60);

    expect(told(world.delivered)).toEqual(['turn 2']);
  });

  it('of whoever approved before the request for changes of theirs that was dismissed is told', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const world = open(3);
    const reviewed = [approves(1, 'bea', { id: 'a' }), requestsChanges(2, 'bea', { id: 'b' }), dismisses(3, 'b')];
    await change([aPullRequest({ number: 1 }, ...reviewed)], 3);
    await world.pass(60);

    expect(told(world.delivered)).toEqual(['turn 1']);
    expect(world.delivered[0]!.message.items).toMatchObject([{ kind: 'review_again', reason: 'updated' }]);
  });

  it('of which another version of the facts would have told is not told', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await change([asking(1, 0)], 0);
    await database.db.updateTable('notification_facts').set({ version: 0 }).execute();
    const world = open(1);
    await world.pass(60);
    expect(told(world.delivered)).toEqual([]);
    await change([asking(2, 1.1)], 1.1);
    await world.pass(1200, 60);

    expect(told(world.delivered)).toEqual(['turn 2']);
  });

  it('of a repository that turned unreadable before it was sent never appears', async () => {
    const { db } = database;
    const other = await aRepository(db, 'acme/other', [bea]);
    await touched(db, other, EARLY);
    await subscribe(db, { user_id: bea }, 'turn', turn(), EARLY);
    const world = open(0);
    await change([asking(1, 0)], 0);
    await store(db, other, hour(0), [asking(7, 0)]);
    await db
      .updateTable('repositories')
      .set({ changed_at: new Date(hour(0)) })
      .where('id', '=', other)
      .execute();
    await world.pass(60);
    await db.updateTable('connections').set({ readable: false }).where('repository_id', '=', repository).execute();
    await world.pass(1200, 60);
    expect(told(world.delivered)).toEqual(['turn 7']);
    expect(JSON.stringify(world.delivered)).not.toContain(`app-${names}`);

    await change([asking(2, 0.5)], 0.5);
    await world.pass(7200, 600);
    expect(told(world.delivered)).toEqual(['turn 7']);
  });

  it('is told to nobody who paused, and what came meanwhile is not told later', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await setQuietHours(db, bea, always);
    await db.updateTable('notification_settings').set({ paused: true }).execute();
    const world = open(0);
    await change([asking(1, 0)], 0);
    await world.pass(120, 60);
    await db
      .updateTable('notification_settings')
      .set({ paused: false, resumed_at: new Date(hour(0.05)) })
      .execute();
    await change([asking(2, 0.1)], 0.1);
    await world.pass(600, 60);

    expect(told(world.delivered)).toEqual(['turn 2']);
  });

  it('holds at most 20 items and says how many more there are', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const world = open(0);
    await change(
      Array.from({ length: 23 }, (_, index) => asking(index + 1, 0)),
      0,
    );
    await world.pass(7200, 60);

    expect(world.delivered.map(({ message }) => [message.items.length, message.more])).toEqual([[20, 3]]);
  });
});

describe('whoever marked a reviewer as a bot for themselves', () => {
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => expect(fields).toBeNull() };

  /** To everybody else the pull request waits for its author since that review. */
  async function marked(by: number): Promise<Notified> {
    const { db, pool } = database;
    const own = { user_id: by, host: HOST, host_id: 'reviewer', kind: 'bot' as const, set_at: new Date(0) };
    await db.insertInto('own_account_kinds').values(own).execute();
    const world = openNotified(db, at(0.2), (to, ...of) => deskIn(lensOf(pool, to.user_id))(to, ...of));
    await change([asking(1, 0, requestsChanges(0.1, 'reviewer'))], 0.2);
    await world.worker.workOff();
    await followMarks({ db, log, now: () => world.now }, new AbortController().signal);
    return world;
  }

  it('is told of a turn, and of what is stuck, as these marks have it', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await subscribe(database.db, { user_id: bea }, 'stuck', stuck({ after: 1 }), EARLY);
    const world = await marked(bea);
    await world.pass(120, 60);
    await world.at(at(1));
    await world.pass(10);

    expect(told(world.delivered)).toEqual(['turn 1', 'stuck 1']);
  });

  it('has a team’s channel told when a wait passes its limit as these marks have it', async () => {
    const { db } = database;
    const channel_id = await aChannel(db, notifiedBox, bea, 'https://hooks.slack.com/services/a', { type: 'slack' });
    const options = { after: 1, repeat: null, humans_only: false, skip_failing: true };
    await subscribe(db, { user_id: bea, channel_id }, 'stuck', options, EARLY);
    const world = await marked(bea);
    await world.at(at(1));
    await world.pass(10);

    expect(told(world.delivered)).toEqual(['stuck 1']);
  });
});

describe('what is stuck', () => {
  it('is told when it passes its limit, and again as often as wanted; what had passed before is not', async () => {
    await subscribe(database.db, { user_id: bea }, 'stuck', stuck({ repeat: 24 }), at(30));
    await setQuietHours(database.db, bea, always);
    const world = open(30);
    await change([asking(1, 0), asking(2, 10)], 30);
    await world.pass(3600 * 4 - 120, 600);
    expect(told(world.delivered)).toEqual([]);
    await world.pass(120 + 15, 15);
    expect(told(world.delivered)).toEqual(['stuck 2']);

    await world.pass(3600 * 24, 600);
    await world.pass(60);
    expect(told(world.delivered)).toEqual(['stuck 2', 'stuck 1', 'stuck 2']);
  });

  const changes: [string, StuckOptions, StuckOptions, number[]][] = [
    ['more seldom', stuck({ after: 1, repeat: 24 }), stuck({ after: 1, repeat: 72 }), [1, 25, 49, 73, 145]],
    ['more often', stuck({ after: 1, repeat: 72 }), stuck({ after: 1, repeat: 24 }), [1, 73, 97, 121, 145]],
    ['sooner', stuck({ after: 72 }), stuck({ after: 24 }), [72]],
    ['later', stuck({ after: 24, repeat: 24 }), stuck({ after: 30, repeat: 24 }), [24, 48, 72, 78, 102, 126, 150]],
  ];
  it.each(casesHere(changes))(
    'and then is wanted %s comes when it passes that, and nothing of before comes twice',
    async (_how, before, then, expected) => {
      const { db } = database;
      await subscribe(db, { user_id: bea }, 'stuck', before, EARLY);
      await setQuietHours(db, bea, always);
      await change([asking(1, 0)], 0);
      let world = open(0);
      const delivered: number[] = [];
      const until = async (hours: number) => {
        await world.pass((hour(hours) - world.now.getTime()) / 1000, 1800);
        delivered.push(
          ...world.delivered.splice(0).map(({ at }) => Math.floor((at.getTime() - OPENED_AT) / 3_600_000)),
        );
      };
      await until(74);
      // As a version of before that named them by their number has it, in a process that has just started.
      await sql`update notification_keys set key = regexp_replace(key, '[0-9]+h$', repetition::text)`.execute(db);
      world = open(74);
      await db
        .updateTable('notification_subscriptions')
        .set({ options: JSON.stringify(then) })
        .execute();
      await until(151);

      expect(delivered).toEqual(expected);
    },
  );

  it('is told within 75 seconds of its limit when it is looked at each minute', async () => {
    await subscribe(database.db, { user_id: bea }, 'stuck', stuck({ after: 1 }), EARLY);
    await change([asking(1, 0)], 0);
    const world = open(0.99);
    for (let second = 0; second < 200 && world.delivered.length === 0; second += 1) {
      world.now = new Date(world.now.getTime() + 1000);
      // Each minute it looks, each second it sends.
      if (second % 60 === 0) await world.worker.workOff();
      else if ((await nextDue(database.db, [], world.now)) !== null) await world.worker.workOff();
    }

    expect(world.delivered).toHaveLength(1);
    expect(world.delivered[0]!.at.getTime() - hour(1)).toBeLessThanOrEqual(75_000);
  });

  it('of one’s own is told where that is wanted', async () => {
    await subscribe(database.db, { user_id: ada }, 'stuck', stuck({ after: 1, mine: true }), EARLY);
    await subscribe(database.db, { user_id: bea }, 'stuck', stuck({ after: 1 }), EARLY);
    const world = open(0.9);
    await change([aPullRequest({ number: 1 })], 0.9);
    await world.pass(900, 30);

    expect(world.delivered.map(({ to, message }) => `${to.target} ${message.items[0]!.kind}`)).toEqual([
      'ada@example.org yours_waits',
    ]);
  });

  it('of one’s own is not said to wait for its owner, also where there is more than a message holds', async () => {
    await subscribe(database.db, { user_id: ada }, 'stuck', stuck({ after: 1, mine: true }), EARLY);
    const world = open(0.9);
    await change(
      Array.from({ length: 25 }, (_, index) => aPullRequest({ number: index + 1 })),
      0.9,
    );
    await world.pass(900, 30);

    expect(world.delivered.map(({ message }) => subjectOf(message))).toEqual([
      'Mergelight: 25 of yours, waiting for others',
    ]);
  });

  it('in the channel of a team leaves out bots and what fails while it waits for reviewers', async () => {
    const { db } = database;
    const channel_id = await aChannel(db, notifiedBox, ada, 'https://hooks.slack.com/services/a', { type: 'slack' });
    await subscribe(
      db,
      { user_id: ada, channel_id },
      'stuck',
      { after: 1, repeat: null, humans_only: true, skip_failing: true },
      EARLY,
    );
    const world = open(0.9);
    const bot = { ...aPullRequest().author!, id: 'bot-x', login: 'bot-x', kind: 'bot' as const };
    await change(
      [
        aPullRequest({ number: 1 }),
        aPullRequest({ number: 2, author: bot }),
        aPullRequest({ number: 3 }, checked(0.5, 'failure')),
        aPullRequest({ number: 4 }, requestsChanges(0, 'bea'), checked(0.5, 'failure')),
        aPullRequest({ number: 5, draft: true }),
      ],
      0.9,
    );
    await world.pass(900, 30);

    expect(told(world.delivered)).toEqual(['stuck 1 4']);
    expect(world.delivered[0]!.to.recipient.type).toBe('channel');
    expect(world.delivered[0]!.message).toMatchObject({ left_out: 1, schedule: defaultQuietHours });
  });
});

test('the channel of a team has the longest wait first, then owner and name whatever their capitals, and no wait below 0', async () => {
  const { db } = database;
  const channel_id = await aChannel(db, notifiedBox, ada, 'https://hooks.example.org/x');
  for (const name of ['acme/Zoo', 'Acme/zinc'])
    await store(db, await aRepository(db, name, [ada]), hour(2), [aPullRequest({ createdAt: hour(1) })]);
  await change([aPullRequest({ number: 1, createdAt: hour(1) }), aPullRequest({ number: 2, createdAt: hour(-1) })], 2);
  const to = await recipientOfKind(db, { user_id: ada, channel: null, channel_id }, 'daily');
  const desk = await channelDesk(db, to, new Date(hour(0)));

  expect(
    desk.flatMap(({ items }) => items.map(({ item }) => [item.repo_name, item.pr_number, item.waited_hours])),
  ).toEqual([
    [`app-${names}`, 2, 1],
    [`app-${names}`, 1, 0],
    ['zinc', 1, 0],
    ['Zoo', 1, 0],
  ]);
});

describe('when it is quiet', () => {
  const weekends = [
    ['where clocks go forward', 'Europe/Berlin', '2026-03-27T12:00:00Z', '2026-03-30T06:00:00Z'],
    ['where clocks go back', 'Europe/Berlin', '2026-10-23T12:00:00Z', '2026-10-26T07:00:00Z'],
    ['in a zone of half hours', 'Asia/Kolkata', '2026-03-27T08:00:00Z', '2026-03-30T02:30:00Z'],
  ] as const;

  it.each(casesHere(weekends))(
    'nothing but digests is sent, and one message after, %s',
    async (_where, zone, friday, monday) => {
      const { db } = database;
      await db.updateTable('users').set({ time_zone: zone }).where('id', '=', bea).execute();
      await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
      await subscribe(db, { user_id: bea }, 'stuck', stuck({ after: 5, repeat: 24 }), EARLY);
      await subscribe(db, { user_id: bea }, 'daily', { time: '23:30', weekdays: [1, 2, 3, 4, 5] }, EARLY);
      const began = (Date.parse(friday) - OPENED_AT) / 3_600_000;
      const world = openNotified(db, friday, deskIn(db));
      const asked = [0, 9, 20, 33, 40, 52].map((hours, index) => asking(index + 1, began + hours));
      while (world.now.getTime() < Date.parse(monday) + 60_000) {
        const next = asked.findIndex(({ createdAt }) => createdAt > world.now.getTime());
        const due = asked.splice(0, next < 0 ? asked.length : next);
        if (due.length > 0) await change(due, (world.now.getTime() - OPENED_AT) / 3_600_000);
        await world.pass(600, 600);
      }

      const inHours = (moment: Date) => {
        const parts = new Intl.DateTimeFormat('en-GB', {
          timeZone: zone,
          weekday: 'short',
          hour: '2-digit',
          hourCycle: 'h23',
        }).formatToParts(moment);
        const hourOfDay = Number(parts.find(({ type }) => type === 'hour')!.value);
        const day = parts.find(({ type }) => type === 'weekday')!.value;
        return !['Sat', 'Sun'].includes(day) && hourOfDay >= 8 && hourOfDay < 19;
      };
      const outside = world.delivered.filter((one) => !inHours(one.at));
      expect(outside.map(({ message }) => message.kind)).toEqual(['daily']);
      const after = world.delivered.filter((one) => one.at.getTime() >= Date.parse(monday));
      expect(told(after)).toEqual(['turn 1 2 3 4 5 6']);
      expect(after[0]!.at.getTime() - Date.parse(monday)).toBeLessThan(600_000);
    },
  );
});

describe('a held message', () => {
  it('is sent as soon as its recipient lets messages come, and stays held where it still may not', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const friday = (Date.parse('2026-03-06T20:00:00Z') - OPENED_AT) / 3_600_000;
    const world = open(friday);
    await change([asking(1, friday)], friday);
    await world.pass(60);
    await setQuietHours(db, bea, { ...defaultQuietHours, to: '20:00' });
    await lookAtHeldAgain(db, bea, world.now);
    await world.at('2026-03-07T12:00:00Z');
    expect(await states()).toEqual(['held']);

    await setQuietHours(db, bea, { ...defaultQuietHours, weekdays: [1, 2, 3, 4, 5, 6] });
    await lookAtHeldAgain(db, bea, world.now);
    await world.pass(10);

    expect(told(world.delivered)).toEqual(['turn 1']);
  });

  it('that was tried before it was held is sent as one with what falls due meanwhile', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const friday = (Date.parse('2026-03-06T18:55:00Z') - OPENED_AT) / 3_600_000;
    const world = open(friday);
    world.answers.push(
      ...Array.from({ length: 2 }, () => ({ state: 'retry', status: '503', message: 'busy' }) as const),
    );
    await change([asking(1, friday)], friday);
    await world.pass(600);
    expect(world.answers).toEqual([]);
    expect(await states()).toEqual(['held']);
    await change([asking(2, friday + 17)], friday + 17);
    await world.at('2026-03-07T12:00:00Z');
    await world.at('2026-03-09T07:59:59Z');
    expect(told(world.delivered)).toEqual([]);
    await world.pass(3600, 60);

    expect(told(world.delivered)).toEqual(['turn 1 2']);
  });

  const evening = 11;
  const morning = '2026-03-03T08:00:00Z';
  const optionsOf = async (options: StuckOptions) => {
    await database.db
      .updateTable('notification_subscriptions')
      .set({ options: JSON.stringify(options) })
      .execute();
  };

  it.each<[string, StuckOptions, StuckOptions, number, string[]]>([
    ['a limit that it has not passed', stuck({ after: 1 }), stuck({ after: 72 }), evening, []],
    ['a limit that it has passed, too', stuck({ after: 1 }), stuck({ after: 10 }), evening, ['stuck 1']],
    ['an earlier limit', stuck({ after: 2 }), stuck({ after: 1 }), evening, ['stuck 1']],
    ['no repetition', stuck({ after: 1, repeat: 24 }), stuck({ after: 1 }), evening - 24, []],
    ['a later repetition', stuck({ after: 1, repeat: 24 }), stuck({ after: 1, repeat: 72 }), evening - 24, []],
    [
      'a repetition as late',
      stuck({ after: 1, repeat: 24 }),
      stuck({ after: 1, repeat: 72 }),
      evening - 72,
      ['stuck 1'],
    ],
    ['the same', stuck({ after: 1, repeat: 24 }), stuck({ after: 1, repeat: 24 }), evening - 24, ['stuck 1']],
  ])('about what is stuck is held against %s, as it is wanted by then', async (_, before, then, asked, expected) => {
    await subscribe(database.db, { user_id: bea }, 'stuck', before, at(evening));
    const world = open(evening);
    await change([asking(1, asked)], evening);
    await world.pass(3600 * 2.5, 600);
    expect(await states()).toEqual(['held']);
    await optionsOf(then);
    await world.at(morning);

    expect(told(world.delivered)).toEqual(expected);
  });

  it('has nothing that began, or passed its limit, before the subscription was made again', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await subscribe(db, { user_id: bea }, 'stuck', stuck({ after: 1 }), EARLY);
    const world = open(evening);
    await change([asking(1, evening)], evening);
    await world.pass(3600 * 2, 600);
    expect(await states()).toEqual(['held']);
    await db.deleteFrom('notification_subscriptions').execute();
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), world.now.toISOString());
    await subscribe(db, { user_id: bea }, 'stuck', stuck({ after: 1 }), world.now.toISOString());
    await change([asking(2, evening + 2.5)], evening + 2.5);
    await world.pass(3600, 600);
    await world.at(morning);

    expect(told(world.delivered)).toEqual(['turn 2']);
  });

  it('has nothing that came to pass before its channel was resumed', async () => {
    const { db } = database;
    const channel_id = await aChannel(db, notifiedBox, ada, 'https://hooks.slack.com/services/a', { type: 'slack' });
    const options = { after: 1, repeat: null, humans_only: false, skip_failing: true };
    await subscribe(db, { user_id: ada, channel_id }, 'stuck', options, EARLY);
    const world = open(evening);
    await change([asking(1, evening)], evening);
    await world.pass(3600 * 1.5, 600);
    expect(await states()).toEqual(['held']);
    await db.updateTable('notification_channels').set({ resumed_at: world.now }).execute();
    await change([asking(2, evening + 1)], evening + 1.5);
    await world.pass(3600, 600);
    await world.at(morning);

    expect(told(world.delivered)).toEqual(['stuck 2']);
  });

  it.each([
    ['that was held for a weekend', '2026-03-06T20:00:00Z', 10, 'held'],
    ['about what was found a weekend late', '2026-03-09T08:00:00Z', 5, 'pending'],
  ])('%s is not given up when it cannot be put together at first', async (_what, found, seconds, state) => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const desk = deskIn(database.db);
    let broken = false;
    const world = openNotified(database.db, found, async (...of) => {
      if (broken) throw new Error('This list is broken.');
      return await desk(...of);
    });
    const friday = (Date.parse('2026-03-06T20:00:00Z') - OPENED_AT) / 3_600_000;
    await change([asking(1, friday)], friday);
    await world.worker.workOff();
    await world.pass(seconds);
    const before = await states();
    broken = true;
    await world.at('2026-03-09T08:00:20Z');
    expect([before, await states()]).toEqual([[state], ['pending']]);
    broken = false;
    await world.pass(300, 60);

    expect(told(world.delivered)).toEqual(['turn 1']);
  });

  it('goes without the kind whose mails were stopped, and has the others', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await subscribe(db, { user_id: bea }, 'stuck', stuck({ after: 1 }), EARLY);
    const world = open(evening);
    await change([asking(1, evening)], evening);
    await world.pass(3600 * 1.5, 600);
    expect(await states()).toEqual(['held']);
    const deps = { db, box: notifiedBox, now: () => world.now };
    expect(await unsubscribe(deps, await unsubscribeToken(deps, bea, 'turn'))).toEqual({ kind: 'turn' });
    await world.at(morning);

    expect(told(world.delivered)).toEqual(['stuck 1']);
  });
});

/** What the notices of each message are about. */
const noticed = ({ delivered }: Notified) => delivered.map(({ message }) => message.notices.map(({ what }) => what));

describe('trouble with syncs', () => {
  const day = 24;
  const lastSynced = async (repository_id: number, hours: number) => {
    await database.db
      .updateTable('repositories')
      .set({ last_synced_at: new Date(hour(hours)) })
      .where('id', '=', repository_id)
      .execute();
  };
  beforeEach(async () => {
    await subscribe(database.db, { user_id: bea }, 'sync', {}, EARLY);
    await setQuietHours(database.db, bea, always);
  });

  it('is a repository that was not synced for a day, and none that is archived, which is read once a day', async () => {
    const { db } = database;
    const old = await aRepository(db, 'acme/old', [bea]);
    await db.updateTable('repositories').set({ archived: true }).where('id', '=', old).execute();
    const world = open(0);
    for (const id of [repository, old]) await lastSynced(id, -day);
    await world.pass(3600, 60);

    expect(noticed(world)).toEqual([[`acme/app-${names}`]]);
  });

  it('is told once, also where it lasts for longer than it is kept that it was', async () => {
    const { db } = database;
    await lastSynced(repository, -day);
    const world = open(0);
    await world.pass(60);
    const later = open(31 * day);
    await forgetOldNotifications(db, later.now);
    expect(await states()).toEqual([]);
    await later.pass(60);

    expect([...noticed(world), ...noticed(later)]).toEqual([[`acme/app-${names}`]]);
  });

  it('that could not be told because mail was refused is told with something new alone', async () => {
    const other = await aRepository(database.db, 'acme/other', [bea]);
    await lastSynced(other, 2 - day);
    await lastSynced(repository, -day);
    const world = open(0);
    world.answers.push({ state: 'final', status: '550', message: 'no such user' });
    await world.pass(1.9 * 3600, 600);
    expect(await states()).toEqual(['failed']);
    await world.pass(3600, 600);

    expect(await states()).toEqual(['failed', 'sent']);
    expect(noticed(world).map((whats) => whats.sort())).toEqual([[`acme/app-${names}`, 'acme/other']]);
  });

  it('and turns that could not be told for want of an address wait for something new', async () => {
    const { db } = database;
    await db.updateTable('users').set({ email: null }).where('id', '=', bea).execute();
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await lastSynced(repository, -day);
    const world = open(0);
    await change([asking(1, 0)], 0);
    await world.pass(4 * 3600, 600);
    expect(await states()).toEqual(['dropped']);
    await named(db, bea, 'bea');
    await change([asking(2, 4)], 4);
    await world.pass(1200, 60);

    expect(told(world.delivered)).toEqual(['turn 1 2']);
  });

  it.each([
    ['a rejected token of whoever was a member when the host could last be asked', 'acme', true, 'Your access token'],
    ['nothing of whoever was none by then', 'else', true, null],
    ['nothing while the host takes their token and does not say', 'acme', false, null],
  ])(
    'is %s, and nothing of work, where memberships decide who may sign in',
    async (_what, organization, rejected, what) => {
      const { db } = database;
      await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
      await db
        .updateTable('users')
        .set({ organizations: [organization], organizations_at: new Date(hour(0)) })
        .where('id', '=', bea)
        .execute();
      await db
        .updateTable('credentials')
        .set({ rejected_at: rejected ? new Date(hour(2 * day)) : null })
        .where('user_id', '=', bea)
        .execute();
      await lastSynced(repository, 0);
      const main = { key: HOST } as Hosts['main'];
      const deps = { db, hosts: { main, byKey: () => null }, allowed: { logins: null, orgs: ['acme'] } };
      const world = openNotified(db, at(2 * day), deskIn(db), async ({ id }, of, now) => {
        const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
        return await mayBeTold(deps, row, of, now);
      });
      await change([asking(1, 2 * day)], 2 * day);
      await world.pass(600);

      expect(noticed(world)).toEqual(what === null ? [] : [[what]]);
      expect(told(world.delivered)).toEqual(what === null ? [] : ['sync']);
      expect(await reasons()).toEqual(what === null ? ['Its recipient may not sign in any more'] : [null]);
    },
  );

  it('is a token that was deleted because nobody used it, and none that its person had deleted by signing out', async () => {
    const { db } = database;
    await subscribe(db, { user_id: ada }, 'sync', {}, EARLY);
    await db.deleteFrom('credentials').execute();
    await db
      .updateTable('users')
      .set({ unused_token_deleted_at: new Date(hour(0)) })
      .where('id', '=', bea)
      .execute();
    const world = open(0);
    await world.pass(3600, 60);

    expect(noticed(world)).toEqual([['Your access token']]);
    expect(world.delivered[0]!.to.target).toBe('bea@example.org');
    expect(world.delivered[0]!.message.notices[0]!.say).toMatch(/^You have not been here for 90 days/);
  });
});

describe('digests', () => {
  const daily = { time: '09:00', weekdays: [1, 2, 3, 4, 5] } as const;

  it('come at their time, two hours late at most, and not when there is nothing to say', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'daily', daily, EARLY);
    const world = open(-1);
    await world.at('2026-03-02T09:00:00Z');
    expect(told(world.delivered)).toEqual([]);
    expect(await states()).toEqual(['dropped']);
    await change([asking(1, 1)], 1);
    await world.at('2026-03-03T08:59:59Z');
    expect(told(world.delivered)).toEqual([]);
    await world.at('2026-03-03T10:59:00Z');
    await world.at('2026-03-03T10:59:30Z');
    expect(told(world.delivered)).toEqual(['daily 1']);
    expect(world.delivered[0]!.message).toMatchObject({
      period: '2026-03-03',
      sections: [{ key: 'review', total: 1 }],
    });
    await world.at('2026-03-04T11:00:01Z');

    expect(told(world.delivered)).toEqual(['daily 1']);
  });

  it('that wait to be sent again are not sent once their subscription was made again', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'daily', daily, EARLY);
    const world = open(-1);
    await change([asking(1, 1)], 1);
    world.answers.push({ state: 'retry', message: 'refused' });
    await world.at('2026-03-03T09:00:00Z');
    expect(await states()).toEqual(['pending']);
    await db.deleteFrom('notification_subscriptions').execute();
    await subscribe(db, { user_id: bea }, 'daily', daily, '2026-03-03T09:00:30Z');
    await world.at('2026-03-03T09:05:00Z');

    expect(told(world.delivered)).toEqual([]);
    expect(await states()).toEqual(['dropped']);
  });

  it('wait for what is being recounted, and go out at last all the same', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'daily', daily, EARLY);
    const world = open(-1);
    await change([asking(1, 1)], 1);
    const recounted = () =>
      sql`
      insert into recounts (repository_id, sums, facts, unusable, total) select id, true, false, true, 1 from repositories`.execute(
        db,
      );
    await recounted();
    await world.at('2026-03-03T09:00:00Z');
    await world.at('2026-03-03T10:00:00Z');
    expect(told(world.delivered)).toEqual([]);
    expect(await states()).toEqual(['pending']);
    await db.deleteFrom('recounts').execute();
    await world.at('2026-03-03T10:02:00Z');
    expect(told(world.delivered)).toEqual(['daily 1']);

    await recounted();
    await world.at('2026-03-04T09:00:00Z');
    await world.at('2026-03-04T10:55:00Z');
    expect(await states()).toEqual(['sent', 'dropped']);
    await db.deleteFrom('recounts').execute();
  });

  it('of a week hold its figures and those of the week before, of a person and of a team’s channel', async () => {
    const { db } = database;
    const channel_id = await aChannel(db, notifiedBox, ada, 'https://hooks.example.org/x', { type: 'webhook' });
    await subscribe(db, { user_id: ada }, 'weekly', { time: '09:00', weekday: 1 }, EARLY);
    await subscribe(db, { user_id: ada, channel_id }, 'weekly', { time: '09:00', weekday: 1 }, EARLY);
    const world = open(0);
    await change(
      [
        aPullRequest({ number: 1 }, approves(2, 'bea'), merged(10)),
        aPullRequest({ number: 2 }, approves(4, 'bea'), merged(30)),
        aPullRequest({ number: 3, createdAt: hour(-100) }, merged(-90)),
        asking(4, 20),
      ],
      100,
    );
    await world.at('2026-03-09T09:00:00Z');
    const [person, channel] = ['person', 'channel'].map(
      (type) => world.delivered.find(({ to }) => to.recipient.type === type)!.message,
    );

    expect(person).toMatchObject({ period: '2026-W10', sections: [{ key: 'yours_waits', total: 1 }] });
    expect(person!.figures).toMatchObject({
      of: 'person',
      week: { opened: 3, merged: 2, reviews: 0, first_review: { hours: 3, n: 2 } },
      before: { opened: 1, merged: 1 },
    });
    expect(channel!.figures).toMatchObject({
      of: 'channel',
      week: { opened: 3, merged: 2, merge: { hours: 20, n: 2 }, by_agents: 0 },
      before: { opened: 1, merged: 1 },
      ...{ open: 1, stuck: { reviewers: 1, author: 0, merge: 0 } },
    });
  });

  it('of quiet weeks are not sent', async () => {
    await subscribe(database.db, { user_id: ada }, 'weekly', { time: '09:00', weekday: 1 }, EARLY);
    const world = open(0);
    await change([aPullRequest({ number: 3, createdAt: hour(-1000) }, merged(-990))], 0);
    await world.at('2026-03-09T09:00:00Z');

    expect(world.delivered).toEqual([]);
  });
});

describe('what did not arrive', () => {
  async function one(): Promise<Notified> {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    await setQuietHours(database.db, bea, always);
    const world = open(0);
    await change([asking(1, 0)], 0);
    await world.pass(9, 9);
    return world;
  }

  it('is sent again after 1, 5, 15, 60 minutes and 4 hours, then it has failed', async () => {
    const world = await one();
    const tries: number[] = [];
    world.answers.push(...Array.from({ length: 6 }, () => ({ state: 'retry', message: 'refused' }) as const));
    while (world.now.getTime() < hour(6)) {
      const left = world.answers.length;
      // Of an hour and of four half a minute makes no difference.
      await world.pass(tries.length < 4 ? 10 : 30, 30);
      if (world.answers.length < left) tries.push(Math.round((world.now.getTime() - OPENED_AT) / 60_000));
    }

    expect(tries).toEqual([0, 1, 6, 21, 82, 322].map((minute) => expect.closeTo(minute, -0.5)));
    expect(await states()).toEqual(['failed']);
    expect(world.delivered).toEqual([]);
  });

  const until = async (world: Notified, minutes: number, step = 30) =>
    await world.pass((OPENED_AT + minutes * 60_000 - world.now.getTime()) / 1000, step);
  const refused = (times: number) =>
    Array.from({ length: times }, () => ({ state: 'retry', message: 'refused' }) as const);

  it('comes with what is new within half an hour, and is tried three times more', async () => {
    const world = await one();
    world.answers.push(...refused(7));
    await until(world, 90);
    await change([asking(2, 1.5)], 1.5);
    await until(world, 110);
    expect(world.answers).toHaveLength(2);
    await until(world, 114);
    expect(world.answers).toHaveLength(1);
    await until(world, 420);

    expect(told(world.delivered)).toEqual(['turn 1 2']);
    expect(await states()).toEqual(['sent']);
  });

  it('comes no sooner than whoever takes it asked for, whatever is new', async () => {
    const world = await one();
    world.answers.push({ state: 'retry', status: '429', message: 'later', retryAfter: 7200 });
    await until(world, 5);
    for (const number of [2, 3]) {
      await change([asking(number, number / 10)], number / 10);
      await until(world, number * 20);
    }
    await until(world, 119);
    expect(told(world.delivered)).toEqual([]);
    await until(world, 122);

    expect(told(world.delivered)).toEqual(['turn 1 2 3']);
  });

  it('fails at last, although something new comes again and again', async () => {
    const world = await one();
    world.answers.push(...refused(1000));
    for (let hours = 1; hours < 10; hours += 1) {
      await until(world, hours * 60, 300);
      await change([asking(hours + 1, hours)], hours);
    }

    expect(await states()).toEqual(['failed', 'pending', 'pending']);
  });

  it('is not sent again where nobody knows, or where it was refused for good', async () => {
    const world = await one();
    world.answers.push({ state: 'unknown', message: 'broke off' });
    await world.pass(3600, 60);
    expect(await states()).toEqual(['unknown']);
    await change([asking(2, 1)], 1);
    world.answers.push({ state: 'final', status: '550', message: 'no such user' });
    await world.pass(7200, 60);

    expect(told(world.delivered)).toEqual(['turn 1']);
    expect(await states()).toEqual(['unknown', 'failed']);
  });

  it('and somebody is asked in two ways, at different times, waits for something new', async () => {
    const { db } = database;
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0, team_review: true }), EARLY);
    const desk = deskIn(db);
    let reads = 0;
    const world = openNotified(db, at(0.1), async (...of) => {
      reads += 1;
      return await desk(...of);
    });
    const twice = [asks(0, '@acme/core'), asks(0.1, 'bea'), pending('bea', '@acme/core')];
    await change([aPullRequest({ number: 1 }, ...twice)], 0.1);
    await aTeamOfBea(db);
    const refusal = { state: 'final', status: '550', message: 'no such user' } as const;
    world.answers.push(...Array.from({ length: 100 }, () => refusal));
    await world.pass(180, 60);
    expect(await states()).toEqual(['failed']);
    const before = reads;
    await world.pass(300, 60);
    expect(reads).toBe(before);
    await world.pass(2 * 3600, 60);
    expect(await states()).toEqual(['failed']);
    world.answers.length = 0;
    await change([asking(2, 2.2)], 2.2);
    await world.pass(3600, 60);

    expect(told(world.delivered)).toEqual(['turn 1 2']);
  });

  it('and is not true any more is dropped', async () => {
    const world = await one();
    world.answers.push({ state: 'retry', message: 'refused' });
    await world.pass(10);
    await change([asking(1, 0, closed(0.01))], 0.01);
    await world.pass(600, 60);

    expect(world.delivered).toEqual([]);
    expect(await states()).toEqual(['dropped']);
  });

  it('and was being sent when its process ended is unknown after five minutes', async () => {
    const world = await one();
    world.now = new Date(world.now.getTime() + 1000);
    await sql`update notifications set state = 'sending', claimed_at = ${world.now}`.execute(database.db);
    await world.pass(290, 10);
    expect(await states()).toEqual(['sending']);
    await world.pass(3600, 60);

    expect(await states()).toEqual(['unknown']);
    expect(world.delivered).toEqual([]);
  });

  it.each<[string, Partial<Outcome>[], string, number]>([
    [
      'at once where the address is gone',
      [{ state: 'final', status: '410', message: 'gone', gone: true }],
      pauseReasons.gone,
      1,
    ],
    [
      'after five failures in a row',
      Array.from({ length: 5 }, () => ({ state: 'final', status: '403', message: 'no' })),
      pauseReasons.failing,
      5,
    ],
  ])('pauses the channel %s, and its owner is told elsewhere', async (_what, answers, reason, messages) => {
    const { db } = database;
    const channel_id = await aChannel(db, notifiedBox, ada, 'https://hooks.slack.com/services/a', { type: 'slack' });
    await subscribe(
      db,
      { user_id: ada, channel_id },
      'stuck',
      { after: 1, repeat: null, humans_only: false, skip_failing: true },
      EARLY,
    );
    await subscribe(db, { user_id: ada }, 'sync', {}, EARLY);
    const world = open(0);
    world.answers.push(...answers);
    for (let index = 0; index < messages; index += 1) {
      await change([aPullRequest({ number: index + 1, createdAt: hour(index) })], index);
      world.now = new Date(hour(index + 1));
      await world.pass(60, 30);
    }
    await world.pass(60, 30);
    const { paused_reason } = await db
      .selectFrom('notification_channels')
      .select('paused_reason')
      .executeTakeFirstOrThrow();

    expect(paused_reason).toBe(reason);
    expect(world.delivered.map(({ to, message }) => [to.type, message.kind, message.notices.length])).toEqual([
      ['mail', 'sync', 1],
    ]);
  });
});

describe('everybody else', () => {
  it('is told although one person’s list, or one channel, breaks', async () => {
    const { db } = database;
    await subscribe(db, { user_id: ada }, 'turn', turn({ delay: 0 }), EARLY);
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const desk = deskIn(db);
    const world = openNotified(db, at(0), async (to, now) => {
      if (to.user_id === ada) throw new Error('This list is broken.');
      return await desk(to, now);
    });
    await change([asking(1, 0), aPullRequest({ number: 2 }, requestsChanges(0, 'bea'))], 0);
    await world.pass(60);

    expect(told(world.delivered)).toEqual(['turn 1']);
    expect(world.failures.length).toBeGreaterThan(0);
  });

  it('never sees through a channel what its owner does not see, or another channel', async () => {
    const { db } = database;
    const secret = await aRepository(db, 'acme/secret', [bea]);
    await touched(db, secret, EARLY);
    await store(db, secret, hour(0), [aPullRequest({ number: 9 })]);
    for (const user_id of [ada, bea]) {
      const channel_id = await aChannel(db, notifiedBox, user_id, `https://hooks.slack.com/services/${user_id}`, {
        type: 'slack',
      });
      const where = { user_id, channel_id };
      await subscribe(db, where, 'stuck', { after: 1, repeat: null, humans_only: false, skip_failing: true }, EARLY);
      await subscribe(db, where, 'daily', { time: '11:00', weekdays: [1] }, EARLY);
    }
    await db.deleteFrom('connections').where('user_id', '=', bea).where('repository_id', '=', repository).execute();
    const world = open(0);
    await change([aPullRequest({ number: 1 })], 0);
    await world.pass(3 * 3600, 60);

    const of = (user_id: number) => world.delivered.filter(({ to }) => to.target.endsWith(`/${user_id}`));
    expect(told(of(ada))).toEqual(['stuck 1', 'daily 1']);
    expect(told(of(bea))).toEqual(['stuck 9', 'daily 9']);
  });

  it('gets one message a second from a target', async () => {
    const { db } = database;
    await subscribe(db, { user_id: ada }, 'turn', turn({ delay: 0 }), EARLY);
    await subscribe(db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const world = open(0);
    await change([asking(1, 0), aPullRequest({ number: 2 }, requestsChanges(0, 'bea'))], 0);
    await world.worker.workOff();
    await world.pass(10, 10);
    expect(world.delivered).toHaveLength(1);
    await world.pass(1, 1);

    expect(world.delivered).toHaveLength(2);
  });

  it('is told by one of two workers, never by both', async () => {
    await subscribe(database.db, { user_id: bea }, 'turn', turn({ delay: 0 }), EARLY);
    const worlds = [open(0), open(0)];
    await change(
      Array.from({ length: 8 }, (_, index) => asking(index + 1, 0)),
      0,
    );
    for (let step = 0; step < 200; step += 1) await Promise.all(worlds.map((world) => world.pass(10, 10)));

    expect(worlds.flatMap(({ delivered }) => told(delivered))).toEqual(['turn 1 2 3 4 5 6 7 8']);
  });
});
