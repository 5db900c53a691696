import { AlertIcon, CheckIcon, InfoIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import {
  benchmarkSentence,
  percentDifference,
  percentileText,
  sizeDifferenceLabel,
  speedLabel,
  wholePercentile,
} from '#domain/comparison.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { type ComparedPullRequest, type Insight, insightsOf, successPatternsOf } from '#domain/insights.ts';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { totalTime } from '#domain/time-analysis.ts';
import { Chart } from '../../charts/chart.tsx';
import { NamedBars } from '../../charts/named-bars.tsx';
import { RankTrack } from '../../charts/rank-track.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { formatCount } from '../../time/moment.ts';
import { useAuthorAverage } from './author-average.ts';
import { SizePercentileChip } from './code-tab.tsx';
import classes from './comparative-tab.module.css';
import { Compared } from './compared.tsx';
import { ComparedFigure, comparison } from './compared-figure.tsx';
import { NotAvailable } from './not-available.tsx';
import tabClasses from './tab.module.css';
import { noOthers, tooFewToCompare } from './too-few.ts';

/** This pull request beside its author's others and the team's (docs/product.md#comparative). */
export function ComparativeTab({ detail }: { detail: PullRequestDetail }) {
  const compared = comparedOf(detail);
  return (
    <div className={tabClasses.two}>
      <VsAverage detail={detail} compared={compared} />
      <VsMedian detail={detail} compared={compared} />
      <Benchmarks detail={detail} compared={compared} />
      <Rankings detail={detail} />
      <Card title="Insights & Recommendations">
        <Findings
          none="Nothing stands out."
          findings={insightsOf(compared).map(({ level, title, text }) => ({ level, title, text }))}
        />
      </Card>
      <Card title="Success Patterns">
        <Findings
          none="None of the patterns was found here."
          findings={successPatternsOf(compared).map(({ title, text }) => ({ level: 'success', title, text }))}
        />
      </Card>
    </div>
  );
}

/** Follows a figure that grows on. */
function soFar({ state }: PullRequestDetail): string {
  return state === 'open' ? ' so far' : '';
}

function comparedOf({
  state,
  additions,
  deletions,
  time_metrics,
  comparative_metrics,
}: PullRequestDetail): ComparedPullRequest {
  return {
    state,
    cycleTime: totalTime(time_metrics),
    linesChanged: additions + deletions,
    reviewCycles: time_metrics.review_cycles,
    timeToFirstReview: time_metrics.time_to_first_review,
    cycleTimePercentile: comparative_metrics.cycle_time_percentile,
    sizePercentile: comparative_metrics.size_percentile,
    authorAverageCycleTime: comparative_metrics.author_avg_cycle_time,
    authorAverageSize: comparative_metrics.author_avg_pr_size,
    teamMedianCycleTime: comparative_metrics.team_p50_cycle_time,
  };
}

interface Props {
  readonly detail: PullRequestDetail;
  readonly compared: ComparedPullRequest;
}

/** "This PR", or that an open one goes on. */
const cycleTimeWord = { open: 'Cycle time so far', merged: 'Cycle time', closed: 'Time until the close' };

function VsAverage({ detail, compared }: Props) {
  const { author, state, comparative_metrics } = detail;
  const none = noOthers(detail);
  const name = useAuthorAverage(detail);
  const whose = name === 'Your average' ? '' : 'the author’s average: ';
  const size = percentDifference(compared.authorAverageSize, compared.linesChanged);
  const speed = percentDifference(compared.authorAverageCycleTime, compared.cycleTime);
  return (
    <Card
      title="vs Your Average"
      caption={`${whose}${counted(comparative_metrics.author_set_size, 'other')} of ${shownLogin(author)} merged in the 180 days before`}
    >
      <Compared
        detail={detail}
        what={cycleTimeWord[state]}
        figure="pull_request.author_avg_cycle_time"
        reference={{ name, value: compared.authorAverageCycleTime }}
        value={compared.cycleTime}
        state={state}
        format={formatDuration}
        difference={speed}
        label={speedLabel(speed)}
        equal="average"
        none={none}
      />
      <Compared
        detail={detail}
        what="PR size"
        figure="pull_request.author_avg_pr_size"
        reference={{ name, value: compared.authorAverageSize }}
        value={compared.linesChanged}
        format={formatLines}
        difference={size}
        label={sizeDifferenceLabel(size)}
        equal="average"
        none={none}
      />
    </Card>
  );
}

function formatLines(lines: number | null): string {
  return counted(Math.round(lines ?? 0), 'line');
}

function VsMedian({ detail, compared }: Props) {
  const { comparison_set_size, team_p50_pr_size } = detail.comparative_metrics;
  const speed = percentDifference(compared.teamMedianCycleTime, compared.cycleTime);
  const size = percentDifference(team_p50_pr_size, compared.linesChanged);
  const none = tooFewToCompare(detail.comparative_metrics) ?? '';
  return (
    <Card title="vs Team Median" caption={`${counted(comparison_set_size, 'other')} merged in the 90 days before`}>
      <Compared
        detail={detail}
        what={cycleTimeWord[detail.state]}
        figure="pull_request.team_p50_cycle_time"
        reference={{ name: 'Team p50', value: compared.teamMedianCycleTime }}
        value={compared.cycleTime}
        state={detail.state}
        format={formatDuration}
        difference={speed}
        label={speedLabel(speed)}
        equal="median"
        none={none}
      />
      <Compared
        detail={detail}
        what="PR size"
        figure="pull_request.team_p50_pr_size"
        reference={{ name: 'Team p50', value: team_p50_pr_size }}
        value={compared.linesChanged}
        format={formatLines}
        difference={size}
        label={sizeDifferenceLabel(size)}
        equal="median"
        none={none}
      />
    </Card>
  );
}

function Benchmarks({ detail, compared }: Props) {
  const {
    team_p50_cycle_time: p50,
    team_p75_cycle_time: p75,
    team_p90_cycle_time: p90,
    comparison_set_size,
  } = detail.comparative_metrics;
  const own = compared.cycleTime ?? 0;
  const sentence = benchmarkSentence(own, { p50, p75, p90 }, detail.state);
  const bars = [
    { name: 'Team p50', value: p50 ?? 0, isThis: false, part: 'pull_request.team_p50_cycle_time' as const },
    { name: 'Team p75', value: p75 ?? 0, isThis: false, part: 'pull_request.team_p75_cycle_time' as const },
    { name: 'Team p90', value: p90 ?? 0, isThis: false, part: 'pull_request.team_p90_cycle_time' as const },
    { name: 'This PR', value: own, isThis: true, part: undefined },
  ]
    .map((bar) => ({ ...bar, text: `${formatDuration(bar.value)}${bar.isThis ? soFar(detail) : ''}` }))
    .sort((a, b) => a.value - b.value);
  return (
    <Card title="Team Benchmarks" caption={`cycle time of ${counted(comparison_set_size, 'merged PR')}`} flush>
      {sentence === null ? (
        <p className={tabClasses.padded}>
          <NotAvailable why={tooFewToCompare(detail.comparative_metrics) ?? ''} />
        </p>
      ) : (
        <Chart
          summary={sentence}
          heads={['', 'Cycle time']}
          rows={bars.map(({ name, text, part }) => [
            name,
            part === undefined ? (
              text
            ) : (
              <ComparedFigure key={name} of={part} detail={detail}>
                {text}
              </ComparedFigure>
            ),
          ])}
        >
          <div className={tabClasses.padded}>
            <PressableParts explain={(part) => comparison(part as FigureKey, detail)}>
              <NamedBars bars={bars} />
            </PressableParts>
          </div>
        </Chart>
      )}
    </Card>
  );
}

function Rankings({ detail }: { detail: PullRequestDetail }) {
  const { cycle_time_percentile, size_percentile, comparison_set_size } = detail.comparative_metrics;
  const none = tooFewToCompare(detail.comparative_metrics) ?? '';
  const of = `of ${formatCount(comparison_set_size)}`;
  const runsOn = soFar(detail);
  return (
    <Card title="Percentile Rankings" caption="higher is longer or larger">
      <Ranking
        detail={detail}
        figure="pull_request.cycle_time_percentile"
        label={`Cycle time${runsOn}`}
        percentile={cycle_time_percentile}
        sentence={(percent, passed) => `Took longer than ${percent}% of PRs${runsOn}, ${passed} ${of}`}
        size={comparison_set_size}
        none={none}
      />
      <Ranking
        detail={detail}
        figure="pull_request.size_percentile"
        label="Size"
        chip={<SizePercentileChip percentile={size_percentile} />}
        percentile={size_percentile}
        sentence={(percent, passed) => `Larger than ${percent}% of PRs, ${passed} ${of}`}
        size={comparison_set_size}
        none={none}
      />
    </Card>
  );
}

interface RankingProps {
  readonly detail: PullRequestDetail;
  readonly figure: FigureKey;
  readonly label: string;
  readonly chip?: ReactNode;
  readonly percentile: number | null;
  readonly sentence: (percent: number, passed: string) => string;
  readonly size: number;
  /** Why there is none. */
  readonly none: string;
}

function Ranking({ detail, figure, label, chip, percentile, sentence, size, none }: RankingProps) {
  return (
    <div className={classes.ranking}>
      <div className={tabClasses.words}>
        <ComparedFigure of={figure} detail={detail}>
          {label}
        </ComparedFigure>
        <span className={classes.end}>
          {chip}
          {percentile === null ? <NotAvailable why={none} /> : <b>{percentileText(percentile)}</b>}
        </span>
      </div>
      {percentile !== null && (
        <>
          <RankTrack percentile={percentile} />
          <p className={tabClasses.quiet}>
            {sentence(wholePercentile(percentile), formatCount(Math.round((percentile * size) / 100)))}
          </p>
        </>
      )}
    </div>
  );
}

const findingIcons = { warning: AlertIcon, info: InfoIcon, success: CheckIcon };

interface Finding {
  readonly level: Insight['level'];
  readonly title: string;
  readonly text: string | null;
}

function Findings({ findings, none }: { findings: readonly Finding[]; none: string }) {
  if (findings.length === 0) return <p className={tabClasses.hint}>{none}</p>;
  return (
    <ul className={classes.findings}>
      {findings.map(({ level, title, text }) => {
        const Icon = findingIcons[level];
        return (
          <li key={title} className={classes.finding}>
            <span className={`${classes.tile} ${classes[level]}`}>
              <Icon size={16} aria-label={level} />
            </span>
            <div>
              <b>{title}</b>
              {text !== null && <p className={tabClasses.hint}>{text}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
