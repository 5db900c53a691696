import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { expect, test } from 'vitest';

/** The priority of a process that began with one and gave way. */
function after(beginning: number): number {
  const program = `
    import { getPriority, setPriority } from 'node:os';
    import { giveWay } from './src/server/priority.ts';
    setPriority(${beginning});
    giveWay();
    console.log(getPriority());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return Number(stdout);
}

test('a process gives way to others, and one that does so already does not come nearer to them', () => {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

  expect([after(0), after(PRIORITY_LOW)]).toEqual([PRIORITY_BELOW_NORMAL, PRIORITY_LOW]);
});
