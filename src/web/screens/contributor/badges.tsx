import { CalendarIcon, EyeIcon, FileDiffIcon, GitMergeIcon, ZapIcon } from '@primer/octicons-react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Badge } from '#domain/badges.ts';
import { Chip } from '../../kit/chip.tsx';
import classes from './profile-card.module.css';

const icons: Readonly<Record<Badge['label'], typeof ZapIcon>> = {
  'Top Reviewer': EyeIcon,
  'Fast Responder': ZapIcon,
  'Small PRs': FileDiffIcon,
  Consistent: CalendarIcon,
  Closer: GitMergeIcon,
};

function iconOf(label: string): { icon: typeof ZapIcon } | Record<never, never> {
  return Object.hasOwn(icons, label) ? { icon: icons[label as Badge['label']] } : {};
}

/** What stands out in someone's figures; the reason is the badge's tooltip. */
export function Badges({ badges }: Pick<ContributorMetrics, 'badges'>) {
  if (badges.length === 0) return null;
  return (
    <ul className={classes.badges} aria-label="Badges">
      {badges.map(({ label, reason }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard
        <li key={label} tabIndex={0} data-tip={reason}>
          <Chip meaning="outlined" {...iconOf(label)}>
            {label}
          </Chip>
        </li>
      ))}
    </ul>
  );
}
