import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { ArrowLeftIcon, LinkExternalIcon, SyncIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { formatDuration } from '#domain/duration.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import { totalTime } from '#domain/time-analysis.ts';
import { Banner } from '../../kit/banner.tsx';
import { Chip } from '../../kit/chip.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { StatePill } from '../../kit/pull-request-state.tsx';
import { useSingleKeys } from '../../kit/single-keys.ts';
import { DataAsOf } from '../../layout/page.tsx';
import { Person, WithAgent } from '../../people/person.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { Turn } from '../../pull-requests/turn.tsx';
import { useHostName, useUser } from '../../session/session.tsx';
import { formatDay, formatMomentInZone } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { WhyDoWeThinkSo } from './attribution.tsx';
import { useGoBack } from './go-back.ts';
import { lifeOf } from './life.ts';
import classes from './pr.module.css';
import { type PullRequestAddress, useRefresh } from './refresh.ts';

interface Props {
  readonly detail: PullRequestDetail;
  readonly address: PullRequestAddress;
}

/** Which pull request this is, in which state, of whom, and whose turn it is; the way back, to the host, and to fresh figures. */
export function Header({ detail, address }: Props) {
  const { pr_number, state, draft, title, repository, html_url } = detail;
  const host = useHostName();
  const goBack = useGoBack();
  const refresh = useRefresh(address);
  useSingleKeys({ o: () => window.open(html_url, '_blank', 'noopener') });
  return (
    <header className={classes.header}>
      <div className={classes.top}>
        <ActionIcon aria-label="Back" onClick={goBack}>
          <ArrowLeftIcon size={16} />
        </ActionIcon>
        <span className={classes.number}>PR #{pr_number}</span>
        <StatePill state={state} draft={draft} />
        {draft && <Chip meaning="outlined">Draft</Chip>}
        <WithAgent pullRequest={detail} evidence={detail.evidence} />
        <WhyDoWeThinkSo detail={detail} address={address} />
      </div>
      <h1 dir="auto">{title}</h1>
      <div className={classes.sub} data-tips>
        <span className={classes.part}>
          {repository.owner}/{repository.name}
        </span>
        <span className={classes.part}>
          <Author detail={detail} />
        </span>
        <Life detail={detail} />
        {detail.assignees.length > 0 && (
          <span className={classes.part}>assigned to {detail.assignees.map(shownLogin).join(', ')}</span>
        )}
        {detail.labels.map((label) => (
          <Chip key={label} meaning="neutral" isLong>
            <bdi>{label}</bdi>
          </Chip>
        ))}
        {state === 'open' && <WhoseTurn detail={detail} />}
      </div>
      <div className={classes.actions}>
        <DataAsOf />
        <Button
          variant="default"
          leftSection={<SyncIcon size={14} className={refresh.isPending ? (classes.turning ?? '') : ''} />}
          aria-disabled={refresh.isPending}
          data-tip={`Fetch this pull request from ${host}`}
          onClick={() => !refresh.isPending && refresh.mutate()}
        >
          {refresh.isPending ? 'Refreshing' : 'Refresh'}
        </Button>
        <Button
          component="a"
          href={html_url}
          target="_blank"
          rel="noopener noreferrer"
          variant="default"
          rightSection={<LinkExternalIcon size={14} />}
          aria-keyshortcuts="o"
          data-tip="Opens in a new tab. Key: o"
        >
          View on {host}
        </Button>
      </div>
      <VisuallyHidden role="status">
        {refresh.isSuccess && !refresh.isPending ? 'Refreshed from the host' : ''}
      </VisuallyHidden>
      {refresh.error !== null && (
        <div className={classes.failed}>
          <Banner meaning="bad" onClose={() => refresh.reset()}>
            This pull request could not be refreshed. {causeOf(refresh.error)} The figures are those of before.
          </Banner>
        </div>
      )}
    </header>
  );
}

function Author({ detail }: { detail: PullRequestDetail }) {
  const { author, author_avatar_url, author_kind } = detail;
  return (
    <Person name={author} avatarUrl={author_avatar_url} kind={author_kind}>
      {author_kind === 'ghost' ? (
        author
      ) : (
        <Link className={classes.author} to="/contributor/{-$username}" params={{ username: author }}>
          {shownLogin(author)}
        </Link>
      )}
    </Person>
  );
}

/** "opened Tue 3 Nov, merged Fri 6 Nov". */
function Life({ detail }: { detail: PullRequestDetail }) {
  const now = useNow();
  const { time_zone } = useUser();
  const opened = Date.parse(detail.created_at);
  const ended = detail.merged_at ?? detail.closed_at;
  const end =
    ended === null
      ? `open for ${formatDuration(totalTime(detail.time_metrics))}`
      : `${detail.state} ${formatDay(Date.parse(ended), now, time_zone)}`;
  const moments = [`Opened ${formatMomentInZone(opened, now, time_zone)}`];
  if (ended !== null) moments.push(`Ended ${formatMomentInZone(Date.parse(ended), now, time_zone)}`);
  return (
    <span className={`${classes.part} ${classes.life}`} data-tip={moments.join('\n')}>
      opened {formatDay(opened, now, time_zone)}, {end}
    </span>
  );
}

function WhoseTurn({ detail }: { detail: PullRequestDetail }) {
  const { waiting_on, waiting_reason, waiting_since } = detail.time_metrics;
  return (
    <span className={`${classes.part} ${classes.turn}`}>
      <Turn on={waiting_on} reason={waiting_reason} />
      {waiting_since !== null && (
        <span className={classes.since}>
          for {formatDuration(hoursBetween(Date.parse(waiting_since), lifeOf(detail).to))}
        </span>
      )}
    </span>
  );
}
