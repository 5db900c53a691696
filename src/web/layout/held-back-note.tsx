import { Banner } from '../kit/banner.tsx';
import classes from './page.module.css';

/** A strip below the header while questions wait because there were too many. */
export function HeldBackNote() {
  return (
    <div className={classes.offline}>
      <Banner meaning="note">Too many requests at once. This page goes on by itself in a moment.</Banner>
    </div>
  );
}
