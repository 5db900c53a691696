import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Explanation } from '#contract/explain.ts';
import classes from './explain.module.css';

const ExplainPopover = lazy(() => import('./explain-popover.tsx'));

const HOVER_DELAY = 300;

export interface ExplainProps {
  /** The figure's label, which stands before the figure and opens the explanation. */
  readonly children: ReactNode;
  /** The name that `/api/explain/{metric}` knows. */
  readonly metric: string;
  readonly username?: string;
  readonly period?: string;
  readonly repository?: number;
  /** Drawn between the definition and the figures, e.g. the distribution. */
  readonly distribution?: (explanation: Explanation) => ReactNode;
}

/**
 * "Explain this number": a label with a dotted underline that opens what a figure means, how many items it rests on and what was
 * left out, after 300 ms of hovering, on a press or on Enter. Escape closes it and gives the focus back.
 */
export function Explain(props: ExplainProps) {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stay = () => clearTimeout(timer.current);
  const turn = (open: boolean) => {
    stay();
    if (open) setWanted(true);
    setOpened(open);
  };
  const later = (open: boolean) => {
    stay();
    timer.current = setTimeout(() => turn(open), HOVER_DELAY);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span className={classes.explain}>
      <button
        type="button"
        className={classes.label}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={(event) => event.pointerType === 'mouse' && later(true)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && later(false)}
        onClick={() => turn(true)}
      >
        {props.children}
      </button>
      {wanted && (
        <Suspense>
          <ExplainPopover
            {...props}
            opened={opened}
            onClose={() => turn(false)}
            onPointerEnter={stay}
            onPointerLeave={() => later(false)}
          />
        </Suspense>
      )}
    </span>
  );
}
