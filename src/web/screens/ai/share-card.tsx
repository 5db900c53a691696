import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { groupName } from '#domain/ai-authorship.ts';
import { shareWords } from '#domain/percent.ts';
import { Chart } from '../../charts/chart.tsx';
import type { RampTone } from '../../charts/ramp.tsx';
import { StackedColumns } from '../../charts/stacked-columns.tsx';
import { daysLater } from '../../filters/choice-of-figures.ts';
import { Card } from '../../kit/card.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { FigureLabel } from './labels.tsx';
import type { AiSearch } from './search.ts';
import { useAiSearch } from './use-ai-search.ts';

interface Props {
  readonly groups: AiAuthorship;
  readonly tools: AiAuthorship;
  readonly since: string | undefined;
}

interface Part {
  readonly key: string;
  readonly name: string;
  readonly tone: RampTone;
  /** Groups of the answer that it holds. */
  readonly of: readonly string[];
}

/** The most labels of the axis. */
const LABELS = 6;

const OTHERS: readonly RampTone[] = ['heat-2', 'heat-1'];

/** Which part of what was opened or merged each week agents wrote or took part in. */
export function ShareCard({ groups, tools, since }: Props) {
  const { by, moment, to } = useAiSearch();
  const change = useChangeSearch();
  const now = useNow();
  const { time_zone } = useUser();
  const { series } = by === 'tool' ? tools : groups;
  const parts = by === 'tool' ? partsByTool(tools) : partsByGroup(groups);
  /** Of an agent's group, or the tool with the most. */
  const first = parts[0];
  const today = dayOf(now, time_zone);
  const weeks = [...new Set(series.map(({ week }) => week))].toSorted();
  const every = Math.max(1, Math.ceil(weeks.length / LABELS));
  const last = weeks.at(-1);
  const goesOn = to === undefined || to > today;
  const isLastRunning = last !== undefined && goesOn && daysLater(last, 6) >= today;
  // Where the running week is named at the end, none is right before it.
  const labelled = weeks.length - (isLastRunning ? 1.5 : 0.5) * every;
  const columns = weeks.map((week, at) => {
    const isRunning = isLastRunning && week === last;
    return {
      key: week,
      isRunning,
      label: isRunning ? 'this week' : at % every === 0 && at < labelled ? dayWords(week) : undefined,
      counts: parts.map(({ of }) =>
        series.reduce((sum, one) => sum + (one.week === week && of.includes(one.group) ? one[moment] : 0), 0),
      ),
    };
  });
  return (
    <Card
      title={
        <FigureLabel
          figure={moment === 'opened' ? 'share_opened' : 'share_merged'}
          by={by}
          {...(first !== undefined && { part: { key: first.key, name: first.name } })}
        >
          {moment === 'opened' ? 'Share of opened pull requests' : 'Share of merged pull requests'}
        </FigureLabel>
      }
      caption={['per week; traces can be stripped, so this says at least', since].filter(Boolean).join(', ')}
      controls={
        <>
          <SegmentedFilter<AiSearch['moment']>
            label="Moment"
            options={[
              { value: 'opened', label: 'Opened' },
              { value: 'merged', label: 'Merged' },
            ]}
            value={moment}
            onChange={(next) => change({ moment: next === 'opened' ? undefined : next })}
          />
          <SegmentedFilter<AiSearch['by']>
            label="Told apart by"
            options={[
              { value: 'group', label: 'Group' },
              { value: 'tool', label: 'Tool' },
            ]}
            value={by}
            onChange={(next) => change({ by: next === 'group' ? undefined : next })}
          />
        </>
      }
      flush
    >
      <Chart
        wide
        summary={summaryOf(parts, columns, moment, by)}
        heads={['Week from', ...parts.map(({ name }) => name)]}
        rows={columns.map(({ key, counts, isRunning }) => [
          `${dayWords(key)}${isRunning ? ', running' : ''}`,
          ...counts.map((count) => shareOf(count, counts)),
        ])}
      >
        <StackedColumns
          parts={parts}
          columns={columns}
          shareText={(count, total) => `${shareWords(count / total)}, ${formatCount(count)} of ${formatCount(total)}`}
        />
      </Chart>
    </Card>
  );
}

function partsByGroup({ groups }: AiAuthorship): readonly Part[] {
  const tones: Readonly<Record<string, RampTone>> = {
    agent: 'chart-1',
    assisted: 'heat-2',
    bot: 'reference',
    human: 'heat-0',
  };
  const order = Object.keys(tones);
  return groups
    .filter(({ key }) => tones[key] !== undefined)
    .toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key))
    .map(({ key }) => ({ key, name: groupName(key), tone: tones[key]!, of: [key] }));
}

/** The three tools with the most, all others, and what has none. */
function partsByTool({ groups }: AiAuthorship): readonly Part[] {
  const tools = groups.map(({ key }) => key).filter((key) => key !== 'none');
  const [first, ...further] = tools;
  const rest = tools.slice(1 + OTHERS.length);
  return [
    ...(first === undefined ? [] : [{ key: first, name: groupName(first), tone: 'chart-1' as const, of: [first] }]),
    ...OTHERS.flatMap((tone, at) => {
      const key = further[at];
      return key === undefined ? [] : [{ key, name: groupName(key), tone, of: [key] }];
    }),
    ...(rest.length === 0 ? [] : [{ key: 'others', name: 'Other tools', tone: 'reference' as const, of: rest }]),
    { key: 'none', name: groupName('none'), tone: 'heat-0', of: ['none'] },
  ];
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function shareOf(count: number, counts: readonly number[]): string {
  const total = totalOf(counts);
  return total === 0 ? '0' : `${shareWords(count / total)}, ${formatCount(count)}`;
}

function summaryOf(
  parts: readonly Part[],
  columns: readonly { readonly counts: readonly number[]; readonly isRunning: boolean }[],
  moment: AiSearch['moment'],
  by: AiSearch['by'],
): string {
  const sums = parts.map((_, at) => columns.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
  const total = totalOf(sums);
  const told = parts
    .map(({ name }, at) => `${by === 'group' ? name.toLowerCase() : name} ${shareOf(sums[at] ?? 0, sums)}`)
    .join('; ');
  const also = by === 'tool' ? ' What has several tools counts with each.' : '';
  return `Of ${formatCount(total)} ${moment}: ${told}. At least: a trace may be missing.${also}`;
}

const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayWords = (date: string) => format.format(new Date(`${date}T12:00:00Z`));
