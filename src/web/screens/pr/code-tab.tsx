import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { percentileText } from '#domain/comparison.ts';
import { counted } from '#domain/counted.ts';
import { percentWords } from '#domain/percent.ts';
import { churnRate, commitsHint, detailSize, filesHint, sizePercentileLabel } from '#domain/size.ts';
import { wholePercents } from '#domain/time-analysis.ts';
import { Chart } from '../../charts/chart.tsx';
import { Donut } from '../../charts/donut.tsx';
import { NamedBars } from '../../charts/named-bars.tsx';
import { Defined } from '../../explain/definition.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip, type Meaning } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Amount } from '../../kit/figure.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { formatCount } from '../../time/moment.ts';
import { useAuthorAverage } from './author-average.ts';
import { ComparedFigure, comparison } from './compared-figure.tsx';
import { NotAvailable } from './not-available.tsx';
import classes from './tab.module.css';
import { noOthers, tooFewToCompare } from './too-few.ts';

/** How large the change is and of what kind (docs/product.md#code-metrics). */
export function CodeTab({ detail }: { detail: PullRequestDetail }) {
  const { changed_files, commits } = detail;
  return (
    <>
      <div className={classes.two}>
        <SizeAnalysis detail={detail} />
        <SizeComparison detail={detail} />
      </div>
      <div className={classes.three}>
        <Card title="Files Changed">
          <Amount figure={formatCount(changed_files)} large />
          <p className={classes.hint}>{filesHint(changed_files)}</p>
        </Card>
        <Card title="Commits">
          <Amount figure={formatCount(commits)} large />
          <p className={classes.hint}>{commitsHint(commits)}</p>
        </Card>
        <NetImpact detail={detail} />
      </div>
    </>
  );
}

const sizeMeaning: Readonly<Record<ReturnType<typeof detailSize>['label'], Meaning>> = {
  'Extra Small': 'good',
  Small: 'good',
  Medium: 'neutral',
  Large: 'watch',
  'Extra Large': 'bad',
};

function SizeAnalysis({ detail }: { detail: PullRequestDetail }) {
  const { additions, deletions } = detail;
  const total = additions + deletions;
  const { label, recommendation } = detailSize(total);
  const [added, deleted] = wholePercents([additions, deletions]);
  const parts = [
    { name: 'Additions', value: additions, share: added, tone: 'chart-1', swatch: classes.first },
    { name: 'Deletions', value: deletions, share: deleted, tone: 'reference', swatch: classes.second },
  ] as const;
  return (
    <Card
      title="PR Size Analysis"
      caption="by lines changed"
      controls={<Chip meaning={sizeMeaning[label]}>{label}</Chip>}
      flush
    >
      <p className={classes.recommendation}>{recommendation}</p>
      {total === 0 ? (
        <EmptyState title="No lines changed" why="Renamed, moved or binary files count no lines." />
      ) : (
        <Chart
          summary={`${counted(total, 'line')} changed: ${added}% additions, ${deleted}% deletions.`}
          heads={['Kind', 'Lines', 'Share']}
          rows={parts.map(({ name, value, share }) => [name, formatCount(value), `${share}%`])}
        >
          <div className={classes.middle}>
            <Donut parts={parts} figure={formatCount(total)} unit={total === 1 ? 'line' : 'lines'} />
            <div className={classes.key}>
              {parts.map(({ name, value, share, swatch }) => (
                <span key={name}>
                  <span className={`${classes.swatch} ${swatch}`} />
                  {name} <b className={classes.value}>{formatCount(value)}</b>
                  <span className={classes.quiet}>{share}%</span>
                </span>
              ))}
            </div>
          </div>
        </Chart>
      )}
    </Card>
  );
}

/** "+131", "−176": with the sign of arithmetic. */
function signed(count: number): string {
  if (count === 0) return '0';
  return `${count > 0 ? '+' : '−'}${formatCount(Math.abs(count))}`;
}

function NetImpact({ detail }: { detail: PullRequestDetail }) {
  const { additions, deletions } = detail;
  const net = additions - deletions;
  const churn = churnRate(additions, deletions);
  return (
    <Card title="Net Code Impact">
      <Amount figure={signed(net)} unit={Math.abs(net) === 1 ? 'line' : 'lines'} large />
      <dl className={classes.pairs}>
        <div className={classes.pair}>
          <dt>
            <Defined figure="pull_request.churn_rate">Churn rate</Defined>
          </dt>
          <dd>{churn === null ? <NotAvailable why="No lines were changed." /> : `${percentWords(churn / 100)}%`}</dd>
        </div>
      </dl>
    </Card>
  );
}

const percentileMeaning: Readonly<Record<NonNullable<ReturnType<typeof sizePercentileLabel>>, Meaning>> = {
  Optimal: 'good',
  Good: 'good',
  'Above Average': 'neutral',
  'Too Large': 'watch',
};

/** What a size percentile means, as a badge; nothing without one. */
export function SizePercentileChip({ percentile }: { percentile: number | null }) {
  const label = sizePercentileLabel(percentile);
  return label === null ? null : <Chip meaning={percentileMeaning[label]}>{label}</Chip>;
}

const AVERAGE = 'pull_request.author_avg_pr_size';

function SizeComparison({ detail }: { detail: PullRequestDetail }) {
  const { additions, deletions, author, comparative_metrics } = detail;
  const average = useAuthorAverage(detail);
  const { author_avg_pr_size, size_percentile } = comparative_metrics;
  const lines = additions + deletions;
  const tooFew = tooFewToCompare(comparative_metrics);
  return (
    <Card title="Size Comparison" caption="with the author’s others and the team’s" flush>
      {author_avg_pr_size === null ? (
        <p className={classes.padded}>
          <ComparedFigure of={AVERAGE} detail={detail}>
            Average of {shownLogin(author)}
          </ComparedFigure>
          : <NotAvailable why={noOthers(detail)} />
        </p>
      ) : (
        <Chart
          summary={`This PR changes ${counted(lines, 'line')}, the author’s others ${formatCount(Math.round(author_avg_pr_size))} on average.`}
          heads={['Pull request', 'Lines']}
          rows={[
            ['This PR', formatCount(lines)],
            [
              average,
              <ComparedFigure key="average" of={AVERAGE} detail={detail}>
                {formatCount(Math.round(author_avg_pr_size))}
              </ComparedFigure>,
            ],
          ]}
        >
          <div className={classes.padded}>
            <PressableParts explain={() => comparison(AVERAGE, detail)}>
              <NamedBars
                thin
                bars={[
                  { name: 'This PR', value: lines, text: counted(lines, 'line'), isThis: true },
                  {
                    name: average,
                    value: author_avg_pr_size,
                    text: counted(Math.round(author_avg_pr_size), 'line'),
                    isThis: false,
                    part: AVERAGE,
                  },
                ]}
              />
            </PressableParts>
          </div>
        </Chart>
      )}
      <dl className={classes.footPairs}>
        <div className={classes.pair}>
          <dt>
            <ComparedFigure of="pull_request.size_percentile" detail={detail}>
              Size percentile
            </ComparedFigure>{' '}
            <span className={classes.quiet}>among the team’s merges</span>
          </dt>
          <dd className={classes.ranked}>
            {tooFew === null ? (
              <>
                <SizePercentileChip percentile={size_percentile} /> {percentileText(size_percentile)}
              </>
            ) : (
              <NotAvailable why={tooFew} />
            )}
          </dd>
        </div>
      </dl>
    </Card>
  );
}
