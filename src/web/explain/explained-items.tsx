import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Explanation } from '#contract/explain.ts';
import { isOfAmounts } from '#domain/ai-reviewers.ts';
import type { CallInput } from '../api/client.ts';
import { ask, noPlaceholder } from '../api/query.ts';
import { OldAnswerNote } from '../kit/error-state.tsx';
import { PullRequestIcon } from '../kit/pull-request-state.tsx';
import { useUser } from '../session/session.tsx';
import { formatCount, formatMomentInZone, instantOf } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import classes from './explain.module.css';
import { formatValue } from './format-value.ts';

export type ExplainQuestion = CallInput<'explainMetric'>;

/** Lists that hold exactly what a figure of all repositories counts. */
const lists: Readonly<
  Record<string, { readonly to: '/prs' | '/stuck-prs'; readonly search: object; readonly words: string }>
> = {
  'team.open_prs': { to: '/prs', search: { state: 'open' }, words: 'Open the list of open pull requests' },
  'team.stuck_prs': { to: '/stuck-prs', search: {}, words: 'Open the list of stuck pull requests' },
};

interface Props {
  readonly explanation: Explanation;
  readonly question: ExplainQuestion;
}

/**
 * A hundred of the pull requests behind a figure, each with what it contributed, the most first; where they contribute no amounts, the
 * latest first. Until the largest are there, and where they can't be fetched, the latest.
 */
export function ExplainedItems({ explanation, question }: Props) {
  const { metric, items, total } = explanation;
  const unit = unitOfItems(explanation);
  const largest = useQuery({
    ...ask('explainMetric', { ...question, query: { ...question.query, order: 'value' } }),
    enabled: unit !== null && total > items.length,
    placeholderData: noPlaceholder,
    refetchInterval: false,
  });
  const shown = unit === null ? items : (largest.data?.items ?? largestFirst(items));
  const list =
    question.query?.repository === undefined && question.query?.team === undefined ? lists[metric] : undefined;
  return (
    <>
      <div className={classes.old}>
        <OldAnswerNote
          title="Failed to fetch the largest"
          answer={{ data: shown, error: largest.error, refetch: largest.refetch }}
        />
      </div>
      <ItemList items={shown} unit={unit} isBusy={largest.isLoading} />
      {total > shown.length && (
        <p className={classes.note}>
          The {largest.data === undefined ? 'latest' : 'largest'} {formatCount(shown.length)} of {formatCount(total)}
          {unit !== null && largest.data === undefined && ', the largest first'}.
        </p>
      )}
      {list !== undefined && (
        <p className={classes.note}>
          <Link to={list.to} search={list.search} state={{ addsNoTeam: true }}>
            {list.words}
          </Link>
        </p>
      )}
    </>
  );
}

/** In which unit items have what they contributed; null where that is no amount. */
export function unitOfItems({ metric, mean, unit, sides }: Explanation): string | null {
  // The share of a folder is made of lines; what is neither a mean nor a difference of means is not made of what its items come to.
  if (metric === 'contributor.code_ownership_areas') return 'lines';
  if (isOfAmounts(metric)) return unit;
  return mean === null && (sides === undefined || unit === 'share') ? null : unit;
}

interface ListProps {
  readonly items: Explanation['items'];
  /** Of what each contributed; null where that is no amount. */
  readonly unit: string | null;
  readonly isBusy?: boolean;
}

/** Pull requests, each with what it contributed. */
export function ItemList({ items, unit, isBusy = false }: ListProps) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <ul className={classes.items} aria-label="Pull requests behind this number" aria-busy={isBusy}>
      {items.map(({ repo_owner, repo_name, pr_number, title, state, at, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one pull request can stand here several times, once per review
        <li key={index}>
          <PullRequestIcon state={state} labelled />
          <Link
            to="/pr/$repoOwner/$repoName/$prNumber"
            params={{ repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) }}
            dir="auto"
            data-tip={`${title}\n${repo_owner}/${repo_name} #${pr_number}, ${formatMomentInZone(instantOf(at), now, time_zone)}`}
          >
            {title}
          </Link>
          <span className={classes.itemPlace}>{`${repo_name} #${pr_number}`}</span>
          {unit !== null && value !== null && <span className={classes.itemValue}>{formatValue(value, unit)}</span>}
        </li>
      ))}
    </ul>
  );
}

export function largestFirst(items: Explanation['items']): Explanation['items'] {
  return items.toSorted((one, other) => (other.value ?? -1) - (one.value ?? -1));
}
