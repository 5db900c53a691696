import { ArrowDownIcon, ArrowUpIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { AccountKind } from '#domain/pull-request.ts';
import { keepCredit } from '../filters/credit.ts';
import { Late, Line } from '../kit/skeleton.tsx';
import type { Column, PeopleListing } from '../table/data-table.tsx';
import type { Sort } from '../url/url-state.ts';
import { accountsWords } from './accounts-foot.tsx';
import { figureTip, PersonFigure } from './people-figures.tsx';
import classes from './people-phone-list.module.css';
import { Face, KindChip } from './person.tsx';
import { nameOf, PersonName, shownLogin } from './person-name.tsx';

interface Who {
  readonly username: string;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly kind: AccountKind;
  /** 'Top Reviewer' or 'Top Contributor'. */
  readonly badge?: string | undefined;
}

/** How rows are shown as people. */
export interface PeopleInColumns<Row> {
  readonly rowKey: (row: Row) => string;
  readonly who: (row: Row) => Who;
  /** Those with a figure are shown. */
  readonly columns: readonly Column<Row>[];
  /** The ids of at most three columns that stand beside the name; the sorted one takes the place of the last where it is none of them. */
  readonly leading: readonly string[];
  /** One line below the name. */
  readonly note?: (row: Row) => ReactNode;
}

interface Props<Row> extends PeopleInColumns<Row>, PeopleListing<Row> {}

/**
 * People on a phone as a small table: the name and up to three figures in columns that stand at one place in every row, so that
 * they can be compared; a press on the name shows the other figures below it.
 */
export default function PeoplePhoneList<Row>(props: Props<Row>) {
  const { label, rows, rowKey, who, columns, leading, note, sort, onSort, expectedRows } = props;
  const id = useId();
  const [opened, setOpened] = useState<string | null>(null);
  const figures = columns.filter(({ figure }) => figure !== undefined);
  const wanted = leading.includes(sort?.column ?? '') ? leading : withSorted(leading, figures, sort);
  const beside = figures.filter((column) => wanted.includes(column.id));
  const rest = figures.filter((column) => !wanted.includes(column.id));
  const cells = (row: Row, shown: readonly Column<Row>[], first: boolean) =>
    shown.map((column, at) => ({
      column,
      cell: column.figure && (
        <PersonFigure
          of={column.figure.metric}
          whose={who(row).username}
          labelId={`${id}-${column.id}`}
          tip={figureTip(column.figure, row)}
          first={first && at === 0}
        >
          {column.cell(row)}
        </PersonFigure>
      ),
    }));
  return (
    <div className={`${classes.list} ${classes[`columns${beside.length}`]}`}>
      <div className={`${classes.line} ${classes.heads}`}>
        <span>{rows !== null && accountsWords(rows.map(who))}</span>
        {beside.map((column) => (
          <PhoneHead key={column.id} id={`${id}-${column.id}`} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
      <ul aria-label={label}>
        {rows === null
          ? Array.from({ length: expectedRows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
              <li key={row} className={classes.line}>
                <Late>
                  <Line width="60%" />
                </Late>
              </li>
            ))
          : rows.map((row) => {
              const { username, displayName, avatarUrl, kind, badge } = who(row);
              const key = rowKey(row);
              const open = opened === key;
              const words = note?.(row);
              return (
                <li key={key} data-tips>
                  <div className={classes.line}>
                    <span className={classes.who}>
                      <Face name={nameOf(username, displayName)} avatarUrl={avatarUrl} kind={kind} size={24} />
                      <span className={classes.words}>
                        {rest.length === 0 ? (
                          <Link
                            className={classes.name}
                            to="/contributor/{-$username}"
                            params={{ username }}
                            search={keepCredit}
                          >
                            {shownLogin(username)}
                          </Link>
                        ) : (
                          <button
                            type="button"
                            className={classes.name}
                            aria-expanded={open}
                            onClick={() => setOpened(open ? null : key)}
                          >
                            {shownLogin(username)}
                          </button>
                        )}
                        <span className={classes.note}>
                          {words}
                          <KindChip kind={kind} />
                        </span>
                      </span>
                    </span>
                    {cells(row, beside, true).map(({ column, cell }) => (
                      <span key={column.id} className={classes.figure}>
                        {cell}
                      </span>
                    ))}
                  </div>
                  {open && (
                    <div className={classes.rest}>
                      <p className={classes.full}>
                        <PersonName login={username} displayName={displayName} />
                        {badge !== undefined && ` · ${badge}`}
                      </p>
                      <dl>
                        {cells(row, rest, false).map(({ column, cell }) => (
                          <div key={column.id}>
                            <dt id={`${id}-${column.id}`}>{column.title}</dt>
                            <dd>{cell}</dd>
                          </div>
                        ))}
                      </dl>
                      <Link to="/contributor/{-$username}" params={{ username }} search={keepCredit}>
                        Open {shownLogin(username)}
                      </Link>
                    </div>
                  )}
                </li>
              );
            })}
      </ul>
    </div>
  );
}

function withSorted<Row>(leading: readonly string[], figures: readonly Column<Row>[], sort: Sort | null) {
  const sorted = figures.find(({ id }) => id === sort?.column);
  return sorted === undefined ? leading : [...leading.slice(0, 2), sorted.id];
}

interface HeadProps<Row> {
  readonly id: string;
  readonly column: Column<Row>;
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort) => void;
}

function PhoneHead<Row>({ id, column, sort, onSort }: HeadProps<Row>) {
  const active = sort?.column === column.id;
  const descending = active ? !sort.descending : (column.descendingFirst ?? false);
  const Arrow = active && !sort.descending ? ArrowUpIcon : ArrowDownIcon;
  return (
    <button
      type="button"
      className={`${classes.head} ${active ? classes.sorted : ''}`}
      onClick={() => onSort({ column: column.id, descending })}
    >
      <span id={id}>
        {active && <Arrow size={12} aria-label={sort.descending ? 'descending' : 'ascending'} />}
        {column.title}
      </span>
    </button>
  );
}
