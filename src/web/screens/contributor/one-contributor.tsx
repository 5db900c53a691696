import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { type ComparedWith, FEW, incomparable, monthOf, PARTIAL } from '#domain/change.ts';
import { lastDays, periodDays, windowSentence } from '#domain/period.ts';
import { ApiError } from '../../api/client.ts';
import { part } from '../../api/part.ts';
import { useMembers, useTeamName } from '../../filters/choice-of-figures.ts';
import { creditWords, useCredit } from '../../filters/credit.ts';
import { CreditChoice } from '../../filters/credit-choice.tsx';
import { Banner } from '../../kit/banner.tsx';
import { Panel } from '../../kit/card.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../layout/page.tsx';
import { contributorHeading } from '../../layout/pages.ts';
import { useUser } from '../../session/session.tsx';
import { useNow } from '../../time/now.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { ActivityOverviewCard } from './activity-overview-card.tsx';
import { BackToDashboard, Columns } from './columns.tsx';
import { type Comparison, useComparison } from './comparison.ts';
import classes from './contributor.module.css';
import { ExportContext, useExport } from './export-metrics.ts';
import { Failed } from './failed.tsx';
import { HeaderActions } from './header-actions.tsx';
import { HealthCard } from './health-card.tsx';
import { ImpactCard } from './impact-card.tsx';
import { NoActivity, useIsUntouched } from './no-activity.tsx';
import { PerformanceCard } from './performance-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { PullRequestsCard } from './pull-requests-card.tsx';
import { askMetrics, type View } from './questions.ts';
import { CardSkeleton, PageSkeleton } from './skeletons.tsx';
import { useVisit } from './use-recent-contributors.ts';
import { usePeriod, useRepositoryChoice, ViewContext } from './view.ts';

const VelocityCard = lazy(part(() => import('./velocity-card.tsx')));
const CalendarCard = lazy(part(() => import('./calendar-card.tsx')));
const ReviewHoursCard = lazy(part(() => import('./review-hours-card.tsx')));
const SizeCard = lazy(part(() => import('./size-card.tsx')));

/** Everything about one contributor. */
export function OneContributor({ username }: { username: string }) {
  const [period, choosePeriod] = usePeriod();
  const repositories = useRepositoryChoice();
  const { team } = useMembers();
  const { credit } = useCredit();
  const view: View = { username, period, repository: repositories.chosen, team, credit };
  const metrics = useQuery({ ...askMetrics(view), enabled: repositories.settled });
  const comparison = useComparison(view, metrics.data, repositories.settled);
  const exporting = useExport(view);
  useVisit(metrics.data);
  const shown = useShownView(view, metrics.isPlaceholderData);
  const isOutdated = metrics.isPlaceholderData || comparison.isOutdated;
  const isUntouched = useIsUntouched(shown, metrics.data);

  return (
    <ViewContext value={shown}>
      <ExportContext value={exporting}>
        <Page
          title={contributorHeading(username)}
          subtitle={<BackToDashboard />}
          actions={
            <HeaderActions
              period={period}
              onPeriod={choosePeriod}
              repositories={repositories}
              loading={metrics.isFetching}
              onRefresh={() => void metrics.refetch()}
            />
          }
        >
          <Columns current={username}>
            <div className={classes.credit}>
              <CreditChoice />
            </div>
            {exporting.error && (
              <Failed title="Failed to export metrics" error={exporting.error} onClose={exporting.dismiss} />
            )}
            {repositories.settled && repositories.error && (
              <Failed title="Failed to fetch repositories" error={repositories.error} onRetry={repositories.retry} />
            )}
            {!repositories.settled ? (
              repositories.error ? (
                <Panel label="Contributor">
                  <ErrorState
                    title="Failed to fetch repositories"
                    error={repositories.error}
                    onRetry={repositories.retry}
                  />
                </Panel>
              ) : (
                <PageSkeleton />
              )
            ) : metrics.data === undefined ? (
              metrics.error ? (
                <Panel label="Contributor">
                  <ErrorState
                    title="Error loading contributor data"
                    error={metricsFailure(metrics.error)}
                    onRetry={() => void metrics.refetch()}
                  />
                </Panel>
              ) : (
                <PageSkeleton />
              )
            ) : (
              <>
                {metrics.error && (
                  <Failed
                    title="Error loading contributor data"
                    error={metricsFailure(metrics.error)}
                    onRetry={() => void metrics.refetch()}
                  />
                )}
                <WindowBanner view={shown} compared={metrics.data.compared_with} />
                {isUntouched && shown.repository !== null ? (
                  <NoActivity metrics={metrics.data} view={shown} repository={shown.repository} outdated={isOutdated} />
                ) : (
                  <Panels metrics={metrics.data} comparison={comparison} view={view} outdated={isOutdated} />
                )}
              </>
            )}
          </Columns>
        </Page>
      </ExportContext>
    </ViewContext>
  );
}

/** Says which window is shown, and what of it is not there. */
function WindowBanner({ view, compared }: { readonly view: View; readonly compared: ComparedWith }) {
  const now = useNow();
  const { time_zone } = useUser();
  const from = new Date(lastDays(now, periodDays(view.period)).after).toISOString();
  const reason = incomparable({ ...compared, from }, { before: FEW });
  const team = useTeamName(view.team);
  const sentences = [windowSentence(view.period, view.repository?.full_name ?? null)];
  if (team !== null) sentences.push(`Only what was done as a member of ${team}.`);
  const counted = creditWords(view.credit === undefined ? {} : { credit: view.credit });
  if (counted !== null) sentences.push(`With ${counted}.`);
  if (reason?.why === 'importing') sentences.push(PARTIAL);
  else if (reason?.why === 'history') sentences.push(`The history begins in ${monthOf(reason.begins, time_zone)}.`);
  return <Banner meaning="note">{sentences.join(' ')}</Banner>;
}

/** The view that the figures on screen belong to: while another one is fetched, still the one before. */
function useShownView(view: View, fetching: boolean): View {
  const [shown, setShown] = useState(view);
  const same =
    shown.period === view.period &&
    shown.repository?.id === view.repository?.id &&
    shown.team === view.team &&
    shown.credit === view.credit;
  if (!fetching && !same) setShown(view);
  return fetching ? shown : view;
}

interface PanelsProps {
  readonly metrics: ContributorMetrics;
  readonly comparison: Comparison;
  /** The view that is asked for. */
  readonly view: View;
  readonly outdated: boolean;
}

function Panels({ metrics, comparison, view, outdated }: PanelsProps) {
  const [hidden, setHidden] = useUrlFilter('averages');
  const averages = hidden !== 'hide';
  const { compared, error, retry, compareWith } = comparison;
  const props = { metrics, compared };
  return (
    <>
      {error !== null && (
        <Failed
          title="Failed to load comparison data"
          error={error}
          onRetry={retry}
          onClose={() => compareWith(undefined)}
        />
      )}
      <div className={classes.panels} data-outdated={outdated || undefined}>
        <ProfileCard
          metrics={metrics}
          comparison={comparison}
          averages={averages}
          onAverages={(show) => setHidden(show ? undefined : 'hide')}
        />
        <div className={classes.wide} data-comparing={compared?.metrics ? '' : undefined}>
          <LazyPart fallback={<CardSkeleton height={320} />}>
            <VelocityCard {...props} averages={averages} />
          </LazyPart>
          <LazyPart fallback={<CardSkeleton height={320} />}>
            <CalendarCard {...props} />
          </LazyPart>
        </div>
        <ActivityOverviewCard {...props} />
        <div className={classes.wide} data-comparing={compared?.metrics ? '' : undefined}>
          <LazyPart fallback={<CardSkeleton height={290} />}>
            <ReviewHoursCard {...props} view={view} />
          </LazyPart>
          <HealthCard {...props} view={view} />
        </div>
        <div className={classes.three} data-comparing={compared ? '' : undefined}>
          <LazyPart fallback={<CardSkeleton height={300} />}>
            <SizeCard {...props} />
          </LazyPart>
          <PerformanceCard {...props} />
          <ImpactCard {...props} />
        </div>
      </div>
      <PullRequestsCard view={view} />
    </>
  );
}

/** The server's word on what went wrong; where it had none, what was being done. */
function metricsFailure(error: Error): Error {
  if (error instanceof ApiError && error.status !== null && error.status < 500) return error;
  return new Error(`Failed to fetch contributor metrics. ${causeOf(error)}`, { cause: error });
}
