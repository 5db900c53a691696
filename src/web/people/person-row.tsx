import { Link } from '@tanstack/react-router';
import type { AccountKind } from '#domain/pull-request.ts';
import { keepCredit } from '../filters/credit.ts';
import { Chip } from '../kit/chip.tsx';
import { rowLink } from '../table/row-link.ts';
import classes from './people-table.module.css';
import { Person } from './person.tsx';
import { PersonName } from './person-name.tsx';

interface Props {
  readonly username: string;
  readonly displayName: string | null;
  /** No room for two names. */
  readonly brief?: boolean;
  readonly avatarUrl: string | null;
  readonly kind: AccountKind;
  /** 'Top Reviewer' or 'Top Contributor'. */
  readonly badge?: string | undefined;
}

/** The person of a row; the whole row opens their page. */
export function RowPerson({ username, displayName, brief = false, avatarUrl, kind, badge }: Props) {
  return (
    <span className={classes.who}>
      <Person name={username} displayName={displayName} avatarUrl={avatarUrl} kind={kind}>
        <PersonName
          login={username}
          displayName={brief ? null : displayName}
          link={(name) => (
            <Link {...rowLink} to="/contributor/{-$username}" params={{ username }} search={keepCredit}>
              {name}
            </Link>
          )}
        />
      </Person>
      {badge !== undefined && <Chip meaning="neutral">{badge}</Chip>}
    </span>
  );
}
