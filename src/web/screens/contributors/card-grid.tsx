import { VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Contributor } from '#contract/contributors.ts';
import { definitionsOfContributors } from '#domain/metrics/people.ts';
import type { Narrowing } from '../../filters/choice-of-figures.ts';
import { type Credited, keepCredit } from '../../filters/credit.ts';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { Late, Line } from '../../kit/skeleton.tsx';
import { OpenPrs } from '../../people/open-prs.tsx';
import { countedFor, PeopleFigures, PersonFigure, tipOf } from '../../people/people-figures.tsx';
import { Face, KindChip } from '../../people/person.tsx';
import { personKeys } from '../../people/person-keys.ts';
import { bothNames, nameOf, PersonName } from '../../people/person-name.tsx';
import { formatCount } from '../../time/moment.ts';
import { When } from '../../time/when.tsx';
import classes from './contributors.module.css';

/** Pixels: a card's height, its least width, and the room between cards. */
const CARD_HEIGHT = 148;
const CARD_WIDTH = 264;
const GAP = 16;
/** Rows drawn above and below what is in sight. */
const OVERSCAN = 4;
/** A list of so many rows is drawn as a whole, so that paper and a search within the page have all of it. */
const WHOLE_UP_TO = 25;

function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + GAP) / (CARD_WIDTH + GAP)));
}

interface Props {
  readonly contributors: readonly Contributor[];
  /** What their figures are narrowed to. */
  readonly of: Omit<Narrowing, 'team_as'> & Credited;
}

/**
 * Cards in as many columns as there is room for; only the rows near the window are drawn, so that thousands scroll
 * smoothly. On paper all of them stand.
 */
export function CardGrid({ contributors, of }: Props) {
  const { ref: sized, width } = useElementSize<HTMLUListElement>();
  const list = useRef<HTMLUListElement>(null);
  const ref = useMergedRef(list, sized);
  const isPrinting = useIsPrinting();
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width may move the list
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [width]);
  const cardKey = useMemo(() => personKeys(contributors, ({ username }) => username), [contributors]);
  const columns = columnsIn(width);
  const rowCount = Math.ceil(contributors.length / columns);
  const rows = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => CARD_HEIGHT + GAP,
    overscan: rowCount <= WHOLE_UP_TO ? WHOLE_UP_TO : OVERSCAN,
    scrollMargin: top,
  });
  const placed = ({ index: row, start }: { index: number; start: number }) =>
    contributors.slice(row * columns, (row + 1) * columns).map((contributor, column) => ({
      contributor,
      position: row * columns + column + 1,
      style: {
        height: CARD_HEIGHT,
        width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
        transform: `translate(calc(${column} * (100% + ${GAP}px)), ${start - top}px)`,
      },
    }));
  const cards = isPrinting
    ? contributors.map((contributor, at) => ({ contributor, position: at + 1, style: { height: CARD_HEIGHT } }))
    : width > 0
      ? rows.getVirtualItems().flatMap(placed)
      : [];
  return (
    <PeopleFigures chosen={of}>
      <ul
        ref={ref}
        className={isPrinting ? classes.paper : classes.grid}
        style={
          isPrinting
            ? { gridTemplateColumns: `repeat(auto-fill, minmax(${CARD_WIDTH}px, 1fr))`, gap: GAP }
            : { height: rowCount * (CARD_HEIGHT + GAP) - GAP }
        }
        aria-label="Contributors"
      >
        {cards.map(({ contributor, position, style }) => (
          <li
            key={cardKey(contributor)}
            className={classes.card}
            aria-setsize={contributors.length}
            aria-posinset={position}
            style={style}
          >
            <Card contributor={contributor} />
          </li>
        ))}
      </ul>
    </PeopleFigures>
  );
}

const REPOSITORIES = 'contributor.repositories_count';
const figures = [
  {
    metric: 'all_time.total_prs_opened',
    title: 'Opened',
    count: (of: Contributor) => of.total_prs_opened,
    shown: formatCount,
  },
  {
    metric: 'all_time.total_prs_merged',
    title: 'Merged',
    count: (of: Contributor) => of.total_prs_merged,
    shown: formatCount,
  },
  {
    metric: 'contributor.current_open_prs',
    title: 'Open now',
    count: (of: Contributor) => of.current_open_prs,
    shown: (count: number) => <OpenPrs count={count} />,
  },
] as const;

function Card({ contributor }: { contributor: Contributor }) {
  const { username, display_name, avatar_url, kind, last_activity, repositories_count } = contributor;
  const id = useId();
  return (
    <>
      <div className={classes.who} data-tips>
        <Face name={nameOf(username, display_name)} avatarUrl={avatar_url} kind={kind} size={36} />
        <div className={classes.words}>
          <Link
            className={classes.name}
            to="/contributor/{-$username}"
            params={{ username }}
            search={keepCredit}
            title={bothNames(username, display_name)}
          >
            <PersonName login={username} displayName={display_name} />
          </Link>
          <span className={classes.quiet}>
            <When at={last_activity} as="ago" missing="No recent activity" />
          </span>
        </div>
        <KindChip kind={kind} />
      </div>
      <dl className={classes.figures}>
        {figures.map(({ metric, title, count, shown }, at) => (
          <div key={metric}>
            <dt id={`${id}-${at}`}>{title}</dt>
            <dd>
              <PersonFigure
                of={metric}
                whose={username}
                labelId={`${id}-${at}`}
                tip={tipOf(
                  definitionsOfContributors[metric],
                  countedFor(definitionsOfContributors[metric], count(contributor)),
                )}
                first={at === 0}
              >
                {shown(count(contributor))}
              </PersonFigure>
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>
        <PersonFigure
          of={REPOSITORIES}
          whose={username}
          tip={tipOf(definitionsOfContributors[REPOSITORIES])}
          first={false}
        >
          {countedFor(definitionsOfContributors[REPOSITORIES], repositories_count)}
        </PersonFigure>
      </p>
    </>
  );
}

/** So many cards announce a list that is still to come. */
const EXPECTED = 12;

/** Empty cards of the same size while the list is fetched for the first time. */
export function CardGridSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <div
        className={classes.skeleton}
        style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${CARD_WIDTH}px, 100%), 1fr))` }}
      >
        {Array.from({ length: EXPECTED }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeleton cards have no identity
          <div key={at} className={classes.outline} style={{ height: CARD_HEIGHT }}>
            <Late>
              <Line width="55%" />
            </Late>
          </div>
        ))}
      </div>
    </div>
  );
}
