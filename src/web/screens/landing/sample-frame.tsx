import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import type { WaitingOn } from '#domain/whose-turn.ts';
import { SpanBar, type Tone } from '../../charts/span-bar.tsx';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Panel, Strip, StripCell } from '../../kit/card.tsx';
import { Chip, SizeBadge } from '../../kit/chip.tsx';
import { Amount, Duration, Trend } from '../../kit/figure.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { Person } from '../../people/person.tsx';
import { Turn } from '../../pull-requests/turn.tsx';
import { formatCount } from '../../time/moment.ts';
import { sampleFigures, sampleMinor, samplePullRequests } from './sample-data.ts';
import classes from './sample-frame.module.css';

const longest = Math.max(...samplePullRequests.map(({ open }) => open));
const tones: Readonly<Record<WaitingOn, Tone>> = { author: 'chart-1', reviewers: 'chart-2', merge: 'chart-3' };

/** The product itself with invented figures, as the middle of the public page. */
export function SampleFrame() {
  return (
    <section className={classes.frame} aria-label="A dashboard with sample data">
      <div className={classes.head}>
        <b>Engineering metrics</b>
        <span className={classes.caption}>last 30 days</span>
        <span className={classes.label}>
          <Chip meaning="outlined">Sample data</Chip>
        </span>
      </div>
      <Panel label="Sample figures">
        <Strip>
          {sampleFigures.map(({ label, figure, unit, percent, better, before, days }) => (
            <StripCell key={label} label={label}>
              <div className={classes.figure}>
                <Amount figure={figure} unit={unit} large />
                <Trend percent={percent} better={better} before={before} />
                <div className={classes.days}>
                  <Sparkline
                    points={days.map((value, at) => ({ value, tip: `Sample day ${at + 1}: ${value} ${unit}` }))}
                    label={`${label} over the days of the sample, at last ${figure} ${unit}`}
                  />
                </div>
              </div>
            </StripCell>
          ))}
        </Strip>
        <div className={classes.minor}>
          {sampleMinor.map(({ label, value, percent }) => (
            <span key={label}>
              {label} <b>{value}</b> <Trend percent={percent} better={null} />
            </span>
          ))}
        </div>
      </Panel>
      <Panel label="Sample pull requests">
        <div className={classes.head}>
          <b>Stuck pull requests</b>
          <span className={classes.caption}>open for more than {STUCK_AFTER_HOURS} hours</span>
        </div>
        <div className={`${classes.row} ${classes.names}`} aria-hidden="true">
          <span>Pull request</span>
          <span className={classes.author}>Author</span>
          <span className={classes.lines}>Lines</span>
          <span>Whose turn</span>
          <span>Open for</span>
        </div>
        <ul className={classes.rows}>
          {samplePullRequests.map((row) => (
            <li key={row.reference} className={classes.row}>
              <span className={classes.title}>
                <PullRequestIcon state="open" />
                <span className={classes.name}>{row.title}</span>
                <span className={classes.reference}>{row.reference}</span>
              </span>
              <span className={classes.author}>
                <Person name={row.author} avatarUrl={null} kind={row.kind} />
              </span>
              <span className={classes.lines}>
                {formatCount(row.lines)} <SizeBadge lines={row.lines} />
              </span>
              <span className={classes.turn}>
                <Turn on={row.on} reason={row.reason} />
              </span>
              <span className={classes.open}>
                <SpanBar
                  whole={longest}
                  spans={[
                    { length: row.open - row.waiting, tone: 'reference' as const },
                    { length: row.waiting, tone: tones[row.on] },
                  ].filter(({ length }) => length > 0)}
                />
                <Duration hours={24 * row.open} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </section>
  );
}
