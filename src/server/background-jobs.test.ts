import { expect, test } from 'vitest';
import { queues } from './background-jobs.ts';

test('what is done once a day is begun in whichever hour a process runs', () => {
  const daily = queues.filter((queue) => queue.daily);

  expect(daily.map(({ name }) => name)).toEqual(['follow-owners', 'read-teams', 'forget-people']);
  for (const { cron } of daily) expect(cron).toMatch(/^\d+ \* \* \* \*$/);
});
