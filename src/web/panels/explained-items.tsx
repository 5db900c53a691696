import { Link } from '@tanstack/react-router';
import type { Explanation } from '#contract/explain.ts';
import { useUser } from '../session/session.tsx';
import classes from './explain.module.css';
import { formatValue } from './explained.tsx';
import { formatCount, formatMoment, instantOf } from './moment.ts';
import { useNow } from './now.ts';
import { PullRequestIcon } from './pull-request-state.tsx';

/** The pull requests behind a figure, latest first, each with what it contributed; the newest hundred. */
export function ExplainedItems({ explanation }: { explanation: Explanation }) {
  const now = useNow();
  const { time_zone } = useUser();
  const { metric, items, total, mean } = explanation;
  // The share of a folder is made of lines; what is no mean is not made of what its items come to.
  const unit = metric === 'contributor.code_ownership_areas' ? 'lines' : mean === null ? null : explanation.unit;
  return (
    <>
      <ul className={classes.items} aria-label="Pull requests behind this number">
        {items.map(({ repo_owner, repo_name, pr_number, title, state, at, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one pull request can stand here several times, once per review
          <li key={index}>
            <PullRequestIcon state={state} labelled />
            <Link
              to="/pr/$repoOwner/$repoName/$prNumber"
              params={{ repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) }}
              data-tip={`${title}\n${repo_owner}/${repo_name} #${pr_number}, ${formatMoment(instantOf(at), now, time_zone)}`}
            >
              {title}
            </Link>
            <span className={classes.itemValue}>
              {value === null || unit === null ? `${repo_name} #${pr_number}` : formatValue(value, unit)}
            </span>
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className={classes.note}>
          The latest {formatCount(items.length)} of {formatCount(total)}.
        </p>
      )}
    </>
  );
}
