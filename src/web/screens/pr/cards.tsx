import type { ReactNode } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { percentileText } from '#domain/comparison.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { totalTime } from '#domain/time-analysis.ts';
import { Defined } from '../../explain/definition.tsx';
import { Panel, Strip, StripCell } from '../../kit/card.tsx';
import { Amount, Duration } from '../../kit/figure.tsx';
import { formatCount } from '../../time/moment.ts';
import { countedAndAsked } from './asked.ts';
import { ComparedFigure } from './compared-figure.tsx';
import classes from './pr.module.css';
import { tooFewToCompare } from './too-few.ts';

/** Follows the cycle time of what was not merged. */
const untilWhen = { open: ' so far', closed: ' to the close' };

/** The four cards: cycle time, review cycles, size and rank. */
export function Cards({ detail }: { detail: PullRequestDetail }) {
  const { time_metrics, comparative_metrics, reviewers, additions, deletions, changed_files } = detail;
  const { team_p50_cycle_time, cycle_time_percentile } = comparative_metrics;
  return (
    <Panel label="Key figures">
      <Strip>
        <Cell
          label={<Defined figure="pull_request.time_to_merge">Cycle Time</Defined>}
          caption={
            <>
              <ComparedFigure of="pull_request.team_p50_cycle_time" detail={detail}>
                vs team p50:
              </ComparedFigure>{' '}
              {formatDuration(team_p50_cycle_time)}
            </>
          }
          tip={tooFewToCompare(comparative_metrics)}
        >
          <Duration hours={totalTime(time_metrics)} large />
          {detail.state !== 'merged' && <span className={classes.soFar}>{untilWhen[detail.state]}</span>}
        </Cell>
        <Cell
          label={<Defined figure="pull_request.review_cycles">Review Cycles</Defined>}
          caption={countedAndAsked(reviewers.length, 'reviewer', detail)}
        >
          <Amount
            figure={String(time_metrics.review_cycles)}
            unit={time_metrics.review_cycles === 1 ? 'round' : 'rounds'}
            large
          />
        </Cell>
        <Cell
          label={<Defined figure="pull_request.lines_changed">PR Size</Defined>}
          caption={counted(changed_files, 'file changed', 'files changed')}
        >
          <Amount figure={`+${formatCount(additions)}`} large />
          <span className={classes.deletions}>
            <Amount figure={`−${formatCount(deletions)}`} large />
          </span>
        </Cell>
        <Cell
          label={
            <ComparedFigure of="pull_request.cycle_time_percentile" detail={detail}>
              Percentile
            </ComparedFigure>
          }
          caption={`Cycle time ranking${detail.state === 'open' ? ', so far' : ''}`}
          tip={tooFewToCompare(comparative_metrics)}
        >
          <Amount figure={cycle_time_percentile === null ? null : percentileText(cycle_time_percentile)} large />
        </Cell>
      </Strip>
    </Panel>
  );
}

interface CellProps {
  /** Explains itself. */
  readonly label: ReactNode;
  readonly caption: ReactNode;
  /** Why a figure is missing; null where it is not. */
  readonly tip?: string | null;
  readonly children: ReactNode;
}

function Cell({ label, caption, tip = null, children }: CellProps) {
  return (
    <StripCell label={label}>
      <div data-tip={tip ?? undefined}>
        <div className={classes.figure}>{children}</div>
        <div className={classes.caption}>{caption}</div>
      </div>
    </StripCell>
  );
}
