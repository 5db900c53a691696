import { describe, expect, it } from 'vitest';
import { type ComparedPullRequest, insightsOf, successPatternsOf } from './insights.ts';

function compared(overrides: Partial<ComparedPullRequest>): ComparedPullRequest {
  return {
    state: 'merged',
    cycleTime: 10,
    linesChanged: 100,
    reviewCycles: 3,
    timeToFirstReview: 1,
    cycleTimePercentile: null,
    sizePercentile: null,
    authorAverageCycleTime: null,
    authorAverageSize: null,
    teamMedianCycleTime: null,
    ...overrides,
  };
}

describe('insights', () => {
  it.each<[string, Partial<ComparedPullRequest>, string[]]>([
    ['nothing known', {}, []],
    ['the bounds', { cycleTimePercentile: 75, sizePercentile: 80, reviewCycles: 3 }, []],
    ['a long cycle time', { cycleTimePercentile: 75.1 }, ['warning Long Cycle Time']],
    ['a large size', { sizePercentile: 80.1 }, ['warning Large PR Size']],
    ['many rounds', { reviewCycles: 4 }, ['info Multiple Review Rounds']],
    ['20 % faster than the author', { cycleTime: 8, authorAverageCycleTime: 10 }, []],
    ['more than 20 % faster so far', { state: 'open', cycleTime: 7.9, authorAverageCycleTime: 10 }, []],
    ['closed after a short time', { state: 'closed', cycleTime: 7.9, authorAverageCycleTime: 10 }, []],
    ['more than 20 % faster', { cycleTime: 7.9, authorAverageCycleTime: 10 }, ['success Excellent Performance']],
  ])('with %s', (_what, overrides, expected) => {
    expect(insightsOf(compared(overrides)).map(({ level, title }) => `${level} ${title}`)).toEqual(expected);
  });

  it('say by how much, in whole percents', () => {
    const [faster] = insightsOf(compared({ cycleTime: 7.94, authorAverageCycleTime: 10 }));
    expect(insightsOf(compared({ cycleTimePercentile: 77.6 }))[0]?.text).toContain('Took longer than 78% of PRs');
    expect(insightsOf(compared({ sizePercentile: 80.6 }))[0]?.text).toContain('Larger than 81% of PRs');
    expect(faster?.text).toContain('21% faster');
    expect(insightsOf(compared({ cycleTime: 0.01, authorAverageCycleTime: 10 }))[0]?.text).toContain('99% faster');
    expect(insightsOf(compared({ sizePercentile: 99.9 }))[0]?.text).toContain('Larger than 99% of PRs');
  });
});

describe('success patterns', () => {
  it.each<[string, Partial<ComparedPullRequest>, string[]]>([
    ['at the team median', { teamMedianCycleTime: 10 }, []],
    [
      'below the team median',
      { teamMedianCycleTime: 10.1 },
      ['Smaller than average PR size', 'Quick first review response'],
    ],
    ['below it while it is open', { state: 'open', teamMedianCycleTime: 10.1 }, []],
    ['two rounds', { reviewCycles: 2 }, ['Minimal review cycles needed']],
    ['no review yet', { reviewCycles: 0, timeToFirstReview: null }, []],
    ['one as a draft alone', { reviewCycles: 1, timeToFirstReview: null }, ['Minimal review cycles needed']],
    ['the author’s average size', { authorAverageSize: 100 }, []],
    ['below it', { authorAverageSize: 101 }, ['Focused scope of changes']],
  ])('with %s', (_what, overrides, expected) => {
    expect(successPatternsOf(compared(overrides)).map(({ title }) => title)).toEqual(expected);
  });

  it('say by which figures', () => {
    const patterns = successPatternsOf(
      compared({ teamMedianCycleTime: 96, reviewCycles: 1, authorAverageSize: 1200.4 }),
    );

    expect(patterns.map(({ text }) => text)).toEqual([
      'Cycle time 10.0 h, the team’s median is 4.0 d.',
      'Cycle time 10.0 h, the team’s median is 4.0 d.',
      '1 round of review.',
      '100 lines changed, the author’s average is 1,200.',
    ]);
  });
});
