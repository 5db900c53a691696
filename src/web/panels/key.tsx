import type { ReactNode } from 'react';
import classes from './key.module.css';

/** A key of the keyboard, as a hint beside what it does. */
export function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className={classes.key} aria-hidden="true">
      {children}
    </kbd>
  );
}
