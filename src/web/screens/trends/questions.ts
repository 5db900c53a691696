import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Trend, TrendFigure } from '#contract/trends.ts';
import { ask } from '../../api/query.ts';
import { daysLater } from '../../filters/choice-of-figures.ts';
import { useUser } from '../../session/session.tsx';
import { dayOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { weeksBegin } from '../../time/weeks.ts';
import { aggregateOf, type TrendsSearch } from './search.ts';
import type { ShownQuestion } from './shown.ts';

export const askFigures = () => ask('listFigures', {});

/** The dates between which a trend is asked for: chosen ones, or so many weeks up to now, from the first day of a point. */
export function datesOf({ dates, weeks, bucket }: TrendsSearch, today: string): { from: string; to?: string } {
  if (dates !== null) return dates;
  const days = 7 * weeks;
  if (bucket === 'day') return { from: daysLater(today, 1 - days) };
  if (bucket === 'week') return { from: weeksBegin(weeks, today) };
  const first = `${daysLater(today, -days).slice(0, 7)}-01`;
  // Two years hold no month more.
  return { from: weeks < 104 ? first : `${daysLater(first, 31).slice(0, 7)}-01` };
}

/** What every call about the lines on screen is asked with, save the figure and its aggregate. */
export function linesQuery(search: TrendsSearch, today: string) {
  const { split, bucket, repository, team, team_as, authorship, size, labels, allBases } = search;
  return {
    ...datesOf(search, today),
    split,
    bucket,
    ...(repository !== undefined && { repository: [repository] }),
    ...(team !== undefined && { team: [team], team_as }),
    ...(authorship && { authorship: [authorship] }),
    ...(size && { size: [size] }),
    ...(labels.length > 0 && { labels: [...labels] }),
    ...(allBases && { all_bases: 'true' as const }),
  };
}

export interface ShownTrends extends ShownQuestion {
  /** In the order in which the figures were chosen; undefined until all are there. */
  readonly trends: readonly Trend[] | undefined;
  /** Why there is no answer, or why what is shown could not be fetched again. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The trends that the address asks for: in one call those with percentiles, in another the rest. */
export function useTrends(search: TrendsSearch): ShownTrends {
  const now = useNow();
  const { time_zone } = useUser();
  const query = linesQuery(search, dayOf(now, time_zone));
  const own = search.figures.filter((figure) => aggregateOf(figure, search) === 'value');
  const others = search.figures.filter((figure) => !own.includes(figure));
  const question = (figure: readonly TrendFigure[], aggregate: Trend['aggregate']) => ({
    ...ask('getTrends', { query: { ...query, figure: [...figure], aggregate } }),
    enabled: figure.length > 0,
  });
  const answers = [
    { figures: own, answer: useQuery(question(own, 'value')) },
    { figures: others, answer: useQuery(question(others, aggregateOf(others[0] ?? 'size', search))) },
  ].filter(({ figures }) => figures.length > 0);
  const items = answers.flatMap(({ answer }) => answer.data?.items ?? []);
  const isThere = answers.every(({ answer }) => answer.data !== undefined);
  const error = answers.find(({ answer }) => answer.error !== null)?.answer.error ?? null;
  const isAnswered = isThere && !answers.some(({ answer }) => answer.isPlaceholderData);
  const answered = isAnswered ? { trends: inOrder(items, search.figures), search } : undefined;
  // Until all calls have answered, what was shown before, as one: the first figure that has percentiles, or has none, asks a call that has no
  // answer of before.
  const latest = useRef(answered);
  useEffect(() => {
    if (answered !== undefined) latest.current = answered;
  });
  const shown = answered ?? (isThere || error === null ? latest.current : undefined);
  return {
    trends: shown?.trends,
    // Pinned lines are no part of the question.
    search: { ...(shown?.search ?? search), pinned: search.pinned },
    isOutdated: shown !== undefined && !isAnswered,
    error,
    retry: () => {
      for (const { answer } of answers) if (answer.error !== null) void answer.refetch();
    },
  };
}

function inOrder(items: readonly Trend[], figures: readonly TrendFigure[]): readonly Trend[] {
  return figures.flatMap((figure) => items.find((item) => item.figure === figure) ?? []);
}
