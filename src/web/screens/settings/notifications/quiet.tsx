import type { NotificationSettings, QuietHours } from '#contract/notifications.ts';
import { daysInWords } from '#domain/notifications/day-words.ts';
import { Card } from '../../../kit/card.tsx';
import { SegmentedFilter } from '../../../kit/segmented-filter.tsx';
import { useUser } from '../../../session/session.tsx';
import { zoneWords } from '../../../time/moment.ts';
import { Days } from './days.tsx';
import classes from './notifications.module.css';
import { SavedLine } from './saved-line.tsx';
import { TimeField } from './time-field.tsx';
import { useSaving } from './use-saving.ts';
import { minutesOf } from './words.ts';

const HEAD = 'when-quiet';
const head = (
  <span id={HEAD} tabIndex={-1}>
    When it is quiet
  </span>
);

/** When messages may come; each change is saved at once. */
export function Quiet({ settings }: { readonly settings: NotificationSettings }) {
  const { time_zone } = useUser();
  const saving = useSaving();
  const hours = settings.quiet_hours;
  const daily = settings.subscriptions.find(({ kind }) => kind === 'daily')?.time ?? null;
  return (
    <Card title={head} caption="what falls due outside comes as one message when it ends">
      <QuietFields
        value={hours}
        zone={time_zone}
        onChange={(quiet_hours) =>
          saving.save(
            { quiet_hours },
            quiet_hours.mode === 'off'
              ? 'Messages may come at any time'
              : `Messages may come ${quiet_hours.from} to ${quiet_hours.to}, ${daysInWords(quiet_hours.weekdays)}`,
          )
        }
      />
      <DayBar hours={hours} daily={daily} />
      <p className={classes.why}>
        {daily !== null && hours.mode === 'hours' && 'The mark is your daily message. '}
        Daily and weekly come at their time,{' '}
        {hours.mode === 'off' ? 'on every day that they are set to' : 'on these days'}.
      </p>
      <SavedLine saving={saving} head={HEAD} />
    </Card>
  );
}

interface FieldsProps {
  readonly value: QuietHours;
  readonly zone: string;
  readonly onChange: (hours: QuietHours) => void;
}

/** Whether there are hours, which, and on which days. */
export function QuietFields({ value, zone, onChange }: FieldsProps) {
  return (
    <div className={classes.quietFields}>
      <span className={classes.quietLabel}>Messages may come</span>
      <SegmentedFilter
        label="Messages may come"
        value={value.mode}
        onChange={(mode) => onChange({ ...value, mode })}
        options={[
          { value: 'hours', label: 'In these hours' },
          { value: 'off', label: 'At any time' },
        ]}
      />
      {value.mode === 'hours' && (
        <>
          <span className={classes.quietLabel}>From, to</span>
          <div className={classes.fromTo}>
            <TimeField label="From" hiddenLabel value={value.from} onChange={(from) => onChange({ ...value, from })} />
            to
            <TimeField label="To" hiddenLabel value={value.to} onChange={(to) => onChange({ ...value, to })} />
            <span className={classes.quiet}>{zoneWords(zone)}</span>
          </div>
          <span className={classes.quietLabel}>On</span>
          <Days
            label="Days on which messages may come"
            value={value.weekdays}
            onChange={(weekdays) => onChange({ ...value, weekdays })}
          />
        </>
      )}
    </div>
  );
}

const DAY = 24 * 60;
const ticks = [0, 4, 8, 12, 16, 20, 24];

/** A day from midnight to midnight: lit while messages may come, with a mark at the daily one. */
function DayBar({ hours, daily }: { readonly hours: QuietHours; readonly daily: string | null }) {
  const [from, to] = hours.mode === 'off' ? [0, DAY] : [minutesOf(hours.from), minutesOf(hours.to)];
  const spans = (
    from < to
      ? [[from, to]]
      : [
          [0, to],
          [from, DAY],
        ]
  ) as [number, number][];
  const at = daily === null ? null : minutesOf(daily);
  const words =
    hours.mode === 'off' ? 'Messages may come all day' : `Messages may come from ${hours.from} to ${hours.to}`;
  const share = (minutes: number) => `${(minutes / DAY) * 100}%`;
  return (
    <div
      className={classes.dayBar}
      role="img"
      aria-label={`${words}${at === null ? '' : `, the daily one at ${daily}`}`}
    >
      <div className={classes.bar}>
        {spans.map(([begin, end]) => (
          <span
            key={begin}
            className={classes.lit}
            style={{ insetInlineStart: share(begin), width: share(end - begin) }}
          />
        ))}
        {at !== null && <span className={classes.mark} style={{ insetInlineStart: share(at) }} />}
      </div>
      <div className={classes.ticks} aria-hidden="true">
        {ticks.map((hour) => (
          <span key={hour}>{`${String(hour).padStart(2, '0')}:00`}</span>
        ))}
      </div>
    </div>
  );
}
