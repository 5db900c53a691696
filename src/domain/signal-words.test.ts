import { describe, expect, it } from 'vitest';
import { signalNames, signalRuleOf } from './signal-words.ts';
import { defaultHealthSettings, type HealthSettings, signalKeys } from './signals.ts';

const others: HealthSettings = {
  trivial: { lines: 1, files: 2 },
  stamped: { words: 1, minutes: 7, lines_per_minute: 1200 },
  ping_pong: { rounds: 5, turns: 6 },
  big: 1000,
  long_open_days: 21,
  stale_approval_days: 1,
  generated: [],
};

describe('the words of signals', () => {
  it('are a name, a sentence and what would make it wrong, of each signal', () => {
    for (const key of signalKeys) {
      const { rule, wrongWhere } = signalRuleOf(key, defaultHealthSettings);
      expect(signalNames[key]).toMatch(/^[A-Z][^.]+$/);
      expect(rule).toMatch(/^(\d|[A-Z]).+\.$/);
      expect(wrongWhere).toMatch(/^[a-z].+\.$/);
    }
  });

  it.each([
    [
      'stamped',
      'at most 1 word by anybody, no comment at a line, and within 7 minutes or a minute for each 1,200 lines',
    ],
    ['ping_pong', '5 review rounds or more, or handed back by the author 6 times within 24 hours'],
    ['big', 'More than 1,000 changed lines'],
    ['long_open', 'more than 21 days'],
    ['stale_approval', 'more than 1 day and'],
  ] as const)('say the thresholds that hold: %s', (key, words) => {
    expect(signalRuleOf(key, others).rule).toContain(words);
  });
});
