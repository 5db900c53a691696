import { parseArgs } from 'node:util';
import { createClock } from './clock.ts';
import { createHost, type SimulatedHost } from './host.ts';
import { buildWorld, WORLDS, type WorldName } from './worlds/world.ts';

export const USAGE = `Usage: node src/simulator/main.ts --world ${WORLDS.join('|')}
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

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
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
} as const;

/** What the command line asks for. */
export interface HostOfCommandLine {
  readonly host: SimulatedHost;
  readonly port: number;
  /** To be called once the host listens: a large world keeps the process busy for seconds. */
  buildWorld(): void;
  readonly with_parent: boolean;
}

/**
 * Reads the command line's arguments, without those of Node, and creates the host that they describe; null where they ask for help.
 * Throws an error with the sentence to print for arguments that say nothing sensible.
 */
export function hostOfCommandLine(args: readonly string[]): HostOfCommandLine | null {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return null;
  if (!WORLDS.includes(values.world as WorldName)) {
    throw new Error(`--world must be one of ${WORLDS.join(', ')}.\n\n${USAGE}`);
  }
  const name = values.world as WorldName;
  const numbers = { seed: whole('seed', values.seed), count: whole('count', values.count) };
  const since = time('since', values.since);
  const clock = createClock(time('now', values.now));
  const { promise: asked, resolve: startBuilding } = Promise.withResolvers<void>();
  const host = createHost({
    world: asked.then(() => buildWorld({ name, now: clock.now(), since, data: values.data ?? null, ...numbers })),
    clock,
    ...(values['client-id'] === undefined ? {} : { clientId: values['client-id'] }),
    ...(values['client-secret'] === undefined ? {} : { clientSecret: values['client-secret'] }),
    callbackUrl: values['callback-url'] ?? null,
    publicUrl: values['public-url'] ?? null,
  });
  if (values['no-limits']) Object.assign(host.limits.settings, { graphql: null, core: null });
  return {
    host,
    port: whole('port', values.port) ?? 0,
    buildWorld: () => startBuilding(),
    with_parent: values['with-parent'] ?? false,
  };
}

function time(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`--${name} '${text}' is not a time: write it as 2026-11-21T10:00:00Z.`);
  return at;
}

function whole(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} '${text}' is not a whole number.`);
  return number;
}
