import { GitMergeIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReviewLoadRow } from '#contract/team.ts';
import { loadWatch } from '#domain/load-watch.ts';
import { Chip } from '../../panels/chip.tsx';
import { rowLink } from '../../panels/data-table.tsx';
import { formatCount } from '../../panels/moment.ts';
import { Face } from '../../panels/person.tsx';
import { Late, Line } from '../../panels/skeleton.tsx';
import { nameOf } from './load-row.ts';
import classes from './review-load.module.css';

const EXPECTED_ROWS = 10;

interface Props {
  readonly rows: readonly ReviewLoadRow[] | undefined;
  /** Among whom the heaviest load is looked for. */
  readonly heaviest: readonly ReviewLoadRow[] | undefined;
}

/** Everyone in the review load with their figures, 55 px high like the bars beside them. */
export function LoadList({ rows, heaviest }: Props) {
  if (rows === undefined) {
    return (
      <Late>
        {Array.from({ length: EXPECTED_ROWS }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
          <div key={row} className={classes.pending}>
            <Line width="50%" />
          </div>
        ))}
      </Late>
    );
  }
  const watched = loadWatch(heaviest ?? [])?.heaviest.reviewer;
  return (
    <ul aria-label="Review Load Details">
      {rows.map((row) => (
        <li key={row.reviewer} className={classes.row}>
          <Face name={nameOf(row)} avatarUrl={row.avatar_url} kind={row.kind} size={32} />
          <span className={classes.who}>
            <span className={classes.name}>
              <Link className={rowLink} to="/contributor/{-$username}" params={{ username: row.reviewer }}>
                {nameOf(row)}
              </Link>
              {row.kind === 'bot' && <Chip meaning="outlined">Bot</Chip>}
              {row.kind === 'agent' && <Chip meaning="outlined">Agent</Chip>}
            </span>
            <span className={classes.handle}>@{row.reviewer}</span>
          </span>
          <span className={classes.badges}>
            <span>
              {row.complex_reviews > 0 && (
                <Chip meaning="neutral">{`${formatCount(row.complex_reviews)} complex`}</Chip>
              )}
            </span>
            <span>
              {row.outstanding_reviews > 0 && (
                <Chip meaning={row.reviewer === watched ? 'watch' : 'outlined'}>
                  {`${formatCount(row.outstanding_reviews)} pending`}
                </Chip>
              )}
            </span>
          </span>
          <span className={classes.counts}>
            <span>
              <b>{formatCount(row.reviews_last_week)}</b> reviews
            </span>
            <span className={classes.merged}>
              <GitMergeIcon size={12} /> <b>{formatCount(row.merged_last_week)}</b> merged
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
