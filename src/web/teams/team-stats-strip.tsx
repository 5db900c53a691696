import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { TeamStats } from '#contract/team.ts';
import { type Incomparable, incomparable, PARTIAL, reasonWords } from '#domain/change.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import { percentWords } from '#domain/percent.ts';
import { countTrend, meanTrend } from '#domain/trend.ts';
import { askTeam } from '../api/questions.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { Explain } from '../explain/explain.tsx';
import { useChoice, useWindowWords, type WindowWords } from '../filters/choice-of-figures.ts';
import { Panel, Strip, StripCell } from '../kit/card.tsx';
import { Amount, Duration, Trend } from '../kit/figure.tsx';
import { Late, Line } from '../kit/skeleton.tsx';
import { useUser } from '../session/session.tsx';
import { dayOf, formatCount, formatDay, instantOf } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import classes from './team-stats-strip.module.css';

type TeamFigure = Extract<keyof typeof definitionsOfTheTeam, `team.${string}`>;

const DAY = 24 * 3_600_000;

const countText = (count: number | null) => formatCount(count ?? 0);

const lines = (size: number | null) => (size === null ? NOT_AVAILABLE : counted(Math.round(size), 'line'));

const percent = (share: number | null) => (share === null ? NOT_AVAILABLE : `${percentWords(share)}%`);

/**
 * The team's figures of the chosen window, the last 30 days unless another is, with their change and their days; a failure to fetch them is only logged and leaves N/A
 * (docs/product.md#dashboard).
 */
export function TeamStatsStrip() {
  const words = useWindowWords('30d');
  const answer = useQuery(askTeam(useChoice()));
  const { error } = answer;
  useEffect(() => {
    if (error !== null) console.error('Failed to fetch team stats.', error);
  }, [error]);
  const now = useNow();
  const loading = answer.isPending;
  const stats = answer.data;
  return (
    <Panel label={`Team figures ${words.of}`} outdated={answer.isPlaceholderData}>
      {stats?.compared_with.import_complete === false && (
        <p className={classes.partial} role="status">
          {PARTIAL}
        </p>
      )}
      <Strip>
        <Cell figure="team.avg_review_time_hours" loading={loading}>
          <Duration hours={stats?.avg_review_time_hours ?? null} large />
          <Change stats={stats} figure="avg_review_time_hours" better="down" format={formatDuration} />
          <Days stats={stats} figure="avg_review_time_hours" format={formatDuration} />
        </Cell>
        <Cell figure="team.avg_time_to_merge_hours" loading={loading}>
          <Duration hours={stats?.avg_time_to_merge_hours ?? null} large />
          <Change stats={stats} figure="avg_time_to_merge_hours" better="down" format={formatDuration} />
          <Days stats={stats} figure="avg_time_to_merge_hours" format={formatDuration} />
        </Cell>
        <Cell figure="team.merged_prs" loading={loading}>
          <Amount figure={stats ? formatCount(stats.merged_prs) : null} unit="PRs" large />
          <Change stats={stats} figure="merged_prs" better="up" format={countText} />
          <Days stats={stats} figure="merged_prs" format={(value) => `${value} merged`} />
        </Cell>
        <Cell figure="team.pr_merge_rate" loading={loading}>
          <Amount
            figure={stats && stats.pr_merge_rate !== null ? percentWords(stats.pr_merge_rate) : null}
            unit="%"
            large
          />
          <Change stats={stats} figure="pr_merge_rate" better="up" format={percent} unchanged={mergedOf(stats)} />
          <Days stats={stats} figure="pr_merge_rate" format={percent} />
        </Cell>
        <Cell figure="team.open_prs" loading={loading}>
          <Amount figure={stats ? formatCount(stats.open_prs) : null} unit="PRs" large />
          {stats?.series[0] && (
            <CountChange
              stats={stats}
              from={`${stats.series[0].date}T00:00:00Z`}
              now={stats.open_prs}
              before={stats.series[0].open_prs}
              earlier={words.isChosen ? `on ${dayIn(stats.series[0].date, now)}` : 'a month ago'}
            />
          )}
          <Days stats={stats} figure="open_prs" format={(value) => `${value} open`} />
        </Cell>
      </Strip>
      <div className={classes.minor}>
        <Minor figure="team.total_prs" name="PRs opened" value={stats && formatCount(stats.total_prs)}>
          <Change stats={stats} figure="total_prs" better={null} format={countText} brief />
        </Minor>
        <Minor figure="team.total_reviews" value={stats && formatCount(stats.total_reviews)}>
          <Change stats={stats} figure="total_reviews" better={null} format={countText} brief />
        </Minor>
        <Minor
          figure="team.avg_pr_size"
          value={stats && stats.avg_pr_size !== null ? lines(stats.avg_pr_size) : undefined}
        >
          <Change stats={stats} figure="avg_pr_size" better={null} format={lines} brief />
        </Minor>
        <Minor figure="team.total_contributors" value={stats && formatCount(stats.total_contributors)}>
          <Change stats={stats} figure="total_contributors" better={null} format={countText} brief />
        </Minor>
        <Minor figure="team.active_prs_today" value={stats && `${formatCount(stats.active_prs_today)} PRs`}>
          {stats && (
            <CountChange
              stats={stats}
              from={new Date(now - 2 * DAY).toISOString()}
              now={stats.active_prs_today}
              before={stats.active_prs_yesterday}
              earlier="yesterday"
              brief="by this time yesterday"
            />
          )}
        </Minor>
      </div>
    </Panel>
  );
}

type Compared = Exclude<keyof TeamStats['previous'], 'ended_prs' | 'first_reviewed_prs'>;

/** The counts that a mean or rate is of. */
const basedOn: Partial<Record<Compared, Exclude<keyof TeamStats['previous'], 'avg_pr_size'>>> = {
  avg_review_time_hours: 'first_reviewed_prs',
  avg_time_to_merge_hours: 'merged_prs',
  pr_merge_rate: 'ended_prs',
  avg_pr_size: 'total_prs',
};

interface ChangeProps {
  readonly stats: TeamStats | undefined;
  readonly figure: Compared;
  readonly better: 'up' | 'down' | null;
  readonly format: (value: number | null) => string;
  /** Stands in place of the earlier value where nothing has changed. */
  readonly unchanged?: string | null;
  readonly brief?: boolean;
}

/** How a figure moved against the window before, or why it cannot be said. */
function Change({ stats, figure, better, format, unchanged = null, brief = false }: ChangeProps) {
  const { before } = useWindowWords('30d');
  const { time_zone } = useUser();
  if (stats === undefined || stats[figure] === null) return null;
  const { previous, compared_with } = stats;
  const of = basedOn[figure];
  const basis =
    of === undefined ? { before: Number(previous[figure]) } : { before: previous[of] ?? 0, now: stats[of] ?? 0 };
  const reason = incomparable(compared_with, basis);
  const earlier = `in ${before}`;
  if (reason?.why === 'importing')
    return brief ? null : <span className={classes.few}>{importedWords(stats, time_zone)}</span>;
  if (reason !== null) return <Reason reason={reason} brief={brief} earlier={earlier} inBrief="before" />;
  const moved = meanTrend(stats[figure], previous[figure]);
  const was = `from ${format(previous[figure])}`;
  return (
    <Trend
      percent={moved}
      better={better}
      before={brief ? `${was} ${earlier}` : moved !== null && Math.round(moved) === 0 ? (unchanged ?? was) : was}
      brief={brief}
    />
  );
}

/** The day from which on anything is imported; of a complete history every day is. */
function importedFrom({ compared_with: { import_complete, history_begins } }: TeamStats, timeZone: string): string {
  const begins = import_complete ? null : instantOf(history_begins);
  return begins === null ? '' : dayOf(begins, timeZone);
}

/** How much of the window and of the one before is imported: "14 days so far", "earlier days still to come". */
function importedWords(stats: TeamStats, timeZone: string): string {
  const from = importedFrom(stats, timeZone);
  const days = stats.series.filter(({ date }) => date >= from).length;
  return days < stats.series.length ? `${counted(days, 'day')} so far` : 'earlier days still to come';
}

interface CountChangeProps {
  readonly stats: TeamStats;
  /** Since when history must be there. */
  readonly from: string;
  readonly now: number;
  readonly before: number;
  /** The compared moment in words: "a month ago". */
  readonly earlier: string;
  /** The same in full, for the tooltip of the second row. */
  readonly brief?: string;
}

/** How a count moved against an earlier day. */
function CountChange({ stats, from, now, before, earlier, brief }: CountChangeProps) {
  const reason = incomparable({ ...stats.compared_with, from }, { before });
  if (reason !== null) return <Reason reason={reason} brief={brief !== undefined} earlier={earlier} />;
  return (
    <Trend
      percent={countTrend(now, before)}
      better={null}
      before={`from ${formatCount(before)} ${brief ?? earlier}`}
      brief={brief !== undefined}
    />
  );
}

interface ReasonProps {
  readonly reason: Incomparable;
  readonly brief: boolean;
  /** The compared time in words. */
  readonly earlier: string;
  /** The same where there is room for few. */
  readonly inBrief?: string;
}

/** What stands in place of a percentage: "4 yesterday". That the strip is partial its first line says; the second row has room for few words. */
function Reason({ reason, brief, earlier, inBrief = earlier }: ReasonProps) {
  const { time_zone } = useUser();
  if (reason.why === 'importing' || (brief && reason.why === 'history')) return null;
  const words = reasonWords(reason, earlier, time_zone);
  if (!brief) return <span className={classes.few}>{words}</span>;
  return (
    <span className={classes.few} data-tip={`${words}: too few for a percentage`}>
      {reasonWords(reason, inBrief, time_zone)}
    </span>
  );
}

interface CellProps {
  readonly figure: TeamFigure;
  readonly loading: boolean;
  readonly children: ReactNode;
}

function Cell({ figure, loading, children }: CellProps) {
  const chosen = useChoice();
  return (
    <StripCell
      label={
        <Explain metric={figure} {...chosen}>
          {definitionsOfTheTeam[figure].name}
        </Explain>
      }
    >
      <div className={classes.figure}>
        {loading ? (
          <Late>
            <div className={classes.waiting}>
              <Line width="5rem" />
              <Line width="8rem" />
              <Line width="100%" />
            </div>
          </Late>
        ) : (
          children
        )}
      </div>
    </StripCell>
  );
}

interface MinorProps {
  readonly figure: TeamFigure;
  /** Another word than the definition's name. */
  readonly name?: string;
  readonly value: string | undefined;
  readonly children?: ReactNode;
}

function Minor({ figure, name, value, children }: MinorProps) {
  const chosen = useChoice();
  return (
    <div className={classes.pair} data-tips>
      <Explain metric={figure} {...chosen}>
        {name ?? definitionsOfTheTeam[figure].name}
      </Explain>
      <span className={value === undefined ? classes.none : classes.value}>{value ?? NOT_AVAILABLE}</span>
      {children}
    </div>
  );
}

type Daily = TeamStats['series'][number];

interface DaysProps {
  readonly stats: TeamStats | undefined;
  readonly figure: Exclude<keyof Daily, 'date'>;
  readonly format: (value: number | null) => string;
}

/** A figure's days as a sparkline; each day's value is its tooltip. */
function Days({ stats, figure, format }: DaysProps) {
  const now = useNow();
  const words = useWindowWords('30d');
  const { time_zone } = useUser();
  if (stats === undefined) return <div className={classes.days} />;
  const from = importedFrom(stats, time_zone);
  const points = stats.series.map((day) => {
    const isImported = day.date >= from;
    return {
      value: isImported ? day[figure] : null,
      tip: `${dayIn(day.date, now)}: ${isImported ? format(day[figure]) : 'not imported yet'}`,
    };
  });
  const missing = stats.series.filter(({ date }) => date < from).length;
  const values = points.flatMap(({ value }) => value ?? []);
  const label =
    values.length === 0
      ? `No values ${words.during}`
      : `Day by day over ${overDays(stats, words)}, from ${format(Math.min(...values))} to ${format(Math.max(...values))}, at last ${format(values.at(-1) ?? null)}`;
  return (
    <div className={classes.days}>
      <Sparkline
        points={points}
        label={missing === 0 ? label : `${label}, the first ${counted(missing, 'day')} still to come`}
        missing={missing}
      />
    </div>
  );
}

/** "Tue 3 Nov" of a date. */
const dayIn = (date: string, now: number) => formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC');

/** What the days of a line are: "the last 30 days", or as many as there are of a longer window. */
function overDays({ series }: TeamStats, { isChosen }: WindowWords): string {
  return isChosen ? `${series.length} days` : 'the last 30 days';
}

/** "132 of 141 ended", for where the merge rate has not changed. */
function mergedOf(stats: TeamStats | undefined): string | null {
  if (!stats?.pr_merge_rate) return null;
  return `${formatCount(stats.merged_prs)} of ${formatCount(Math.round(stats.merged_prs / stats.pr_merge_rate))} ended`;
}
