import type { ReactNode } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { type Basis, fewMergedWords, incomparable, reasonWords } from '#domain/change.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { periodDays } from '#domain/period.ts';
import { MarkBar } from '../../charts/mark-bar.tsx';
import { Strip, StripCell } from '../../kit/card.tsx';
import { Amount, Duration, Trend } from '../../kit/figure.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatMean } from '../../time/moment.ts';
import type { Compared } from './comparison.ts';
import { FigureName } from './figure-name.tsx';
import { OtherFigure } from './other-figure.tsx';
import classes from './profile-card.module.css';
import { useView } from './view.ts';

type Figure = 'total_prs_opened' | 'total_prs_merged' | 'total_prs_reviewed' | 'avg_time_to_merge_hours';

interface Props {
  readonly metrics: ContributorMetrics;
  readonly averages: boolean;
  readonly compared: Compared | null;
}

/** The four leading figures with their trend; the team's average as a mark, another person's as a grey bar. */
export function MetricCards({ metrics, averages, compared }: Props) {
  const { period } = useView();
  const { time_zone } = useUser();
  const days = `the ${periodDays(period)} days before`;
  const { previous, compared_with } = metrics;
  const changed = (percent: number | null, better: 'up' | 'down', basis: Basis) => {
    const reason = incomparable(compared_with, basis);
    if (reason?.why === 'few' && reason.side === 'now') return <Note>{fewMergedWords(reason.count)}</Note>;
    if (reason !== null) return <Note>{reasonWords(reason, `in ${days}`, time_zone)}</Note>;
    return (
      <Trend
        percent={percent}
        better={better}
        before={Math.round(percent ?? 0) === 0 ? `from ${days}` : `than in ${days}`}
      />
    );
  };
  const shown = { metrics, averages, compared };
  const merged = metrics.total_prs_merged;
  return (
    <Strip>
      <Card {...shown} figure="total_prs_opened" alongside="total_prs_merged">
        <Amount figure={formatCount(metrics.total_prs_opened)} large />
        {changed(metrics.prs_opened_trend, 'up', { before: previous.total_prs_opened })}
      </Card>
      <Card {...shown} figure="total_prs_merged" alongside="total_prs_opened">
        <Amount figure={formatCount(merged)} large />
        {changed(metrics.prs_merged_trend, 'up', { before: previous.total_prs_merged })}
      </Card>
      <Card {...shown} figure="total_prs_reviewed">
        <Amount figure={formatCount(metrics.total_prs_reviewed)} large />
        {changed(metrics.prs_reviewed_trend, 'up', { before: previous.total_prs_reviewed })}
      </Card>
      <Card {...shown} figure="avg_time_to_merge_hours">
        <Duration hours={metrics.avg_time_to_merge_hours} large />
        {merged === 0 ? (
          <Note>{fewMergedWords(0)}</Note>
        ) : (
          changed(metrics.time_to_merge_trend, 'down', { before: previous.total_prs_merged, now: merged })
        )}
      </Card>
    </Strip>
  );
}

/** What stands in place of a change. */
function Note({ children }: { children: string }) {
  return <span className={classes.rests}>{children}</span>;
}

interface CardProps extends Props {
  readonly figure: Figure;
  /** Another figure on the same scale. */
  readonly alongside?: Figure;
  readonly children: ReactNode;
}

function Card({ figure, alongside, metrics, averages, compared, children }: CardProps) {
  const team = metrics.team_averages.period;
  const other = compared?.metrics?.[figure];
  const withTeam = averages || compared?.metrics === null;
  const values = [figure, alongside ?? figure].flatMap((key) => [metrics[key], team[key], compared?.figures[key]]);
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  return (
    <StripCell label={<FigureName of={`contributor.${figure}`} />}>
      <div className={classes.figure}>
        {children}
        <div className={classes.bar}>
          <MarkBar
            value={metrics[figure]}
            mark={withTeam ? team[figure] : null}
            {...(other !== undefined && { other })}
            whole={1.25 * largest}
          />
        </div>
        {compared?.metrics && (
          <span className={classes.beside}>
            {compared.name}{' '}
            <b>
              <OtherFigure of={`contributor.${figure}`} compared={compared}>
                {wordsOf(figure, compared.metrics[figure])}
              </OtherFigure>
            </b>
          </span>
        )}
        {withTeam && <span className={classes.beside}>Team average {meanWords(figure, team[figure])}</span>}
      </div>
    </StripCell>
  );
}

function wordsOf(figure: Figure, value: number | null): string {
  if (figure === 'avg_time_to_merge_hours') return formatDuration(value);
  return value === null ? NOT_AVAILABLE : formatCount(value);
}

/** A mean of people; one of counts always with its decimal: "8.0". */
function meanWords(figure: Figure, value: number | null): string {
  return figure === 'avg_time_to_merge_hours' ? formatDuration(value) : formatMean(value);
}
