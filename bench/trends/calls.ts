import { trendFigures } from '../../src/contract/trends.ts';
import { describedFigures } from '../../src/server/trends/figures.ts';
import { type Call, callsOf } from '../api/calls.ts';
import { NOW } from '../api/fill.ts';

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY).toISOString();

/** Those that read most of each source. */
const heaviest = [
  ...['opened', 'merged', 'time_to_merge', 'time_to_first_review', 'reviews', 'response_time', 'open', 'stuck'],
  ...['merged_unreviewed', 'stamped', 'review_depth', 'long_open', 'stale_approval', 'reverted', 'followed_up'],
  ...['ci_wait', 'concentration'],
];
const daily = ['time_to_merge', 'reviews', 'stuck', 'stamped', 'long_open'];

/** Trends over 104 weeks, and what signals are told by. */
export function trendCalls(user_id: number): Call[] {
  const { call } = callsOf(user_id);
  const aggregateOf = (figure: string) => {
    const { aggregates } = describedFigures.find(({ key }) => key === figure)!;
    return aggregates.length === 1 ? 'value' : figure === 'response_time' ? 'p90' : 'p50';
  };
  const trend = (name: string, limit: number, query: object): Call => ({
    ...call(name, 'getTrends', { aggregate: 'value', split: 'none', bucket: 'week', from: daysAgo(104 * 7), ...query }),
    limit,
  });
  const figure = (key: string, split: string) =>
    trend(`${key}, ${aggregateOf(key)}${split === 'none' ? '' : `, by ${split}`}`, split === 'none' ? 300 : 600, {
      figure: [key],
      aggregate: aggregateOf(key),
      split,
    });
  const page = { limit: 50, offset: 0 };
  const behind = (name: string, key: string, query: object): Call => ({
    ...call(name, 'listSignalPullRequests', { ...page, ...query }, { key }),
    limit: 300,
  });
  return [
    ...trendFigures.map((key) => figure(key, 'none')),
    ...heaviest.flatMap((key) => ['size', 'base'].map((split) => figure(key, split))),
    ...['opened', 'reviews', 'open', 'stamped'].flatMap((key) =>
      ['repository', 'authorship', 'tool', 'draft'].map((split) => figure(key, split)),
    ),
    ...['ai_coverage', 'ai_time_to_agent_review', 'ai_before_human', 'ai_acted_on', 'ai_lift'].flatMap((key) =>
      ['reviewer', 'tool'].map((split) => figure(key, split)),
    ),
    ...daily.map((key) =>
      trend(`${key}, ${aggregateOf(key)}, by day over a year`, 300, {
        figure: [key],
        aggregate: aggregateOf(key),
        bucket: 'day',
        from: daysAgo(365),
      }),
    ),
    trend('stamped, all bases, by size and authorship', 300, {
      figure: ['stamped'],
      all_bases: 'true',
      size: ['51-200', '201-500'],
      authorship: ['human', 'assisted', 'agent'],
    }),
    trend('six figures at once', 900, {
      figure: ['opened', 'merged', 'reviews', 'open', 'merged_unreviewed', 'reverted'],
    }),
    // Whole screens, of which only the growth is told.
    call('health, 90 days', 'getHealth'),
    call('health, 90 days, one repository', 'getHealth', { repository: ['1'] }),
    call('health, 365 days', 'getHealth', { from: daysAgo(365), to: NOW.toISOString() }),
    ...(['merged_unapproved', 'stale_approval', 'reverted', 'concentration'] as const).map((key) =>
      behind(`pull requests of ${key}`, key, {}),
    ),
    behind('pull requests of merged_unapproved, offset 1000', 'merged_unapproved', { offset: 1000 }),
    behind('pull requests of concentration, 365 days, offset 10000', 'concentration', {
      from: daysAgo(365),
      to: NOW.toISOString(),
      offset: 10_000,
    }),
  ];
}
