import { Page } from '../../layout/page.tsx';

/** Add repository. */
export function AddRepositoryScreen() {
  return <Page title="Add repository">{null}</Page>;
}
