import { VisuallyHidden } from '@mantine/core';
import { AlertIcon, ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import { createContext, type ReactNode, useContext } from 'react';
import type { Rating } from '#domain/ratings.ts';
import classes from './people-table.module.css';

/** A figure that stands out: orange over a bound, with an icon; green inside a target, which most are, without one. */
export function Flagged({ as, children }: { as: 'watch' | 'good' | null; children: ReactNode }) {
  if (as === null) return <>{children}</>;
  return (
    <span className={`${classes.flag} ${classes[as]}`}>
      {as === 'watch' && <AlertIcon size={12} aria-label="Over the bound" />}
      {children}
      {as === 'good' && <VisuallyHidden> inside the target</VisuallyHidden>}
    </span>
  );
}

/** A figure with its rating in words below it (docs/product.md#thresholds-and-ratings). Null where there was nothing to rate. */
export function Rated({ as, children }: { as: Rating | null; children: ReactNode }) {
  return (
    <span className={classes.rated}>
      <span className={classes.flag}>{children}</span>
      {as !== null && (
        <span data-rating className={`${classes.rating} ${classes[grades[as]]}`}>
          {' '}
          {as}
        </span>
      )}
    </span>
  );
}

/** Only what stands out has a colour. */
const grades = { Excellent: 'good', Good: 'even', Average: 'even', 'Needs Improvement': 'watch' } as const;

const looks = {
  up: { Icon: ArrowUpIcon, words: 'up from', meaning: 'change' },
  down: { Icon: ArrowDownIcon, words: 'down from', meaning: 'change' },
  improved: { Icon: ArrowDownIcon, words: 'faster than in', meaning: 'better' },
  slower: { Icon: ArrowUpIcon, words: 'slower than in', meaning: 'worse' },
  stable: { Icon: DashIcon, words: 'stable', meaning: 'change' },
} as const;

/** The window that arrows compare with, in words. */
export const Before = createContext('the 30 days before');

/**
 * The arrow beside a figure that says how it moved against the window before (docs/product.md#reviewers-and-developers). How much someone
 * merged is no judgement and stays grey.
 */
export function Movement({ trend }: { trend: keyof typeof looks }) {
  const { Icon, words, meaning } = looks[trend];
  const before = useContext(Before);
  return (
    <Icon
      size={12}
      aria-label={trend === 'stable' ? words : `${words} ${before}`}
      className={`${classes.change} ${classes[meaning]}`}
    />
  );
}
