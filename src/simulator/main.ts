import { parseArgs } from 'node:util';
import { createClock } from './clock.ts';
import { createHost } from './host.ts';
import { buildWorld, WORLDS, type WorldName } from './worlds/world.ts';

const USAGE = `Usage: node src/simulator/main.ts --world ${WORLDS.join('|')}
  --port 0                 the port to listen on; 0 picks a free one
  --now ISO                the instant at which the host's clock starts; the real time without it
  --since ISO              demo: when its life begins
  --seed N                 demo, generated, company: another draw
  --data FOLDER            recorded: the folder with the data sets
  --count N                generated, company: how many pull requests
  --client-id ID, --client-secret SECRET, --callback-url URL   the registered OAuth app
  --public-url URL         how browsers reach the host
  --no-limits              no rate limits, as an Enterprise Server has by default
  --with-parent            end when stdin closes`;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function time(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) fail(`--${name} '${text}' is no time: write it as 2026-11-21T10:00:00Z.`);
  return at;
}

function whole(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) fail(`--${name} '${text}' is no whole number.`);
  return number;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({
  options: {
    world: text,
    port: text,
    now: text,
    since: text,
    seed: text,
    data: text,
    count: text,
    'client-id': text,
    'client-secret': text,
    'callback-url': text,
    'public-url': text,
    'no-limits': flag,
    'with-parent': flag,
    help: flag,
  },
});
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
if (!WORLDS.includes(values.world as WorldName)) fail(`--world must be one of ${WORLDS.join(', ')}.\n\n${USAGE}`);
const world = values.world as WorldName;
const port = whole('port', values.port) ?? 0;
const numbers = { seed: whole('seed', values.seed), count: whole('count', values.count) };
const since = time('since', values.since);
const clock = createClock(time('now', values.now));

let startBuilding: () => void = () => {};
const listening = new Promise<void>((started) => {
  startBuilding = started;
});
const host = createHost({
  // A large world keeps the process busy for seconds: listening and saying so come first.
  world: listening.then(() =>
    buildWorld({ name: world, now: clock.now(), since, data: values.data ?? null, ...numbers }),
  ),
  clock,
  ...(values['client-id'] === undefined ? {} : { clientId: values['client-id'] }),
  ...(values['client-secret'] === undefined ? {} : { clientSecret: values['client-secret'] }),
  callbackUrl: values['callback-url'] ?? null,
  publicUrl: values['public-url'] ?? null,
});
if (values['no-limits']) Object.assign(host.limits.settings, { graphql: null, core: null });

const end = () => {
  host.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
if (values['with-parent']) {
  process.stdin.resume();
  process.stdin.once('end', end);
  process.stdin.once('error', end);
}

try {
  const url = await host.listen(port);
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  setTimeout(startBuilding, 20);
  await host.ready;
} catch (error) {
  fail(`The simulated host can't start: ${error instanceof Error ? error.message : error}`);
}
