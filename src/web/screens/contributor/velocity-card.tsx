import { ArrowDownIcon, ArrowUpIcon, DashIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { ComparedWith } from '#domain/change.ts';
import { percentWords } from '#domain/percent.ts';
import { LOW_MERGE_RATE, VELOCITY_WEEKS, velocityMergeRate, velocityWords } from '#domain/velocity.ts';
import { Chart } from '../../charts/chart.tsx';
import { Lines } from '../../charts/lines.tsx';
import { Defined } from '../../explain/definition.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { nameOf } from '../../people/person-name.tsx';
import { formatCount, formatDay, formatMean } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import type { Compared } from './comparison.ts';
import classes from './contributor.module.css';
import { PartFigure, usePart } from './part-figure.tsx';

type Weeks = ContributorMetrics['velocity_trend'];

interface Props {
  readonly metrics: ContributorMetrics;
  readonly averages: boolean;
  readonly compared: Compared | null;
}

/** What was opened and merged week by week, the team's weekly average dashed, the other person beside it on the same scale. */
export default function VelocityCard({ metrics, averages, compared }: Props) {
  const now = useNow();
  const weeks = metrics.velocity_trend;
  const otherWeeks = compared?.metrics?.velocity_trend;
  const labels = weeks.map(({ week }) => weekLabel(week, now));
  const references = averages || compared?.metrics === null ? teamLines(metrics.team_averages) : [];
  const highest = Math.max(
    0,
    ...[...weeks, ...(otherWeeks ?? [])].flatMap((week) => [week.prs_opened, week.prs_merged]),
  );
  const quiet = (of: Weeks) => of.every(({ prs_opened, prs_merged }) => prs_opened + prs_merged === 0);
  const nothing = quiet(weeks) && (otherWeeks === undefined || quiet(otherWeeks));
  const name = nameOf(metrics.username, metrics.display_name);
  return (
    <Card
      title={<Defined figure="contributor.velocity_trend">Velocity Trend</Defined>}
      caption={`weekly, ${VELOCITY_WEEKS} weeks`}
      controls={!nothing && <Messages weeks={weeks} compared={metrics.compared_with} />}
      flush
    >
      {nothing ? (
        <EmptyState
          title="No velocity trend data available"
          why={`Nothing was opened or merged in the last ${VELOCITY_WEEKS} weeks.`}
        />
      ) : (
        <Chart
          summary={summaryOf(weeks, compared, otherWeeks, references)}
          heads={[
            'Week from',
            'Opened',
            'Merged',
            ...(otherWeeks ? [`${compared?.name}, opened`, `${compared?.name}, merged`] : []),
          ]}
          rows={weeks.map((week, at) => [
            labels[at] ?? '',
            ...figuresOf(week, labels[at]),
            ...(otherWeeks ? figuresOf(otherWeeks[at], labels[at], compared?.metrics?.username) : []),
          ])}
        >
          <div className={classes.sides}>
            <Side title={otherWeeks && name} weeks={weeks} {...{ labels, references, highest }} />
            {otherWeeks && (
              <Side
                title={compared?.name}
                username={compared?.metrics?.username}
                weeks={otherWeeks}
                {...{ labels, references, highest }}
              />
            )}
          </div>
        </Chart>
      )}
    </Card>
  );
}

interface SideProps {
  readonly title: string | undefined;
  /** Whose weeks they are, unless those of the person on the page. */
  readonly username?: string | undefined;
  readonly weeks: Weeks;
  readonly labels: readonly string[];
  readonly references: ReturnType<typeof teamLines>;
  readonly highest: number;
}

const metrics = { opened: 'contributor.velocity_opened', merged: 'contributor.velocity_merged' } as const;

/** What was opened and merged in a week, as two cells of the table that explain themselves. */
function figuresOf(week: Weeks[number] | undefined, label: string | undefined, username?: string): ReactNode[] {
  const cell = (what: keyof typeof metrics, count: number) =>
    week === undefined || count === 0 ? (
      '0'
    ) : (
      <PartFigure key={what} of={metrics[what]} part={week.week} name={`from ${label}`} username={username}>
        {formatCount(count)}
      </PartFigure>
    );
  return [cell('opened', week?.prs_opened ?? 0), cell('merged', week?.prs_merged ?? 0)];
}

function Side({ title, username, weeks, ...axes }: SideProps) {
  const about = usePart();
  const last = weeks.at(-1);
  const partsOf = (what: keyof typeof metrics) =>
    weeks.map((week) => (week[`prs_${what}`] === 0 ? undefined : `${what} ${week.week}`));
  const explain = (part: string) => {
    const [what, week = ''] = part.split(' ');
    const label = axes.labels[weeks.findIndex((one) => one.week === week)];
    return about(metrics[what as keyof typeof metrics], week, `from ${label}`, username);
  };
  return (
    <div className={classes.side}>
      {title !== undefined && <p className={classes.sideTitle}>{title}</p>}
      <PressableParts explain={explain}>
        <Lines
          {...axes}
          format={formatCount}
          lines={[
            {
              name: 'opened',
              values: weeks.map(({ prs_opened }) => prs_opened),
              tone: 'chart-1',
              parts: partsOf('opened'),
              end: `${formatCount(last?.prs_opened ?? 0)} opened`,
            },
            {
              name: 'merged',
              values: weeks.map(({ prs_merged }) => prs_merged),
              tone: 'chart-3',
              parts: partsOf('merged'),
              end: `${formatCount(last?.prs_merged ?? 0)} merged`,
            },
          ]}
        />
      </PressableParts>
    </div>
  );
}

const icons = {
  'Excellent momentum': ArrowUpIcon,
  'Good progress': ArrowUpIcon,
  'Relatively stable': DashIcon,
  'Velocity declining': ArrowDownIcon,
};

function Messages({ weeks, compared }: { readonly weeks: Weeks; readonly compared: ComparedWith }) {
  const { message, warning } = velocityWords(weeks, compared);
  const meaning = message === 'Velocity declining' ? 'watch' : message === 'Relatively stable' ? 'neutral' : 'good';
  return (
    <>
      {warning !== null && <Chip meaning="watch">{warning}</Chip>}
      {message !== null && (
        <Chip meaning={meaning} icon={icons[message]}>
          {message}
        </Chip>
      )}
    </>
  );
}

/** The team's six weeks, divided by their number (docs/product.md#a-contributor). */
function teamLines({ total_prs_opened, total_prs_merged }: ContributorMetrics['team_averages']) {
  const perWeek = (total: number) => total / VELOCITY_WEEKS;
  return [
    ...(total_prs_opened === null
      ? []
      : [
          {
            name: `team ${formatMean(perWeek(total_prs_opened))} opened`,
            value: perWeek(total_prs_opened),
            tone: 'chart-1' as const,
          },
        ]),
    ...(total_prs_merged === null
      ? []
      : [
          {
            name: `team ${formatMean(perWeek(total_prs_merged))} merged`,
            value: perWeek(total_prs_merged),
            tone: 'chart-3' as const,
          },
        ]),
  ];
}

function summaryOf(
  weeks: Weeks,
  compared: Compared | null,
  otherWeeks: Weeks | undefined,
  references: ReturnType<typeof teamLines>,
): string {
  const [before, last] = weeks.slice(-2);
  const rate = velocityMergeRate(weeks);
  const beside = otherWeeks?.at(-1);
  return [
    `${said(last)} this week, ${formatCount(before?.prs_opened ?? 0)} opened the week before.`,
    ...(rate === null ? [] : [`Merge rate ${percentWords(rate, LOW_MERGE_RATE)}%.`]),
    ...(beside ? [`${compared?.name}: ${said(beside)} this week.`] : []),
    ...(references.length > 0 ? [`Dashed: ${references.map(({ name }) => name).join(', ')} a week.`] : []),
  ].join(' ');
}

function said(week: Weeks[number] | undefined): string {
  return `${formatCount(week?.prs_opened ?? 0)} opened and ${formatCount(week?.prs_merged ?? 0)} merged`;
}

function weekLabel(week: string, now: number): string {
  return formatDay(Date.parse(`${week}T12:00:00Z`), now, 'UTC').replace(/^\w+ /, '');
}
