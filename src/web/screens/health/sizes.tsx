import type { Health } from '#contract/health.ts';
import { formatDuration } from '#domain/duration.ts';
import { shareWords } from '#domain/percent.ts';
import { formatCount, formatMean } from '../../time/moment.ts';
import classes from './sizes.module.css';
import { isFew } from './words.ts';

const words = (size: string) =>
  `${size.replace('<=', 'up to ').replace('>', 'over ').replace('-', ' to ').replace('1000+', 'over 1000')} lines`.replace(
    /\d{4,}/,
    (number) => formatCount(Number(number)),
  );

/** What pull requests of each size cost here. */
export function Sizes({ sizes }: { readonly sizes: Health['sizes'] }) {
  return (
    <div className={classes.sizes}>
      <h3>What big ones cost here</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Sizes, line by line" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              {['Lines', 'n', 'Time to merge, median', 'Findings each 100 lines', 'Likely stamped', 'Reverted'].map(
                (head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {sizes.map((row) => (
              <tr
                key={row.size}
                className={`${isFew(row) ? classes.few : ''} ${row.size.startsWith('<=') ? classes.half : ''}`}
              >
                <th scope="row">{words(row.size)}</th>
                <td>{formatCount(row.n)}</td>
                <td>{formatDuration(row.time_to_merge)}</td>
                <td>{formatMean(row.depth_per_100_lines)}</td>
                <td>{shareWords(row.stamped)}</td>
                <td>{shareWords(row.reverted)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
