import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { makeBackup } from './backup/make-backup.ts';
import { readyBackupFolder } from './backup/scheduled-backup.ts';
import { now } from './clock.ts';
import type { Server } from './compose.ts';
import { type Config, directAddress, readConfig, warningsOf } from './config.ts';
import { openControlSocket } from './control-socket.ts';
import { type DataFolder, folderError, takeDataFolder } from './db/data-folder.ts';
import { DISK_IS_FULL, freeSpace, waitForSpace } from './db/disk-space.ts';
import { RELAXED } from './db/durable-files.ts';
import { keysAt, storeKeys } from './db/key-file.ts';
import { migrate, partsOfNewerVersions } from './db/migrate.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';
import { startDemoHost } from './demo/demo-host.ts';
import { demoPath } from './demo/demo-pages.ts';
import { addresses } from './host/github/addresses.ts';
import { githubHost } from './host/github/host.ts';
import { keepFrontEndFiles } from './http/front-end-files.ts';
import { type Listener, listenOn, updating } from './http/listener.ts';
import { listenForMetrics, type Metrics } from './http/metrics.ts';
import { type Log, openLog } from './log.ts';
import { giveWay } from './priority.ts';
import { type ChangeKeys, droppingOldKeys, keyChanges, rotateKey } from './sealed-secrets.ts';
import { type SecretBox, secretBox } from './secret-box.ts';
import type { ServerDeps } from './server-deps.ts';
import { reasonOf, StartError } from './start-error.ts';

/** A stop has to be over within ten seconds (docs/server.md#upkeep): the work gets most of them. */
const PATIENCE = 7000;
const LAST_CALL = 9500;
/** Another signal within this time, in milliseconds, is the same one: a group's processes all get it, and this one again from the script that started it. */
const SAME_SIGNAL = 1000;
/** How often a process looks whether a newer version has upgraded the database, in milliseconds. */
const LOOK_FOR_NEWER_VERSION = 5000;

const root = join(import.meta.dirname, '../..');
const webFolder = join(root, 'dist/web');

/** What has been opened so far, newest last: closed in reverse, whether the start failed or the process is told to stop. */
const opened: (() => Promise<void> | void)[] = [];
/** How others are told that this process stops, and how many milliseconds they have to turn away; null before it has a port. */
let beforeEnd: { readonly delay: number; readonly leave: () => void } | null = null;
/** When it was first told to stop (`performance.now()`). */
let toldToStop: number | null = null;
let ending: Promise<void> | null = null;
let folder: DataFolder | null = null;

try {
  await start(readConfig());
} catch (error) {
  const sentence =
    error instanceof StartError
      ? error.message
      : `Mergelight cannot start: ${(error as Error)?.stack ?? String(error)}`;
  process.stderr.write(`${sentence}\n`);
  await end(1);
}

async function start(config: Config): Promise<void> {
  const log = openLog(config.log_level, config.log_format);
  process.on('SIGTERM', () => leave(0, log));
  process.on('SIGINT', () => leave(0, log));

  // What this process makes is its owner's alone.
  process.umask(0o077);
  for (const sentence of warningsOf(config)) log.warn(sentence);
  // Whoever waits for a web process on the same machine comes first.
  if (config.role === 'worker') giveWay();

  const listener = await listen(config);
  opened.push(() => listener.close());
  beforeEnd = { delay: config.shutdown_delay, leave: () => listener.leave() };
  const at = (sentence: string) => listener.show(updating(sentence));

  if (config.database_url === null)
    await waitForSpace(config.data_dir, {
      ...{ free: freeSpace, sleep },
      onWait() {
        log.error({ folder: config.data_dir }, `${DISK_IS_FULL}: waiting for room before the database is opened`);
        listener.show({
          code: 'disk_full',
          heading: DISK_IS_FULL,
          sentence: `${DISK_IS_FULL}. Make room where DATA_DIR is, 64 MB or more; Mergelight looks every 5 seconds and starts by itself.`,
        });
      },
    }).catch((error: unknown) => {
      throw folderError(config.data_dir, error);
    });
  if (config.database_url === null) {
    at('Opening the data folder.');
    folder = await takeDataFolder(config.data_dir, undefined, (sentence) => log.warn(sentence));
    const { lease } = folder;
    opened.push(() => lease.release());
    lease.lost.then((reason) => {
      // Nothing is closed: a database that is closed writes, and the folder is another's.
      log.fatal(`${reason} This one ends.`);
      process.exit(1);
    });
  }
  if (config.backups !== null && config.role !== 'web') await readyBackupFolder(config.backups.folder);
  const box = secretBox(folder === null ? (config.secret_keys ?? []) : await keysAt(folder.path, config));
  const changeKeys =
    config.secret_keys === null ? keyChanges(box, { store: (keys) => storeKeys(config.data_dir, keys) }) : null;
  const demo = config.demo ? await openDemo(config, log) : null;
  at('Opening the database.');
  if (config.durability === 'relaxed') log.warn(RELAXED);
  const database = await openDatabase(
    config.database_url === null
      ? {
          kind: 'embedded',
          folder: join(config.data_dir, 'database'),
          sync: config.durability === 'full',
          ...(folder !== null && { lease: folder.lease.guard }),
        }
      : {
          kind: 'postgresql',
          url: config.database_url,
          direct_url: config.database_direct_url,
          connections: config.database_connections,
          // Workers store what they read: they ask the primary alone.
          replica: config.role === 'worker' ? null : config.database_replica,
        },
    (err) => log.error({ err }, 'database connection lost'),
    (sentence) => log.warn(sentence),
  );
  opened.push(() => database.close());
  database.lost.then((err) => {
    log.fatal({ err }, 'the embedded database broke: Mergelight ends');
    return end(1, log);
  });
  await migrate(database.db, (step) => {
    switch (step.kind) {
      case 'schema':
        at('Bringing the database up to this version.');
        return log.info({ migrations: step.migrations }, 'bringing the database up to this version');
      case 'waiting':
        at(`Waiting: ${step.reason}.`);
        return log.warn({ reason: step.reason }, 'waiting to set up the database');
      case 'without_title_index':
        return log.warn({ reason: step.reason }, 'searches read all titles: PostgreSQL has no extension pg_trgm here');
    }
  });

  if (config.role !== 'worker' && database.kind === 'postgresql')
    opened.push(
      await keepFrontEndFiles(database.db, webFolder, now, (err) =>
        log.error({ err }, 'what the pages of this version load is not kept for processes of other versions'),
      ),
    );

  at('Starting.');
  const backup = () =>
    makeBackup({
      database,
      database_url: directAddress(config)?.url ?? null,
      box,
      now,
      notice: (sentence) => log.warn(sentence),
    });
  if (folder !== null) {
    const commands = {
      backup,
      async 'rotate-key'() {
        const result = await rotateKey(database.db, box, changeKeys);
        log.info({ ...result }, 'stored secrets were sealed again');
        return { ...result, made: changeKeys !== null, keys: box.keys.length };
      },
    };
    const socket = await openControlSocket(folder.path, commands, log);
    opened.push(() => socket.close());
  }
  const server = await composed(config, { box, changeKeys }, database, demo, listener, backup, log);
  opened.push(() => server.stop(PATIENCE));
  if (server.metrics !== null && config.metrics_port !== null) await openMetrics(server.metrics, config);
  await server.app.ready();
  listener.open();
  greet(config);
  endWhenOutdated(database, log);
}

/** Ends this process, with one line, once a newer version has upgraded its database: its code no longer fits what is stored. */
function endWhenOutdated({ db }: OpenDatabase, log: Log): void {
  const look = async () => {
    // While the database is away there is nothing to see.
    const newer = await partsOfNewerVersions(db).catch(() => []);
    if (newer.length === 0 || ending !== null) return;
    clearInterval(timer);
    process.stderr.write(
      `A newer Mergelight has upgraded the database (it has ${newer.join(', ')}): this process ends. Start the newer version.\n`,
    );
    await leave(1, log);
  };
  const timer = setInterval(look, LOOK_FOR_NEWER_VERSION);
  opened.push(() => clearInterval(timer));
}

async function composed(
  config: Config,
  { box, changeKeys }: { box: SecretBox; changeKeys: ChangeKeys | null },
  database: OpenDatabase,
  demo: ServerDeps['demo'],
  listener: Listener,
  backup: ServerDeps['backup'],
  log: Log,
): Promise<Server> {
  const place = { ...addresses(config.github_url) };
  const web = new URL(place.web_url);
  const host = githubHost({
    key: place.web_url,
    label: web.hostname === 'github.com' ? 'GitHub' : web.host,
    web_url: place.web_url,
    api_url: config.github_api_url ?? place.api_url,
    graphql_url: config.github_graphql_url ?? place.graphql_url,
    oauth: config.github_oauth && { ...config.github_oauth, app: config.github_app },
    now,
    log,
  });
  // Most of the code is loaded here, while the port is already open.
  const { composeServer } = await import('./compose.ts');
  return await composeServer({
    ...{ config, database, box, host, demo, listener, backup, now, log },
    dropOldKeys: changeKeys && droppingOldKeys(database.db, box, changeKeys, now),
    image_sources:
      web.hostname === 'github.com'
        ? ['https://avatars.githubusercontent.com']
        : [web.origin, `${web.protocol}//avatars.${web.host}`, 'https://avatars.githubusercontent.com'],
    web_folder: webFolder,
    random: Math.random,
    check_answers: false,
  });
}

async function openDemo(config: Config, log: Log): Promise<NonNullable<ServerDeps['demo']>> {
  const process = await startDemoHost({
    program: join(root, 'src/simulator/main.ts'),
    data_dir: config.data_dir,
    public_url: `${config.public_url}${demoPath}`,
    now,
    log,
  });
  opened.push(() => process.stop());
  const host = githubHost({ key: DEMO_HOST, label: DEMO_HOST, ...addresses(process.url), oauth: null, now, log });
  const everywhere = ['0.0.0.0', '::', '*'].includes(config.host);
  const here = everywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return { process, host, deliver_to: `http://${here}:${config.port}` };
}

async function listen({ host, port }: Config): Promise<Listener> {
  try {
    return await listenOn({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new StartError(
        `PORT: ${port} is in use by another program. Stop that one, or start with another PORT.`,
        error,
      );
    if (code === 'EACCES')
      throw new StartError(
        `PORT: ${port} needs rights that this user does not have (${reasonOf(error)}). Start with another PORT.`,
        error,
      );
    throw new StartError(`HOST: cannot listen on ${host}:${port} (${reasonOf(error)}).`, error);
  }
}

async function openMetrics(metrics: Metrics, { metrics_host, metrics_port }: Config): Promise<void> {
  try {
    const app = await listenForMetrics(metrics, { host: metrics_host, port: metrics_port ?? 0 });
    opened.push(() => app.close());
  } catch (error) {
    throw new StartError(
      `METRICS_PORT: cannot listen on ${metrics_host}:${metrics_port} (${reasonOf(error)}). Set another METRICS_PORT.`,
      error,
    );
  }
}

function greet(config: Config): void {
  const ways = [
    config.demo && 'view the demo',
    config.github_oauth !== null && `sign in with ${config.github_url}`,
    config.allow_token_sign_in && 'sign in with a personal access token',
  ].filter((way) => way !== false);
  const next =
    config.role === 'worker'
      ? 'It works on the queue; people use the web processes.'
      : ways.length === 0
        ? 'Nobody can sign in: set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, or leave ALLOW_TOKEN_SIGN_IN on.'
        : `Open it to ${ways.join(', or to ')}.`;
  process.stdout.write(`Mergelight is ready at ${config.public_url}\n${next}\n`);
}

/** Ends the process once others have turned away from it; a second call, unless it comes at once, does not wait for them. */
async function leave(code: number, log: Log): Promise<void> {
  if (toldToStop !== null && performance.now() - toldToStop < SAME_SIGNAL) return;
  toldToStop ??= performance.now();
  const before = beforeEnd;
  beforeEnd = null;
  if (before !== null && before.delay > 0 && ending === null) {
    before.leave();
    await sleep(before.delay);
  }
  await end(code, log);
}

/** Closes what was opened and ends the process; a second call waits for the first. */
function end(code: number, log?: Log): Promise<void> {
  ending ??= (async () => {
    folder?.lease.stopping();
    const late = setTimeout(() => process.exit(code), LAST_CALL);
    for (const close of opened.reverse()) {
      try {
        await close();
      } catch (error) {
        log?.error({ err: error }, 'could not be closed');
      }
    }
    clearTimeout(late);
    process.exit(code);
  })();
  return ending;
}
