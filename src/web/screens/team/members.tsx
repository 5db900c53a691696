import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Team, WholeTeam } from '#contract/teams.ts';
import { api } from '../../api/client.ts';
import { keyOf } from '../../api/query.ts';
import { askTeams } from '../../api/questions.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { Face } from '../../people/person.tsx';
import { PersonName } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { askWholeTeam } from '../../teams/questions.ts';
import { ReadWhen } from '../../teams/read-when.tsx';
import { assumedWords, shortDay } from '../../teams/words.ts';
import { formatCount, instantOf } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './team.module.css';

/** While a team is being read again the answer is looked for at this interval (milliseconds), at most this many times. */
const LOOK_EVERY = 2_000;
const MOST_LOOKS = 30;

/** Who belongs to the team now, since when, and through what; how the host was read last. */
export function Members({ team }: { readonly team: WholeTeam | undefined }) {
  const now = useNow();
  const { time_zone } = useUser();
  const teams = useQuery(askTeams()).data ?? [];
  const reading = useReadAgain(team);
  if (team === undefined)
    return (
      <Card title="Members">
        <Late>
          <div className={classes.pending}>
            <Line width="70%" />
            <Line width="70%" />
            <Line width="70%" />
          </div>
        </Late>
      </Card>
    );
  const members = membersNow(team, now);
  const assumed = instantOf(team.assumed_before);
  const isArchived = team.archived_at !== null;
  const foot = [
    ...(assumed === null ? [] : [assumedWords(assumed, now, time_zone)]),
    'Dates are seen by the team’s own members and administrators.',
  ];
  return (
    <Card
      title="Members"
      caption={captionOf(members.length, team.hidden_members)}
      controls={
        team.source === 'host' && (
          <>
            {reading.isReading ? (
              <span className={classes.quiet}>reading …</span>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: when it was read must be reachable by keyboard
              <span tabIndex={0} data-tips>
                <ReadWhen team={team} />
              </span>
            )}
            {!isArchived && (
              <Button variant="subtle" size="compact-sm" loading={reading.isReading} onClick={reading.start}>
                Read again
              </Button>
            )}
          </>
        )
      }
      foot={<span>{foot.join(' ')}</span>}
      flush
    >
      {reading.error !== null && (
        <div className={classes.failed}>
          <Banner meaning="bad">{`The team could not be read again. ${causeOf(reading.error)}`}</Banner>
        </div>
      )}
      {members.length === 0 ? (
        <p className={classes.none}>
          {team.hidden_members > 0
            ? 'None of them appears in your repositories.'
            : team.source === 'own'
              ? 'Nobody yet. Add people or teams by “Change”.'
              : 'Nobody now.'}
        </p>
      ) : (
        <ul className={classes.members} aria-label="Members">
          {members.map((member) => (
            <li key={member.username}>
              <Face name={member.username} avatarUrl={member.avatar_url} size={22} />
              <span className={classes.name} dir="auto">
                <PersonName
                  login={member.username}
                  displayName={member.display_name}
                  link={(name) =>
                    // Missing where a process of the version before answers, while a server is upgraded.
                    member.is_contributor ? (
                      <Link
                        to="/contributor/{-$username}"
                        params={{ username: member.username }}
                        search={{ team: String(team.id) } as never}
                      >
                        {name}
                      </Link>
                    ) : (
                      name
                    )
                  }
                />
              </span>
              <span className={classes.since}>{sinceWords(member, { teams, assumed, now, time_zone })}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type Member = WholeTeam['members'][number];

/** Those who belong to the team now, each once: as long as they do by any way. */
function membersNow({ members }: WholeTeam, now: number): readonly Member[] {
  const present = members.filter(({ from, to }) => {
    const [begins, ends] = [instantOf(from), instantOf(to)];
    return (begins === null || begins <= now) && (ends === null || ends > now);
  });
  // The server tells of each person what began first before the rest.
  return [...Map.groupBy(present, ({ username }) => username).values()].map(([first]) => first!);
}

function captionOf(shown: number, hidden: number): string {
  const more = hidden > 0 ? `, and ${formatCount(hidden)} more whom you don’t meet in these repositories` : '';
  return `${formatCount(shown)} now${more}`;
}

interface SinceContext {
  readonly teams: readonly Team[];
  readonly assumed: number | null;
  readonly now: number;
  readonly time_zone: string;
}

/** "joined 12 Nov", "since before 3 Nov", "through @brasswick/pricing"; nothing where it may not be told. */
function sinceWords(member: Member, { teams, assumed, now, time_zone }: SinceContext): string {
  if (member.via.length > 0) {
    const through = teams.filter(({ id }) => member.via.includes(id));
    const names = through.map(({ handle, name }) => (handle === null ? name : `@${handle}`));
    if (names.length > 0) return `through ${names.join(', ')}`;
  }
  if (member.from === undefined) return '';
  const joined = instantOf(member.from);
  if (joined !== null) return `joined ${shortDay(joined, now, time_zone)}`;
  return assumed === null ? 'always' : `since before ${shortDay(assumed, now, time_zone)}`;
}

/** Has the host read again, and looks until that is done. */
function useReadAgain(team: WholeTeam | undefined) {
  const queries = useQueryClient();
  const [before, setBefore] = useState<{ readonly read_at: string | null; readonly looks: number } | null>(null);
  const refresh = useMutation({
    mutationFn: (id: number) => api.refreshTeam({ params: { id } }),
    onSuccess: ({ read_at }) => setBefore({ read_at, looks: 0 }),
  });
  const id = team?.id;
  const readAt = team?.read_at ?? null;
  useEffect(() => {
    if (before === null || id === undefined) return;
    if (readAt !== before.read_at || before.looks >= MOST_LOOKS) {
      setBefore(null);
      for (const name of ['listTeams', 'getTeamView', 'compareTeams', 'getTeamStats'] as const)
        void queries.invalidateQueries({ queryKey: keyOf(name) });
      return;
    }
    const timer = setTimeout(() => {
      void queries.refetchQueries({ queryKey: askWholeTeam(id).queryKey });
      setBefore({ ...before, looks: before.looks + 1 });
    }, LOOK_EVERY);
    return () => clearTimeout(timer);
  }, [before, id, readAt, queries]);
  return {
    isReading: refresh.isPending || before !== null,
    error: refresh.error,
    start: () => id !== undefined && refresh.mutate(id),
  };
}
