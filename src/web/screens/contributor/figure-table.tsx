import type { ReactNode } from 'react';
import classes from './figure-table.module.css';

export interface FigureRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: ReactNode;
  /** The same figure of what it is compared with. */
  readonly other?: ReactNode;
}

interface Props {
  readonly label: string;
  readonly rows: readonly FigureRow[];
  /** Whose figures stand in the two columns; without it there is one. */
  readonly sides?: readonly [string, string] | undefined;
}

/** Figures by name, 34 px a row; a second column while comparing. */
export function FigureTable({ label, rows, sides }: Props) {
  return (
    <table className={`${classes.table} ${sides ? '' : classes.alone}`} aria-label={label}>
      {sides && (
        <thead>
          <tr>
            <td />
            {sides.map((side) => (
              <th key={side} scope="col" title={side}>
                {side}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ key, name, value, other }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{value}</td>
            {sides && <td className={classes.other}>{other}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
