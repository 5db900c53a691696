import { contributorOpenPrsBadge } from '#domain/ratings.ts';
import { Chip } from '../kit/chip.tsx';
import { formatCount } from '../time/moment.ts';

/** A contributor's open pull requests in the colour of their badge (docs/product.md#thresholds-and-ratings). */
export function OpenPrs({ count }: { count: number }) {
  const badge = contributorOpenPrsBadge(count);
  if (badge === 'none') return <>{formatCount(count)}</>;
  return <Chip meaning={badge === 'destructive' ? 'bad' : 'neutral'}>{formatCount(count)}</Chip>;
}
