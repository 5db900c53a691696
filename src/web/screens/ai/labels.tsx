import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { askConnectedRepositories } from '../../api/questions.ts';
import { Explain } from '../../explain/explain.tsx';
import type { FigureToExplain } from '../../explain/explain-popover.tsx';
import { useUser } from '../../session/session.tsx';
import { formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useAiSearch } from './use-ai-search.ts';

type Of = Pick<FigureToExplain, 'reviewer' | 'named' | 'part' | 'by' | 'group' | 'statistic' | 'repository'>;

/** How a figure is explained as the page is narrowed; the figure without `ai.`. */
export function useExplain(): (figure: string, of?: Of) => FigureToExplain {
  const { period, from, to, repository, team, team_as, authorKind, size, tab, bots } = useAiSearch();
  const isOfReviewers = tab === 'reviewers';
  return (figure, of = {}) => ({
    metric: `ai.${figure}`,
    ...(period !== undefined && { period }),
    ...(from !== undefined && to !== undefined && { from, to }),
    ...(repository !== undefined && { repository }),
    ...(team !== undefined && { team }),
    ...(team_as !== undefined && { team_as }),
    ...(isOfReviewers && authorKind !== undefined && { author_kind: authorKind }),
    ...(isOfReviewers && size !== undefined && { size }),
    ...(!isOfReviewers && bots && { bots: 'true' as const }),
    ...of,
  });
}

/** A figure's name, which opens what it means and what it is made of. */
export function FigureLabel({
  figure,
  children,
  ...of
}: Of & { readonly figure: string; readonly children: ReactNode }) {
  return <Explain {...useExplain()(figure, of)}>{children}</Explain>;
}

/** "since 3 Nov" while what was stored before is being read again; undefined once all is. */
export function useSince(): string | undefined {
  const { repository } = useAiSearch();
  const now = useNow();
  const { time_zone } = useUser();
  const repositories = useQuery(askConnectedRepositories()).data ?? [];
  const inQuestion = repositories.filter(({ id }) => repository === undefined || id === repository);
  const read = inQuestion.flatMap(({ reading_again }) => (reading_again === null ? [] : [reading_again.since]));
  if (read.length === 0) return undefined;
  const latest = read.flatMap((since) => (since === null ? [] : [Date.parse(since)]));
  return latest.length < read.length
    ? 'still being read'
    : `since ${formatDay(Math.max(...latest), now, time_zone)}; what is older is still being read`;
}
