import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { dayName } from '#domain/notifications/day-words.ts';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { useState } from 'react';
import { repeats } from '#domain/notifications/subscriptions.ts';
import { weekdays as allDays, Days } from './days.tsx';
import classes from './notifications.module.css';
import { TimeField } from './time-field.tsx';
import type { Kind, Options, Recipient } from './words.ts';

interface Props {
  readonly kind: Kind;
  readonly recipient: Recipient;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
  /** What the server says is wrong with a field, by its name. */
  readonly problemOf: (field: string) => string | undefined;
}

/** The fields of what can be set of a kind. */
export function OptionFields({ kind, recipient, options, onChange, problemOf }: Props) {
  const set = (change: Options) => onChange({ ...options, ...change });
  return (
    <div className={classes.optionFields}>
      {kind === 'turn' && (
        <>
          <NumberField
            label="Minutes to wait, 0 to 240"
            value={options.delay}
            error={problemOf('delay')}
            onChange={(delay) => set({ delay })}
          />
          <Tick
            label="Also what is asked of a team of mine"
            checked={options.team_review}
            onChange={(team_review) => set({ team_review })}
          />
        </>
      )}
      {kind === 'stuck' && (
        <>
          <NumberField
            label="Hours, 1 to 720"
            value={options.after}
            error={problemOf('after')}
            onChange={(after) => set({ after })}
          />
          <NativeSelect
            label="Again"
            value={String(options.repeat ?? 'null')}
            error={problemOf('repeat')}
            onChange={({ currentTarget: { value } }) =>
              set({ repeat: repeats.find((one) => String(one) === value) ?? null })
            }
            data={[
              { value: 'null', label: 'Never' },
              { value: '24', label: 'Each 24 h' },
              { value: '72', label: 'Each 3 days' },
            ]}
          />
          {recipient === 'person' ? (
            <Tick label="Also mine that wait for others" checked={options.mine} onChange={(mine) => set({ mine })} />
          ) : (
            <>
              <Tick
                label="Only what people wrote"
                checked={options.humans_only}
                onChange={(humans_only) => set({ humans_only })}
              />
              <Tick
                label="Leave out what waits for reviewers while its checks fail"
                checked={options.skip_failing}
                onChange={(skip_failing) => set({ skip_failing })}
              />
            </>
          )}
        </>
      )}
      {kind === 'weekly' && (
        <NativeSelect
          label="Day"
          value={String(options.weekday)}
          error={problemOf('weekday')}
          onChange={({ currentTarget: { value } }) => set({ weekday: allDays.find((day) => String(day) === value) })}
          data={allDays.map((day) => ({ value: String(day), label: dayName(day) }))}
        />
      )}
      {(kind === 'daily' || kind === 'weekly') && (
        <TimeField
          label="Time"
          value={options.time ?? ''}
          error={problemOf('time')}
          onChange={(time) => set({ time })}
        />
      )}
      {kind === 'daily' && (
        <div>
          <span className={classes.fieldLabel}>Days</span>
          <Days
            label="Days of the daily message"
            value={options.weekdays ?? []}
            onChange={(weekdays) => set({ weekdays })}
          />
          {problemOf('weekdays') && <p className={classes.fieldProblem}>{problemOf('weekdays')}</p>}
        </div>
      )}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: number) => void;
}

/** What is typed is kept as typed; what is no number is sent as none, and the server says so. */
function NumberField({ label, value, error, onChange }: NumberFieldProps) {
  const [text, setText] = useState(String(value ?? ''));
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={error}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(currentTarget.value.trim() === '' ? Number.NaN : Number(currentTarget.value));
      }}
    />
  );
}

interface TickProps {
  readonly label: string;
  readonly checked: boolean | undefined;
  readonly onChange: (checked: boolean) => void;
}

function Tick({ label, checked, onChange }: TickProps) {
  return (
    <Checkbox
      className={classes.tick ?? ''}
      label={label}
      checked={checked ?? false}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
