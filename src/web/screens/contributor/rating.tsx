import type { HealthStatus } from '#domain/health.ts';
import type { Grade, Rating } from '#domain/ratings.ts';
import type { TeamImpact } from '#domain/team-impact.ts';
import { Chip, type Meaning } from '../../kit/chip.tsx';
import { Amount } from '../../kit/figure.tsx';

const ratings: Readonly<Record<Rating | HealthStatus | TeamImpact, Meaning>> = {
  Excellent: 'good',
  Good: 'good',
  Average: 'neutral',
  'Needs Improvement': 'watch',
  'Needs Attention': 'watch',
  Critical: 'bad',
  'High Impact': 'good',
  'Good Impact': 'good',
  'Moderate Impact': 'neutral',
  'Building Impact': 'neutral',
};

const grades: Readonly<Record<Grade, Meaning>> = { good: 'good', fair: 'neutral', watch: 'watch', bad: 'bad' };

/** A rating (docs/product.md#thresholds-and-ratings) as a word with its meaning; nothing where there was nothing to rate. */
export function RatingChip({ rating }: { rating: Rating | HealthStatus | TeamImpact | null }) {
  return rating === null ? null : <Chip meaning={ratings[rating]}>{rating}</Chip>;
}

/** A figure in the colour of its grade, whose icon says the same; 'N/A' where there was nothing to grade. */
export function Graded({ grade, children }: { grade: Grade | null; children: string | null }) {
  return grade === null ? <Amount figure={children} /> : <Chip meaning={grades[grade]}>{children}</Chip>;
}
