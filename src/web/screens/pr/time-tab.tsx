import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { formatDuration } from '#domain/duration.ts';
import { barPercent, efficiencyLabel, efficiencyPercent } from '#domain/ratings.ts';
import { totalTime, wholePercents } from '#domain/time-analysis.ts';
import { workingHoursText } from '#domain/working-hours.ts';
import { Defined } from '../../explain/definition.tsx';
import { Card } from '../../kit/card.tsx';
import { Chip, type Meaning } from '../../kit/chip.tsx';
import { Amount, Duration } from '../../kit/figure.tsx';
import { useUser } from '../../session/session.tsx';
import { DayByDay } from './day-by-day.tsx';
import { Measure } from './measure.tsx';
import classes from './tab.module.css';
import timeClasses from './time-tab.module.css';

const until = { open: 'opened until now', merged: 'opened to merged', closed: 'opened to closed' };

/** Where the time went (docs/product.md#time-analysis). */
export function TimeTab({ detail }: { detail: PullRequestDetail }) {
  return (
    <>
      <div className={classes.three}>
        <ResponseTimes detail={detail} />
        <PhaseDurations detail={detail} />
        <BusinessHours detail={detail} />
      </div>
      <DayByDay detail={detail} />
    </>
  );
}

function ResponseTimes({ detail }: { detail: PullRequestDetail }) {
  const times = detail.time_metrics;
  const total = totalTime(times);
  return (
    <Card title="Response Times" caption={`share of ${formatDuration(total)}`}>
      <Measure
        figure="pull_request.time_to_first_review"
        label="Time to First Review"
        aside="from ready for review"
        value={<Duration hours={times.time_to_first_review} />}
        percent={barPercent(times.time_to_first_review, total)}
      />
      <Measure
        figure="pull_request.time_to_merge"
        label="Total Cycle Time"
        aside={until[detail.state]}
        value={<Duration hours={total} />}
        percent={barPercent(total, total)}
      />
      {times.post_approval_time !== null && (
        <Measure
          figure="pull_request.post_approval_time"
          label="Post-Approval to Merge"
          value={<Duration hours={times.post_approval_time} />}
          percent={barPercent(times.post_approval_time, total)}
        />
      )}
    </Card>
  );
}

function PhaseDurations({ detail }: { detail: PullRequestDetail }) {
  const times = detail.time_metrics;
  const total = totalTime(times);
  const { active_development_time, waiting_for_review_time, post_approval_time, review_cycles } = times;
  const [development, waiting, approved] = wholePercents([
    active_development_time,
    waiting_for_review_time,
    post_approval_time ?? 0,
  ]);
  const rest = approved === 0 || approved === undefined ? '' : `; approved took the other ${approved}%`;
  return (
    <Card title="Phase Durations" caption={`of ${formatDuration(total)}${rest}`}>
      <Measure
        figure="pull_request.active_development_time"
        label="Active Development"
        aside={`${development}%`}
        value={<Duration hours={active_development_time} />}
        percent={barPercent(active_development_time, total)}
        tone="chart-1"
      />
      <Measure
        figure="pull_request.waiting_for_review_time"
        label="Waiting for Review"
        aside={`${waiting}%`}
        value={<Duration hours={waiting_for_review_time} />}
        percent={barPercent(waiting_for_review_time, total)}
        tone="chart-2"
      />
      <div className={classes.rule}>
        <Measure
          figure="pull_request.review_cycles"
          label="Review Cycles"
          value={<Amount figure={String(review_cycles)} unit={review_cycles === 1 ? 'round' : 'rounds'} />}
        />
      </div>
    </Card>
  );
}

const efficiencyMeaning: Readonly<Record<'High' | 'Medium' | 'Low', Meaning>> = {
  High: 'good',
  Medium: 'neutral',
  Low: 'watch',
};

function BusinessHours({ detail }: { detail: PullRequestDetail }) {
  const { time_zone } = useUser();
  const { business_hours_spent, after_hours_time } = detail.time_metrics;
  const percent = efficiencyPercent(business_hours_spent, after_hours_time);
  const label = efficiencyLabel(percent);
  const [business, after] = wholePercents([business_hours_spent, after_hours_time]);
  const shares = [
    {
      name: 'Business hours',
      figure: 'pull_request.business_hours_spent',
      hours: business_hours_spent,
      share: business,
    },
    { name: 'After hours', figure: 'pull_request.after_hours_time', hours: after_hours_time, share: after },
  ] as const;
  return (
    <Card
      title="Business Hours Analysis"
      controls={label === null ? undefined : <Chip meaning={efficiencyMeaning[label]}>{label} efficiency</Chip>}
    >
      <div className={timeClasses.inside}>
        <div>
          <Amount figure={percent === null ? null : String(business)} unit="%" large />
          <div className={classes.quiet}>
            <Defined figure="pull_request.efficiency">inside working hours</Defined>
          </div>
        </div>
        <div className={timeClasses.zone}>
          {workingHoursText}
          <br />
          {time_zone}
        </div>
      </div>
      <div className={timeClasses.split} aria-hidden="true">
        <span className={timeClasses.business} style={{ flexGrow: business }} />
        <span className={timeClasses.after} style={{ flexGrow: after }} />
      </div>
      <dl className={classes.pairs}>
        {shares.map(({ name, figure, hours, share }, index) => (
          <div key={name} className={classes.pair}>
            <dt className={timeClasses.name}>
              <span className={`${timeClasses.swatch} ${index === 0 ? timeClasses.business : timeClasses.after}`} />
              <Defined figure={figure}>{name}</Defined>
            </dt>
            <dd>
              <Duration hours={hours} /> <span className={classes.quiet}>{share}%</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
