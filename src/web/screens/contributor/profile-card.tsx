import { EyeClosedIcon, EyeIcon, GitCompareIcon, XIcon } from '@primer/octicons-react';
import { lazy, useRef, useState } from 'react';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { ACTIVE_DAYS_OUT_OF } from '#domain/activity-calendar.ts';
import { counted } from '#domain/counted.ts';
import { formatAgo } from '#domain/duration.ts';
import { periodDays } from '#domain/period.ts';
import { part } from '../../api/part.ts';
import { Defined } from '../../explain/definition.tsx';
import { Panel } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { Face, KindChip } from '../../people/person.tsx';
import { nameOf, shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatMomentInZone, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { Badges } from './badges.tsx';
import type { Comparison } from './comparison.ts';
import { FigureName } from './figure-name.tsx';
import { MetricCards } from './metric-cards.tsx';
import classes from './profile-card.module.css';
import { useView } from './view.ts';

const ComparePicker = lazy(part(() => import('./compare-picker.tsx')));

interface Props {
  readonly metrics: ContributorMetrics;
  readonly comparison: Comparison;
  readonly averages: boolean;
  readonly onAverages: (shown: boolean) => void;
}

/** Who it is, their four leading figures, and what these can stand beside. */
export function ProfileCard({ metrics, comparison, averages, onAverages }: Props) {
  const { username, display_name, avatar_url, kind, active_days, badges, last_active } = metrics;
  const name = nameOf(username, display_name);
  return (
    <Panel label={`Profile of ${name}`}>
      <div className={classes.who}>
        <Face name={name} avatarUrl={avatar_url} kind={kind} size={56} />
        <div className={classes.words}>
          <div className={classes.name}>
            <h2>{name}</h2>
            <Chip meaning="neutral">Contributor</Chip>
            <KindChip kind={kind} />
          </div>
          <p className={classes.about} data-tips>
            @{shownLogin(username)} · <LastActive at={last_active} /> ·{' '}
            <FigureName of="contributor.active_days">{counted(active_days, 'active day')}</FigureName> of{' '}
            {ACTIVE_DAYS_OUT_OF}
          </p>
          <WithAgents metrics={metrics} />
        </div>
        <Badges badges={badges} />
      </div>
      <MetricCards metrics={metrics} averages={averages} compared={comparison.compared} />
      <Foot
        comparison={comparison}
        averages={averages}
        activePeople={metrics.team_averages.active_people}
        onAverages={onAverages}
      />
    </Panel>
  );
}

/** On one's own page alone. */
function WithAgents({ metrics: { with_agents } }: { metrics: ContributorMetrics }) {
  if (with_agents === null || with_agents.opened === 0) return null;
  return (
    <p className={classes.about}>
      <span
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what it counts must be reachable by keyboard
        tabIndex={0}
        data-tip="What you opened, or started an agent to open, in this period; with agents by the traces that were found, at least. Nobody else sees this line."
      >
        With agents: {formatCount(with_agents.with_agents)} of {formatCount(with_agents.opened)} opened
      </span>
    </p>
  );
}

function LastActive({ at }: { at: string | null }) {
  const now = useNow();
  const { time_zone } = useUser();
  const instant = instantOf(at);
  if (instant === null) return <>No recent activity</>;
  return (
    <time dateTime={at ?? undefined} data-tip={formatMomentInZone(instant, now, time_zone)}>
      last active {formatAgo(instant, now)}
    </time>
  );
}

interface FootProps extends Omit<Props, 'metrics'> {
  /** Of how many people the averages are. */
  readonly activePeople: number;
}

function Foot({ comparison, averages, activePeople, onAverages }: FootProps) {
  const { period } = useView();
  const [choosing, setChoosing] = useState(false);
  const { asked, compared, compareWith } = comparison;
  const Eye = averages ? EyeClosedIcon : EyeIcon;
  const button = useRef<HTMLButtonElement>(null);
  const finish = () => {
    setChoosing(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  const choose = (other: string | undefined) => {
    finish();
    compareWith(other);
  };
  return (
    <div className={classes.foot}>
      <span>
        {compared?.metrics && `The grey bar is ${compared.name}. `}
        {(averages || compared?.metrics === null) && (
          <>
            The upright mark is the <Defined figure="contributor.team_averages">team average</Defined>:{' '}
            {counted(activePeople, 'person', 'people')} active in these {periodDays(period)} days.
          </>
        )}
      </span>
      <span className={classes.actions}>
        {choosing ? (
          <LazyPart onFail={finish}>
            <ComparePicker onPick={choose} onEscape={finish} onLeave={() => setChoosing(false)} />
          </LazyPart>
        ) : (
          <button ref={button} type="button" onClick={() => setChoosing(true)}>
            <GitCompareIcon size={14} />
            {asked === undefined ? 'Compare with someone' : 'Compare with someone else'}
          </button>
        )}
        {asked !== undefined && (
          <button type="button" onClick={() => choose(undefined)}>
            <XIcon size={14} />
            Stop comparing
          </button>
        )}
        <button type="button" onClick={() => onAverages(!averages)}>
          <Eye size={14} />
          {averages ? 'Hide Team Averages' : 'Show Team Averages'}
        </button>
      </span>
    </div>
  );
}
