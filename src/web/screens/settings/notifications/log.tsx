import { AlertIcon, CheckIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, NotificationChannel } from '#contract/notifications.ts';
import { LOG_DAYS } from '#domain/notifications/subscriptions.ts';
import { Card } from '../../../kit/card.tsx';
import { Chip } from '../../../kit/chip.tsx';
import { useUser } from '../../../session/session.tsx';
import { type Column, DataTable } from '../../../table/data-table.tsx';
import { PageTurner } from '../../../table/page-turner.tsx';
import { formatAsOf, formatCount, formatMomentInZone, instantOf } from '../../../time/moment.ts';
import { useNow } from '../../../time/now.ts';
import classes from './notifications.module.css';
import { askChannels, askLog, PAGE_OF_LOG } from './questions.ts';
import { kindTitle, ownChannelNames } from './words.ts';

/** How often to look for what was sent, in milliseconds. */
const LOOK_EVERY = 15_000;
/** The most pull requests that are named in a line. */
const MOST_NAMED = 2;

/** What was sent in the last 30 days, what was not, and why. */
export function Log() {
  const [page, setPage] = useState(1);
  const log = useQuery({ ...askLog(page), refetchInterval: LOOK_EVERY, refetchIntervalInBackground: false });
  const channels = useQuery(askChannels()).data ?? [];
  const total = log.data?.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / PAGE_OF_LOG));
  // What is old leaves the log, and its last pages with it: the last one that is there is shown instead.
  if (log.data !== undefined && !log.isPlaceholderData && page > pages) setPage(pages);
  const columns: readonly Column<Delivery>[] = [
    { id: 'at', title: 'When', width: '9.5rem', cell: ({ at }) => <At at={at} /> },
    { id: 'kind', title: 'Message', width: '7.5rem', cell: ({ kind }) => kindTitle(kind) },
    { id: 'channel', title: 'Channel', width: '10rem', cell: ({ channel }) => channelName(channel, channels) },
    { id: 'about', title: 'About', cell: aboutOf, wideOnly: true },
    { id: 'state', title: 'State', width: '18rem', cell: (delivery) => <State delivery={delivery} /> },
  ];
  return (
    <Card
      title="Log"
      caption={`${LOG_DAYS} days, without the texts`}
      foot={
        total > PAGE_OF_LOG && (
          <>
            <span>{`${formatCount(total)} messages`}</span>
            <PageTurner page={Math.min(page, pages)} pages={pages} busy={log.isPlaceholderData} onTurn={setPage} />
          </>
        )
      }
      flush
    >
      <div className={classes.log}>
        <DataTable
          label="Log"
          columns={columns}
          rowKey={keyOfDelivery}
          answer={{
            data: log.data?.deliveries,
            error: log.error,
            refetch: log.refetch,
            isPlaceholderData: log.isPlaceholderData,
          }}
          failure="Failed to fetch the log"
          empty={<p className={classes.none}>Nothing was sent in the last {LOG_DAYS} days.</p>}
          sort={{ column: 'at', descending: true }}
          sortedByServer
          expectedRows={3}
          phoneRow={(delivery) => (
            <>
              <div className={classes.logLine}>
                <b>{kindTitle(delivery.kind)}</b>
                <At at={delivery.at} />
              </div>
              <div className={classes.logAbout}>
                {channelName(delivery.channel, channels)} · {aboutOf(delivery)}
              </div>
              <State delivery={delivery} />
            </>
          )}
        />
      </div>
    </Card>
  );
}

const keyOfDelivery = ({ at, kind, channel, subject }: Delivery) => `${at} ${kind} ${channel} ${subject}`;

function At({ at }: { readonly at: string }) {
  const now = useNow();
  const { time_zone } = useUser();
  const instant = instantOf(at) ?? now;
  return (
    <time dateTime={at} data-tip={formatMomentInZone(instant, now, time_zone)}>
      {formatAsOf(instant, now, time_zone)}
    </time>
  );
}

function channelName(channel: Delivery['channel'], channels: readonly NotificationChannel[]): string {
  if (typeof channel !== 'number') return ownChannelNames[channel];
  return channels.find(({ id }) => id === channel)?.name ?? 'A channel';
}

/** What it is about: a few pull requests, or its subject. */
function aboutOf({ items, subject }: Delivery): string {
  if (items.length === 0) return subject ?? '';
  const named = items.slice(0, MOST_NAMED).join(', ');
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}

function State({ delivery: { state, last_error, attempts } }: { readonly delivery: Delivery }) {
  if (state === 'failed') {
    return (
      <span className={classes.state} data-tip={last_error ?? undefined} tabIndex={last_error === null ? undefined : 0}>
        <Chip meaning="bad">Failed</Chip> {last_error}
      </span>
    );
  }
  if (state === 'sent') {
    return (
      <span className={classes.sent}>
        <CheckIcon size={12} /> Sent
      </span>
    );
  }
  if (state === 'unknown') {
    return (
      <span className={classes.unknown}>
        <AlertIcon size={12} /> May have arrived; not sent again
      </span>
    );
  }
  const words = {
    pending: 'Waits to be sent',
    held: 'Held until it is no longer quiet',
    sending: 'Being sent',
    dropped: 'Dropped',
  }[state];
  const tried = state === 'pending' && attempts > 0 ? `Tried ${attempts === 1 ? 'once' : `${attempts} times`}` : words;
  return (
    <span
      className={classes.quietState}
      data-tip={last_error ?? undefined}
      tabIndex={last_error === null ? undefined : 0}
    >
      {last_error === null ? tried : `${tried}: ${last_error}`}
    </span>
  );
}
