import { ErrorState } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import classes from './settings.module.css';

interface Props {
  /** What failed, where it failed. */
  readonly title: string;
  readonly query: { readonly error: Error | null; refetch(): unknown };
}

/** In place of a list of the settings that has not come yet. */
export function Unlisted({ title, query }: Props) {
  if (query.error) return <ErrorState title={title} error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Late>
      <div className={classes.repository}>
        <Line width="14rem" />
      </div>
    </Late>
  );
}
