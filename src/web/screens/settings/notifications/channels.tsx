import { ActionIcon, Button } from '@mantine/core';
import { HashIcon, KeyIcon, MailIcon, PeopleIcon, PlusIcon, TrashIcon, WebhookIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import type { NotificationChannel } from '#contract/notifications.ts';
import { MOST_CHANNELS } from '#domain/notifications/subscriptions.ts';
import { api } from '../../../api/client.ts';
import { part } from '../../../api/part.ts';
import { unlessGone } from '../../../api/query.ts';
import { Card } from '../../../kit/card.tsx';
import { Chip } from '../../../kit/chip.tsx';
import { causeOf } from '../../../kit/error-state.tsx';
import { LazyPart } from '../../../kit/lazy-part.tsx';
import { LossDialog } from '../../../kit/loss-dialog.tsx';
import { useUser } from '../../../session/session.tsx';
import { formatDay, instantOf } from '../../../time/moment.ts';
import { useNow } from '../../../time/now.ts';
import { Unlisted } from '../unlisted.tsx';
import { NewSecret } from './new-secret.tsx';
import classes from './notifications.module.css';
import { askChannels } from './questions.ts';
import { TestResult, useTest } from './test-message.tsx';
import { reachInWords, subscriptionsInWords, typeNames } from './words.ts';

const ChannelDialog = lazy(part(() => import('./channel-dialog.tsx')));

const HEAD = 'channels';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Channels
  </span>
);
const icons = { slack: HashIcon, teams: PeopleIcon, webhook: WebhookIcon, mail: MailIcon };

/** The channels that this person made: what each sends, who will see it, and whether it works. */
export function Channels() {
  const channels = useQuery(askChannels());
  const all = channels.data;
  const [editing, setEditing] = useState<NotificationChannel | 'new' | null>(null);
  return (
    <Card
      title={head}
      caption={all && all.length > 0 && `${all.length} of at most ${MOST_CHANNELS}`}
      controls={
        <Button
          variant="default"
          leftSection={<PlusIcon size={14} />}
          disabled={all === undefined || all.length >= MOST_CHANNELS}
          onClick={() => setEditing('new')}
        >
          Add channel
        </Button>
      }
      flush
    >
      {all === undefined ? (
        <Unlisted title="Failed to fetch your channels" query={channels} />
      ) : all.length === 0 ? (
        <p className={classes.none}>
          No channels yet. Add one to tell a Slack or Teams channel, a mailing list or a webhook.
        </p>
      ) : (
        <ul aria-label="Channels">
          {all.map((channel) => (
            <Channel key={channel.id} channel={channel} onEdit={() => setEditing(channel)} />
          ))}
        </ul>
      )}
      {editing !== null && (
        <LazyPart onFail={() => setEditing(null)}>
          <ChannelDialog channel={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </LazyPart>
      )}
    </Card>
  );
}

interface ChannelProps {
  readonly channel: NotificationChannel;
  readonly onEdit: () => void;
}

function Channel({ channel, onEdit }: ChannelProps) {
  const { id, type, name, target, paused, subscriptions } = channel;
  const now = useNow();
  const { time_zone } = useUser();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'delete' | 'secret' | null>(null);
  const test = useTest(id);
  const resume = useMutation({
    mutationFn: () => api.resumeChannel({ params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: askChannels().queryKey }),
  });
  const Icon = icons[type];
  const since = instantOf(paused?.since);
  return (
    <li className={classes.channel}>
      <span className={classes.tile}>
        <Icon size={16} />
      </span>
      <div className={classes.channelWhat}>
        <div className={classes.channelName}>
          <b dir="auto">{name}</b>
          <Chip meaning="outlined">{typeNames[type]}</Chip>
          {paused !== null && since !== null && (
            <Chip meaning="watch">{`Paused since ${formatDay(since, now, time_zone)}`}</Chip>
          )}
        </div>
        <div className={classes.channelFacts}>
          {target} · {paused === null ? subscriptionsInWords(subscriptions) : paused.reason}
        </div>
        <TestResult test={test} />
        {resume.error && (
          <p className={classes.fieldProblem} role="alert">
            {`It could not be resumed. ${causeOf(resume.error)}`}
          </p>
        )}
      </div>
      <p className={classes.reach}>{reachInWords(channel)}</p>
      <div className={classes.acts}>
        {paused === null ? (
          <Button
            variant="default"
            loading={test.isPending}
            aria-label={`Send a test to ${name}`}
            onClick={() => test.mutate()}
          >
            Test
          </Button>
        ) : (
          <Button
            variant="default"
            loading={resume.isPending}
            aria-label={`Resume ${name}`}
            onClick={() => resume.mutate()}
          >
            Resume
          </Button>
        )}
        <Button variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {type === 'webhook' && (
          <ActionIcon
            variant="default"
            size={32}
            aria-label={`New secret for ${name}`}
            data-tip="New secret"
            onClick={() => setAsking('secret')}
          >
            <KeyIcon size={14} />
          </ActionIcon>
        )}
        <ActionIcon
          className={classes.removeQuietly ?? ''}
          variant="default"
          size={32}
          aria-label={`Delete ${name}`}
          data-tip="Delete"
          onClick={() => setAsking('delete')}
        >
          <TrashIcon size={14} />
        </ActionIcon>
      </div>
      {asking === 'secret' && <NewSecret channel={channel} onClose={() => setAsking(null)} />}
      {asking === 'delete' && <DeleteChannel channel={channel} onClose={() => setAsking(null)} />}
    </li>
  );
}

function DeleteChannel({ channel, onClose }: { readonly channel: NotificationChannel; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteChannel({ params: { id: channel.id } }).catch(unlessGone),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: askChannels().queryKey });
      onClose();
    },
  });
  return (
    <LossDialog
      title="Delete channel"
      action="Delete channel"
      failure="The channel could not be deleted."
      loss={remove}
      onClose={onClose}
      otherwise={HEAD}
    >
      <p>
        <b dir="auto">{channel.name}</b>
      </p>
      <p className={classes.why}>
        {`Nothing is sent to ${channel.target} any more, and what waits to be sent there is dropped. What the log says of it goes with it. Its address${channel.type === 'webhook' ? ' and its secret are' : ' is'} forgotten: to use it again you give it again.`}
      </p>
    </LossDialog>
  );
}
