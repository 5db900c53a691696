import { VisuallyHidden } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { Panel } from '../kit/card.tsx';
import { Late, Line } from '../kit/skeleton.tsx';
import classes from './page.module.css';
import { headingAt } from './pages.ts';

const widths = ['12rem', '100%', '86%', '92%', '70%'];

/** What stands below the header until it is known what the page begins with: its heading, and outlines of what comes. */
export function PageLoading() {
  const { pathname } = useLocation();
  const heading = headingAt(pathname);
  return (
    <main className={classes.main} aria-busy="true">
      <div className={classes.title}>
        <div className={classes.words}>
          {heading === null ? <VisuallyHidden component="h1">Mergelight</VisuallyHidden> : <h1>{heading}</h1>}
          <div className={classes.loadingLine}>
            <Line width="min(100%, 18rem)" />
          </div>
        </div>
      </div>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Panel label="Loading">
        <div className={classes.loading}>
          <Late>
            {widths.map((width) => (
              <div key={width} className={classes.loadingLine}>
                <Line width={width} />
              </div>
            ))}
          </Late>
        </div>
      </Panel>
    </main>
  );
}
