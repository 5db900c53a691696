import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { FilterRepository } from '#contract/repositories.ts';
import { type Period, periodOf } from '#domain/period.ts';
import { askRepositories } from '../../api/questions.ts';
import { useRepositoryFilter } from '../../filters/filters.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { rememberPeriod, type View } from './questions.ts';

/**
 * The period of the figures by the address, 30 days for anything unknown (docs/product.md#a-contributor). Choosing one also remembers it on
 * this device, where `withRememberedPeriod` finds it.
 */
export function usePeriod(): readonly [Period, (period: Period) => void] {
  const [inAddress, setInAddress] = useUrlFilter('period');
  const choose = (period: Period) => {
    rememberPeriod(period);
    setInAddress(period);
  };
  return [periodOf(inAddress), choose];
}

export interface RepositoryChoice {
  /** Empty until the list has come. */
  readonly all: readonly FilterRepository[];
  /** Null is all of them, also where the address names one that is not in the list. */
  readonly chosen: FilterRepository | null;
  /** False while it is not known whether the address names one in the list: no figures can be asked for until then. */
  readonly settled: boolean;
  /** Why there is no list; null while it is fetched and once it has come. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The repository that figures are narrowed to. */
export function useRepositoryChoice(): RepositoryChoice {
  const asked = useRepositoryFilter();
  const { data, error, refetch } = useQuery(askRepositories());
  const chosen = data?.find(({ id }) => id === asked) ?? null;
  return {
    all: data ?? [],
    chosen,
    settled: asked === undefined || data !== undefined,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  };
}

export const ViewContext = createContext<View | null>(null);

/** The view that the figures of the panels around belong to: while another one is fetched, still the one before. */
export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error('useView needs a ViewContext above it.');
  return view;
}
