// What the tests need of the machine beside packages: PostgreSQL and a Chromium. Missing ones are installed where that is possible.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment, node, root } from './bootstrap.js';

/** By the system's package manager: its command, how it is refreshed, and what the packages are called there. */
const managers = [
  {
    command: 'apt-get',
    refresh: ['update', '-qq'],
    install: ['install', '-y', '-qq', '--no-install-recommends'],
    // Chromium without what draws windows does the same tests with a seventh less work.
    packages: {
      postgresql: ['postgresql'],
      pgbouncer: ['pgbouncer'],
      headlessChromium: ['chromium-headless-shell', 'fonts-liberation'],
      chromium: ['chromium', 'fonts-liberation'],
    },
  },
  {
    command: 'dnf',
    install: ['install', '-y', '-q'],
    packages: { postgresql: ['postgresql-server'], pgbouncer: ['pgbouncer'], chromium: ['chromium'] },
  },
  {
    command: 'apk',
    install: ['add', '--quiet'],
    packages: { postgresql: ['postgresql'], pgbouncer: ['pgbouncer'], chromium: ['chromium'] },
  },
  {
    command: 'brew',
    install: ['install', '--quiet'],
    packages: { postgresql: ['postgresql@17'], pgbouncer: ['pgbouncer'], chromium: ['--cask', 'chromium'] },
    asUser: true,
  },
];

/** Whether the tests will find PostgreSQL's programs; says so when they cannot be had. */
export async function ensurePostgresql() {
  if (process.env.TEST_POSTGRESQL_URL || findPostgresql()) return;
  await install('postgresql');
  if (!findPostgresql()) console.error('PostgreSQL could not be installed: the tests that need it will say so.');
}

/** Whether the tests will find PgBouncer; says so when it cannot be had. */
export async function ensurePgbouncer() {
  const found = () => [...onPath(), '/usr/sbin'].some((folder) => existsSync(join(folder, 'pgbouncer')));
  if (found()) return;
  await install('pgbouncer');
  if (!found()) console.error('PgBouncer could not be installed: the tests that need it will say so.');
}

/** The path of a Chromium or Chrome; null when none can be had. */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== null) return found;
  for (const kind of ['headlessChromium', 'chromium']) {
    const installed = (await install(kind)) ? findChromium() : null;
    if (installed !== null) return installed;
  }
  console.log('Asking Playwright for a Chromium …');
  const args = [
    join(root, 'node_modules/playwright/cli.js'),
    'install',
    ...(isRoot() ? ['--with-deps'] : []),
    'chromium',
  ];
  if (!(await succeeds(node(), args, { cwd: root, env: environment() })))
    console.error('No Chromium could be installed: the tests in the browser will fail.');
  const ask = "process.stdout.write((await import('playwright')).chromium.executablePath())";
  const { stdout } = spawnSync(node(), ['--input-type=module', '-e', ask], { cwd: root, encoding: 'utf8' });
  return existsSync(stdout) ? stdout : null;
}

function findPostgresql() {
  const roots = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr'];
  const packaged = roots.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .map((name) => join(folder, name))
          .filter((path) => /(postgresql\/\d+|postgresql@\d+|pgsql-\d+)$/.test(path))
          .map((path) => join(path, 'bin'))
      : [],
  );
  return [...packaged, ...onPath()].some((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

function findChromium() {
  if (process.env.CHROMIUM_PATH && existsSync(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'chrome',
  ];
  const places = [
    ...onPath().flatMap((folder) => names.map((name) => join(folder, name))),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return places.find((path) => existsSync(path)) ?? null;
}

/** Package managers that know what is newest. */
const refreshed = new Set();

async function install(what) {
  const manager = managers.find(({ command }) => onPath().some((folder) => existsSync(join(folder, command))));
  if (!manager?.packages[what]) return false;
  const sudo = isRoot() || manager.asUser ? [] : ['sudo', '-n'];
  const run = async (...args) => {
    const [command, ...rest] = [...sudo, manager.command, ...args];
    return await succeeds(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  };
  console.log(`Installing ${what} with ${manager.command} …`);
  if (manager.refresh && !refreshed.has(manager) && (await run(...manager.refresh))) refreshed.add(manager);
  return await run(...manager.install, ...manager.packages[what]);
}

/** Whether a program that others may run beside ends well. */
async function succeeds(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const [status] = await once(child, 'close').catch(() => [null]);
  return status === 0;
}

function isRoot() {
  return process.getuid?.() === 0;
}

function onPath() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}
