import {
  AgentIcon,
  CheckIcon,
  CommentIcon,
  EyeIcon,
  FileDiffIcon,
  GitMergeIcon,
  GitPullRequestDraftIcon,
  InfoIcon,
  StopwatchIcon,
  XIcon,
} from '@primer/octicons-react';
import { EventDot } from '../../pull-requests/event-dot.tsx';
import type { EventLook } from '../../pull-requests/event-look.ts';
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

interface Mark {
  /** Percent of the time from opening to merge. */
  readonly at: number;
  readonly look: Omit<EventLook, 'weight'>;
  readonly count?: number;
}

/** What the author did, what reviewers did, and what agents and checks did. */
const lanes: readonly (readonly Mark[])[] = [
  [
    { at: 0, look: { Icon: GitPullRequestDraftIcon, tone: 'opened' }, count: 2 },
    { at: 27, look: { Icon: EyeIcon, tone: 'plain' }, count: 3 },
    { at: 61, look: { Icon: CommentIcon, tone: 'comment' }, count: 4 },
    { at: 95, look: { Icon: GitMergeIcon, tone: 'merged' } },
  ],
  [
    { at: 35, look: { Icon: FileDiffIcon, tone: 'bad' } },
    { at: 69, look: { Icon: EyeIcon, tone: 'reviewed' } },
    { at: 95, look: { Icon: CheckIcon, tone: 'good' } },
  ],
  [
    { at: 27, look: { Icon: AgentIcon, tone: 'plain' }, count: 2 },
    { at: 61, look: { Icon: XIcon, tone: 'bad' }, count: 2 },
  ],
];

const nights = [
  [0, 24],
  [36, 23],
  [71, 23],
] as const;

const days = [
  { at: 0, word: 'Tue 3' },
  { at: 12, word: 'Wed 4' },
  { at: 47, word: 'Thu 5' },
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
        <div className={classes.lanes} aria-hidden="true">
          {nights.map(([from, share]) => (
            <i key={from} className={classes.night} style={{ left: `${from}%`, width: `${share}%` }} />
          ))}
          {lanes.map((marks, lane) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
            <div key={lane} className={classes.lane}>
              {marks.map(({ at, look, count }) => (
                <span key={at} className={classes.mark} style={{ left: `${at}%` }}>
                  <EventDot look={look} small /> {count}
                </span>
              ))}
            </div>
          ))}
          <div className={classes.days}>
            {days.map(({ at, word }) => (
              <span key={at} style={{ left: `${at}%` }}>
                {word}
              </span>
            ))}
            <span className={classes.end}>merged</span>
          </div>
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
