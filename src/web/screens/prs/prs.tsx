import { Page } from '../../layout/page.tsx';

/** Pull Request Management. */
export function PullRequestsScreen() {
  return <Page title="Pull Request Management">{null}</Page>;
}
