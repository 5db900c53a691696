import { NOT_AVAILABLE } from '#domain/duration.ts';
import classes from './tab.module.css';

/** "N/A" and why. */
export function NotAvailable({ why }: { why: string }) {
  return (
    <span className={classes.missing}>
      {NOT_AVAILABLE} <span className={classes.quiet}>{why}</span>
    </span>
  );
}
