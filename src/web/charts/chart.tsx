import { type ReactNode, useState } from 'react';
import classes from './chart.module.css';

interface Props {
  /** One sentence that says what the chart shows; also its name for assistive technology. */
  readonly summary: string;
  /** Stands beneath it in place of the sentence, where the drawing tells as much. */
  readonly note?: string;
  /** The same values as a table: heads, then rows, each with its name first. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
  /** The table has more columns than a phone has room for: it scrolls. */
  readonly wide?: boolean;
  /** The drawing. */
  readonly children: ReactNode;
}

/** A drawing as one image with its sentence beneath it, and the same values as a table at a press. */
export function Chart({ summary, note = summary, heads, rows, wide = false, children }: Props) {
  const [asTable, setAsTable] = useState(false);
  const table = (
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
  );
  return (
    <figure>
      {asTable ? (
        wide ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section className={classes.scroll} aria-label={`${summary}, as a table`} tabIndex={0}>
            {table}
          </section>
        ) : (
          table
        )
      ) : (
        <div role="img" aria-label={summary}>
          {children}
        </div>
      )}
      <figcaption className={classes.caption}>
        {note}
        <button type="button" className={classes.twin} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
    </figure>
  );
}
