import { type ReactNode, useState } from 'react';
import type { Signal } from '#contract/health.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { shareWords } from '#domain/percent.ts';
import { FoldButton } from '../../kit/fold-button.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { formatCount } from '../../time/moment.ts';
import classes from './checks.module.css';
import table from './sizes.module.css';
import { isFew } from './words.ts';

/** So many rows are shown at first. */
const AT_FIRST = 6;

type Reruns = NonNullable<Signal['reruns']>;

/** How long each check is waited for, and which jobs are flaky. */
export function Checks({ signal: { check_waits, reruns } }: { readonly signal: Signal }) {
  if (check_waits === undefined || reruns === undefined) return null;
  const { checks, repositories } = check_waits;
  return (
    <div className={classes.checks}>
      <Part
        title="Waiting, by check"
        heads={['Check', 'n', 'Median', '90th percentile']}
        rows={checks.map(({ name, n, median, p90 }) => ({
          key: name,
          name,
          n,
          cells: [formatDuration(median), formatDuration(p90)],
        }))}
        empty="No checks were read of what was merged in this window."
      />
      {repositories.length > 1 && (
        <Part
          title="Waiting, by repository"
          heads={['Repository', 'n', 'Median', '90th percentile']}
          rows={repositories.map(({ repository, n, median, p90 }) => ({
            key: repository,
            name: repository,
            n,
            cells: [formatDuration(median), formatDuration(p90)],
          }))}
          empty=""
        />
      )}
      <Part
        title="Flaky jobs"
        caption="failed, then succeeded on the same commit, of n runs"
        heads={['Job', 'n', 'Flaky']}
        rows={(reruns.flaky_jobs ?? []).map(({ repository, workflow, job, flaky_share, n }) => ({
          key: `${repository} ${workflow} ${job}`,
          name: job,
          place: `${repository.split('/')[1]} · ${workflow}`,
          n,
          cells: [shareWords(flaky_share)],
        }))}
        empty={whyNoFlakyJob(reruns)}
      >
        {notesOf(reruns).map((note) => (
          <p key={note} className={classes.note}>
            {note}
          </p>
        ))}
      </Part>
    </div>
  );
}

function whyNoFlakyJob({ message, runs }: Reruns): string {
  if (message !== null) return `${message}.`;
  return runs === 0
    ? 'No workflow run of these pull requests was read.'
    : 'No job failed and then succeeded on the same commit.';
}

/** What the numbers of reruns leave out. */
function notesOf({ message, waiting, may_not_read, by_head, runs }: Reruns): string[] {
  return [
    ...(message === null && may_not_read.length > 0
      ? [`The token may not read Actions of ${may_not_read.slice(0, 3).join(', ')}${more(may_not_read.length - 3)}.`]
      : []),
    ...(message !== null && may_not_read.length > 0
      ? ['With “Actions: read”, or the scope “repo”, it is told what was run again. It is asked once a day.']
      : []),
    ...(waiting > 0 ? [`${counted(waiting, 'pull request')} left out until their runs are read.`] : []),
    ...(by_head > 0
      ? [`${formatCount(by_head)} of ${counted(runs, 'run')} belong to their pull request by branch and commit.`]
      : []),
  ];
}

const more = (count: number) => (count > 0 ? ` and ${formatCount(count)} more` : '');

interface Row {
  readonly key: string;
  readonly name: string;
  readonly place?: string;
  readonly n: number;
  readonly cells: readonly string[];
}

interface PartProps {
  readonly title: string;
  readonly caption?: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
  /** What is said where there are none. */
  readonly empty: string;
  readonly children?: ReactNode;
}

function Part({ title, caption, heads, rows, empty, children }: PartProps) {
  const [unfolded, setUnfolded] = useState(false);
  const isPrinting = useIsPrinting();
  const shown = unfolded || isPrinting ? rows : rows.slice(0, AT_FIRST);
  return (
    <section className={classes.part} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {caption !== undefined && <span className={classes.caption}>{caption}</span>}
      </header>
      {rows.length === 0 ? (
        <p className={classes.none}>{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={table.scroll} aria-label={`${title}, line by line`} tabIndex={0}>
          <table className={table.table}>
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
              {shown.map(({ key, name, place, n, cells }) => (
                <tr key={key} className={isFew({ n }) ? table.few : ''}>
                  <th scope="row">
                    <span className={classes.name} data-tip={name}>
                      {name}
                    </span>
                    {place !== undefined && <span className={classes.place}>{place}</span>}
                  </th>
                  <td>{formatCount(n)}</td>
                  {cells.map((cell, at) => (
                    <td key={heads[at + 2]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rows.length > AT_FIRST && (
        <p className={classes.more}>
          <FoldButton unfolded={unfolded} onToggle={setUnfolded}>
            {unfolded ? `Show the first ${AT_FIRST}` : `All ${formatCount(rows.length)}`}
          </FoldButton>
        </p>
      )}
      {children}
    </section>
  );
}
