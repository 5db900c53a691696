import classes from './rank-track.module.css';

/** Where a percentile (0–100) stands between 0 and 100, with quarters marked. Decorative: the value stands printed beside it. */
export function RankTrack({ percentile }: { percentile: number }) {
  return (
    <span className={classes.rank} aria-hidden="true">
      <span className={classes.track}>
        <span className={classes.passed} style={{ width: `${percentile}%` }} />
        <span className={classes.knob} style={{ left: `${percentile}%` }} />
      </span>
      <span className={classes.axis}>
        {[0, 25, 50, 75, 100].map((at) => (
          <span key={at} style={{ left: `${at}%` }}>
            {at}
          </span>
        ))}
      </span>
    </span>
  );
}
