import { VisuallyHidden } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon } from '@primer/octicons-react';
import { lazy, type ReactNode, useId } from 'react';
import type { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import { part } from '../api/part.ts';
import { rowsOf } from '../api/query.ts';
import { ErrorState, OldAnswerNote } from '../kit/error-state.tsx';
import { useIsPrinting, useScreen } from '../kit/is-printing.ts';
import { LazyPart } from '../kit/lazy-part.tsx';
import { Late, Line } from '../kit/skeleton.tsx';
import { usePhone } from '../kit/use-phone.ts';
import { formatCount } from '../time/moment.ts';
import type { Sort } from '../url/url-state.ts';
import classes from './data-table.module.css';
import { row as rowProps } from './row-link.ts';
import { inOrder, type SortValue } from './sort-rows.ts';

const SortBar = lazy(part(() => import('../kit/sort-bar.tsx')));

/** Below the kit's `md` breakpoint. */
const tablet = '(max-width: 61.99em)';

/** What the cells of a column come to, and what each is based on as far as its row has it. */
export interface ColumnFigure<Row> {
  readonly metric: keyof typeof definitionsOfTheTeam;
  readonly n?: (row: Row) => number;
  /** The figure's rating. */
  readonly rating?: (row: Row) => string | null;
  /** Its window in words, where another one than its own was chosen. */
  readonly window?: string;
  /** Drawn before the figure where there is room. */
  readonly bar?: (row: Row) => ReactNode;
}

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the column sorts by; without it the column does not sort. Null sorts last in both directions. */
  readonly value?: (row: Row) => SortValue;
  /** Right-aligned, for numbers. */
  readonly end?: boolean;
  /** CSS width; one column without takes the rest. */
  readonly width?: string;
  /** How many letters of its longest number, as written, `width` has room for; more of them widen the column. */
  readonly letters?: number;
  /** Sorts downwards at the first press; numbers usually do. */
  readonly descendingFirst?: boolean;
  /** Leaves the column out on screens narrower than 992 px. */
  readonly wideOnly?: boolean;
  /** Leaves the column out on paper, e.g. one of links. */
  readonly screenOnly?: boolean;
  /** What the column means, as the tooltip of its head. */
  readonly tip?: string;
  /** What its cells come to, for a table of people: each cell explains itself. */
  readonly figure?: ColumnFigure<Row>;
  /** A head for assistive technology only, e.g. over buttons. */
  readonly hiddenTitle?: boolean;
}

/** How a table of people draws what other tables don't have. */
export interface PeopleRows<Row> {
  /** The cell of a column with a figure; `first` is the first one of its row. */
  readonly figure: (column: Column<Row>, row: Row, labelId: string, first: boolean) => ReactNode;
  /** The rows on a phone. */
  readonly list: (list: PeopleListing<Row>) => ReactNode;
}

export interface PeopleListing<Row> {
  /** What the list is, for assistive technology. */
  readonly label: string;
  /** Null while they are not there yet. */
  readonly rows: readonly Row[] | null;
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort) => void;
  readonly expectedRows: number;
}

export interface DataTableProps<Row> {
  /** What the table is, for assistive technology. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** The state of the question behind the rows, as TanStack Query tells it. */
  readonly answer: {
    readonly data: readonly Row[] | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
    /** The rows answer the question before this one. */
    readonly isPlaceholderData?: boolean;
  };
  /** What failed where there is no answer: 'Failed to fetch stuck PRs'. */
  readonly failure: string;
  readonly empty: ReactNode;
  readonly sort: Sort | null;
  readonly onSort?: (sort: Sort) => void;
  /** The rows come sorted from the server: show the arrow, leave the order. */
  readonly sortedByServer?: boolean;
  /** Pixels; 44 unless told. */
  readonly rowHeight?: number;
  /** Shows only the first rows in the present order. */
  readonly limit?: number;
  /** How many rows the skeleton announces. */
  readonly expectedRows?: number;
  /** A row on screens narrower than 768 px, where the table becomes a list. */
  readonly phoneRow?: (row: Row) => ReactNode;
  /** Instead: the rows are people, whose figures explain themselves, and stand in columns there. */
  readonly people?: PeopleRows<Row>;
  /** The order is chosen elsewhere there, in the sheet of the filters. */
  readonly sortInSheet?: boolean;
  /** Rows that come last whatever the order is, each under a stronger line. */
  readonly last?: readonly Row[];
}

/**
 * The product's table: sorting, skeleton of the same height after 150 ms, empty state, error with Retry, sticky head; on
 * phones a list of two- or three-line rows below the choice of what it is sorted by. Old rows stay while new ones are fetched.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  return (
    <>
      <OldAnswerNote title={props.failure} answer={props.answer} />
      <Rows {...props} />
    </>
  );
}

function Rows<Row extends object>(props: DataTableProps<Row>) {
  const { columns, answer, sort, rowHeight = 44, expectedRows = 8 } = props;
  const narrow = useScreen(tablet, true);
  const id = useId();
  const asList = usePhone();
  const isPrinting = useIsPrinting();
  const shown = columns.filter((column) => !(narrow && column.wideOnly) && !(isPrinting && column.screenOnly));

  if (answer.data === undefined && answer.error) {
    return <ErrorState title={props.failure} error={answer.error} onRetry={() => answer.refetch()} />;
  }
  const data = rowsOf(answer, answer.data);
  if (data?.length === 0) return <LazyPart>{props.empty}</LazyPart>;

  const order = props.sortedByServer ? null : sort;
  const rows = data === undefined ? null : inOrder(data, columns, order).slice(0, props.limit);
  const firstFigure = shown.find(({ figure }) => figure !== undefined);
  if (asList && props.people && props.onSort) {
    const { label, onSort } = props;
    return props.people.list({ label, rows, sort, onSort, expectedRows });
  }
  if (asList) return <PhoneList {...props} rows={rows} expectedRows={expectedRows} />;

  const row = (one: Row, isLast: boolean) => (
    <tr
      key={props.rowKey(one)}
      {...rowProps}
      className={`${rowProps.className} ${classes.row} ${isLast ? classes.last : ''}`}
      data-tips
    >
      {shown.map((column) => (
        <td key={column.id} className={column.end ? classes.end : undefined}>
          {column.figure === undefined || props.people === undefined
            ? column.cell(one)
            : props.people.figure(column, one, `${id}-${column.id}`, column === firstFigure)}
        </td>
      ))}
    </tr>
  );

  return (
    <table className={classes.table} style={{ ['--row' as string]: `${rowHeight / 16}rem` }} aria-label={props.label}>
      <colgroup>
        {shown.map((column) => (
          <col key={column.id} style={{ width: widthOf(column, rows) }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {shown.map((column) => (
            <Head key={column.id} id={`${id}-${column.id}`} column={column} sort={sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === null
          ? Array.from({ length: expectedRows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
              <tr key={row}>
                {shown.map((column, at) => (
                  <td key={column.id} className={column.end ? classes.end : undefined}>
                    <Late>
                      <Line width={at === 0 ? `${70 - ((row * 17) % 30)}%` : '60%'} />
                    </Late>
                  </td>
                ))}
              </tr>
            ))
          : [...rows.map((one) => row(one, false)), ...(props.last ?? []).map((one) => row(one, true))]}
      </tbody>
    </table>
  );
}

function widthOf<Row>({ width, letters, value }: Column<Row>, rows: readonly Row[] | null): string | undefined {
  if (width === undefined || letters === undefined || rows === null) return width;
  const numbers = rows.map((row) => value?.(row)).filter((one) => typeof one === 'number');
  const more = Math.max(...numbers.map((number) => formatCount(Math.round(number)).length)) - letters;
  return more > 0 ? `calc(${width} + ${more}ch)` : width;
}

interface HeadProps<Row> {
  readonly id: string;
  readonly column: Column<Row>;
  readonly sort: Sort | null;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function Head<Row>({ id, column, sort, onSort }: HeadProps<Row>) {
  const active = sort?.column === column.id;
  const Arrow = active && !sort.descending ? ArrowUpIcon : ArrowDownIcon;
  const title = column.hiddenTitle ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title;
  const sortable = column.value !== undefined && onSort !== undefined;
  const press = () =>
    onSort?.(
      active
        ? { column: column.id, descending: !sort.descending }
        : { column: column.id, descending: column.descendingFirst ?? false },
    );
  return (
    <th
      id={id}
      scope="col"
      className={`${column.end ? classes.end : ''} ${active ? classes.sorted : ''}`}
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
      data-tip={sortable ? undefined : column.tip}
      tabIndex={sortable || column.tip === undefined ? undefined : 0}
    >
      {sortable ? (
        <button type="button" className={classes.sort} onClick={press} data-tip={column.tip} data-on-paper>
          {active && <Arrow size={12} />}
          {title}
        </button>
      ) : (
        title
      )}
    </th>
  );
}

interface PhoneListProps<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[] | null;
  readonly expectedRows: number;
}

function PhoneList<Row>(props: PhoneListProps<Row>) {
  const { rows, label, rowKey, phoneRow, expectedRows, columns, sort, onSort, sortInSheet } = props;
  return (
    <>
      {onSort && !sortInSheet && (
        <div className={classes.sortBar}>
          <LazyPart>
            <SortBar columns={columns} sort={sort} onSort={onSort} />
          </LazyPart>
        </div>
      )}
      <ul aria-label={label}>
        {rows === null
          ? Array.from({ length: expectedRows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
              <li key={row} className={classes.phoneRow}>
                <Late>
                  <Line width={`${80 - ((row * 17) % 30)}%`} />
                  <br />
                  <Line width="50%" />
                </Late>
              </li>
            ))
          : rows.map((row) => (
              <li key={rowKey(row)} {...rowProps} className={`${rowProps.className} ${classes.phoneRow}`} data-tips>
                {phoneRow?.(row)}
              </li>
            ))}
      </ul>
    </>
  );
}
