import { expect, test } from 'vitest';
import { openLog } from './log.ts';

test('a text that somebody sends begins no line of its own in the log', () => {
  const lines: string[] = [];
  const log = openLog('debug', 'text', { write: (line: string) => void lines.push(line) });

  log.debug({ path: '/x\n12:00:00 info: all is well' }, 'request');
  log.warn({ err: new Error('no\u001b[2Kanswer') }, 'look failed');
  log.info({ path: '/prs' }, 'request');

  expect(lines.map((line) => line.slice('00:00:00 '.length))).toEqual([
    'debug: request (path "/x\\n12:00:00 info: all is well")\n',
    'warning: look failed: "no\\u001b[2Kanswer"\n',
    'info: request (path /prs)\n',
  ]);
});
