import { lazy, type ReactNode } from 'react';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { part } from '../api/part.ts';
import { ExplainLabel } from './explain-label.tsx';

const DefinitionPopover = lazy(part(() => import('./definition-popover.tsx')));

interface Props {
  /** The figure's label; its own name unless told. */
  readonly children: ReactNode;
  readonly figure: FigureKey;
}

/** "Explain this number" for a fact about one item: what the figure means, which time it covers and what it leaves out. */
export function Defined({ figure, children }: Props) {
  return <ExplainLabel popover={(state) => <DefinitionPopover figure={figure} {...state} />}>{children}</ExplainLabel>;
}
