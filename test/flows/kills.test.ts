import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('a server that is killed at random moments loses nothing that it acknowledged, and holds nothing twice', {
  timeout: 300_000,
}, () => {
  const database = process.env.TEST_DATABASE as string;
  const options = ['--rehearsal', '--kills', '5', '--database', database];

  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/soak/soak.ts', ...options], {
    encoding: 'utf8',
  });

  expect(`${stdout}${stderr}`).toContain('5 kills: nothing acknowledged was lost, nothing doubled.');
  expect(status).toBe(0);
});
