import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { OpenDatabase } from './db/open.ts';
import { SET_UP_LOCK } from './db/set-up-lock.ts';

const embedded = process.env.TEST_DATABASE === 'embedded';

let folder: string;
let database: OpenDatabase | null = null;
let place: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-main-'));
  const SECRET_KEY = Buffer.alloc(32, 3).toString('base64');
  if (embedded) place = { DATA_DIR: join(folder, 'data') };
  else {
    database = await openTestDatabase();
    // As before a first start, which makes it.
    await database.pool.query('drop schema jobs cascade');
    place = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: String(database.pool.options.connectionString),
      SECRET_KEY,
    };
  }
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true });
});

test('it starts, says where it is and what to do, and ends with 0 when told to, soon', async () => {
  const port = await freePort();
  const server = run({ ...place, PORT: String(port), DEMO: 'false' });
  await server.printed('Mergelight is ready');

  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  const told = Date.now();
  server.child.kill('SIGTERM');

  expect(ready.status).toBe(200);
  expect(await server.ended).toBe(0);
  expect(Date.now() - told).toBeLessThan(10_000);
  expect(server.output()).toContain(`Mergelight is ready at http://localhost:${port}\nOpen it to sign in with`);
});

test('a signal that comes twice at once is one: it goes on serving for the delay, no longer ready', async () => {
  const port = await freePort();
  const server = run({ ...place, PORT: String(port), DEMO: 'false', SHUTDOWN_DELAY: '2' });
  await server.printed('Mergelight is ready');
  const statuses = () =>
    Promise.all(['/readyz', '/healthz'].map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status));

  const told = Date.now();
  server.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 20));
  server.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 500));

  expect(await statuses()).toEqual([503, 200]);
  expect(await server.ended).toBe(0);
  expect(Date.now() - told).toBeGreaterThanOrEqual(2000);
});

test('an open stream of events does not keep it from ending', async () => {
  const port = await freePort();
  const server = run({ ...place, PORT: String(port), DEMO: 'true' });
  await server.printed('Mergelight is ready');
  const origin = `http://127.0.0.1:${port}`;
  const signedIn = await fetch(`${origin}/auth/demo`, { method: 'POST' });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const stream = await fetch(`${origin}/api/sync-events`, { headers: { cookie } });
  expect([signedIn.status, stream.status]).toEqual([200, 200]);

  const told = Date.now();
  server.child.kill('SIGTERM');

  expect(await server.ended).toBe(0);
  expect(Date.now() - told).toBeLessThan(10_000);
});

test('it lives long before it is ready, says what it is at until then, and at last whether nobody can sign in', async () => {
  const port = await freePort();
  const noWayIn = { DEMO: 'false', ALLOW_TOKEN_SIGN_IN: 'false' };
  const server = run({ ...place, DATA_DIR: join(folder, 'new'), PORT: String(port), ...noWayIn });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  let alive = await ask('/healthz');
  for (; alive === null; alive = await ask('/healthz')) await new Promise((resolve) => setTimeout(resolve, 20));
  const ready = await ask('/readyz');
  const page = await ask('/dashboard');
  await server.printed('Mergelight is ready');

  expect(alive.status).toBe(200);
  expect([ready?.status, await ready?.json()]).toEqual([503, expect.objectContaining({ code: 'updating' })]);
  expect([page?.status, await page?.text()]).toEqual([503, expect.stringContaining('<h1>Updating …</h1>')]);
  expect((await ask('/readyz'))?.status).toBe(200);
  expect(server.output()).toContain('\nNobody can sign in: set GITHUB_CLIENT_ID');
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test.runIf(!embedded)(
  'while another process sets the database up it says for whom it waits, in the log, too',
  async () => {
    const port = await freePort();
    const ask = async () => await (await fetch(`http://127.0.0.1:${port}/readyz`)).json().catch(() => null);
    const holder = await database!.pool.connect();
    await holder.query('select pg_advisory_lock($1)', [SET_UP_LOCK]);

    const server = run({ ...place, PORT: String(port), DEMO: 'false' });
    await server.printed('waiting to set up');
    const waiting = await ask();
    holder.release(true);
    await server.printed('Mergelight is ready');

    expect(waiting).toMatchObject({
      code: 'updating',
      error: expect.stringMatching(
        /^Waiting: another process sets up the database \(PostgreSQL backend \d+, connected since /,
      ),
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);

test('a wrong setting ends it with one line that names it', async () => {
  const server = run({ ...place, PORT: 'three thousand' });

  expect(await server.ended).toBe(1);
  expect(server.output()).toBe('PORT: must be a port from 1 to 65535.\n');
});

describe('a folder that cannot be used ends it with one line that names its setting:', () => {
  const runWith = async (setting: 'BACKUP_DIR' | 'DATA_DIR') => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const port = String(await freePort());
    return run({ ...place, DEMO: 'false', LOG_LEVEL: 'silent', [setting]: join(file, 'folder'), PORT: port });
  };

  test('that of backups', async () => {
    const server = await runWith('BACKUP_DIR');
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/^BACKUP_DIR: no backup can be written to [^\n]+ENOTDIR[^\n]+\n$/);
  });

  test.runIf(embedded)('that of the embedded database', async () => {
    const server = await runWith('DATA_DIR');
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(/^DATA_DIR: the folder [^\n]+ cannot be written \([^\n]*ENOTDIR[^\n]+\n$/);
  });
});

test('a port that is taken ends it with one line', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');

  const server = run({ ...place, PORT: String(port), DEMO: 'false', LOG_LEVEL: 'silent' });

  expect(await server.ended).toBe(1);
  expect(server.output()).toBe(
    `PORT: ${port} is in use by another program. Stop that one, or start with another PORT.\n`,
  );
  other.close();
});

test.runIf(embedded)('two servers never share a data folder, and a killed one leaves it usable', async () => {
  const first = run({ ...place, PORT: String(await freePort()), DEMO: 'false' });
  await first.printed('Mergelight is ready');

  const second = run({ ...place, PORT: String(await freePort()), DEMO: 'false' });
  expect(await second.ended).toBe(1);
  expect(second.output()).toMatch(
    /^DATA_DIR: .+ is in use by another Mergelight \(process \d+ on [^ ]+, since [-\d]+ [:\d]+ UTC\)\. [^\n]+\n$/,
  );

  first.child.kill('SIGKILL');
  await first.ended;
  const third = run({ ...place, PORT: String(await freePort()), DEMO: 'false' });
  await third.printed('Mergelight is ready');
  third.child.kill('SIGTERM');
  expect(await third.ended).toBe(0);
});

test.runIf(embedded)(
  'a database that breaks ends it with a line of the log, rather than leaving people waiting',
  async () => {
    const moment = join(folder, 'break');
    const breaking = `import { existsSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads';
    if (!isMainThread) setInterval(() => { if (existsSync('${moment}')) throw new Error('no memory left'); }, 20);`;
    const server = run({
      ...{ ...place, PORT: String(await freePort()), DEMO: 'false' },
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(breaking)}"`,
    });
    await server.printed('Mergelight is ready');

    await writeFile(moment, '');

    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(
      /"level":"fatal".+no memory left.+"msg":"the embedded database broke: Mergelight ends"/,
    );
  },
);

test.runIf(embedded)('a database is not taken without the key that opens what is stored in it', async () => {
  const key = join(folder, 'data/secret-key');
  await rename(key, join(folder, 'elsewhere'));

  const server = run({ ...place, PORT: String(await freePort()), DEMO: 'false', LOG_LEVEL: 'silent' });

  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/^DATA_DIR: [^\n]+ has a database and no secret-key, [^\n]+ SECRET_KEY [^\n]+\n$/);
  await rename(join(folder, 'elsewhere'), key);
});

test.runIf(embedded)('a new key is made for a database that is there, and for none that is not', async () => {
  const rotated = (DATA_DIR: string) => run({ DATA_DIR }, 'rotate-key-command.ts');
  const nowhere = rotated(join(folder, 'mistyped'));
  expect(await nowhere.ended).toBe(1);
  expect(nowhere.output()).toMatch(/^DATA_DIR: there is no database in [^\n]+mistyped, so no stored secrets\.\n$/);
  await expect(stat(join(folder, 'mistyped'))).rejects.toThrow('ENOENT');

  const keys = join(folder, 'data/secret-key');
  const before = await readFile(keys, 'utf8');
  const done = rotated(join(folder, 'data'));
  expect(await done.ended).toBe(0);
  expect(done.output()).toContain('stored secrets were sealed again');
  // Backups from before need it: the next server takes it out, once it was time to copy it.
  const [made, ...others] = (await readFile(keys, 'utf8')).split(/(?<=\n)/);
  expect(others).toEqual([before]);
  expect(made).not.toBe(before);
});

test.runIf(!embedded)('a key that is set alone is not changed, and the command says what to do', async () => {
  const alone = run(place, 'rotate-key-command.ts');
  expect(await alone.ended).toBe(1);
  expect(alone.output()).toMatch(/^Nothing was changed: only one key is set\. Set the new one as SECRET_KEY [^\n]+\n$/);

  const beside = run(
    { ...place, SECRET_KEY_PREVIOUS: Buffer.alloc(32, 4).toString('base64') },
    'rotate-key-command.ts',
  );
  expect(await beside.ended).toBe(0);
  expect(beside.output()).toContain('0 stored secrets were sealed again with the first key.');
});

test.runIf(embedded)('the key is for its owner’s eyes', async () => {
  expect((await stat(join(folder, 'data', 'secret-key'))).mode & 0o777).toBe(0o600);
});

test.runIf(!embedded)(
  'an older process that runs ends with one line once a newer version has upgraded the database',
  async () => {
    const server = run({ ...place, PORT: String(await freePort()), DEMO: 'false', LOG_LEVEL: 'silent' });
    await server.printed('Mergelight is ready');

    const goOn = (since: string) =>
      database!.pool.query("update kysely_migration set name = $1 where name like 'goes-on-since-%'", [
        `goes-on-since-${since}`,
      ]);
    await goOn('9999-of-tomorrow');
    await database!.pool.query("insert into kysely_migration values ('9999-of-tomorrow', 'now')");

    expect(await server.ended).toBe(1);
    await database!.pool.query("delete from kysely_migration where name = '9999-of-tomorrow'");
    await goOn('0047-seen-on-replicas');
    expect(server.output().split('\n').slice(2)).toEqual([
      'A newer Mergelight has upgraded the database (it has 9999-of-tomorrow): this process ends. Start the newer version.',
      '',
    ]);
  },
);

test.runIf(!embedded)('web and worker share the work on one database', async () => {
  const ports = [await freePort(), await freePort()];
  const web = run({ ...place, PORT: String(ports[0]), DEMO: 'false', ROLE: 'web' });
  const worker = run({ ...place, PORT: String(ports[1]), DEMO: 'false', ROLE: 'worker' });
  await Promise.all([web.printed('Mergelight is ready'), worker.printed('Mergelight is ready')]);

  const asked = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/auth/options`)));
  const ready = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/readyz`)));

  expect(asked.map((answer) => answer.status)).toEqual([200, 404]);
  expect(ready.map((answer) => answer.status)).toEqual([200, 200]);
  for (const server of [web, worker]) {
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  }
});

test.runIf(!embedded)('a database that cannot be reached ends it with one line', async () => {
  const server = run({ ...place, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DEMO: 'false' });

  expect(await server.ended).toBe(1);
  expect(server.output()).toMatch(/^DATABASE_URL: the database cannot be reached \([^\n]+\)\.\n$/);
});

function run(variables: Record<string, string>, program = 'main.ts') {
  const child: ChildProcess = spawn(process.execPath, [resolve('src/server', program)], {
    // Compiled code is kept, as `npm start` keeps it.
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const take = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    ended,
    output: () => text,
    async printed(words: string): Promise<void> {
      const deadline = Date.now() + 60_000;
      while (!text.includes(words)) {
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It did not print "${words}":\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
