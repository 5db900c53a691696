import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { definitionOf } from '#domain/definitions.ts';
import { ask } from '../api/query.ts';
import { ErrorState } from './error-state.tsx';
import classes from './explain.module.css';
import type { ExplainProps } from './explain.tsx';
import { ExplainDialog, ExplainHead } from './explain-dialog.tsx';
import type { PopoverState } from './explain-label.tsx';
import { Explained } from './explained.tsx';
import type { ExplainQuestion } from './explained-items.tsx';
import { Late, Line } from './skeleton.tsx';

type Props = Omit<ExplainProps, 'children'> & PopoverState & { readonly anchor?: CSSProperties };

/**
 * The popover of `Explain`: asks `/api/explain/{metric}` when it is first opened. Its head stays in place when the answer comes, so that the
 * focus stays on it.
 */
export default function ExplainPopover({
  metric,
  username,
  period,
  repository,
  accounts,
  part,
  named = part?.name,
  pullRequest,
  distribution,
  ...state
}: Props) {
  const question: ExplainQuestion = {
    params: { metric },
    query: { username, period, repository, accounts, part: part?.key, pull_request: pullRequest, limit: 100 },
  };
  const answer = useQuery({
    ...ask('explainMetric', question),
    enabled: state.opened,
    refetchInterval: false,
  });
  const known = definitionOf(metric);
  const name = answer.data?.name ?? known?.name ?? metric;
  return (
    <ExplainDialog {...state}>
      <ExplainHead
        name={named === undefined ? name : `${name}: ${named}`}
        definition={answer.data?.definition ?? known?.definition}
        onClose={state.onClose}
      />
      {answer.data ? (
        <Explained explanation={answer.data} question={question} distribution={distribution} />
      ) : answer.error ? (
        <ErrorState title="This figure could not be explained" error={answer.error} onRetry={() => answer.refetch()} />
      ) : (
        <Late>
          <div className={classes.pending}>
            <Line width="100%" />
            <Line width="60%" />
            <Line width="80%" />
          </div>
        </Late>
      )}
    </ExplainDialog>
  );
}
