import { Button } from '@mantine/core';
import { PencilIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { WholeTeam } from '#contract/teams.ts';
import { counted } from '#domain/counted.ts';
import { ApiError } from '../../api/client.ts';
import { TeamOfPage, useChoice, useWindowWords } from '../../filters/choice-of-figures.ts';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetPickers } from '../../filters/head-pickers.tsx';
import { WindowPicker } from '../../filters/window-picker.tsx';
import { Banner } from '../../kit/banner.tsx';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { Page } from '../../layout/page.tsx';
import { useUser } from '../../session/session.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { askWholeTeam } from '../../teams/questions.ts';
import { TeamStatsStrip } from '../../teams/team-stats-strip.tsx';
import { handleWords, peopleWords, shortDay } from '../../teams/words.ts';
import { instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useUrlFilter } from '../../url/url-filter.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';
import { AcrossTeams } from './across-teams.tsx';
import { AskedOfTheTeam, ReadyAndNobodyAsked } from './lists.tsx';
import { Members } from './members.tsx';
import { askTeamView } from './questions.ts';
import classes from './team.module.css';
import { Waits } from './waits.tsx';

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

/** The dashboard of one team: its figures, what waits for whom, what is asked of it, and who is in it (docs/product.md#a-team). */
export function TeamScreen() {
  const id = readPositive(useParams({ strict: false }).id);
  if (id === undefined) return <NoTeam />;
  return (
    <TeamOfPage value={id}>
      <OneTeam key={id} id={id} />
    </TeamOfPage>
  );
}

function OneTeam({ id }: { readonly id: number }) {
  const team = useQuery(askWholeTeam(id));
  const chosen = useChoice();
  const view = useQuery(askTeamView(id, chosen));
  const { caption } = useWindowWords('30d');
  const now = useNow();
  const { time_zone } = useUser();
  const [active, clear] = useSetPickers(['team_as']);
  // Another team's answer does not stand in for this one's.
  const told = team.isPlaceholderData ? undefined : team.data;
  if (told === undefined && isNotFound(team.error)) return <NoTeam />;
  const archived = instantOf(told?.archived_at);
  return (
    <Page
      title={told?.name ?? 'Team'}
      subtitle={
        <>
          <Link to="/teams" className={classes.back}>
            Teams
          </Link>
          {told && ` · ${[...subtitleParts(told), caption].join(' · ')}`}
        </>
      }
      actions={
        <Filters active={active} onClear={clear}>
          <AsChoice />
          <WindowPicker own="30d" />
          <RepositoryFilter />
          {told?.mine && (
            <Button
              renderRoot={(props) => <Link to="/settings" search={{ group: String(id) } as RawSearch} {...props} />}
              variant="default"
              leftSection={<PencilIcon size={14} />}
            >
              Change
            </Button>
          )}
        </Filters>
      }
    >
      <SyncMessages />
      {archived !== null && (
        <Banner meaning="note">
          {`Archived at the host, noticed on ${shortDay(archived, now, time_zone)}. Its figures stay; it is offered nowhere any more.`}
        </Banner>
      )}
      <TeamStatsStrip />
      <div className={classes.row}>
        <Waits view={view} />
        <AskedOfTheTeam view={view} id={id} />
      </div>
      <div className={classes.row}>
        <AcrossTeams view={view} caption={caption} />
        <ReadyAndNobodyAsked view={view} />
      </div>
      {told === undefined && team.error !== null ? (
        <Panel label="Members">
          <ErrorState title="Failed to fetch the team" error={team.error} onRetry={() => void team.refetch()} />
        </Panel>
      ) : (
        <>
          <OldAnswerNote
            title="Failed to fetch the team"
            answer={{ data: told, error: team.error, refetch: team.refetch }}
          />
          <Members team={told} />
        </>
      )}
    </Page>
  );
}

function subtitleParts(team: WholeTeam): string[] {
  const inside = team.teams.length;
  const people = peopleWords(team.members_now);
  return [handleWords(team), inside === 0 ? people : `${people}, ${counted(inside, 'team')} inside`].filter(
    (words) => words !== '',
  );
}

/** Whether pull requests are of the team because members wrote them, or because they reviewed them; kept in the address. */
function AsChoice() {
  const [as, setAs] = useUrlFilter('team_as');
  return (
    <SegmentedFilter
      label="Pull requests"
      value={as === 'reviewer' ? 'reviewer' : 'author'}
      onChange={(value) => setAs(value === 'reviewer' ? value : undefined)}
      options={[
        { value: 'author', label: 'Written by' },
        { value: 'reviewer', label: 'Reviewed by' },
      ]}
    />
  );
}

function NoTeam() {
  return (
    <Page title="Team not found" withoutAsOf>
      <Panel label="Team">
        <EmptyState
          title="Team not found"
          why="It was deleted, or your account does not see it."
          next={<Link to="/teams">All teams</Link>}
        />
      </Panel>
    </Page>
  );
}
