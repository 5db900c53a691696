import { useInterval } from '@mantine/hooks';
import { noteDiskSpace } from '../api/disk-space.ts';
import { Banner } from '../kit/banner.tsx';
import classes from './page.module.css';

/** While the disk is full it is looked again this often whether there is room, in milliseconds. */
const LOOK_EVERY = 5_000;

/** A strip below the header while the server can store nothing. */
export function DiskFullNote() {
  // A server that does not answer says nothing of its disk.
  const look = () => fetch('/readyz', { cache: 'no-store' }).then(noteDiskSpace, () => undefined);
  useInterval(look, LOOK_EVERY, { autoInvoke: true });
  return (
    <div className={classes.offline}>
      <Banner meaning="watch">
        The disk is full. You can read everything, but nothing can be changed and no new data arrives. Ask whoever runs
        this server to make room; it then goes on by itself.
      </Banner>
    </div>
  );
}
