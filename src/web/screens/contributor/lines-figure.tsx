import { Amount } from '../../kit/figure.tsx';
import { formatCount } from '../../time/moment.ts';

/** A mean number of changed lines; null is 'N/A'. */
export function Lines({ count }: { count: number | null }) {
  return <Amount figure={count === null ? null : formatCount(Math.round(count))} unit="lines" />;
}
