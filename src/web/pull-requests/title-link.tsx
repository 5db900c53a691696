import { Link } from '@tanstack/react-router';
import { rowLink } from '../table/row-link.ts';

interface Titled {
  readonly repo_owner: string;
  readonly repo_name: string;
  readonly pr_number: number;
  readonly title: string;
}

/** The title of a row's pull request; it leads to its page. */
export function TitleLink({ row: { repo_owner, repo_name, pr_number, title } }: { readonly row: Titled }) {
  return (
    <Link
      {...rowLink}
      to="/pr/$repoOwner/$repoName/$prNumber"
      params={{ repoOwner: repo_owner, repoName: repo_name, prNumber: String(pr_number) }}
      title={title}
    >
      {title}
    </Link>
  );
}
