import { useEffect } from 'react';
import { noteDiskSpace } from '../api/disk-space.ts';
import { Banner } from '../kit/banner.tsx';
import classes from './page.module.css';

/** While the disk is full it is looked again this often whether there is room, in milliseconds. */
const LOOK_EVERY = 5_000;

/** A strip below the header while the server can store nothing. */
export default function DiskFullNote() {
  useEffect(() => {
    const timer = setInterval(() => {
      // A server that does not answer says nothing of its disk.
      fetch('/readyz', { cache: 'no-store' }).then(noteDiskSpace, () => undefined);
    }, LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={classes.offline}>
      <Banner meaning="watch">
        The disk is full. You can read everything, but nothing can be changed and no new data arrives. Ask whoever runs
        this server to make room; it then goes on by itself.
      </Banner>
    </div>
  );
}
