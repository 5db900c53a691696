import { lazy, type ReactNode } from 'react';
import { part } from '../api/part.ts';
import { ExplainLabel } from './explain-label.tsx';
import type { FigureToExplain } from './explain-popover.tsx';

/** Loaded when the first figure is opened. */
export const ExplainPopover = lazy(part(() => import('./explain-popover.tsx')));

interface Props extends FigureToExplain {
  /** The figure's label, which stands before the figure and opens the explanation. */
  readonly children: ReactNode;
}

/** "Explain this number" for an aggregate: what a figure means, how many items it is based on and what was left out. */
export function Explain({ children, ...about }: Props) {
  return <ExplainLabel popover={(state) => <ExplainPopover {...about} {...state} />}>{children}</ExplainLabel>;
}
