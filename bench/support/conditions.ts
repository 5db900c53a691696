import { cpus, loadavg, totalmem } from 'node:os';

/** The machine, the version of Node, and how busy the machine is, for the head of a report. */
export function conditions(): string {
  const load = (loadavg()[0] ?? 0) / cpus().length;
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory} GB of memory, Node ${process.versions.node}`;
  return load < 1
    ? `On ${machine}.`
    : `On ${machine}, which others used too (${load.toFixed(1)} processes per core at the end): its times tell little.`;
}
