import { expect, it } from 'vitest';
import { formatValue, sizeWords } from './format-value.ts';

it('names sizes in lines', () => {
  expect(['0-50', '501-1000', '1000+'].map((size) => sizeWords(size as '0-50'))).toEqual([
    '0 to 50 lines',
    '501 to 1,000 lines',
    'over 1,000 lines',
  ]);
});

it('reads a share as the screen does that it is opened from', () => {
  expect([formatValue(0.414, 'share'), formatValue(5 / 1191, 'share'), formatValue(79.6, 'percent')]).toEqual([
    '41 %',
    '0.4 %',
    '80 %',
  ]);
});

it('counts one line as one', () => {
  expect([formatValue(1.2, 'lines'), formatValue(1234, 'lines')]).toEqual(['1 line', '1,234 lines']);
});
