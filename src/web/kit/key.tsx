import type { ReactNode } from 'react';
import classes from './key.module.css';

/** A key of the keyboard, as a hint for the eye beside what it does. */
export function Key({ children }: { children: ReactNode }) {
  return (
    <span className={classes.key} aria-hidden="true">
      {children}
    </span>
  );
}
