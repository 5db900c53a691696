import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AddedRepository } from '#contract/repositories.ts';
import { syncPhaseMessage } from '#domain/sync-phase.ts';
import { Banner } from '../../kit/banner.tsx';
import { formatTimeLeft } from '../../sync/sync-overview.ts';
import { useSync } from '../../sync/sync-state.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './add-repo.module.css';
import { Step } from './step.tsx';

/** The dashboard opens by itself this long after the sync call succeeded (milliseconds). */
const REDIRECT_AFTER = 2_000;

const words = {
  running: { title: 'First sync is running', why: 'It goes on in the background. You can leave this page.' },
  done: { title: 'First sync is complete', why: 'Every page shows its pull requests now.' },
  partial: { title: 'First sync was cut off', why: 'Every page shows what has come so far.' },
  failed: { title: 'First sync failed', why: 'You can try it again here, or later from the Sync menu.' },
} as const;

interface Props {
  /** Undefined before it was added. */
  readonly repository: AddedRepository | undefined;
}

/** The second step: the first sync as it goes, and the way on to the dashboard unless the person stays. */
export function FirstSync({ repository }: Props) {
  const sync = useSync();
  const navigate = useNavigate();
  const [staying, setStaying] = useState(false);
  const mine = sync.state?.repositories.find((one) => one.repository.id === repository?.id);
  const started = repository !== undefined && mine !== undefined && mine.answer !== null;
  const leaving = started && !staying;

  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => void navigate({ to: '/dashboard' }), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [leaving, navigate]);

  if (repository === undefined) {
    return <Step mark="2" title="First sync" why="It starts by itself and goes on in the background." />;
  }
  // One that could not even begin has no row.
  const status = mine?.status ?? (sync.error === null ? 'syncing' : 'failed');
  const end = status === 'done' || status === 'partial' || status === 'failed' ? status : 'running';
  const progress = mine?.answer?.progress;
  const percentage = end === 'done' ? 100 : Math.floor(progress?.percentage ?? 0);
  const left = end === 'running' ? formatTimeLeft(progress?.estimated_time_remaining ?? null) : null;
  return (
    <Step mark={end === 'done' || end === 'running' ? end : '2'} current {...words[end]}>
      {sync.error !== null && (
        <Banner
          meaning="bad"
          aside={
            <Button size="compact-sm" variant="default" onClick={() => sync.retry()}>
              Retry
            </Button>
          }
        >
          {sync.error}
        </Banner>
      )}
      <div className={classes.progress}>
        <div
          className={classes.track}
          role="progressbar"
          aria-label="First sync"
          aria-valuenow={percentage}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ width: `${percentage}%` }} />
        </div>
        <b>{percentage}%</b>
        <span className={classes.why}>
          {progress === undefined
            ? syncPhaseMessage('starting')
            : `${formatCount(progress.processed_prs)}${progress.total_prs === null ? '' : ` of ${formatCount(progress.total_prs)}`} PRs`}
          {left !== null && `, ${left}`}
        </span>
      </div>
      {sync.message !== null && <Banner meaning="good">{sync.message}</Banner>}
      {leaving && (
        <div className={classes.row}>
          <span className={classes.why}>The dashboard opens in a moment.</span>
          <Button variant="default" onClick={() => setStaying(true)}>
            Stay here
          </Button>
        </div>
      )}
    </Step>
  );
}
