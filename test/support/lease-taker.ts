/*
 * A process that takes the lease of a folder, says so or why not, and keeps it until it is killed (with `once`: gives it back).
 */
import { takeLease } from '../../src/server/db/lease.ts';

const [folder = '', mode] = process.argv.slice(2);
const began = performance.now();
try {
  const lease = await takeLease(folder);
  process.stdout.write(`took ${lease.guard.generation} after ${Math.round(performance.now() - began)}\n`);
  if (mode === 'once') lease.release();
  else setInterval(() => undefined, 1000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
