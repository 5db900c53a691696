import { ask } from '../../api/query.ts';
import { dayOf } from '../../time/moment.ts';
import type { TrendsSearch } from './search.ts';

const WEEK = 7 * 24 * 3_600_000;

/** The trend that the address asks for, up to now, from the first instant of a day on the viewer's clocks. */
export function askTrend(search: TrendsSearch, now: number, timeZone: string) {
  const { figure, aggregate, split, bucket, weeks, repository, authorship } = search;
  return ask('getTrends', {
    query: {
      figure: [figure],
      from: dayOf(now - weeks * WEEK, timeZone),
      aggregate,
      split,
      bucket,
      ...(repository !== undefined && { repository: [String(repository)] }),
      ...(authorship && { authorship: [authorship] }),
    },
  });
}

export const askFigures = () => ask('listFigures', {});
