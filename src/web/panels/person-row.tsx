import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { AccountKind } from '#domain/pull-request.ts';
import { Chip } from './chip.tsx';
import { type Column, rowLink } from './data-table.tsx';
import { figureTip, PersonFigure } from './people-figures.tsx';
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

interface PhoneProps<Row> extends Props {
  readonly row: Row;
  /** Those with a figure are shown. */
  readonly columns: readonly Column<Row>[];
}

/** A person of a people table on a phone: who, then their figures with their names. */
export function PersonPhoneRow<Row>({ row, columns, ...person }: PhoneProps<Row>) {
  const id = useId();
  const figures = columns.flatMap(({ figure, ...column }) => (figure === undefined ? [] : [{ ...column, figure }]));
  return (
    <div className={classes.phone}>
      <RowPerson {...person} />
      <dl>
        {figures.map(({ figure, ...column }, at) => (
          <div key={column.id}>
            <dt id={`${id}-${column.id}`}>{column.title}</dt>
            <dd>
              <PersonFigure
                of={figure.metric}
                whose={person.username}
                labelId={`${id}-${column.id}`}
                tip={figureTip(figure, row)}
                first={at === 0}
              >
                {column.cell(row)}
              </PersonFigure>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
