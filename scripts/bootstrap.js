// What the other scripts share. Plain JavaScript without packages: it runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ownNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const NODE_NEEDED = 26;
/** Names whoever installs or builds here. */
const lockFile = join(root, '.setup-lock');
const ownLock = `process ${process.pid} on ${hostname()}`;
/** In milliseconds: an older lock was left by a process that was killed, whose number may be another one's by now, or of another container. */
const LONGEST_SETUP = 15 * 60_000;
/** The output is that of the command itself, which may go into a file: what happens before it is said on standard error. */
const withoutOutput = ['inherit', 2, 2];

/** Installs the packages when there are none, or not those of the lock file. Ends the process when that fails. */
export function ensureInstalled() {
  setUp(isInstalled, install);
}

function install() {
  console.error('Installing packages …');
  // Whatever this environment says about production, building and running need the development packages too.
  const { NODE_ENV, npm_config_omit, npm_config_production, npm_config_only, ...environment } = process.env;
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...before] = npm;
  const { status, error } = spawnSync(command, [...before, 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: withoutOutput,
    env: { ...environment, npm_config_loglevel: 'error' },
    shell: process.platform === 'win32' && npm.length === 1,
  });
  if (status !== 0)
    fail(`Packages could not be installed${error ? ` (${error.message})` : ''}: see above, then try again.`);
}

/** Compares what npm wrote down of its last installation with what is wanted; packages of other systems are left out there. */
function isInstalled() {
  const installed = packagesIn(join(root, 'node_modules/.package-lock.json'));
  const wanted = packagesIn(join(root, 'package-lock.json'));
  if (installed === null || wanted === null) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    return installed[path] === undefined ? optional === true : installed[path].version === version;
  });
}

function packagesIn(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : null;
}

/** Builds the front end when it is missing or made of anything else than what is here. Ends the process when that fails. */
export function ensureBuilt() {
  const page = join(root, 'dist/web/index.html');
  const note = join(root, 'dist/web.sources');
  const sources = fingerprintOf(['src/web', 'src/domain', 'src/contract', 'vite.config.ts', 'package-lock.json']);
  // One that is newer than the note was built by another command.
  const isBuilt = () => existsSync(page) && modified(note) >= modified(page) && readFileSync(note, 'utf8') === sources;
  setUp(isBuilt, () => {
    console.error('Building the front end …');
    const { status } = spawnSync(node(), [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: withoutOutput,
      env: { ...environment(), NODE_ENV: 'production' },
    });
    if (status !== 0) fail('The front end could not be built: see above.');
    writeFileSync(note, sources);
  });
}

/** Does what is not done yet, one process at a time: two that start at once would write over each other. */
function setUp(isDone, act) {
  if (isDone()) return;
  takeLock();
  if (!isDone()) act();
  releaseLock();
}

function takeLock() {
  process.once('exit', releaseLock);
  for (let hasSaid = false; !makeLock(); sleep(200)) {
    const holder = lockHolder();
    if (isGone(holder)) rmSync(lockFile, { force: true });
    else if (!hasSaid) {
      hasSaid = true;
      console.error(
        `Waiting for ${holder || 'another process'}, which installs or builds here; its lock is ${lockFile} …`,
      );
    }
  }
}

/** False where there is a lock. */
function makeLock() {
  try {
    writeFileSync(lockFile, ownLock, { flag: 'wx' });
  } catch (error) {
    // Where no file can be made, as in a folder that may only be read, it goes on without one.
    return error.code !== 'EEXIST';
  }
  // Another process may have found the same lock of a killed one, and deleted this one instead: then it has its own here.
  sleep(100);
  return lockHolder() === ownLock;
}

function releaseLock() {
  if (lockHolder() === ownLock) rmSync(lockFile, { force: true });
}

/** Empty where there is no lock, or nothing in it yet. */
function lockHolder() {
  try {
    return readFileSync(lockFile, 'utf8');
  } catch (error) {
    return error.code === 'ENOENT' ? '' : 'another process';
  }
}

function isGone(holder) {
  const made = modified(lockFile);
  if (made === 0) return false;
  if (holder === ownLock || Date.now() - made > (holder === '' ? 5000 : LONGEST_SETUP)) return true;
  const [, pid, machine] = /^process (\d+) on (.+)$/.exec(holder) ?? [];
  if (machine !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The Node that runs the product: the one among the packages, else this one when it is new enough. */
export function node() {
  if (existsSync(ownNode) && spawnSync(ownNode, ['--version']).status === 0) return ownNode;
  if (Number(process.versions.node.split('.')[0]) >= NODE_NEEDED) return process.execPath;
  return fail(
    `Node ${NODE_NEEDED} is needed; this is ${process.version}, and the one among the packages does not run here. ` +
      `Install Node ${NODE_NEEDED}, or run "npm rebuild node" and try again.`,
  );
}

/** This process's environment, in which `node` and the packages' commands are those of the product. */
export function environment() {
  const path = [dirname(node()), join(root, 'node_modules/.bin'), process.env.PATH ?? ''];
  // Compiled code is kept between starts: they are a good second shorter on a slow machine.
  const cache = join(root, 'node_modules/.cache/compiled');
  return { NODE_COMPILE_CACHE: cache, ...process.env, PATH: path.join(delimiter) };
}

/**
 * What keeps the memory of a server small and can only be said before it starts. glibc gives back pieces from 64 kB up at once instead of
 * keeping them for threads that may be gone, and V8 collects young objects sooner than it would: `npm run bench sync` shows the memory.
 * Other systems do not know the first of the two.
 */
export function sparing() {
  return {
    MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? String(64 * 1024),
    NODE_OPTIONS: `--max-semi-space-size=8 ${process.env.NODE_OPTIONS ?? ''}`.trim(),
  };
}

/** Runs a program of the product in the foreground: it gets our signals, and we end as it ends. */
export function become(args, extra = {}) {
  const child = spawn(node(), args, { cwd: root, stdio: 'inherit', env: { ...environment(), ...extra } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event !== undefined) endWithParent(() => child.kill('SIGTERM'));
  child.once('error', (error) => fail(`Cannot start ${args[0]}: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
  return child;
}

/** A file as whoever typed the command means it: npm runs it in the project's folder. Options stay as they are. */
export function fromHere(argument) {
  return argument.startsWith('-') ? argument : resolve(process.env.INIT_CWD ?? process.cwd(), argument);
}

/** npm passes a signal on to the shell between us, which dies of it without a word: our parent is then another one. */
function endWithParent(end) {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    end();
  }, 250);
}

/** Says why in one line, and ends the process. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Epoch milliseconds; 0 of what does not exist. */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Of the contents of files and of all files in folders: dates are those of an archive, or of whoever copied them. */
function fingerprintOf(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (statSync(join(root, path)).isDirectory())
      for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
    else
      hash.update(`${path}\0`).update(
        createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest(),
      );
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}
