import { CloseButton, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Explanation } from '#contract/explain.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { ask } from '../api/query.ts';
import { useUser } from '../session/session.tsx';
import { ErrorState } from './error-state.tsx';
import classes from './explain.module.css';
import { formatCount, formatDay } from './moment.ts';
import { useNow } from './now.ts';
import { Late, Line } from './skeleton.tsx';

const HOVER_DELAY = 300;

export interface ExplainProps {
  /** The figure's label, which stands before the figure and opens the explanation. */
  readonly children: ReactNode;
  /** The name that `/api/explain/{metric}` knows. */
  readonly metric: string;
  readonly username?: string;
  readonly period?: string;
  readonly repository?: number;
  /** Drawn between the definition and the figures, e.g. the distribution. */
  readonly distribution?: (explanation: Explanation) => ReactNode;
}

/**
 * "Explain this number": a label with a dotted underline that opens what a figure means, how many items it rests on and what was
 * left out, after 300 ms of hovering, on a press or on Enter. Escape closes it and gives the focus back.
 */
export function Explain({ children, metric, username, period, repository, distribution }: ExplainProps) {
  const [opened, setOpened] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (open: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpened(open), HOVER_DELAY);
  };
  const stay = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  const answer = useQuery({
    ...ask('explainMetric', { params: { metric }, query: { username, period, repository, limit: 100 } }),
    enabled: opened,
    refetchInterval: false,
  });
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={392}
      position="bottom-start"
      trapFocus={false}
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.label}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onPointerEnter={(event) => event.pointerType === 'mouse' && later(true)}
          onPointerLeave={(event) => event.pointerType === 'mouse' && later(false)}
          onClick={() => {
            stay();
            setOpened(true);
          }}
        >
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown ?? ''}
        role="dialog"
        aria-label="Explain this number"
        onPointerEnter={stay}
        onPointerLeave={(event) => event.pointerType === 'mouse' && later(false)}
      >
        {answer.data ? (
          <Explained explanation={answer.data} distribution={distribution} onClose={() => setOpened(false)} />
        ) : answer.error ? (
          <ErrorState
            title="This figure could not be explained"
            error={answer.error}
            onRetry={() => answer.refetch()}
          />
        ) : (
          <div className={classes.head}>
            <Late>
              <Line width="12rem" />
            </Late>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface ExplainedProps {
  readonly explanation: Explanation;
  readonly distribution: ExplainProps['distribution'];
  readonly onClose: () => void;
}

function Explained({ explanation, distribution, onClose }: ExplainedProps) {
  const now = useNow();
  const { time_zone } = useUser();
  const { from, to } = explanation.window;
  const until = formatDay(Date.parse(to), now, time_zone);
  return (
    <>
      <div className={classes.head}>
        {explanation.name}
        <CloseButton size="sm" aria-label="Close" onClick={onClose} />
      </div>
      <p className={classes.definition}>{explanation.definition}</p>
      {distribution?.(explanation)}
      <dl className={classes.rows}>
        <Pair label="Mean" value={explanation.mean === null ? null : formatValue(explanation.mean, explanation.unit)} />
        <Pair
          label="Median"
          value={explanation.median === null ? null : formatValue(explanation.median, explanation.unit)}
        />
        <Pair label="Rests on" value={`${formatCount(explanation.n)} ${explanation.n === 1 ? 'item' : 'items'}`} />
        <Pair
          label="Window"
          value={from === null ? `as of ${until}` : `${formatDay(Date.parse(from), now, time_zone)} to ${until}`}
        />
      </dl>
      {explanation.left_out.length > 0 && (
        <div className={classes.leftOut}>
          Left out
          <ul>
            {explanation.left_out.map(({ reason, count }) => (
              <li key={reason}>
                <b>{formatCount(count)}</b> {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Pair({ label, value }: { label: string; value: string | null }) {
  if (value === null) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A value in the unit that the explanation names; null is 'N/A'. */
export function formatValue(value: number | null, unit: string): string {
  if (value === null) return NOT_AVAILABLE;
  if (unit === 'hours') return formatDuration(value);
  if (unit === 'share') return `${Math.round(value * 100)} %`;
  if (unit === 'percent') return `${Math.round(value)} %`;
  if (unit === 'lines') return `${formatCount(Math.round(value))} lines`;
  return formatCount(Math.round(value * 10) / 10);
}
