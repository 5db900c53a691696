import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import type { Explanation } from '#contract/explain.ts';
import { definitionOf } from '#domain/metrics/definitions.ts';
import type { Percentile } from '#domain/percentiles.ts';
import type { SizeBucket } from '#domain/size-buckets.ts';
import { ask, noPlaceholder } from '../api/query.ts';
import { ErrorState } from '../kit/error-state.tsx';
import { Late, Line } from '../kit/skeleton.tsx';
import classes from './explain.module.css';
import { ExplainDialog, ExplainHead } from './explain-dialog.tsx';
import type { PopoverState } from './explain-label.tsx';
import { Explained } from './explained.tsx';
import type { ExplainQuestion } from './explained-items.tsx';

/** Which figure, and of what, is explained. */
export interface FigureToExplain {
  /** The name that `/api/explain/{metric}` knows. */
  readonly metric: string;
  readonly username?: string;
  readonly period?: string;
  /** With `to` instead of a period. */
  readonly from?: string;
  readonly to?: string;
  readonly repository?: number;
  readonly team?: number;
  readonly team_as?: 'reviewer';
  /** Bots and agents are in the list of which this is the sum. */
  readonly accounts?: 'all';
  /** Agents' pull requests are counted to who started them, too. */
  readonly credit?: 'started';
  /** Of figures of AI in review: the login of the reviewer, the pull requests that it is measured on, and how groups are told apart. */
  readonly reviewer?: string;
  readonly author_kind?: 'human' | 'bot' | 'agent';
  readonly size?: SizeBucket;
  readonly by?: 'group' | 'tool';
  readonly bots?: 'true';
  /** The group or tool beside those without a trace, and which percentile of durations and sizes is told. */
  readonly group?: string;
  readonly statistic?: Percentile;
  /** Which part of a figure that is drawn in many: as `/api/explain` calls it, and in words. */
  readonly part?: { readonly key: string; readonly name: string };
  /** What the figure's name is followed by where there is no part, e.g. whose it is. */
  readonly named?: string;
  /** `owner/name/number`, for what one pull request is compared with. */
  readonly pullRequest?: string;
  /** Drawn between the definition and the figures, e.g. the distribution. */
  readonly distribution?: (explanation: Explanation) => ReactNode;
}

type Props = FigureToExplain & PopoverState & { readonly anchor?: CSSProperties };

/**
 * The popover of `Explain`: asks `/api/explain/{metric}` when it is first opened. Its head stays in place when the answer comes, so that the
 * focus stays on it.
 */
export default function ExplainPopover({
  metric,
  username,
  period,
  from,
  to,
  repository,
  team,
  team_as,
  accounts,
  credit,
  reviewer,
  author_kind,
  size,
  by,
  bots,
  group,
  statistic,
  part,
  named = part?.name,
  pullRequest,
  distribution,
  ...state
}: Props) {
  const question: ExplainQuestion = {
    params: { metric },
    query: {
      username,
      period,
      from,
      to,
      repository,
      team,
      team_as,
      accounts,
      credit,
      reviewer,
      ...(author_kind !== undefined && { author_kind: [author_kind] }),
      ...(size !== undefined && { size: [size] }),
      by,
      bots,
      group,
      statistic,
      part: part?.key,
      pull_request: pullRequest,
      limit: 100,
    },
  };
  const answer = useQuery({
    ...ask('explainMetric', question),
    enabled: state.opened,
    placeholderData: noPlaceholder,
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
