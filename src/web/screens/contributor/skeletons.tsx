import { VisuallyHidden } from '@mantine/core';
import { Panel } from '../../kit/card.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import classes from './contributor.module.css';

/** A card that is still to come; `height` in pixels is the one that it announces. */
export function CardSkeleton({ height }: { height: number }) {
  return (
    <Panel label="Loading">
      <div className={classes.skeleton} style={{ minHeight: height }}>
        <Late>
          <Line width="10rem" />
        </Late>
        <Late>
          <Line width="80%" />
        </Late>
        <Late>
          <Line width="60%" />
        </Late>
      </div>
    </Panel>
  );
}

/** The page while the figures are fetched for the first time. */
export function PageSkeleton() {
  return (
    <div className={classes.main} role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <CardSkeleton height={40} />
      <CardSkeleton height={270} />
      <div className={classes.wide}>
        <CardSkeleton height={320} />
        <CardSkeleton height={320} />
      </div>
      <CardSkeleton height={90} />
    </div>
  );
}
