import type { PullRequestDetail } from '#contract/pull-requests.ts';

/** Somebody who may have started an agent's pull request. */
export interface Candidate {
  readonly login: string;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  /** What they have to do with it. */
  readonly why?: string;
}

/** The people who have to do with a pull request, whoever is likeliest first; agents and bots are none. */
export function peopleOf({
  assignees,
  assignee_kinds,
  requested_reviewers,
  timeline,
}: PullRequestDetail): readonly Candidate[] {
  const actors = timeline.flatMap(({ actor, actor_avatar, actor_kind, type }) =>
    actor === null || actor_kind !== 'human' ? [] : [{ login: actor, avatarUrl: actor_avatar, type }],
  );
  const pictures = new Map(actors.map(({ login, avatarUrl }) => [login, avatarUrl]));
  const did = (wanted: string, why: string) =>
    actors.filter(({ type }) => type === wanted).map(({ login }) => ({ login, why }));
  const all = [
    // Without their kinds where a process of the version before answers, while a server is upgraded.
    ...assignees.flatMap((login, at) =>
      (assignee_kinds?.[at] ?? 'human') === 'human' ? [{ login, why: 'assigned' }] : [],
    ),
    ...did('merged', 'merged it'),
    ...did('closed', 'closed it'),
    ...actors.map(({ login }) => ({ login, why: 'took part' })),
    ...requested_reviewers.flatMap(({ reviewer }) =>
      reviewer.startsWith('@') ? [] : [{ login: reviewer, why: 'asked for a review' }],
    ),
  ];
  const first = new Map(all.toReversed().map((one) => [one.login, one]));
  const order = [...new Set(all.map(({ login }) => login))];
  return order.map((login) => ({
    login,
    displayName: null,
    avatarUrl: pictures.get(login) ?? null,
    why: first.get(login)!.why,
  }));
}
