import { Button, NativeSelect, TextInput } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type AuditItem, type SecurityEventName, securityEvents } from '#contract/administration.ts';
import { addressOf, api } from '../../api/client.ts';
import { useTypedText } from '../../filters/typed-text.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { Late, Line } from '../../kit/skeleton.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useUser } from '../../session/session.tsx';
import { formatMoment, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { readOneOf } from '../../url/url-state.ts';
import classes from './administration.module.css';

const words: Readonly<Record<SecurityEventName, string>> = {
  signed_in: 'Signed in',
  sign_in_refused: 'Sign-in refused',
  signed_out: 'Signed out',
  session_ended: 'Another session ended',
  account_deleted: 'Account deleted',
  token_stored: 'Token stored',
  token_rejected: 'Token rejected',
  token_deleted: 'Token deleted',
  repository_connected: 'Repository connected',
  repository_disconnected: 'Repository removed',
  sight_lost: 'Access lost',
  sight_regained: 'Access is back',
  exported: 'Exported',
  account_marked: 'Account marked',
  account_unmarked: 'Mark taken back',
  webhook_secret_made: 'Webhook secret made',
  signal_dismissed: 'Signal said not to be so',
  signal_restored: 'Signal stands again',
  thresholds_changed: 'Thresholds changed',
  agent_labels_changed: 'Labels of AI tools changed',
  teams_imported: 'Teams imported',
  group_made: 'Group made',
  group_changed: 'Group changed',
  team_removed: 'Team or group removed',
  mail_address_changed: 'Mail address changed',
  channel_made: 'Channel made',
  channel_changed: 'Channel changed',
  channel_removed: 'Channel removed',
  channel_secret_made: 'Channel secret made',
  api_token_made: 'Personal token made',
  api_token_revoked: 'Personal token revoked',
  api_token_used: 'Personal token used from a new place',
};
const wordsOf = (event: string) => words[event as SecurityEventName] ?? event;

/** The id of the event with which the page that came last begins. */
const LATEST_PAGE = 'latest-page';

/** The audit log: who came in, who took what out, and who lost sight of what. Others than administrators read why they don't see it. */
export function AdministrationScreen() {
  return (
    <Page title={headings.administration} subtitle="Who came in, who took what out, and who lost access" withoutAsOf>
      <AuditLog />
    </Page>
  );
}

function AuditLog() {
  const { administrator } = useUser();
  const [inAddress, setEvent] = useUrlFilter('event');
  const [actor, setActor] = useUrlFilter('actor');
  const event = readOneOf(inAddress, securityEvents);
  const filter = { event, actor };
  const pages = useInfiniteQuery({
    queryKey: ['listSecurityEvents', filter],
    queryFn: ({ pageParam, signal }) =>
      api.listSecurityEvents({ query: { ...filter, cursor: pageParam, limit: 50 } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  // Pages are only added at the end: an event keeps its place, and two may be alike.
  const items = pages.data?.pages.flatMap((page) => page.items).map((item, at) => ({ item, key: `${at} ${item.at}` }));
  const latest = pages.data?.pages.findLast((page) => page.items.length > 0)?.items[0];
  const csv = useMutation({
    mutationFn: async (wanted: typeof filter) => {
      // The file may be too large for a page to hold, and the browser does not say why a download is refused: this asks before it begins.
      await api.listSecurityEvents({ query: { ...wanted, limit: 1 } });
      const href = addressOf('/api/administration/audit', { query: { format: 'csv', ...wanted } });
      Object.assign(document.createElement('a'), { href, download: '' }).click();
    },
  });
  // What is typed filters when it is submitted.
  const { shown: typed, set: setTyped } = useTypedText(actor ?? '', () => {});
  const apply = (submitted: FormEvent) => {
    submitted.preventDefault();
    setActor(typed.trim() || undefined);
  };
  return (
    <Card
      title="Audit log"
      caption="kept for 400 days"
      controls={
        administrator ? (
          <Button
            variant="default"
            leftSection={<DownloadIcon size={14} />}
            aria-disabled={csv.isPending}
            onClick={() => csv.isPending || csv.mutate(filter)}
          >
            Download CSV
          </Button>
        ) : undefined
      }
      foot="The name of a repository stands here only where your own account may read it."
      flush
    >
      {csv.error !== null && (
        <Banner meaning="bad">{`The audit log could not be downloaded. ${causeOf(csv.error)}`}</Banner>
      )}
      {administrator && (
        <form className={classes.filters} onSubmit={apply}>
          <NativeSelect
            label="Event"
            value={event ?? ''}
            onChange={({ currentTarget: { value } }) => setEvent(value || undefined)}
            data={[
              { value: '', label: 'All events' },
              ...securityEvents.map((one) => ({ value: one, label: words[one] })),
            ]}
          />
          <TextInput
            label="Username"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <Button type="submit" variant="default">
            Filter
          </Button>
        </form>
      )}
      {items === undefined ? (
        pages.error ? (
          <ErrorState title="Failed to fetch the audit log" error={pages.error} onRetry={() => void pages.refetch()} />
        ) : (
          <Late>
            <div className={classes.item}>
              <Line width="14rem" />
            </div>
          </Late>
        )
      ) : items.length === 0 ? (
        <EmptyState title="Nothing matches" why="No security event of the last 400 days matches this choice." />
      ) : (
        <ul aria-label="Security events">
          {items.map(({ item, key }) => (
            <Item key={key} item={item} isLatest={item === latest} />
          ))}
        </ul>
      )}
      {pages.isFetchNextPageError && (
        <Banner meaning="bad">{`Failed to fetch the audit log. ${causeOf(pages.error)}`}</Banner>
      )}
      {pages.hasNextPage && (
        <div className={classes.more}>
          <Button
            ref={passFocus(LATEST_PAGE)}
            variant="default"
            aria-disabled={pages.isFetchingNextPage}
            onClick={() => pages.isFetchingNextPage || void pages.fetchNextPage()}
          >
            {pages.isFetchingNextPage ? 'Fetching earlier events' : 'Show earlier events'}
          </Button>
        </div>
      )}
    </Card>
  );
}

interface ItemProps {
  readonly item: AuditItem;
  /** The first of the page that came last. */
  readonly isLatest: boolean;
}

function Item({ item, isLatest }: ItemProps) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <li className={classes.item} {...(isLatest && { id: LATEST_PAGE, tabIndex: -1 })}>
      <time dateTime={item.at}>{formatMoment(instantOf(item.at), now, time_zone)}</time>
      <b>{wordsOf(item.event)}</b>
      <span>{[item.actor ?? 'Nobody known', item.subject].filter((part) => part !== null).join(' · ')}</span>
      {item.request_id !== null && (
        <span className={`${classes.quiet} ${classes.from}`}>{`from ${item.address}, request ${item.request_id}`}</span>
      )}
    </li>
  );
}
