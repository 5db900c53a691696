import { type ReactNode, useState } from 'react';
import classes from './chart.module.css';

interface Props {
  /** One sentence that says what the chart shows; also its name for assistive technology. */
  readonly summary: string;
  /** The same values as a table: heads, then rows, each with its name first. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
  /** The drawing. */
  readonly children: ReactNode;
}

/** A drawing as one image with its sentence beneath it, and the same values as a table at a press. */
export function Chart({ summary, heads, rows, children }: Props) {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure>
      {asTable ? (
        <table className={classes.table} aria-label={summary}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row[0]}>
                {row.map((value, at) => (
                  <td key={heads[at]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <div role="img" aria-label={summary}>
          {children}
        </div>
      )}
      <figcaption className={classes.caption}>
        {summary}
        <button type="button" className={classes.twin} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
    </figure>
  );
}
