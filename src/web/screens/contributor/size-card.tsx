import type { ContributorMetrics } from '#contract/contributors.ts';
import { counted } from '#domain/counted.ts';
import { LARGE_ABOVE_LINES } from '#domain/metrics/thresholds.ts';
import { periodLabel } from '#domain/period.ts';
import { type SizeBucket, type SizeDistribution, sizeBuckets } from '#domain/size-buckets.ts';
import { analyseSizes, sizeSentence } from '#domain/size-distribution.ts';
import { Bars } from '../../charts/bars.tsx';
import { Chart } from '../../charts/chart.tsx';
import { Defined } from '../../explain/definition.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatCount } from '../../time/moment.ts';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { FigureName } from './figure-name.tsx';
import { NoTeamMean } from './no-team-mean.tsx';
import { PartFigure, usePart } from './part-figure.tsx';
import { useView } from './view.ts';

interface Props {
  readonly metrics: ContributorMetrics;
  readonly compared: Compared | null;
}

/** How large the pull requests opened in the period were, against the target. */
export default function SizeCard({ metrics, compared }: Props) {
  const { period } = useView();
  const about = usePart();
  const other = compared?.metrics?.username;
  const sizes = metrics.pr_size_distribution;
  const others = compared?.metrics?.pr_size_distribution;
  const total = countOf(sizes);
  const analysis = analyseSizes(sizes);
  return (
    <Card
      title={<Defined figure="contributor.pr_size_distribution">PR Size Distribution</Defined>}
      caption={<FigureName of="contributor.total_prs_opened">{counted(total, 'PR')}</FigureName>}
      controls={
        analysis && (
          <>
            {analysis.excellent && <Chip meaning="good">Excellent</Chip>}
            {analysis.warning && <Chip meaning="watch">Many large PRs</Chip>}
          </>
        )
      }
      flush
    >
      {total === 0 && (others === undefined || countOf(others) === 0) ? (
        <EmptyState title="No pull requests opened" why={`${periodLabel(period)}.`} />
      ) : (
        <Chart
          summary={[
            sizeSentence(sizes),
            `Amber: over ${LARGE_ABOVE_LINES}.`,
            ...(others ? [`${compared?.name}: ${sizeSentence(others)}`] : []),
          ].join(' ')}
          heads={['Lines', 'PRs', ...(others ? [compared?.name ?? ''] : [])]}
          rows={sizeBuckets.map((bucket) => [
            bucket,
            <Count key="own" bucket={bucket} of={sizes} />,
            ...(others ? [<Count key="other" bucket={bucket} of={others} username={other} />] : []),
          ])}
        >
          <div className={classes.drawing}>
            <PressableParts
              explain={(part) => {
                const [whose, bucket = ''] = part.split(' ');
                return about(METRIC, bucket, `${bucket} lines`, whose === 'other' ? other : undefined);
              }}
            >
              <Bars
                rows={sizeBuckets.map((bucket) => ({
                  label: bucket,
                  value: sizes[bucket],
                  text: formatCount(sizes[bucket]),
                  tone: isLarge(bucket) ? 'chart-2' : 'chart-1',
                  part: sizes[bucket] === 0 ? undefined : `own ${bucket}`,
                  other: others && {
                    value: others[bucket],
                    text: formatCount(others[bucket]),
                    part: others[bucket] === 0 ? undefined : `other ${bucket}`,
                  },
                }))}
              />
            </PressableParts>
          </div>
        </Chart>
      )}
      <NoTeamMean compared={compared} of="sizes" flush />
    </Card>
  );
}

const METRIC = 'contributor.pr_size_distribution';

interface CountProps {
  readonly bucket: SizeBucket;
  readonly of: SizeDistribution;
  readonly username?: string | undefined;
}

function Count({ bucket, of, username }: CountProps) {
  if (of[bucket] === 0) return <>0</>;
  return (
    <PartFigure of={METRIC} part={bucket} name={`${bucket} lines`} username={username}>
      {formatCount(of[bucket])}
    </PartFigure>
  );
}

function countOf(sizes: SizeDistribution): number {
  return sizeBuckets.reduce((sum, bucket) => sum + sizes[bucket], 0);
}

/** Whether a bucket begins where pull requests are large. */
function isLarge(bucket: string): boolean {
  return Number.parseInt(bucket, 10) >= LARGE_ABOVE_LINES;
}
