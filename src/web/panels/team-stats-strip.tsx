import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { TeamStats } from '#contract/team.ts';
import { definitionsOfTheTeam } from '#domain/definitions-of-the-team.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { countTrend } from '#domain/trend.ts';
import { ask } from '../api/query.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { Panel, Strip, StripCell } from './card.tsx';
import { Explain } from './explain.tsx';
import { Amount, Duration, Trend } from './figure.tsx';
import { formatCount, formatDay } from './moment.ts';
import { useNow } from './now.ts';
import { Late, Line } from './skeleton.tsx';
import classes from './team-stats-strip.module.css';

type TeamFigure = Extract<keyof typeof definitionsOfTheTeam, `team.${string}`>;

/** The change of a figure in percent; null where either side is missing. */
function change(current: number | null, before: number | null): number | null {
  return current === null || before === null ? null : countTrend(current, before);
}

const counted = (count: number | null) => formatCount(count ?? 0);

const lines = (size: number | null) => (size === null ? NOT_AVAILABLE : `${formatCount(Math.round(size))} lines`);

const percent = (share: number | null) => (share === null ? NOT_AVAILABLE : `${Math.round(100 * share)}%`);

/** A mean over fewer items than this says so (look, section 10). */
const FEW = 5;

/**
 * The team's figures of the last 30 days with their change and their days; a failure to fetch them is only logged and leaves N/A
 * (product specification, section 8; metric definitions, section 2).
 */
export function TeamStatsStrip() {
  const answer = useQuery(ask('getTeamStats', { query: {} }));
  const { error } = answer;
  useEffect(() => {
    if (error !== null) console.error('Failed to fetch team stats.', error);
  }, [error]);
  const loading = answer.isPending;
  const stats = answer.data;
  return (
    <Panel label="Team figures of the last 30 days">
      <Strip>
        <Cell figure="team.avg_review_time_hours" loading={loading}>
          <Duration hours={stats?.avg_review_time_hours ?? null} large />
          <Change stats={stats} figure="avg_review_time_hours" better="down" format={formatDuration} />
          <Days stats={stats} figure="avg_review_time_hours" format={formatDuration} />
        </Cell>
        <Cell figure="team.avg_time_to_merge_hours" loading={loading}>
          <Duration hours={stats?.avg_time_to_merge_hours ?? null} large />
          <Change
            stats={stats}
            figure="avg_time_to_merge_hours"
            better="down"
            format={formatDuration}
            note={stats && stats.merged_prs < FEW ? `of only ${stats.merged_prs} merged` : undefined}
          />
          <Days stats={stats} figure="avg_time_to_merge_hours" format={formatDuration} />
        </Cell>
        <Cell figure="team.merged_prs" loading={loading}>
          <Amount figure={stats ? formatCount(stats.merged_prs) : null} unit="PRs" large />
          <Change stats={stats} figure="merged_prs" better="up" format={counted} />
          <Days stats={stats} figure="merged_prs" format={(value) => `${value} merged`} />
        </Cell>
        <Cell figure="team.pr_merge_rate" loading={loading}>
          <Amount
            figure={stats && stats.pr_merge_rate !== null ? String(Math.round(100 * stats.pr_merge_rate)) : null}
            unit="%"
            large
          />
          <Change stats={stats} figure="pr_merge_rate" better="up" format={percent} unchanged={mergedOf(stats)} />
          <Days stats={stats} figure="pr_merge_rate" format={percent} />
        </Cell>
        <Cell figure="team.open_prs" loading={loading}>
          <Amount figure={stats ? formatCount(stats.open_prs) : null} unit="PRs" large />
          {stats?.series[0] && (
            <Trend
              percent={change(stats.open_prs, stats.series[0].open_prs)}
              better={null}
              before={`from ${formatCount(stats.series[0].open_prs)} a month ago`}
            />
          )}
          <Days stats={stats} figure="open_prs" format={(value) => `${value} open`} />
        </Cell>
      </Strip>
      <div className={classes.minor}>
        <Minor figure="team.total_prs" name="PRs opened" value={stats && formatCount(stats.total_prs)}>
          <Change stats={stats} figure="total_prs" better={null} format={counted} brief />
        </Minor>
        <Minor figure="team.total_reviews" value={stats && formatCount(stats.total_reviews)}>
          <Change stats={stats} figure="total_reviews" better={null} format={counted} brief />
        </Minor>
        <Minor
          figure="team.avg_pr_size"
          value={stats && stats.avg_pr_size !== null ? lines(stats.avg_pr_size) : undefined}
        >
          <Change stats={stats} figure="avg_pr_size" better={null} format={lines} brief />
        </Minor>
        <Minor figure="team.total_contributors" value={stats && formatCount(stats.total_contributors)}>
          <Change stats={stats} figure="total_contributors" better={null} format={counted} brief />
        </Minor>
        <Minor figure="team.active_prs_today" value={stats && `${formatCount(stats.active_prs_today)} PRs`}>
          {stats && (
            <Trend
              percent={change(stats.active_prs_today, stats.active_prs_yesterday)}
              better={null}
              before={`from ${formatCount(stats.active_prs_yesterday)} by this time yesterday`}
              brief
            />
          )}
        </Minor>
      </div>
    </Panel>
  );
}

interface ChangeProps {
  readonly stats: TeamStats | undefined;
  readonly figure: keyof TeamStats['previous'];
  readonly better: 'up' | 'down' | null;
  readonly format: (value: number | null) => string;
  /** Stands in place of the earlier value where nothing has changed. */
  readonly unchanged?: string | null;
  /** What must be said of the figure itself. */
  readonly note?: string | undefined;
  readonly brief?: boolean;
}

/** How a figure moved against the 30 days before, or that there is nothing to compare it with. */
function Change({ stats, figure, better, format, unchanged = null, note, brief = false }: ChangeProps) {
  if (stats === undefined || stats[figure] === null) return null;
  const moved = change(stats[figure], stats.previous[figure]);
  const before = `from ${format(stats.previous[figure])}`;
  return (
    <>
      {moved !== null && (
        <Trend
          percent={moved}
          better={better}
          before={brief ? `${before} in the 30 days before` : Math.round(moved) === 0 ? (unchanged ?? before) : before}
          brief={brief}
        />
      )}
      {note !== undefined && <span className={classes.few}>{note}</span>}
      {moved === null && note === undefined && (
        <span className={classes.few} data-tip="There is nothing in the 30 days before to compare with.">
          N/A before
        </span>
      )}
    </>
  );
}

interface CellProps {
  readonly figure: TeamFigure;
  readonly loading: boolean;
  readonly children: ReactNode;
}

function Cell({ figure, loading, children }: CellProps) {
  return (
    <StripCell label={<Explain metric={figure}>{definitionsOfTheTeam[figure].name}</Explain>}>
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
  return (
    <div className={classes.pair} data-tips>
      <Explain metric={figure}>{name ?? definitionsOfTheTeam[figure].name}</Explain>
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

/** A figure's last 30 days as a sparkline; each day's value is its tooltip. */
function Days({ stats, figure, format }: DaysProps) {
  const now = useNow();
  if (stats === undefined) return <div className={classes.days} />;
  const points = stats.series.map((day) => ({
    value: day[figure],
    tip: `${formatDay(Date.parse(`${day.date}T12:00:00Z`), now, 'UTC')}: ${format(day[figure])}`,
  }));
  const values = points.flatMap(({ value }) => value ?? []);
  const label =
    values.length === 0
      ? 'No values in the last 30 days'
      : `Day by day over the last 30 days, from ${format(Math.min(...values))} to ${format(Math.max(...values))}, at last ${format(values.at(-1) ?? null)}`;
  return (
    <div className={classes.days}>
      <Sparkline points={points} label={label} />
    </div>
  );
}

/** "132 of 141 ended", for where the merge rate has not changed. */
function mergedOf(stats: TeamStats | undefined): string | null {
  if (!stats?.pr_merge_rate) return null;
  return `${formatCount(stats.merged_prs)} of ${formatCount(Math.round(stats.merged_prs / stats.pr_merge_rate))} ended`;
}
