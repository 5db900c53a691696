import { DownloadIcon, LockIcon, ServerIcon, SyncIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { leftOutReasons } from '#domain/metrics/left-out.ts';
import { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import type { WaitingOn, WaitingReason } from '#domain/whose-turn.ts';
import { Histogram } from '../../charts/histogram.tsx';
import { SpanBar } from '../../charts/span-bar.tsx';
import { Duration } from '../../kit/figure.tsx';
import { Turn } from '../../pull-requests/turn.tsx';
import classes from './sections.module.css';

/** The three questions, each with a small picture of its answer. */
export function Questions() {
  return (
    <section className={classes.section} aria-labelledby="questions">
      <h2 id="questions">Three questions, answered all day</h2>
      <div className={classes.three}>
        <Question title="Whose turn is it?" picture={<Turns />}>
          Every open pull request waits for its author, for reviewers, or for someone to press merge. The dashboard says
          which, since when, and why.
        </Question>
        <Question title="Where did the time go?" picture={<Phases />}>
          Development, waiting, approved: the parts add up to the whole, to the minute, with working hours beside the
          clock.
        </Question>
        <Question title="Is that usual here?" picture={<Usual />}>
          Each pull request stands beside the team’s own last 90 days, not beside an industry average.
        </Question>
      </div>
    </section>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly picture: ReactNode;
  readonly children: ReactNode;
}

function Question({ title, picture, children }: QuestionProps) {
  return (
    <div className={classes.question}>
      <div className={classes.picture}>{picture}</div>
      <h3>{title}</h3>
      <p>{children}</p>
    </div>
  );
}

const turns: readonly { readonly on: WaitingOn; readonly reason: WaitingReason; readonly days: number }[] = [
  { on: 'reviewers', reason: 'updated_after_review', days: 4 },
  { on: 'author', reason: 'changes_requested', days: 6.3 },
  { on: 'merge', reason: 'approved', days: 2.8 },
];

function Turns() {
  return (
    <ul className={classes.pairs}>
      {turns.map(({ on, reason, days }) => (
        <li key={on}>
          <Turn on={on} reason={reason} />
          <Duration hours={24 * days} />
        </li>
      ))}
    </ul>
  );
}

const phases = [
  { name: 'Development', hours: 55.2, tone: 'chart-1', parts: [20, 17, 7] },
  { name: 'Waiting for review', hours: 12.2, tone: 'chart-2', parts: [8, 9, 0] },
  { name: 'Approved', hours: 3.2, tone: 'chart-3', parts: [0, 0, 8] },
] as const;

function Phases() {
  return (
    <>
      <div className={classes.band} aria-hidden="true">
        {[0, 1, 2].flatMap((round) =>
          phases.flatMap(({ name, tone, parts }) =>
            (parts[round] ?? 0) === 0 ? (
              []
            ) : (
              <span
                key={`${name} ${round}`}
                style={{
                  flexGrow: parts[round],
                  background: `var(--${tone}-soft)`,
                  borderBottomColor: `var(--${tone})`,
                }}
              />
            ),
          ),
        )}
      </div>
      <ul className={classes.keys}>
        {phases.map(({ name, hours, tone }) => (
          <li key={name}>
            <span className={classes.swatch} style={{ background: `var(--${tone})` }} />
            {name}
            <Duration hours={hours} />
          </li>
        ))}
      </ul>
    </>
  );
}

const usual = [
  { name: 'Team p50', hours: 30.8, mine: false },
  { name: 'Team p75', hours: 62.4, mine: false },
  { name: 'This PR', hours: 69.6, mine: true },
  { name: 'Team p90', hours: 117.6, mine: false },
];

function Usual() {
  return (
    <ul className={classes.bars}>
      {usual.map(({ name, hours, mine }) => (
        <li key={name} className={mine ? classes.mine : ''}>
          <span>{name}</span>
          <SpanBar whole={117.6} spans={[{ length: hours, tone: mine ? 'chart-1' : 'reference' }]} />
          <Duration hours={hours} />
        </li>
      ))}
    </ul>
  );
}

const bins = [
  { label: '<1 h', count: 31 },
  { label: '1-4', count: 34, mark: 'median' },
  { label: '4-8', count: 21, mark: 'mean', strong: true },
  { label: '8-24', count: 19 },
  { label: '1-2 d', count: 8 },
  { label: '>2 d', count: 5 },
];

const leftOut = [
  [96, leftOutReasons.byMachines],
  [41, leftOutReasons.replies],
  [14, leftOutReasons.notReviewedYet],
] as const;

/** That every number explains itself, with the explanation of one. */
export function Numbers() {
  const { name, definition } = definitionsOfTheTeam['team.avg_review_time_hours'];
  return (
    <section className={classes.band2} aria-labelledby="numbers">
      <div className={`${classes.section} ${classes.two}`}>
        <div>
          <h2 id="numbers">Every number explains itself</h2>
          <p>
            Hover or tap a figure: what it means, how many pull requests it is based on, and what was left out. A mean
            never hides its median, and missing is “N/A”, never zero.
          </p>
          <h3>People, bots and agents are kept apart</h3>
          <ul className={classes.apart}>
            <li>
              First review by anyone <Duration hours={4 / 60} />
              <SpanBar whole={9} spans={[{ length: 0.3, tone: 'reference' }]} />
            </li>
            <li>
              First review by a person <Duration hours={7.8} />
              <SpanBar whole={9} spans={[{ length: 7.8, tone: 'chart-1' }]} />
            </li>
          </ul>
          <p className={classes.small}>An agent that comments within minutes does not make the team look fast.</p>
        </div>
        <div className={classes.popover}>
          <div className={classes.popoverHead}>
            <b>{name}</b>
            <span>Sample data</span>
          </div>
          <p>{definition}</p>
          <Histogram bins={bins} label="Sample distribution of times to first review" />
          <dl>
            <div>
              <dt>Mean</dt>
              <dd>7.8 h</dd>
            </div>
            <div>
              <dt>Median</dt>
              <dd>3.4 h</dd>
            </div>
            <div>
              <dt>Based on</dt>
              <dd>118 pull requests</dd>
            </div>
          </dl>
          <div className={classes.leftOut}>
            Left out
            <ul>
              {leftOut.map(([count, what]) => (
                <li key={what}>
                  <b>{count}</b> {what}
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
    </section>
  );
}

/** That it runs on one's own machine; `children` are the ways in. */
export function SelfHosting({ children }: { children: ReactNode }) {
  return (
    <section className={`${classes.section} ${classes.two}`} aria-labelledby="self-hosting">
      <pre className={classes.terminal}>
        <code>
          <span>$</span> npm start{'\n'}
          <span>database</span> embedded PostgreSQL in ./data{'\n'}
          <span>demo</span> on, nothing to set up{'\n'}
          <i>ready</i> at http://localhost:3000
        </code>
      </pre>
      <div>
        <h2 id="self-hosting">Yours, on your machine</h2>
        <p>One process and a folder. Point it at your own PostgreSQL when you outgrow that.</p>
        <ul className={classes.features}>
          <li>
            <SyncIcon size={16} /> A sync that survives restarts
          </li>
          <li>
            <ServerIcon size={16} /> GitHub and Enterprise Server
          </li>
          <li>
            <DownloadIcon size={16} /> Export to CSV, JSON, PDF
          </li>
          <li>
            <LockIcon size={16} /> Tokens encrypted at rest
          </li>
        </ul>
        {children}
      </div>
    </section>
  );
}
