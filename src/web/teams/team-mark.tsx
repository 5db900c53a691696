import { CircleSlashIcon, OrganizationIcon, PeopleIcon, PersonIcon } from '@primer/octicons-react';
import classes from './teams.module.css';

const icons = { host: PeopleIcon, own: PersonIcon, none: CircleSlashIcon, scope: OrganizationIcon };

/** The tile before a team's name: of the host, a group, nobody's team, or everything. Decorative: the name stands beside it. */
export function TeamMark({ of }: { readonly of: keyof typeof icons }) {
  const Icon = icons[of];
  return (
    <span className={classes.mark}>
      <Icon size={14} />
    </span>
  );
}
