import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Fragment, useId, useState } from 'react';
import type { NotificationSettings, Subscription } from '#contract/notifications.ts';
import { ApiError } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { Banner } from '../../../kit/banner.tsx';
import { Card } from '../../../kit/card.tsx';
import { causeOf } from '../../../kit/error-state.tsx';
import { useFocusBack } from '../../../kit/focus-back.ts';
import { changedOf } from './changed-of.ts';
import { MailAddress } from './mail-address.tsx';
import classes from './notifications.module.css';
import { OptionFields } from './option-fields.tsx';
import { askNotifications } from './questions.ts';
import { SavedLine } from './saved-line.tsx';
import { TestResult, useTest } from './test-message.tsx';
import { inTurn, saveSubscriptions, useSaving } from './use-saving.ts';
import {
  byOwnChannel,
  type Kind,
  kindsFor,
  numberProblems,
  type Options,
  type OwnChannel,
  optionsInWords,
  ownChannelNames,
  usualOptions,
} from './words.ts';

const HEAD = 'what-reaches-me';

/** Which kinds of messages reach this person by which of their own channels: a switch each. */
export function WhatReachesMe({ settings }: { readonly settings: NotificationSettings }) {
  const saving = useSaving();
  const [changing, setChanging] = useState<Kind | null>(null);
  /** What was set of kinds that no channel takes: the server keeps that of subscriptions alone. */
  const [kept, setKept] = useState<Partial<Record<Kind, Options>>>({});
  const { channels_available: channels, subscriptions } = settings;
  const off = channels.filter(({ available, why }) => !available && why !== null);
  const of = (kind: Kind) => subscriptions.filter((one) => one.kind === kind);
  const optionsOf = (kind: Kind): Options => withoutChannel(of(kind)[0]) ?? kept[kind] ?? usualOptions(kind, 'person');

  const turn = (kind: Kind, title: string, channel: OwnChannel, on: boolean) => {
    const options = optionsOf(kind);
    setKept({ ...kept, [kind]: options });
    saving.save(
      { subscription: { kind, channel, to: on ? { ...options, kind, channel } : null } },
      `${title} ${byOwnChannel[channel]} is ${on ? 'on' : 'off'}`,
    );
  };

  return (
    <Card
      title={
        <span id={HEAD} tabIndex={-1}>
          What reaches me
        </span>
      }
      caption={subscriptions.length === 0 ? 'nothing is sent before you switch it on' : undefined}
      foot={
        channels.some(({ available }) => available) && (
          <>
            <MailAddress settings={settings} />
            <Tests settings={settings} />
          </>
        )
      }
      flush
    >
      <table className={classes.table} aria-label="What reaches me">
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">Options</th>
            {channels.map(({ channel }) => (
              <th key={channel} scope="col" className={classes.switchColumn}>
                {ownChannelNames[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {off.length > 0 && (
            <tr>
              <td colSpan={2 + channels.length} className={classes.offChannels}>
                {off.map(({ channel, why }) => (
                  <p key={channel} id={`off-${channel}`}>
                    {why}
                  </p>
                ))}
              </td>
            </tr>
          )}
          {kindsFor('person').map(({ kind, title, about }) => (
            <Fragment key={kind}>
              <tr className={classes.kind}>
                <th scope="row">
                  {title}
                  <span className={classes.about}>{about.person}</span>
                </th>
                <td>
                  {optionsInWords(kind, optionsOf(kind)) !== '' && (
                    <div className={classes.options}>
                      <span>{differing(kind, of(kind)) ?? optionsInWords(kind, optionsOf(kind))}</span>
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        aria-label={`Change the options of ${title}`}
                        aria-expanded={changing === kind}
                        onClick={() => setChanging(changing === kind ? null : kind)}
                      >
                        Change
                      </Button>
                    </div>
                  )}
                </td>
                {channels.map(({ channel, available }) => {
                  const isOn = of(kind).some((one) => one.channel === channel);
                  return (
                    <td key={channel} className={classes.switchColumn}>
                      <span className={classes.switchLabel} aria-hidden="true">
                        {ownChannelNames[channel]}
                      </span>
                      <Switch
                        className={classes.switch ?? ''}
                        aria-label={`${title} ${byOwnChannel[channel]}`}
                        {...(!available && { 'aria-describedby': `off-${channel}` })}
                        checked={isOn}
                        // What is on can be switched off wherever it leads.
                        disabled={!available && !isOn}
                        onChange={({ currentTarget }) => turn(kind, title, channel, currentTarget.checked)}
                      />
                    </td>
                  );
                })}
              </tr>
              {changing === kind && (
                <tr>
                  <td colSpan={2 + channels.length} className={classes.changing}>
                    <OptionsForm
                      kind={kind}
                      title={title}
                      before={optionsOf(kind)}
                      isOn={of(kind).length > 0}
                      onKeep={(options) => setKept({ ...kept, [kind]: options })}
                      onSave={saving.forget}
                      onClose={() => setChanging(null)}
                    />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      <SavedLine saving={saving} head={HEAD} />
    </Card>
  );
}

function withoutChannel(subscription: Subscription | undefined): Options | null {
  if (subscription === undefined) return null;
  const { channel: _channel, kind: _kind, ...options } = subscription;
  return options;
}

/** What is set for each channel where that differs; null where it is the same. */
function differing(kind: Kind, subscriptions: readonly Subscription[]): string | null {
  const words = subscriptions.map((one) => optionsInWords(kind, one));
  if (new Set(words).size < 2) return null;
  return subscriptions.map(({ channel }, at) => `${words[at]} ${byOwnChannel[channel]}`).join('; ');
}

interface FormProps {
  readonly kind: Kind;
  readonly title: string;
  readonly before: Options;
  readonly isOn: boolean;
  /** Keeps what no subscription holds yet. */
  readonly onKeep: (options: Options) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** What stands before the option in the path of what is wrong with one: which of the subscriptions. */
const ITS_PLACE = /^subscriptions\.\d+\./;

/** What is set of a kind, for all channels that take it; kept until one does. */
function OptionsForm({ kind, title, before, isOn, onKeep, onSave, onClose }: FormProps) {
  const id = useId();
  const queries = useQueryClient();
  const [options, setOptions] = useState(before);
  const [problems, setProblems] = useState<ReturnType<typeof numberProblems>>({});
  useFocusBack();
  const save = useMutation({
    ...inTurn,
    mutationFn: () => {
      // Where channels differ in the other options, they go on doing so.
      const changed = changedOf(before, options);
      return saveSubscriptions((stored) => stored.map((one) => (one.kind === kind ? { ...one, ...changed } : one)));
    },
    onSuccess(answer) {
      queries.setQueryData(askNotifications().queryKey, answer);
      void queries.invalidateQueries({ queryKey: keyOf('previewNotification') });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = numberProblems(options);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    if (isOn) {
      onSave();
      return save.mutate();
    }
    onKeep(options);
    onClose();
  };
  const issues = save.error instanceof ApiError ? save.error.issues : [];
  return (
    <form aria-labelledby={id} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onClose()} noValidate>
      <h3 id={id} className={classes.formTitle}>
        {title}: options
      </h3>
      <OptionFields
        kind={kind}
        recipient="person"
        options={options}
        onChange={setOptions}
        problemOf={(field) =>
          problems[field] ?? issues.find(({ path }) => path.replace(ITS_PLACE, '').startsWith(field))?.message
        }
      />
      {save.error && issues.length === 0 && (
        <Banner meaning="bad">{`This could not be saved. ${causeOf(save.error)}`}</Banner>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {!isOn && <span className={classes.quiet}>It holds once you switch the message on.</span>}
      </div>
    </form>
  );
}

function Tests({ settings }: { readonly settings: NotificationSettings }) {
  const channels = settings.channels_available.filter(({ available }) => available);
  return (
    <div className={classes.tests}>
      {channels.map(({ channel }) => (
        <SendTest key={channel} channel={channel} />
      ))}
    </div>
  );
}

function SendTest({ channel }: { readonly channel: OwnChannel }) {
  const test = useTest(channel);
  return (
    <span className={classes.test}>
      <TestResult test={test} />
      <Button variant="subtle" size="compact-sm" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test {byOwnChannel[channel]}
      </Button>
    </span>
  );
}
