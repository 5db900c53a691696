// Simulated hosts for one process of tests: it says what to start and to stop, and they end with it.
import { hostOfCommandLine } from '../../src/simulator/command-line.ts';
import type { SimulatedHost } from '../../src/simulator/host.ts';

/** What the process of tests says: start a host by arguments of the simulator's command line, or stop it. */
export type SimulatorOrder = { readonly id: number } & (
  | { readonly start: readonly string[] }
  | { readonly stop: true }
);

/** What it is told of an order: an address where a host was started. */
export type SimulatorNews = { readonly id: number } & (
  | { readonly url: string }
  | { readonly stopped: true }
  | { readonly error: string }
);

const hosts = new Map<number, SimulatedHost>();
const tell = (news: SimulatorNews) => process.send?.(news);

process.on('message', (order: SimulatorOrder) => {
  carryOut(order).then(tell, (error: unknown) =>
    tell({ id: order.id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function carryOut(order: SimulatorOrder): Promise<SimulatorNews> {
  const { id } = order;
  if ('stop' in order) {
    await hosts.get(id)?.close();
    hosts.delete(id);
    return { id, stopped: true };
  }
  const described = hostOfCommandLine(order.start);
  if (described === null) throw new Error('A host that is asked for help is not started.');
  const { host, port, buildWorld } = described;
  hosts.set(id, host);
  const url = await host.listen(port);
  // Requests wait for the world; what can't be built is told to whoever asks.
  setTimeout(buildWorld, 20);
  return { id, url };
}
