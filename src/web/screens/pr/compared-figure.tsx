import type { ReactNode } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { Explain } from '../../explain/explain.tsx';
import type { FigureToExplain } from '../../explain/explain-popover.tsx';

type Address = Pick<PullRequestDetail, 'repository' | 'pr_number'>;

/** What a figure explains that compares this pull request with others. */
export function comparison(metric: FigureKey, { repository, pr_number }: Address): FigureToExplain {
  return { metric, pullRequest: `${repository.owner}/${repository.name}/${pr_number}` };
}

interface Props {
  readonly of: FigureKey;
  readonly detail: Address;
  readonly children: ReactNode;
}

/** A figure, or its name, that explains itself by the pull requests that this one is compared with. */
export function ComparedFigure({ of, detail, children }: Props) {
  return <Explain {...comparison(of, detail)}>{children}</Explain>;
}
