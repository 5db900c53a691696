/*
 * How long `npm start` takes until it is ready, with packages and a built front end there: the first time, on nothing, with no compiled code
 * kept; and again on what it left, on both databases. Beside it `npm ci`, which comes before the first start.
 * `npm run bench start [-- ROUNDS]`, 5 by default. Leaves `bench/start.md`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { ServerProcess } from '../test/support/server-process.ts';
import { conditions } from './support/conditions.ts';
import { quantile, spread } from './support/spread.ts';

const root = resolve(import.meta.dirname, '..');
const rounds = Number(process.argv[2] ?? 5);
if (!(Number.isInteger(rounds) && rounds > 0)) {
  console.error('Usage: npm run bench start [-- ROUNDS], how often each is started');
  process.exit(1);
}

const installing = installed();
const measured = new Map<string, { cold: number[]; warm: number[] }>();
for (let round = 0; round <= rounds; round += 1) {
  for (const kind of ['embedded', 'PostgreSQL']) {
    const postgresql = kind === 'PostgreSQL' ? await startPostgresql() : null;
    if (kind === 'PostgreSQL' && postgresql === null) continue;
    const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
    const env = {
      ...{ DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      ...(postgresql && { DATABASE_URL: postgresql.url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }),
    };
    const [cold, warm] = [await started(env), await started(env)];
    await postgresql?.stop();
    rmSync(folder, { recursive: true, force: true });
    // The first one of all may have to build.
    if (round === 0) continue;
    const times = measured.get(kind) ?? { cold: [], warm: [] };
    measured.set(kind, times);
    times.cold.push(cold);
    times.warm.push(warm);
    console.log(`${kind}: ${cold.toFixed(2)} s, again ${warm.toFixed(2)} s`);
  }
}

const rows = [...measured].flatMap(([kind, { cold, warm }]) => [
  `| first start, ${kind} | ${spread(cold, 2)} | ${(quantile(cold, 0.5) / installing).toFixed(2)} |`,
  `| again, ${kind} | ${spread(warm, 2)} | ${(quantile(warm, 0.5) / installing).toFixed(2)} |`,
]);
writeFileSync(
  join(import.meta.dirname, 'start.md'),
  `# Starting

\`npm start\` until \`/readyz\` says so, in seconds, over ${rounds} rounds, with packages and a built front end there: the first time on an empty
folder or database, without compiled code that an earlier start kept; and again on what that left. \`npm run bench start\`. ${conditions()}
\`npm ci\` alone, once, with the packages that npm had kept: ${installing.toFixed(1)} s.

| | median s | least | most | ÷ npm ci |
| --- | --: | --: | --: | --: |
${rows.join('\n')}
`,
);

/** Seconds of `npm ci`, into an empty folder. */
function installed(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, file), join(folder, file));
  const began = performance.now();
  const { status } = spawnSync('npm', ['ci', '--include=dev'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const seconds = (performance.now() - began) / 1000;
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) throw new Error('npm ci failed: see above.');
  console.log(`npm ci: ${seconds.toFixed(1)} s`);
  return seconds;
}

/** Seconds from `npm start` to ready; it has ended when this returns. */
async function started(env: Readonly<Record<string, string>>): Promise<number> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, PORT: String(port), PUBLIC_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = new ServerProcess(child, url);
  const ready = new Promise<number>((told) => {
    server.onReady = told;
  });
  await server.ready();
  await server.stop();
  // npm ends before the server does.
  while (await listens(port)) await pause(50);
  return (await ready) / 1000;
}

function listens(port: number): Promise<boolean> {
  return new Promise((told) => {
    const socket = connect(port, '127.0.0.1', () => told(true));
    socket.once('error', () => told(false));
    socket.once('connect', () => socket.destroy());
  });
}
