// Simulated hosts for one process of tests, which starts and stops them by messages. They end with it.
import { hostOfCommandLine } from '../../src/simulator/command-line.ts';
import type { SimulatedHost } from '../../src/simulator/host.ts';

/** From the process of tests: starts a host by arguments of the simulator's command line, or stops the one that was started by this id. */
export type SimulatorRequest = { readonly id: number } & (
  | { readonly start: readonly string[] }
  | { readonly stop: true }
);

/** To the process of tests, with the id of its request: the host's address after a start. */
export type SimulatorReply = { readonly id: number } & (
  | { readonly url: string }
  | { readonly stopped: true }
  | { readonly error: string }
);

const hosts = new Map<number, SimulatedHost>();
const reply = (message: SimulatorReply) => process.send?.(message);

process.on('message', (request: SimulatorRequest) => {
  handle(request).then(reply, (error: unknown) =>
    reply({ id: request.id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function handle(request: SimulatorRequest): Promise<SimulatorReply> {
  const { id } = request;
  if ('stop' in request) {
    await hosts.get(id)?.close();
    hosts.delete(id);
    return { id, stopped: true };
  }
  const described = hostOfCommandLine(request.start);
  if (described === null) throw new Error('--help starts no host.');
  const { host, port, buildWorld } = described;
  const url = await host.listen(port);
  hosts.set(id, host);
  // Requests wait for the world, and get its error where it can't be built.
  setTimeout(buildWorld, 20);
  return { id, url };
}
