import { Button, Checkbox, NativeSelect, Radio, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ChannelSubscription, NotificationChannel } from '#contract/notifications.ts';
import { LONGEST_NAME } from '#domain/notifications/subscriptions.ts';
import { ApiError } from '../../../api/client.ts';
import { askConnectedRepositories, askTeams } from '../../../api/questions.ts';
import { Banner } from '../../../kit/banner.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { causeOf } from '../../../kit/error-state.tsx';
import { SegmentedFilter } from '../../../kit/segmented-filter.tsx';
import { Unlisted } from '../unlisted.tsx';
import { SecretDialog } from './new-secret.tsx';
import classes from './notifications.module.css';
import { OptionFields } from './option-fields.tsx';
import { askNotifications } from './questions.ts';
import { QuietFields } from './quiet.tsx';
import { useChannelForm } from './use-channel-form.ts';
import { type Kind, kindsFor, type Recipient, reachInWords, teamsToChoose, typeNames, usualOptions } from './words.ts';

type ChannelType = NotificationChannel['type'];

/** Where the address of a channel comes from, by its type. */
const addressHelp: Readonly<Record<ChannelType, { readonly label: string; readonly help: string }>> = {
  slack: {
    label: 'Webhook address',
    help: 'An incoming webhook of Slack: it begins with https://hooks.slack.com/services/.',
  },
  teams: {
    label: 'Webhook address',
    help: 'Of a workflow in Teams: “Send webhook alerts to a channel” gives it.',
  },
  webhook: { label: 'Address', help: 'It is sent signed JSON by POST. It begins with https://.' },
  mail: {
    label: 'Mail address',
    help: 'Of a list that several read. A link is sent there; nothing else is, before it is opened.',
  },
};

interface Props {
  /** Null: a new one. */
  readonly channel: NotificationChannel | null;
  readonly onClose: () => void;
}

/** Makes or changes a channel, then shows the secret where there is a new one. */
export default function ChannelDialog({ channel, onClose }: Props) {
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  if (made !== null) return <SecretDialog {...made} onClose={onClose} />;
  return (
    <Dialog
      title={channel === null ? 'New channel' : `Edit ${channel.name}`}
      onClose={onClose}
      otherwise="channels"
      staysOpen
    >
      <ChannelForm
        before={channel}
        onClose={onClose}
        onSaved={({ name, secret }) => (secret === undefined ? onClose() : setMade({ name, secret }))}
      />
    </Dialog>
  );
}

interface FormProps {
  readonly before: NotificationChannel | null;
  readonly onClose: () => void;
  readonly onSaved: (channel: { readonly name: string; readonly secret?: string | undefined }) => void;
}

function ChannelForm({ before, onClose, onSaved }: FormProps) {
  const settings = useQuery(askNotifications()).data;
  const repositories = useQuery(askConnectedRepositories()).data;
  const teams = useQuery(askTeams()).data;
  const { draft, change, changeRecipient, save } = useChannelForm(before, onSaved);
  const { type, name, address, personal, titles, team, subscriptions } = draft;
  const recipient: Recipient = personal ? 'person' : 'channel';
  const mail = settings?.channels_available.find(({ channel }) => channel === 'mail');
  const readable = repositories?.filter(({ access }) => access.state === 'readable');
  const teamOptions = teams === undefined ? [] : teamsToChoose(teams, team);
  const isTeamGone = team !== null && teams?.every(({ id }) => id !== team);
  const chosen = draft.repositories;
  const ofChannel = chosen === 'all' ? readable : readable?.filter(({ id }) => chosen.includes(id));
  /** Of which it sends titles to several people; undefined while that is not known. */
  const shown = personal || !titles || isTeamGone ? [] : ofChannel;

  const issues = save.error instanceof ApiError ? save.error.issues : [];
  const problemOf = (path: string) => issues.find((issue) => issue.path === path)?.message;
  const known = ['name', 'url', 'address', 'repositories', 'team'];
  const elsewhere = issues.filter(({ path }) => !known.includes(path) && !path.startsWith('subscriptions.'));

  const changeSubscriptions = (to: readonly ChannelSubscription[]) => change({ subscriptions: to });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };

  return (
    <form className={classes.dialogForm} onSubmit={submit} noValidate>
      {before === null && (
        <SegmentedFilter<ChannelType>
          label="Type"
          value={type}
          onChange={(chosenType) => {
            save.reset();
            change({ type: chosenType, address: '' });
          }}
          options={(['slack', 'teams', 'webhook', 'mail'] as const).map((value) => ({
            value,
            label: typeNames[value],
            why: value === 'mail' && mail?.available === false ? (mail.why ?? undefined) : undefined,
          }))}
        />
      )}
      <TextInput
        label="Name"
        description="As you call it; messages are headed by it."
        maxLength={LONGEST_NAME}
        autoComplete="off"
        data-autofocus
        value={name}
        error={problemOf('name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label={addressHelp[type].label}
        description={
          before === null
            ? addressHelp[type].help
            : `Now ${before.target}. Left empty it stays; another one ${type === 'webhook' ? 'makes a new secret and ' : ''}drops what waits to be sent.`
        }
        type={type === 'mail' ? 'email' : 'url'}
        autoComplete="off"
        spellCheck={false}
        value={address}
        error={problemOf('url') ?? problemOf('address')}
        onChange={({ currentTarget }) => change({ address: currentTarget.value })}
      />
      <Radio.Group
        label="For whom"
        value={recipient}
        onChange={(value) => changeRecipient(value === 'person' ? 'person' : 'channel')}
        className={classes.radios ?? ''}
      >
        <Radio value="channel" label="Several people, who are told what waits" />
        <Radio value="person" label="Me: it gets what is for me" />
      </Radio.Group>
      {!personal && (
        <>
          <Repositories
            all={readable}
            chosen={chosen}
            problem={problemOf('repositories')}
            onChange={(next) => change({ repositories: next })}
          />
          {teamOptions.length > 0 && (
            <NativeSelect
              label="Team"
              value={String(team ?? '')}
              error={problemOf('team')}
              onChange={({ currentTarget: { value } }) => change({ team: value === '' ? null : Number(value) })}
              data={[{ value: '', label: 'Everybody’s pull requests' }, ...teamOptions]}
            />
          )}
        </>
      )}
      <Checkbox
        label="Send titles"
        description="Without them a message names pull requests by owner/name#number alone."
        checked={titles}
        onChange={({ currentTarget }) => change({ titles: currentTarget.checked })}
      />
      {shown !== undefined && (
        <Banner meaning={shown.some((one) => one.private) ? 'watch' : 'note'}>
          {reachInWords({
            ...{ personal, titles },
            reaches: { repositories: shown.length, private: shown.filter((one) => one.private).length },
          })}
        </Banner>
      )}
      <fieldset className={classes.group}>
        <legend>What it sends</legend>
        {kindsFor(recipient).map(({ kind, title, about }) => {
          const place = subscriptions.findIndex((one) => one.kind === kind);
          const subscription = subscriptions[place];
          return (
            <div key={`${recipient} ${kind}`} className={classes.subscription}>
              <Checkbox
                label={title}
                description={about[recipient]}
                checked={subscription !== undefined}
                onChange={({ currentTarget }) =>
                  changeSubscriptions(
                    currentTarget.checked
                      ? [...subscriptions, { kind, ...usualOptions(kind, recipient) }]
                      : without(subscriptions, kind),
                  )
                }
              />
              {subscription !== undefined && (
                <OptionFields
                  kind={kind}
                  recipient={recipient}
                  options={subscription}
                  onChange={(options) => changeSubscriptions(subscriptions.with(place, { ...options, kind }))}
                  problemOf={(field) =>
                    issues.find(({ path }) => path.startsWith(`subscriptions.${place}.${field}`))?.message
                  }
                />
              )}
            </div>
          );
        })}
      </fieldset>
      <fieldset className={classes.group}>
        <legend>When it is quiet</legend>
        <NativeSelect
          label="Time zone"
          value={draft.time_zone}
          onChange={({ currentTarget }) => change({ time_zone: currentTarget.value })}
          data={[...new Set(['UTC', draft.time_zone, ...Intl.supportedValuesOf('timeZone')])].sort()}
        />
        <QuietFields
          value={draft.quiet_hours}
          zone={draft.time_zone}
          onChange={(next) => change({ quiet_hours: next })}
        />
      </fieldset>
      {elsewhere.map(({ path, message }) => (
        <Banner key={path} meaning="bad">{`${path}: ${message}`}</Banner>
      ))}
      {save.error && issues.length === 0 && (
        <Banner meaning="bad">{`The channel could not be saved. ${causeOf(save.error)}`}</Banner>
      )}
      <div className={classes.answers}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={save.isPending}
          disabled={name.trim() === '' || (before === null && address.trim() === '')}
        >
          {before === null ? 'Make channel' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

const without = (subscriptions: readonly ChannelSubscription[], kind: Kind) =>
  subscriptions.filter((one) => one.kind !== kind);

interface RepositoriesProps {
  /** Undefined while they are not known. */
  readonly all: readonly { readonly id: number; readonly full_name: string; readonly private: boolean }[] | undefined;
  readonly chosen: NotificationChannel['repositories'];
  readonly problem: string | undefined;
  readonly onChange: (chosen: NotificationChannel['repositories']) => void;
}

function Repositories({ all, chosen, problem, onChange }: RepositoriesProps) {
  const repositories = useQuery(askConnectedRepositories());
  return (
    <div>
      <NativeSelect
        label="Repositories"
        value={chosen === 'all' ? 'all' : 'some'}
        error={problem}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === 'all' || all === undefined ? 'all' : all.map(({ id }) => id))
        }
        data={[
          { value: 'all', label: 'All that I see, those that I add later too' },
          { value: 'some', label: 'Some', disabled: all === undefined },
        ]}
      />
      {all === undefined ? (
        <Unlisted title="Failed to fetch repositories" query={repositories} />
      ) : (
        chosen !== 'all' && (
          <ul className={classes.repositories} aria-label="Repositories of the channel">
            {all.map(({ id, full_name, private: isPrivate }) => (
              <li key={id}>
                <Checkbox
                  label={isPrivate ? `${full_name}, private` : full_name}
                  checked={chosen.includes(id)}
                  onChange={({ currentTarget }) =>
                    onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                  }
                />
              </li>
            ))}
          </ul>
        )
      )}
    </div>
  );
}
