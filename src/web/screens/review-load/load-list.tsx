import { GitMergeIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReviewLoadRow } from '#contract/team.ts';
import { loadWatch } from '#domain/load-watch.ts';
import { SpanBar, type Tone } from '../../charts/span-bar.tsx';
import type { Choice, WindowWords } from '../../filters/choice-of-figures.ts';
import { Chip } from '../../kit/chip.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { figureTip, PeopleFigures, PersonFigure } from '../../people/people-figures.tsx';
import { Face, KindChip } from '../../people/person.tsx';
import { personKeys } from '../../people/person-keys.ts';
import { nameOf, shownLogin } from '../../people/person-name.tsx';
import { rowLink, row as rowProps } from '../../table/row-link.ts';
import { formatCount } from '../../time/moment.ts';
import classes from './review-load.module.css';

const EXPECTED_ROWS = 10;

interface Props {
  readonly rows: readonly ReviewLoadRow[] | undefined;
  /** Draws reviews and merges as bars below each person. */
  readonly withBars: boolean;
  /** Among whom the heaviest load is looked for. */
  readonly heaviest: readonly ReviewLoadRow[] | undefined;
  readonly chosen: Choice;
  readonly words: WindowWords;
}

type LoadFigure = 'complex_reviews' | 'outstanding_reviews' | 'reviews_last_week' | 'merged_last_week';

/** Everyone in the review load with their figures, 55 px high like the bars beside them. */
export function LoadList({ rows, withBars, heaviest, chosen, words }: Props) {
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
  const most = Math.max(1, ...rows.flatMap((row) => [row.reviews_last_week, row.merged_last_week]));
  const watched = loadWatch(heaviest ?? [])?.heaviest;
  const rowKey = personKeys(rows, (row) => row.reviewer);
  return (
    <PeopleFigures chosen={chosen}>
      <ul aria-label="Review Load Details">
        {rows.map((row) => (
          <li
            key={rowKey(row)}
            {...(row.is_contributor && rowProps)}
            className={`${row.is_contributor ? rowProps.className : ''} ${classes.row}`}
          >
            <Face name={nameOf(row.reviewer, row.display_name)} avatarUrl={row.avatar_url} kind={row.kind} size={32} />
            <span className={classes.who}>
              <span className={classes.name}>
                {row.is_contributor ? (
                  <Link {...rowLink} to="/contributor/{-$username}" params={{ username: row.reviewer }} dir="auto">
                    {nameOf(row.reviewer, row.display_name)}
                  </Link>
                ) : (
                  <bdi>{nameOf(row.reviewer, row.display_name)}</bdi>
                )}
                <KindChip kind={row.kind} />
              </span>
              <span className={classes.handle}>@{shownLogin(row.reviewer)}</span>
            </span>
            <span className={classes.badges}>
              <span>
                {row.complex_reviews > 0 && (
                  <Figure of="complex_reviews" row={row} words={words}>
                    <Chip meaning="neutral">{`${formatCount(row.complex_reviews)} complex`}</Chip>
                  </Figure>
                )}
              </span>
              <span>
                {row.outstanding_reviews > 0 && (
                  <Figure of="outstanding_reviews" row={row} words={words}>
                    <Chip meaning={row === watched ? 'watch' : 'outlined'}>
                      {`${formatCount(row.outstanding_reviews)} pending`}
                    </Chip>
                  </Figure>
                )}
              </span>
            </span>
            {withBars && (
              <span className={classes.bars} aria-hidden="true">
                <SpanBar whole={most} spans={spanOf(row.reviews_last_week, 'chart-1')} />
                <SpanBar whole={most} spans={spanOf(row.merged_last_week, 'chart-3')} />
              </span>
            )}
            <span className={classes.counts}>
              <Figure of="reviews_last_week" row={row} words={words}>
                <b>{formatCount(row.reviews_last_week)}</b> {row.reviews_last_week === 1 ? 'review' : 'reviews'}
              </Figure>
              <Figure of="merged_last_week" row={row} words={words}>
                <span className={row.merged_last_week > 0 ? classes.merged : undefined}>
                  <GitMergeIcon size={12} /> <b>{formatCount(row.merged_last_week)}</b> merged
                </span>
              </Figure>
            </span>
          </li>
        ))}
      </ul>
    </PeopleFigures>
  );
}

/** Nothing is no bar at all. */
const spanOf = (length: number, tone: Tone) => (length === 0 ? [] : [{ length, tone }]);

/** The order in which the figures of a row stand. */
const inRow: readonly LoadFigure[] = ['complex_reviews', 'outstanding_reviews', 'reviews_last_week'];

interface FigureProps {
  readonly of: LoadFigure;
  readonly row: ReviewLoadRow;
  readonly words: WindowWords;
  /** The figure with its word. */
  readonly children: ReactNode;
}

function Figure({ of, row, words, children }: FigureProps) {
  const metric = `load.${of}` as const;
  return (
    <PersonFigure
      of={metric}
      whose={row.reviewer}
      tip={figureTip({ metric, n: () => row[of], ...(words.isChosen && { window: words.alone }) }, row)}
      first={of === (inRow.find((figure) => row[figure] > 0) ?? 'reviews_last_week')}
    >
      {children}
    </PersonFigure>
  );
}
