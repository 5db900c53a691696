import { VisuallyHidden } from '@mantine/core';
import { AlertIcon, ArrowDownIcon, ArrowUpIcon, CheckIcon, DashIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { Rating } from '#domain/ratings.ts';
import classes from './people-table.module.css';

/** A figure that stands out: orange over a bound, green inside a target; the icon says it without the colour. */
export function Flagged({ as, children }: { as: 'watch' | 'good' | null; children: ReactNode }) {
  if (as === null) return <>{children}</>;
  const Icon = as === 'watch' ? AlertIcon : CheckIcon;
  return (
    <span className={`${classes.flag} ${classes[as]}`}>
      <Icon size={12} aria-label={as === 'watch' ? 'Over the bound' : 'Inside the target'} />
      {children}
    </span>
  );
}

/** A figure with its rating of the specification, which is read aloud behind the figure; its tooltip says it. Null where there was nothing to rate. */
export function Rated({ as, children }: { as: Rating | null; children: ReactNode }) {
  return (
    <span className={classes.flag}>
      {children}
      {as !== null && <VisuallyHidden> {as}</VisuallyHidden>}
    </span>
  );
}

const looks = {
  up: { Icon: ArrowUpIcon, words: 'up from the 30 days before', meaning: 'change' },
  down: { Icon: ArrowDownIcon, words: 'down from the 30 days before', meaning: 'change' },
  improved: { Icon: ArrowDownIcon, words: 'faster than in the 30 days before', meaning: 'better' },
  slower: { Icon: ArrowUpIcon, words: 'slower than in the 30 days before', meaning: 'worse' },
  stable: { Icon: DashIcon, words: 'stable', meaning: 'change' },
} as const;

/**
 * The arrow beside a figure that says how it moved against the window before (product specification, section 3, "Developer stat"). How much someone
 * merged is no judgement and stays grey.
 */
export function Movement({ trend }: { trend: keyof typeof looks }) {
  const { Icon, words, meaning } = looks[trend];
  return <Icon size={12} aria-label={words} className={`${classes.change} ${classes[meaning]}`} />;
}
