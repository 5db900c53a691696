import { join } from 'node:path';
import { composeServer, type Parts, type Server } from './compose.ts';
import { type Config, readConfig } from './config.ts';
import { type DataFolder, keyOf, makeFolder, takeDataFolder } from './db/data-folder.ts';
import { migrate } from './db/migrate.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';
import { startDemoHost } from './demo/demo-host.ts';
import { demoPath } from './demo/demo-pages.ts';
import { addresses } from './host/github/addresses.ts';
import { githubHost } from './host/github/host.ts';
import { type Log, openLog } from './log.ts';
import { secretBox } from './secret-box.ts';
import { reasonOf, StartError } from './start-error.ts';

/** A stop has to be over within ten seconds (server specification, section 1): the work gets most of them. */
const PATIENCE = 7000;
const LAST_CALL = 9500;

const root = join(import.meta.dirname, '../..');
const now = () => new Date();

/** What has been opened so far, newest last: closed in reverse, whether the start failed or the process is told to stop. */
const opened: (() => Promise<void> | void)[] = [];
let ending: Promise<void> | null = null;

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
  const log = openLog(config.log_level);
  process.on('SIGTERM', () => end(0, log));
  process.on('SIGINT', () => end(0, log));

  const folder = config.database_url === null ? await takeDataFolder(config.data_dir) : null;
  if (folder !== null) opened.push(() => folder.release());
  const box = secretBox(config.secret_key ?? (await keyOf(folder as DataFolder)));
  const demo = config.demo ? await openDemo(config, log) : null;
  const database = await openDatabase(
    config.database_url === null
      ? { kind: 'embedded', folder: join(config.data_dir, 'database') }
      : { kind: 'postgresql', url: config.database_url },
    (err) => log.error({ err }, 'database connection lost'),
  );
  opened.push(() => database.close());
  database.lost.then((err) => {
    log.fatal({ err }, 'the embedded database broke: Mergelight ends');
    return end(1, log);
  });
  await migrate(database.db, (step) => {
    if (step.kind === 'schema') log.info({ migrations: step.migrations }, 'bringing the database up to this version');
    else log.info(step, 'counting the sums of a repository anew; a long history takes minutes');
  });

  const server = await composed(config, box, database, demo, log);
  opened.push(() => server.stop(PATIENCE));
  await listen(server, config);
  greet(config);
}

async function composed(
  config: Config,
  box: ReturnType<typeof secretBox>,
  database: OpenDatabase,
  demo: Parts['demo'],
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
    oauth: config.github_oauth,
    now,
    log,
  });
  return await composeServer({
    ...{ config, database, box, host, demo, now, log },
    image_sources:
      web.hostname === 'github.com'
        ? ['https://avatars.githubusercontent.com']
        : [web.origin, `${web.protocol}//avatars.${web.host}`, 'https://avatars.githubusercontent.com'],
    web_folder: join(root, 'dist/web'),
    random: Math.random,
    check_answers: false,
  });
}

async function openDemo(config: Config, log: Log): Promise<NonNullable<Parts['demo']>> {
  await makeFolder(config.data_dir).catch((error: unknown) => {
    throw new StartError(`DATA_DIR: the folder ${config.data_dir} cannot be written (${reasonOf(error)}).`, error);
  });
  const process = await startDemoHost({
    program: join(root, 'src/simulator/main.ts'),
    data_dir: config.data_dir,
    public_url: `${config.public_url}${demoPath}`,
    now,
    log,
  });
  opened.push(() => process.stop());
  const host = githubHost({ key: 'demo', label: 'demo', ...addresses(process.url), oauth: null, now, log });
  const everywhere = ['0.0.0.0', '::', '*'].includes(config.host);
  const here = everywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return { process, host, deliver_to: `http://${here}:${config.port}` };
}

async function listen({ app }: Server, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new StartError(
        `PORT: ${port} is in use by another program. Stop that one, or start with another PORT.`,
        error,
      );
    throw new StartError(`HOST: cannot listen on ${host}:${port} (${reasonOf(error)}).`, error);
  }
}

function greet(config: Config): void {
  const ways = [
    config.demo && 'explore the demo',
    config.github_oauth !== null && `sign in with ${config.github_url}`,
    config.allow_token_sign_in && 'sign in with a personal access token',
  ].filter((way) => way !== false);
  const next =
    config.role === 'worker'
      ? 'It works on the queue; people use the web processes.'
      : `Open it to ${ways.join(', or to ')}.`;
  process.stdout.write(`Mergelight is ready at ${config.public_url}\n${next}\n`);
}

/** Closes what was opened and ends the process; a second call waits for the first. */
function end(code: number, log?: Log): Promise<void> {
  ending ??= (async () => {
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
