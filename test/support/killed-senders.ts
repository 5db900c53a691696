import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { FACTS_VERSION } from '../../src/domain/facts.ts';
import { defaultQuietHours } from '../../src/domain/notifications/subscriptions.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type DatabasePlace, type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { MOST_ITEMS } from '../../src/server/notifications/content.ts';
import { newSecret } from '../../src/server/notifications/secrets.ts';
import { sealedAs } from '../../src/server/secret-box.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { named, notifiedBox, setQuietHours, subscribe, touched } from './notified.ts';
import { startMailReceiver, startWebReceiver } from './receivers.ts';
import { aRepository, aUser } from './stored.ts';

/** Where a process that tells people of things sends to. */
export interface Receivers {
  readonly mail_port: number;
  readonly slack_port: number;
}

/** What became of what was told while processes were killed. */
export interface KilledSenders {
  /** Of how many kills something had just arrived, and was not answered. */
  readonly during: number;
  readonly arrived: number;
  /** Messages by their last state. */
  readonly states: Readonly<Record<string, number>>;
  /** What must not be, in words: nothing. */
  readonly broken: readonly string[];
}

interface Place {
  /** Empty, or of an earlier run. */
  readonly location: DatabasePlace;
  readonly kills: number;
  readonly seed: number;
}

const PEOPLE = 40;
/** Each person is told in one way, by turns. */
const ways = ['mail', 'slack_dm', 'slack', 'teams', 'webhook'] as const;
const EARLY = '2026-02-01T00:00:00Z';
/** The parts of messages that are refused, and that arrive without an answer; the others are answered within these milliseconds. */
const REFUSED = 0.1;
const UNANSWERED = 0.05;
const SLOWEST_ANSWER = 120;

/**
 * Kills processes that tell forty people of changes by mail, Slack, Teams and webhooks, most just when a message has arrived and is not
 * answered, until all that is left was worked off. On a PostgreSQL server two are at work, and one is killed after the other.
 */
export async function killSenders({ location, kills, seed }: Place): Promise<KilledSenders> {
  const random = createRandom(seed);
  const outside = await startOutside(random);
  const processes = new Set<ChildProcess>();
  const { arrived } = outside;
  try {
    const database = await openDatabase(location, () => undefined);
    await migrate(database.db);
    await prepareWorld(database, outside.web_url);
    await database.close();
    const place = location.kind === 'postgresql' ? location.url : (location.folder ?? '');
    const began = Date.now();
    let lives = 0;
    const prepare = () => {
      lives += 1;
      const more = [place, JSON.stringify(outside.receivers), String(began), String(seed + lives)];
      const child = spawn(process.execPath, ['test/support/sender-process.ts', ...more], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      processes.add(child);
      return child;
    };
    const alive: ChildProcess[] = location.kind === 'postgresql' ? [await begin(prepare())] : [];
    let next = prepare();
    let during = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      alive.push(await begin(next));
      next = prepare();
      const before = arrived.length;
      await pause(random.next() * 700);
      const waits = random.next() < 0.9;
      for (let waited = 0; waits && arrived.length === before && waited < 5000; waited += 5) await pause(5);
      if (arrived.length > before) during += 1;
      const killed = alive.shift()!;
      const gone = once(killed, 'exit');
      killed.kill('SIGKILL');
      await gone;
      processes.delete(killed);
    }
    const last = alive.shift() ?? (await begin(next));
    const done = new Promise<void>((resolve) => {
      last.stdout!.on('data', (data) => String(data).includes('done') && resolve());
    });
    last.stdin!.write('calm\n');
    await done;
    await once(last, 'exit');
    return { during, arrived: arrived.length, ...(await judged(location, arrived)) };
  } finally {
    for (const child of processes) child.kill('SIGKILL');
    await outside.stop();
  }
}

async function begin(child: ChildProcess): Promise<ChildProcess> {
  child.stdin!.write('begin\n');
  await once(child.stdout!, 'data');
  return child;
}

/** Pull requests that somebody was told of, as it arrived. */
interface Arrived {
  readonly login: string;
  readonly numbers: readonly number[];
}

async function startOutside(random: Random) {
  const arrived: Arrived[] = [];
  /** Null refuses it, false breaks off, true answers, after a while. */
  const take = async (login: string, body: string): Promise<boolean | null> => {
    const fate = random.next();
    if (fate < REFUSED) return null;
    const numbers = [...body.matchAll(/acme\/app#(\d+)|"pr_number":(\d+)/g)].map(([, named, id]) =>
      Number(named ?? id),
    );
    arrived.push({ login, numbers: [...new Set(numbers)] });
    if (fate < REFUSED + UNANSWERED) return false;
    await pause(random.next() * SLOWEST_ANSWER);
    return true;
  };
  const answer = async (taken: Promise<boolean | null>, response: ServerResponse, socket: Socket, says: string) => {
    const result = await taken;
    if (result === false) return void socket.destroy();
    response.writeHead(result === null ? 503 : 200).end(says);
  };

  const mail = await startMailReceiver({
    async onData(stream, { envelope }, done) {
      const raw = await text(stream).catch(() => null);
      // Whoever sent it was killed half way: it did not arrive.
      if (raw === null) return;
      const taken = await take(
        envelope.rcptTo[0]!.address.split('@')[0]!,
        raw.replaceAll('=\r\n', '').replaceAll('=23', '#'),
      );
      if (taken === false) return mail.cut();
      done(taken === null ? Object.assign(new Error('Later.'), { responseCode: 451 }) : null);
    },
  });
  const web = await startWebReceiver();
  web.respond = (response, { url = '' }, socket) =>
    void answer(take(url.slice(1), web.posts.at(-1)!.body), response, socket, 'ok');
  const slack = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const { method, ...asked } = request.url?.endsWith('lookupByEmail')
      ? { method: 'lookup', login: new URLSearchParams(body).get('email')!.split('@')[0] }
      : { method: 'post', login: (JSON.parse(body) as { channel: string }).channel };
    response.setHeader('content-type', 'application/json');
    if (method === 'lookup') response.end(JSON.stringify({ ok: true, user: { id: asked.login } }));
    else await answer(take(asked.login!, body), response, request.socket, '{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(slack, 'listening');
  return {
    arrived,
    web_url: web.url,
    receivers: { mail_port: mail.settings.port, slack_port: (slack.address() as AddressInfo).port } satisfies Receivers,
    async stop() {
      slack.close();
      slack.closeAllConnections();
      await Promise.all([mail.stop(), web.stop()]);
    },
  };
}

/** Forty people who want to know at once when it is their turn, at any hour. */
async function prepareWorld({ db }: OpenDatabase, web_url: string): Promise<void> {
  const people: number[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    const login = `p${index}`;
    const user_id = await aUser(db);
    await named(db, user_id, login);
    await setQuietHours(db, user_id, { ...defaultQuietHours, mode: 'off' });
    const options = { delay: 0, team_review: false };
    const way = ways[index % ways.length]!;
    if (way === 'mail') await subscribe(db, { user_id }, 'turn', options, EARLY);
    else if (way === 'slack_dm') await subscribe(db, { user_id, channel: way }, 'turn', options, EARLY);
    else {
      const { id } = await db
        .insertInto('notification_channels')
        .values({
          ...{
            user_id,
            type: way,
            name: login,
            target_encrypted: '',
            shown: '',
            personal: true,
            all_repositories: true,
          },
          ...{
            titles: true,
            quiet_hours: JSON.stringify({ ...defaultQuietHours, mode: 'off' }),
            created_at: new Date(EARLY),
          },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .updateTable('notification_channels')
        .set({
          target_encrypted: notifiedBox.seal(`${web_url}/${login}`, sealedAs.channelTarget(id)),
          secret_encrypted: way === 'webhook' ? notifiedBox.seal(newSecret(), sealedAs.channelSecret(id)) : null,
        })
        .where('id', '=', id)
        .execute();
      await subscribe(db, { user_id, channel_id: id }, 'turn', options, EARLY);
    }
    people.push(user_id);
  }
  const repository = await aRepository(db, 'acme/app', people);
  await touched(db, repository, EARLY);
  await db
    .insertInto('notification_facts')
    .values({ id: 1, version: FACTS_VERSION, since: new Date(EARLY) })
    .execute();
}

/** Holds what arrived against what is stored of it. */
async function judged(
  location: DatabasePlace,
  arrived: readonly Arrived[],
): Promise<Pick<KilledSenders, 'states' | 'broken'>> {
  const database = await openDatabase(location, () => undefined);
  const { rows } = await sql<{ id: string; login: string; state: string; keys: number[]; items: number[] }>`
    select n.id, u.login, n.state,
      array(select number from notification_keys k where k.notification_id = n.id and number is not null) as keys,
      array(select number from notification_items i where i.notification_id = n.id) as items
    from notifications n join users u on u.id = n.user_id`.execute(database.db);
  await database.close();
  const copies = new Map<string, number>();
  for (const { login, numbers } of arrived)
    for (const number of numbers) copies.set(`${login} ${number}`, (copies.get(`${login} ${number}`) ?? 0) + 1);
  const broken: string[] = [];
  const known = new Set<string>();
  for (const [telling, times] of copies) if (times > 1) broken.push(`${telling} was told ${times} times`);
  for (const { id, login, state, keys, items } of rows) {
    const count = (number: number) => copies.get(`${login} ${number}`) ?? 0;
    if (!['sent', 'unknown', 'dropped', 'failed'].includes(state)) broken.push(`${id} ended ${state}`);
    if (keys.length === 0) broken.push(`${id} has no key`);
    for (const number of keys) {
      known.add(`${login} ${number}`);
      if (['dropped', 'failed'].includes(state) && count(number) > 0)
        broken.push(`#${number} arrived at ${login}, and ${id} is ${state}`);
    }
    const shown = items.filter((number) => count(number) === 1);
    if (state === 'sent' && shown.length < Math.min(items.length, MOST_ITEMS))
      broken.push(`${id} was sent to ${login} with ${items.length} items, and ${shown.length} arrived once`);
  }
  for (const telling of copies.keys()) if (!known.has(telling)) broken.push(`${telling} was told, and has no key`);
  return {
    states: Object.fromEntries(
      ['sent', 'unknown', 'dropped', 'failed'].map((state) => [
        state,
        rows.filter((row) => row.state === state).length,
      ]),
    ),
    broken,
  };
}
