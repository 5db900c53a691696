import { useTimeout } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import classes from './notice.module.css';

/** A grey line in place of a text; `width` is any CSS length. */
export function Line({ width }: { width: string }) {
  return <span className={classes.skeleton} style={{ width }} aria-hidden="true" />;
}

/** Shows its children after 150 ms, so that quick answers never flash; until then it keeps their room. */
export function Late({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useTimeout(() => setShown(true), 150, { autoInvoke: true });
  return <div style={{ visibility: shown ? 'visible' : 'hidden' }}>{children}</div>;
}
