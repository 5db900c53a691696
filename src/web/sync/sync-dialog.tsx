import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Button, Modal, VisuallyHidden } from '@mantine/core';
import {
  AlertFillIcon,
  AlertIcon,
  CheckCircleFillIcon,
  CheckIcon,
  CircleIcon,
  DotFillIcon,
  SyncIcon,
} from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { isRateLimitLow, syncPhaseMessage } from '#domain/sync-phase.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import { Banner } from '../kit/banner.tsx';
import { Chip } from '../kit/chip.tsx';
import { Amount } from '../kit/figure.tsx';
import { passFocus, useFocusBack } from '../kit/focus-back.ts';
import { usePageLock } from '../kit/page-lock.ts';
import { spokenTens } from '../kit/spoken-tens.ts';
import { usePhone } from '../kit/use-phone.ts';
import { useHostName, useUser } from '../session/session.tsx';
import { formatCount, formatTime } from '../time/moment.ts';
import { ATTEMPTS, hasFailed, hasTimedOut, type RepositorySync } from './run-sync.ts';
import classes from './sync.module.css';
import { formatTimeLeft, overallOf, type SyncOverview } from './sync-overview.ts';
import { SYNC_BUTTON, useSync } from './sync-state.tsx';

/** The id of the button that closes it. */
const CLOSE = 'close-sync';

const modeWords = { smart: 'Smart', incremental: 'Incremental', full: 'Full' };

/** What a sync is doing, one line per repository (docs/product.md#add-repository-and-sync). Closing it stops nothing. */
export default function SyncDialog() {
  useFocusBack(SYNC_BUTTON);
  usePageLock();
  const sync = useSync();
  const asSheet = usePhone();
  const { state, active, setDialogOpened } = sync;
  const overview = overallOf(state);
  const hasRepositories = useQuery(askConnectedRepositories()).data?.length !== 0;
  const count = state?.repositories.length ?? 0;
  const title = count === 1 ? `Sync ${state?.repositories[0]?.repository.name}` : `Sync ${count} repositories`;
  return (
    <Modal opened onClose={() => setDialogOpened(false)} fullScreen={asSheet} padding={0} withCloseButton={false}>
      <div className={classes.head}>
        <Modal.Title className={classes.title ?? ''}>{count === 0 ? 'Sync' : title}</Modal.Title>
        {state !== null && <Chip meaning="neutral">{modeWords[state.mode]}</Chip>}
        <Modal.CloseButton aria-label="Close" />
      </div>
      {count > 0 && (
        <>
          <div className={classes.lead}>
            <Amount figure={String(overview.percentage)} unit="%" large />
            <span>{syncPhaseMessage(overview.phase)}</span>
            {active && <span className={classes.left}>{formatTimeLeft(overview.secondsLeft)}</span>}
          </div>
          <Bar percentage={overview.percentage} label="Sync progress" />
          <VisuallyHidden role="status">
            {spokenTens(overview.percentage)}. {syncPhaseMessage(overview.phase)}
          </VisuallyHidden>
          <Steps phase={overview.phase} />
          <Counters overview={overview} />
          <ul className={classes.repositories}>
            {state?.repositories.map((one) => (
              <Line key={one.repository.id} one={one} active={active} onRetry={() => sync.retry(one)} />
            ))}
          </ul>
        </>
      )}
      {sync.error !== null && (
        <div className={classes.messages}>
          <Banner meaning="bad">{sync.error}</Banner>
        </div>
      )}
      <div className={classes.foot}>
        <span>
          {active ? (
            'The sync goes on in the background when you close this.'
          ) : sync.message === null ? null : (
            <span className={classes.success} role="status">
              <CheckCircleFillIcon size={14} className={classes.done ?? ''} />
              <span>{sync.message}</span>
            </span>
          )}
        </span>
        {(active || sync.error !== null) && (
          <Button variant="subtle" color="gray" onClick={sync.clear}>
            Clear Sync State
          </Button>
        )}
        {count === 0 && sync.error !== null && hasRepositories && (
          <Button ref={passFocus(CLOSE)} variant="default" onClick={() => sync.retry()}>
            Retry
          </Button>
        )}
        <Button id={CLOSE} onClick={() => setDialogOpened(false)}>
          Close
        </Button>
      </div>
    </Modal>
  );
}

function Bar({ percentage, label }: { percentage: number; label: string }) {
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.floor(percentage)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percentage}%` }} />
    </div>
  );
}

const steps = [
  { phase: 'starting', word: 'Initializing' },
  { phase: 'fetching_prs', word: 'Pull requests' },
  { phase: 'fetching_reviews', word: 'Reviews' },
  { phase: 'processing_data', word: 'Processing' },
] as const;

function Steps({ phase }: { phase: string }) {
  const position = steps.findIndex((step) => step.phase === phase);
  if (phase === 'error') return null;
  const all = phase === 'completed';
  return (
    <ol className={classes.steps}>
      {steps.map((step, at) => (
        <li key={step.phase} aria-current={at === position ? 'step' : undefined}>
          {all || at < position ? (
            <CheckIcon size={12} className={classes.done ?? ''} aria-label="done" />
          ) : at === position ? (
            <DotFillIcon size={12} className={classes.now ?? ''} />
          ) : (
            <CircleIcon size={12} />
          )}
          {step.word}
        </li>
      ))}
    </ol>
  );
}

function Counters({ overview }: { overview: SyncOverview }) {
  const host = useHostName();
  const { time_zone } = useUser();
  const { rateLimit } = overview;
  const low = rateLimit !== null && rateLimit.remaining !== null && isRateLimitLow(rateLimit.remaining);
  const reset = rateLimit === null ? '' : formatTime(Date.parse(rateLimit.reset_at), time_zone);
  return (
    <dl className={classes.counters}>
      <div>
        <dt>PRs</dt>
        <dd>
          <b>{formatCount(overview.processedPrs)}</b>
          {overview.totalPrs !== null && <span> of {formatCount(overview.totalPrs)}</span>}
        </dd>
      </div>
      <div>
        <dt>Reviews</dt>
        <dd>
          <b>{formatCount(overview.processedReviews)}</b>
          {overview.totalReviews !== null && <span> of {formatCount(overview.totalReviews)}</span>}
        </dd>
      </div>
      <div>
        <dt>{host} rate limit</dt>
        <dd className={low ? classes.low : undefined}>
          {low && <AlertIcon size={12} aria-label="Low" />}
          {rateLimit === null ? (
            <span>Not known yet</span>
          ) : rateLimit.remaining === null || rateLimit.limit === null ? (
            <span>Somebody else’s, until {reset}</span>
          ) : (
            <span>
              <b>{formatCount(rateLimit.remaining)}</b> of {formatCount(rateLimit.limit)} left
              {low ? `, resets at ${reset}` : ` until ${reset}`}
            </span>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Line({ one, active, onRetry }: { one: RepositorySync; active: boolean; onRetry: () => void }) {
  const { repository, status, answer, error, attempts } = one;
  const { time_zone } = useUser();
  const progress = answer?.progress;
  const full = `${repository.owner}/${repository.name}`;
  const atWork = status === 'syncing' || status === 'retrying';
  const failed = hasFailed(one);
  const timedOut = hasTimedOut(one);
  const brought = `${formatCount(answer?.imported_prs ?? 0)} PRs, ${formatCount(answer?.imported_reviews ?? 0)} reviews`;
  const isForeign = answer?.started_by_you === false;
  const waiting = atWork && answer?.status === 'waiting' && answer.waiting_until !== null ? answer.waiting_until : null;
  return (
    <li>
      {failed ? (
        <AlertFillIcon
          size={14}
          className={classes.bad ?? ''}
          aria-label={status === 'partial' ? 'Partial' : 'Failed'}
        />
      ) : timedOut ? (
        <SyncIcon size={14} aria-label="Timed out" />
      ) : atWork ? (
        <SyncIcon size={14} className={classes.turning ?? ''} aria-label="Syncing" />
      ) : (
        <CheckCircleFillIcon size={14} className={classes.done ?? ''} aria-label="Done" />
      )}
      <span className={classes.name} title={full}>
        {repository.name}
      </span>
      <span className={classes.what}>
        {failed ? (
          <span className={classes.bad} role="alert">
            {status === 'partial' && `${brought}. `}
            {error} {answer?.error_link && <a href={answer.error_link}>What to do</a>}
          </span>
        ) : timedOut ? (
          <span>
            {Math.floor(progress?.percentage ?? 0)}%. {error}
          </span>
        ) : status === 'retrying' ? (
          <span>
            {error} Trying again ({attempts} of {ATTEMPTS} used).
          </span>
        ) : waiting !== null ? (
          <span>
            {progress?.message} The sync goes on by itself at {formatTime(Date.parse(waiting), time_zone)}.{' '}
            {isForeign && 'It was started by somebody else.'}
          </span>
        ) : atWork ? (
          <>
            <Bar percentage={progress?.percentage ?? 0} label={full} />
            <span>
              {formatCount(progress?.processed_prs ?? 0)}
              {progress?.total_prs != null && ` of ${formatCount(progress.total_prs)}`} PRs
              {isForeign && ', started by somebody else'}
            </span>
          </>
        ) : (
          brought
        )}
      </span>
      {failed || timedOut ? (
        <Button ref={passFocus(CLOSE)} variant="default" size="compact-xs" disabled={active} onClick={onRetry}>
          {timedOut ? 'Show Progress' : `Retry${attempts > 0 ? `, ${attempts} of ${ATTEMPTS} used` : ''}`}
        </Button>
      ) : (
        <span className={classes.share}>
          {status === 'done' ? 'Done' : status === 'partial' ? 'Partial' : `${Math.floor(progress?.percentage ?? 0)}%`}
        </span>
      )}
    </li>
  );
}
