import { describe, expect, it } from 'vitest';
import { countOf, countWords, differenceOf, partsOf, pointsText, reviewerName, valueText } from './words.ts';

describe('AI in review in words', () => {
  it.each([
    [-0.14, '−14 points'],
    [0.052, '+5 points'],
    [-0.01, '−1 point'],
    [0.004, '0 points'],
    [null, null],
  ])('tells a difference of %s to people in points, with its sign', (lift, words) => {
    expect(pointsText(lift)).toBe(words);
  });

  it('calls a reviewer by its tool where that is known, else by its account', () => {
    expect(reviewerName({ reviewer: 'copilot-pull-request-reviewer[bot]', tools: ['copilot'] })).toBe('Copilot');
    expect(reviewerName({ reviewer: 'coderabbitai[bot]', tools: ['coderabbitai'] })).toBe('coderabbitai');
  });

  it('tells values with their unit, and what is not there as N/A', () => {
    expect(valueText(0.834, 'share')).toBe('83 %');
    expect(valueText(5 / 1191, 'share')).toBe('0.4 %');
    expect(valueText(0, 'share')).toBe('0 %');
    expect(valueText(1 / 6, 'hours')).toBe('10 min');
    expect(valueText(1, 'lines')).toBe('1 line');
    expect(valueText(1234, 'lines')).toBe('1,234 lines');
    expect(valueText(1.25, 'mean')).toBe('1.3');
    expect(valueText(null, 'share')).toBe('N/A');
    expect(partsOf(null, 'hours')).toBeNull();
  });

  it('counts what a share is of', () => {
    expect(countOf({ value: 0.82, n: 336 })).toBe(276);
    expect(countOf({ value: null, n: 0 })).toBe(0);
  });

  it('compares with nothing where there is nothing', () => {
    expect(differenceOf(12, 10)).toBeCloseTo(20);
    expect(differenceOf(12, 0)).toBeNull();
    expect(differenceOf(0, 0), 'neither has any').toBe(0);
    expect(differenceOf(null, 10)).toBeNull();
  });

  it('says over how many something is, of few in brackets', () => {
    expect([0, 7, 19, 20, 1234].map(countWords)).toEqual(['(n = 0)', '(n = 7)', '(n = 19)', 'n 20', 'n 1,234']);
  });
});
