import { expect, it } from 'vitest';
import { sizeWords } from './format-value.ts';

it('names sizes in lines', () => {
  expect(['0-50', '501-1000', '1000+'].map((size) => sizeWords(size as '0-50'))).toEqual([
    '0 to 50 lines',
    '501 to 1,000 lines',
    'over 1,000 lines',
  ]);
});
