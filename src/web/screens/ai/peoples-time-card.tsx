import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AiReviewer, AiReviewerInDepth } from '#contract/ai-reviewers.ts';
import {
  HINT,
  type HumanTimeFigure,
  humanTimeFigures,
  humanTimeSides,
  humanTimeWords,
  type OfSize,
} from '#domain/ai-reviewers.ts';
import { askConnectedRepositories } from '../../api/questions.ts';
import { Card } from '../../kit/card.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { Amount, Duration, Trend } from '../../kit/figure.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { Select } from '../../kit/select.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatDay, formatMean } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { keyOfReviewer } from './chosen-reviewer.ts';
import { FigureLabel } from './labels.tsx';
import classes from './peoples-time-card.module.css';
import { askReviewer } from './questions.ts';
import cards from './reviewer-card.module.css';
import { DETAILS } from './show-reviewer.ts';
import { useAiSearch } from './use-ai-search.ts';
import { differenceOf, FAILED, isFew, reviewerName, TOO_EARLY } from './words.ts';

type HumanTime = AiReviewerInDepth['groups']['within_sizes']['not_reviewed'];

interface Sides {
  readonly heads: readonly [string, string];
  /** Null: too early to say. */
  readonly sides: readonly [HumanTime, HumanTime] | null;
  /** Pull requests of each; null where that is not known. */
  readonly counts: readonly [number, number] | null;
}

interface Props {
  readonly reviewers: readonly AiReviewer[];
  readonly chosen: AiReviewer;
  readonly since: string | undefined;
}

/** How people review beside one AI reviewer: where it spoke first and where it didn't, and before and after it came. */
export function PeoplesTimeCard({ reviewers, chosen, since }: Props) {
  const search = useAiSearch();
  const change = useChangeSearch();
  const now = useNow();
  const { time_zone } = useUser();
  const { data, error, refetch, isPlaceholderData } = useQuery(askReviewer(search, chosen.reviewer));
  const depth = data && keyOfReviewer(data) === keyOfReviewer(chosen) ? data : undefined;
  const name = reviewerName(chosen);
  const places = depth?.before_after.repositories ?? [];
  const place = places.find(({ repository }) => repository === search.place);
  const isBefore = search.beside === 'before';
  const connected = useQuery(askConnectedRepositories()).data ?? [];
  const placeId = connected.find(({ owner, name: of }) => `${owner}/${of}` === place?.repository)?.id;
  const labelOf = (figure: HumanTimeFigure) => (
    <FigureLabel
      figure={`${isBefore ? 'before_after' : 'groups'}.${figure}`}
      reviewer={chosen.reviewer}
      named={place === undefined ? name : `${name}, ${place.repository}`}
      {...(isBefore && placeId !== undefined && { repository: placeId })}
    >
      {humanTimeWords[figure].name}
    </FigureLabel>
  );
  const words = isBefore
    ? place === undefined
      ? 'Medians of the 90 days before and after it came'
      : `Medians of the 90 days before and after ${formatDay(Date.parse(place.first_act), now, time_zone)}, when it came`
    : 'Medians within the same sizes, each weighted by the smaller count';
  return (
    <Card
      title={
        <span id={DETAILS} tabIndex={-1} className={classes.title}>
          People’s time beside it
        </span>
      }
      caption={[name, since].filter(Boolean).join(', ')}
      controls={
        <>
          {reviewers.length > 1 && (
            <Select
              aria-label="Reviewer"
              value={keyOfReviewer(chosen)}
              onChange={({ currentTarget }) =>
                change({
                  reviewer: currentTarget.value === keyOfReviewer(reviewers[0]!) ? undefined : currentTarget.value,
                  place: undefined,
                })
              }
              data={reviewers.map((one) => ({ value: keyOfReviewer(one), label: reviewerName(one) }))}
            />
          )}
          <SegmentedFilter
            label="Beside what"
            options={[
              { value: 'groups', label: 'Beside' },
              { value: 'before', label: 'Before, after' },
            ]}
            value={search.beside}
            onChange={(beside) => change({ beside: beside === 'groups' ? undefined : beside, place: undefined })}
          />
        </>
      }
      foot={<span>{`${words}. ${HINT}`}</span>}
      outdated={isPlaceholderData && depth !== undefined}
      flush
    >
      {isBefore && places.length > 1 && (
        <div className={classes.place}>
          <Select
            aria-label="Where it came to"
            value={place?.repository ?? ''}
            onChange={({ currentTarget }) => change({ place: currentTarget.value || undefined })}
            data={[
              { value: '', label: 'All repositories together' },
              ...places.map(({ repository }) => ({ value: repository, label: repository })),
            ]}
          />
        </div>
      )}
      {depth === undefined ? (
        error !== null ? (
          <ErrorState title={FAILED} error={error} onRetry={() => void refetch()} />
        ) : (
          <Late>
            <div className={cards.pending}>
              {humanTimeFigures.map((key) => (
                <Line key={key} width="75%" />
              ))}
            </div>
          </Late>
        )
      ) : (
        <Compared {...sidesOf(depth, isBefore, place)} labelOf={labelOf} />
      )}
    </Card>
  );
}

function sidesOf(
  { groups, before_after }: AiReviewerInDepth,
  isBefore: boolean,
  place: AiReviewerInDepth['before_after']['repositories'][number] | undefined,
): Sides {
  const { reviewed_first, not_reviewed, within_sizes } = groups;
  if (!isBefore)
    return {
      heads: [humanTimeSides.groups.reviewed_first, humanTimeSides.groups.not_reviewed],
      sides: [within_sizes.reviewed_first, within_sizes.not_reviewed],
      counts: [reviewed_first, not_reviewed],
    };
  const chosen = place ?? before_after.together;
  return {
    heads: [humanTimeSides.before_after.after, humanTimeSides.before_after.before],
    sides: chosen === null ? null : [chosen.after, chosen.before],
    counts:
      place !== undefined
        ? [place.after.n, place.before.n]
        : before_after.repositories.reduce<[number, number] | null>(
            (sum, { before, after }) => [(sum?.[0] ?? 0) + after.n, (sum?.[1] ?? 0) + before.n],
            null,
          ),
  };
}

interface ComparedProps extends Sides {
  readonly labelOf: (figure: HumanTimeFigure) => ReactNode;
}

function Compared({ heads, sides, counts, labelOf }: ComparedProps) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <td />
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {humanTimeFigures.map((key) => {
          const { unit } = humanTimeWords[key];
          const [one, other] = [sides?.[0][key], sides?.[1][key]];
          const isComparable = one !== undefined && other !== undefined && !isFew(one) && !isFew(other);
          return (
            <tr key={key}>
              <th scope="row">{labelOf(key)}</th>
              <Cell of={one} unit={unit} />
              <Cell of={other} unit={unit} />
              <td className={classes.difference}>
                {isComparable && (
                  <Trend percent={differenceOf(shownOf(one, unit), shownOf(other, unit))} better={null} />
                )}
              </td>
            </tr>
          );
        })}
        <tr className={classes.counts}>
          <th scope="row">Pull requests</th>
          {heads.map((head, at) => (
            <td key={head}>{counts === null ? '' : formatCount(counts[at]!)}</td>
          ))}
          <td />
        </tr>
      </tbody>
    </table>
  );
}

/** A count as its cell shows it, so that what reads the same has no difference; hours as they are. */
function shownOf({ value }: OfSize, unit: 'hours' | 'count'): number | null {
  return value === null || unit === 'hours' ? value : Math.round(10 * value) / 10;
}

function Cell({ of, unit }: { readonly of: OfSize | undefined; readonly unit: 'hours' | 'count' }) {
  if (of === undefined) return <td className={classes.early}>{TOO_EARLY}</td>;
  return (
    <td className={isFew(of) ? classes.few : undefined}>
      {unit === 'hours' ? (
        <Duration hours={of.value} />
      ) : (
        <Amount figure={of.value === null ? null : formatMean(of.value)} />
      )}
      <span className={classes.n}>{`n ${formatCount(of.n)}`}</span>
    </td>
  );
}
