import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** Lets the machine's other processes come first, unless this one does so already. Where the system refuses that, all goes on as it is. */
export function giveWay(): void {
  try {
    // Back to a higher one only an administrator may go.
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // Priority is a courtesy to other processes: the worker runs without it as well.
  }
}
