import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { FilterRepository } from '#contract/repositories.ts';
import { periodLabel } from '#domain/period.ts';
import { useTeamName } from '../../filters/choice-of-figures.ts';
import { rememberTeam } from '../../filters/remembered-team.ts';
import { Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { nameOf } from '../../people/person-name.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { askPullRequests, type View } from './questions.ts';

/**
 * Whether the person never did anything in the view's repository, as a member of its team where it has one. Agents' pull requests that they
 * started are no activity of their own, so those are looked for in the list.
 */
export function useIsUntouched(view: View, metrics: Pick<ContributorMetrics, 'last_active'> | undefined): boolean {
  const isInactive = view.repository !== null && metrics?.last_active === null;
  const countsStarted = view.credit === 'started';
  const list = useQuery({ ...askPullRequests(view), enabled: isInactive && countsStarted });
  if (!isInactive || !countsStarted) return isInactive;
  return !list.isPlaceholderData && list.data?.length === 0;
}

interface Props {
  readonly metrics: Pick<ContributorMetrics, 'display_name' | 'username'>;
  readonly view: View;
  readonly repository: FilterRepository;
  readonly outdated: boolean;
}

/** Someone whom other repositories know, narrowed to one in which they did nothing, or nothing as a member of the team. */
export function NoActivity({ metrics, view, repository, outdated }: Props) {
  const [, chooseRepository] = useUrlFilter('repository');
  const [, chooseTeam] = useUrlFilter('team');
  const team = useTeamName(view.team);
  const name = nameOf(metrics.username, metrics.display_name);
  const isOfTeam = view.team !== undefined;
  const asMember = isOfTeam ? ` as a member of ${team ?? 'the team'}` : '';
  const leadOn = () => {
    if (!isOfTeam) return chooseRepository(undefined);
    rememberTeam(undefined);
    chooseTeam(undefined);
  };
  return (
    <Panel label="Contributor" outdated={outdated}>
      <EmptyState
        title={`No activity in ${repository.name} in the ${periodLabel(view.period).toLowerCase()}`}
        why={`${name} has opened and reviewed no pull request in ${repository.full_name}${asMember}.`}
        next={
          <Button variant="default" onClick={leadOn}>
            {isOfTeam ? 'All teams' : 'All repositories'}
          </Button>
        }
      />
    </Panel>
  );
}
