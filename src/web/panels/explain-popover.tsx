import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { CloseButton, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { definitionOf } from '#domain/definitions.ts';
import { ask } from '../api/query.ts';
import { ErrorState } from './error-state.tsx';
import classes from './explain.module.css';
import type { ExplainProps } from './explain.tsx';
import type { PopoverState } from './explain-label.tsx';
import { Explained } from './explained.tsx';
import { Late, Line } from './skeleton.tsx';

type Props = ExplainProps & PopoverState;

/** The popover of `Explain`: asks `/api/explain/{metric}` when it is first opened. */
export default function ExplainPopover({
  opened,
  withFocus,
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
  const known = definitionOf(metric);
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && onClose()}
      width={392}
      position="bottom-start"
      trapFocus={withFocus}
      returnFocus={withFocus}
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
          <>
            <div className={classes.head}>
              {known?.name ?? metric}
              <CloseButton size="sm" aria-label="Close" onClick={onClose} />
            </div>
            <p className={classes.definition}>{known?.definition}</p>
            <Late>
              <div className={classes.pending}>
                <Line width="100%" />
                <Line width="60%" />
                <Line width="80%" />
              </div>
            </Late>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
