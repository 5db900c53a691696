import { EyeIcon, InfoIcon, StopwatchIcon } from '@primer/octicons-react';
import classes from './login.module.css';

const phases = [
  { kind: 'development', share: 28, text: '19.4 h' },
  { kind: 'waiting', share: 8, text: '' },
  { kind: 'development', share: 25, text: '17.2 h' },
  { kind: 'waiting', share: 9, text: '' },
  { kind: 'development', share: 25, text: '17.4 h' },
  { kind: 'waiting', share: 1, text: '' },
  { kind: 'approved', share: 5, text: '' },
] as const;

const key = [
  { kind: 'development', word: 'Development', total: '2.3 d' },
  { kind: 'waiting', word: 'Waiting for review', total: '12.2 h' },
  { kind: 'approved', word: 'Approved', total: '3.2 h' },
] as const;

/** What one gets, shown on an invented pull request. */
export function SampleBand() {
  return (
    <aside className={classes.aside} aria-label="What Mergelight shows">
      <h2>
        See where the time went,
        <br />
        <span className={classes.second}>and whose turn it is now.</span>
      </h2>
      <div className={classes.sample}>
        <div className={classes.sampleHead}>
          One pull request, 2.9 days <span className={classes.note}>sample data</span>
        </div>
        <div className={classes.band} aria-hidden="true">
          {phases.map(({ kind, share, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
            <span key={at} className={`${classes.phase} ${classes[kind]}`} style={{ flex: `${share} 0 0` }}>
              {text}
            </span>
          ))}
        </div>
        <ul className={classes.key}>
          {key.map(({ kind, word, total }) => (
            <li key={kind}>
              <i className={`${classes.dot} ${classes[kind]}`} />
              {word} <b className={classes.total}>{total}</b>
            </li>
          ))}
        </ul>
      </div>
      <ul className={classes.points}>
        <li>
          <StopwatchIcon size={16} /> First review, counted from “ready”, by people only
        </li>
        <li>
          <EyeIcon size={16} /> Every open pull request says who it waits for
        </li>
        <li>
          <InfoIcon size={16} /> Every number shows what it rests on
        </li>
      </ul>
    </aside>
  );
}
