import { lazy, type ReactNode } from 'react';
import type { Explanation } from '#contract/explain.ts';
import { ExplainLabel } from './explain-label.tsx';

/** Loaded when the first figure is opened. */
export const ExplainPopover = lazy(() => import('./explain-popover.tsx'));

export interface ExplainProps {
  /** The figure's label, which stands before the figure and opens the explanation. */
  readonly children: ReactNode;
  /** The name that `/api/explain/{metric}` knows. */
  readonly metric: string;
  readonly username?: string;
  readonly period?: string;
  readonly repository?: number;
  /** Bots and agents are in the list of which this is the sum. */
  readonly accounts?: 'all';
  /** Which part of a figure that is drawn in many: as `/api/explain` calls it, and in words. */
  readonly part?: { readonly key: string; readonly name: string };
  /** What the figure's name is followed by where there is no part, e.g. whose it is. */
  readonly named?: string;
  /** `owner/name/number`, for what one pull request is compared with. */
  readonly pullRequest?: string;
  /** Drawn between the definition and the figures, e.g. the distribution. */
  readonly distribution?: (explanation: Explanation) => ReactNode;
}

/** "Explain this number" for an aggregate: what a figure means, how many items it is based on and what was left out. */
export function Explain({ children, ...about }: ExplainProps) {
  return <ExplainLabel popover={(state) => <ExplainPopover {...about} {...state} />}>{children}</ExplainLabel>;
}
