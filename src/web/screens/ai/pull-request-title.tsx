import { Link } from '@tanstack/react-router';
import type { Explanation } from '#contract/explain.ts';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { rowLink } from '../../table/row-link.ts';
import classes from './pull-request-row.module.css';

/** The pull request of a row: its state, its title, which leads to its page, and where it is. */
export function PullRequestTitle({ item }: { readonly item: Explanation['items'][number] }) {
  return (
    <span className={classes.title}>
      <PullRequestIcon state={item.state} draft={item.draft ?? false} labelled />
      <Link
        to="/pr/$repoOwner/$repoName/$prNumber"
        params={{ repoOwner: item.repo_owner, repoName: item.repo_name, prNumber: String(item.pr_number) }}
        dir="auto"
        data-tip={item.title}
        {...rowLink}
      >
        {item.title}
      </Link>
      <span className={classes.place}>{`${item.repo_name} #${item.pr_number}`}</span>
    </span>
  );
}
