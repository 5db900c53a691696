import { useWindowEvent } from '@mantine/hooks';
import { lazy, useState } from 'react';
import { part } from '../api/part.ts';
import { LazyPart } from './lazy-part.tsx';

const TipLayer = lazy(part(async () => ({ default: (await import('./tip-layer.tsx')).TipLayer })));

/** The tips of the whole page, loaded when a pointer or the focus moves for the first time. */
export function Tips() {
  const [isWanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  useWindowEvent('pointermove', want);
  useWindowEvent('pointerdown', want);
  useWindowEvent('focusin', want);
  return (
    isWanted && (
      <LazyPart isQuiet>
        <TipLayer />
      </LazyPart>
    )
  );
}
