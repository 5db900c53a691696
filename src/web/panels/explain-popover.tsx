import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { CloseButton, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Explanation } from '#contract/explain.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { ask } from '../api/query.ts';
import { useUser } from '../session/session.tsx';
import { ErrorState } from './error-state.tsx';
import classes from './explain.module.css';
import type { ExplainProps } from './explain.tsx';
import type { PopoverState } from './explain-label.tsx';
import { formatCount, formatDay } from './moment.ts';
import { useNow } from './now.ts';
import { Late, Line } from './skeleton.tsx';

type Props = ExplainProps & PopoverState;

/** The popover of `Explain`: asks `/api/explain/{metric}` when it is first opened. */
export default function ExplainPopover({
  opened,
  onClose,
  distribution,
  onPointerEnter,
  onPointerLeave,
  ...about
}: Props) {
  const { metric, username, period, repository } = about;
  const answer = useQuery({
    ...ask('explainMetric', { params: { metric }, query: { username, period, repository, limit: 100 } }),
    enabled: opened,
    refetchInterval: false,
  });
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && onClose()}
      width={392}
      position="bottom-start"
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <span aria-hidden="true" className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown ?? ''}
        role="dialog"
        aria-label="Explain this number"
        onPointerEnter={onPointerEnter}
        onPointerLeave={onPointerLeave}
      >
        {answer.data ? (
          <Explained explanation={answer.data} distribution={distribution} onClose={onClose} />
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
