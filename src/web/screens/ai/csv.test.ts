import { describe, expect, it } from 'vitest';
import { comparedFigures } from '#domain/ai-reviewers.ts';
import { reviewersCsv } from './csv.ts';

describe('the file of AI reviewers', () => {
  it('has people’s value and number beside each figure that is told of them, too', () => {
    const names = reviewersCsv.map(({ name }) => name);
    for (const figure of comparedFigures)
      for (const of of [figure, `people_${figure}`]) expect(names).toEqual(expect.arrayContaining([of, `${of}_n`]));
    expect(new Set(names).size).toBe(names.length);
  });
});
