import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContributorMetrics, ContributorPullRequest } from '#contract/contributors.ts';
import { healthStatus, largeFrequencyColour, recommendedActions } from '#domain/health.ts';
import { LARGE_ABOVE_LINES } from '#domain/metrics/thresholds.ts';
import { percentWords } from '#domain/percent.ts';
import { Defined } from '../../explain/definition.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { Amount, Duration } from '../../kit/figure.tsx';
import { Line } from '../../kit/skeleton.tsx';
import { OpenPrs } from '../../people/open-prs.tsx';
import { nameOf } from '../../people/person-name.tsx';
import { formatCount, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { FigureName } from './figure-name.tsx';
import { type FigureRow, FigureTable } from './figure-table.tsx';
import { Lines } from './lines-figure.tsx';
import { NoTeamMean } from './no-team-mean.tsx';
import { OtherFigure } from './other-figure.tsx';
import { askPullRequests, type View } from './questions.ts';
import { RatingChip } from './rating.tsx';

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
  readonly view: View;
}

const HOUR = 3_600_000;
/** How many stale pull requests are named; the others are counted. */
const STALE_NAMED = 5;

function figuresOf({ stale_prs, large_pr_frequency, current_open_prs }: ContributorMetrics) {
  return { stalePrs: stale_prs.length, largePrFrequency: large_pr_frequency, openPrs: current_open_prs };
}

/** How someone's work stands, what is stale, and what to do about it. */
export function HealthCard({ metrics, compared, view }: Props) {
  const other = compared?.metrics;
  const beside = (
    of: 'current_open_prs' | 'stale_prs' | 'large_pr_frequency',
    show: (metrics: ContributorMetrics) => ReactNode,
  ) =>
    other ? (
      <OtherFigure of={`contributor.${of}`} compared={compared}>
        {show(other)}
      </OtherFigure>
    ) : (
      '–'
    );
  const actions = recommendedActions(figuresOf(metrics));
  const rows: FigureRow[] = [
    {
      key: 'open',
      name: <FigureName of="contributor.current_open_prs" />,
      value: <OpenPrs count={metrics.current_open_prs} />,
      other: beside('current_open_prs', (of) => formatCount(of.current_open_prs)),
    },
    {
      key: 'stale',
      name: <FigureName of="contributor.stale_prs" />,
      value: formatCount(metrics.stale_prs.length),
      other: beside('stale_prs', (of) => formatCount(of.stale_prs.length)),
    },
    {
      key: 'large',
      name: <FigureName of="contributor.large_pr_frequency">{`Large PRs, over ${LARGE_ABOVE_LINES} lines`}</FigureName>,
      value: <LargeShare share={metrics.large_pr_frequency} />,
      other: beside('large_pr_frequency', (of) => <Amount figure={percent(of.large_pr_frequency)} />),
    },
    {
      key: 'size',
      name: <FigureName of="contributor.avg_pr_size" />,
      value: <Lines count={metrics.avg_pr_size} />,
      other: compared && (
        <OtherFigure of="contributor.avg_pr_size" compared={compared}>
          <Lines count={compared.figures.avg_pr_size} />
        </OtherFigure>
      ),
    },
    ...(compared ? [] : [{ key: 'longest', name: 'Longest open', value: <LongestOpen view={view} /> }]),
  ];
  return (
    <Card
      title={<Defined figure="contributor.health">Health Indicators</Defined>}
      controls={<RatingChip rating={healthStatus(figuresOf(metrics))} />}
    >
      <FigureTable
        label="Health indicators"
        rows={rows}
        sides={compared ? [nameOf(metrics.username, metrics.display_name), compared.name] : undefined}
      />
      <NoTeamMean compared={compared} of="the first three" />
      <Stale prs={metrics.stale_prs} />
      {actions.length === 0 ? (
        <p className={classes.verdict}>{metrics.stale_prs.length === 0 && 'Nothing waits too long.'}</p>
      ) : (
        <>
          <h3 className={classes.subhead}>Recommended actions</h3>
          <ul className={classes.recommended}>
            {actions.map((action) => (
              <li key={action}>{action}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Stale({ prs }: { prs: ContributorMetrics['stale_prs'] }) {
  if (prs.length === 0) return null;
  return (
    <>
      <h3 className={classes.subhead}>Stale pull requests</h3>
      <ul className={classes.ranking}>
        {prs.slice(0, STALE_NAMED).map(({ pr_number, repo, title, days_stale }) => {
          const [repoOwner = '', repoName = ''] = repo.split('/');
          return (
            <li key={`${repo} ${pr_number}`}>
              <Link
                to="/pr/$repoOwner/$repoName/$prNumber"
                params={{ repoOwner, repoName, prNumber: String(pr_number) }}
                dir="auto"
                data-tip={`${title} (${repo} #${pr_number})`}
              >
                {title}
              </Link>
              <span>{formatCount(days_stale)} d</span>
            </li>
          );
        })}
      </ul>
      {prs.length > STALE_NAMED && <p className={classes.quiet}>and {formatCount(prs.length - STALE_NAMED)} more</p>}
    </>
  );
}

function LargeShare({ share }: { share: number | null }) {
  const colour = largeFrequencyColour(share);
  if (colour === null) return <Amount figure={percent(share)} />;
  return <Chip meaning={colour === 'red' ? 'bad' : 'watch'}>{percent(share)}</Chip>;
}

function percent(share: number | null): string | null {
  return share === null ? null : `${percentWords(share)}%`;
}

/** For how long the oldest open pull request has been open, which a press leads to; N/A without one. */
function LongestOpen({ view }: { view: View }) {
  const now = useNow();
  const { data, error, isPlaceholderData } = useQuery(askPullRequests(view));
  if (data === undefined) return error ? <span className={classes.quiet}>not loaded</span> : <Line width="3rem" />;
  const [oldest] = data
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => (instantOf(a.created_at) ?? now) - (instantOf(b.created_at) ?? now));
  return (
    <span data-outdated={isPlaceholderData || undefined}>
      {oldest === undefined ? <Duration hours={null} /> : <OpenFor pullRequest={oldest} now={now} />}
    </span>
  );
}

function OpenFor({ pullRequest, now }: { readonly pullRequest: ContributorPullRequest; readonly now: number }) {
  const { repo_owner: repoOwner, repo_name: repoName, pr_number, title, created_at } = pullRequest;
  return (
    <Link
      className={classes.plain}
      to="/pr/$repoOwner/$repoName/$prNumber"
      params={{ repoOwner, repoName, prNumber: String(pr_number) }}
      data-tip={`${title} (${repoOwner}/${repoName} #${pr_number})`}
    >
      <Duration hours={Math.max(0, now - (instantOf(created_at) ?? now)) / HOUR} />
    </Link>
  );
}
