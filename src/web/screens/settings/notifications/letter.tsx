import type { Letter as LetterShape } from '#contract/message-previews.ts';
import classes from './notifications.module.css';

/** A message as it reads, whatever it is sent by. */
export function Letter({ letter }: { readonly letter: LetterShape }) {
  const { headline, parts, more, open, stop, footer } = letter;
  return (
    <>
      <p className={classes.subject} dir="auto">
        {headline}
      </p>
      {parts.map(({ heading, items, notices, rows }) => (
        <div key={heading ?? ''} className={classes.letterPart}>
          {heading !== null && <p className={classes.letterHeading}>{heading}</p>}
          {items.length > 0 && (
            <ul>
              {items.map(({ place, title, why, url, host_url, host_label }) => (
                <li key={place}>
                  <a href={url}>{place}</a> {title !== null && <bdi>{title}</bdi>}
                  <span className={classes.letterWhy}>
                    {why} · <a href={host_url}>{host_label}</a>
                  </span>
                </li>
              ))}
            </ul>
          )}
          {notices.map(({ what, say }) => (
            <p key={`${what} ${say}`}>
              <b>{what}</b>
              <span className={classes.letterWhy}>{say}</span>
            </p>
          ))}
          {rows.length > 0 && (
            <table className={classes.letterTable}>
              <thead>
                <tr className={classes.letterHead}>
                  <th scope="col" className={classes.letterLabel}>
                    Figure
                  </th>
                  <th scope="col" className={classes.letterFigure}>
                    Last week
                  </th>
                  <th scope="col" className={classes.letterFigure}>
                    Before
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ label, last, before }) => (
                  <tr key={label}>
                    <th scope="row" className={classes.letterLabel}>
                      {label}
                    </th>
                    <td className={classes.letterFigure}>{figureWords(last)}</td>
                    <td className={classes.letterFigure}>{before && figureWords(before)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      ))}
      {more !== null && <p>{more}</p>}
      <p className={classes.letterPart}>
        <a href={open.url}>{open.label}</a>
        {stop !== null && (
          <>
            {' · '}
            <a href={stop.url}>{stop.label}</a>
          </>
        )}
        <span className={classes.letterWhy}>{footer}</span>
      </p>
    </>
  );
}

function figureWords({ value, n }: { readonly value: string; readonly n: string | null }): string {
  return n === null ? value : `${value} ${n}`;
}
