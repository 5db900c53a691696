import { expect, it } from 'vitest';
import { type SignalKey, signalKeys, signalTraits } from '#domain/signals.ts';
import { signals } from './signals.ts';
import { openAt } from './sources/for-signals.ts';

const having = (trait: keyof (typeof signalTraits)[SignalKey]) => signalKeys.filter((key) => signalTraits[key][trait]);

it('signals are counted the way that screens tell them', () => {
  expect(having('isMeasure')).toEqual(signalKeys.filter((key) => signals[key].made !== 'share'));
  expect(having('isAtEnd')).toEqual(signalKeys.filter((key) => signals[key].from === openAt));
  expect(having('leavesOutTrivial')).toEqual(
    signalKeys.filter((key) => signals[key].leftOut?.some(({ why }) => why === 'trivial')),
  );
});
