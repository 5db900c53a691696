import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AccountKind } from '#domain/pull-request.ts';
import { Chip } from './chip.tsx';
import { rowLink } from './data-table.tsx';
import classes from './people-table.module.css';
import { Person } from './person.tsx';

interface Props {
  readonly username: string;
  readonly avatarUrl: string | null;
  readonly kind: AccountKind;
  /** 'Top Reviewer' or 'Top Contributor'. */
  readonly badge?: string | undefined;
}

/** The person of a row; the whole row opens their page. */
export function RowPerson({ username, avatarUrl, kind, badge }: Props) {
  return (
    <span className={classes.who}>
      <Person name={username} avatarUrl={avatarUrl} kind={kind}>
        <Link className={rowLink} to="/contributor/{-$username}" params={{ username }}>
          {username}
        </Link>
      </Person>
      {badge !== undefined && <Chip meaning="neutral">{badge}</Chip>}
    </span>
  );
}

interface PhoneProps extends Props {
  readonly figures: readonly { readonly label: string; readonly value: ReactNode }[];
}

/** A person of a people table on a phone: who, then their figures with their names. */
export function PersonPhoneRow({ figures, ...person }: PhoneProps) {
  return (
    <div className={classes.phone}>
      <RowPerson {...person} />
      <dl>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
