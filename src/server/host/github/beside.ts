import { z } from 'zod';
import type { NamedAgent } from '../client.ts';
import { HostError } from '../errors.ts';
import type { HostAccount, HostThread } from '../pull-request.ts';
import type { RepositoryName } from '../repository.ts';
import { restAccountOf, restUser } from './account.ts';
import { actorAnswer, reference } from './answers.ts';
import { failureOfField, passingError } from './failures.ts';
import { type GithubGraphql, understand } from './github-graphql.ts';
import { askLittle } from './pages.ts';
import { errorsAt, LISTS_PER_REQUEST } from './reading.ts';
import { asOnePart, eachInHalves } from './smaller-parts.ts';
import { accountOf, idOf } from './translate.ts';

/*
 * What few pull requests are asked for, once, beside what a sync reads of all: how threads stand, and who started an agent.
 */

const LONGEST_LIST = 100;
/** The status with which REST answers about an issue of a repository that has none. */
const WITHOUT_ISSUES = 410;

const restEvents = z.array(z.object({ event: z.string().nullish(), actor: restUser.nullish() }));

/**
 * The actor of the first session of Copilot's coding agent among the first hundred events of a pull request (GitHub documentation, REST:
 * timeline events); null where there is none, or the repository has no issues.
 * @throws HostError as the host refuses it: only a look at the repository tells whether that is for good
 */
export async function readSessionStarter(
  github: GithubGraphql,
  { owner, name }: RepositoryName,
  number: number,
): Promise<HostAccount | null> {
  const answer = await github
    .rest('GET /repos/{owner}/{name}/issues/{number}/timeline', { ...{ owner, name, number }, per_page: LONGEST_LIST })
    .catch((error: unknown) => {
      if (error instanceof HostError && error.status === WITHOUT_ISSUES) return null;
      throw error;
    });
  if (answer === null) return null;
  const started = understand(restEvents, answer.body, github.label).find(
    ({ event }) => event === 'copilot_work_started',
  );
  return started?.actor == null ? null : restAccountOf(started.actor);
}

const said = z.object({ body: z.string(), author: actorAnswer.nullable() });
const issuesAnswer = z
  .object({
    closingIssuesReferences: z
      .object({
        totalCount: z.number(),
        nodes: z.array(
          said
            .extend({
              timelineItems: z.object({
                pageInfo: z.object({ hasNextPage: z.boolean() }),
                nodes: z.array(
                  z
                    .discriminatedUnion('__typename', [
                      z.object({
                        __typename: z.literal('AssignedEvent'),
                        actor: actorAnswer.nullable(),
                        assignee: actorAnswer.nullable(),
                      }),
                      said.extend({ __typename: z.literal('IssueComment') }),
                    ])
                    .nullable(),
                ),
              }),
            })
            .nullable(),
        ),
      })
      .nullable(),
  })
  .nullable();

/**
 * Who assigned an agent to the one issue that a pull request closes, or named it there; texts are looked through for its names alone.
 * Nobody where the issue has more assignments and comments than are read: others may stand behind them.
 * @throws HostError where the host could not tell all of it now, and `not_found` where it shows no pull request under the key, be it gone
 * or its repository hidden
 */
export async function readIssueStarters(
  github: GithubGraphql,
  node_id: string,
  agent: NamedAgent,
  signal?: AbortSignal,
): Promise<readonly HostAccount[]> {
  const reply = await asOnePart(() => github.ask('closing-issues', { ids: [node_id] }, signal));
  const failure = passingError(reply.errors);
  if (failure !== null) throw failureOfField(failure, 'issues that it closes', github.label);
  const [answer] = understand(z.array(issuesAnswer), reply.data.nodes, github.label);
  if (answer == null)
    throw new HostError('not_found', `${github.label} has no such pull request, or your account may not see it.`);
  const issues = answer.closingIssuesReferences;
  const [issue] = issues?.nodes ?? [];
  if (issues?.totalCount !== 1 || issue == null || issue.timelineItems.pageInfo.hasNextPage) return [];
  const texts = [
    issue,
    ...issue.timelineItems.nodes.flatMap((item) => (item?.__typename === 'IssueComment' ? [item] : [])),
  ];
  const starters = [
    ...issue.timelineItems.nodes.flatMap((item) =>
      item?.__typename === 'AssignedEvent' && accountOf(item.assignee)?.id === agent.id ? [item.actor] : [],
    ),
    ...texts.filter(({ body }) => calls(body, agent.names)).map(({ author }) => author),
  ];
  const accounts = starters.map(accountOf).filter((account) => account !== null);
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}

/** Whether a text calls somebody by one of these names, as in `@name`. */
function calls(text: string, names: readonly string[]): boolean {
  const called = new Set(
    [...text.matchAll(/(?<![\w`/@-])@([a-z\d](?:[a-z\d-]{0,98}[a-z\d])?)/gi)].map(([, name]) => name!.toLowerCase()),
  );
  return names.some((name) => called.has(name.toLowerCase()));
}

const threadsAnswer = z
  .object({
    id: z.string(),
    reviewThreads: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(
        z
          .object({
            isResolved: z.boolean(),
            resolvedBy: actorAnswer.nullable(),
            comments: z.object({ nodes: z.array(reference.nullable()) }),
          })
          .nullable(),
      ),
    }),
  })
  .nullable();

type ThreadsAnswer = z.infer<typeof threadsAnswer>;

/** The `first` threads of a pull request behind `after`; null: from the beginning. */
interface ThreadsPage {
  readonly node_id: string;
  readonly first: number;
  readonly after: string | null;
}

/** How many of these, which begin with the longest, fill one point. */
function fittingThreads([longest]: readonly ThreadsPage[]): number {
  return Math.min(LONGEST_LIST, Math.floor(LISTS_PER_REQUEST / (1 + (longest?.first ?? 0))));
}

/**
 * The threads of these pull requests by key, in as few requests as fill whole points: null where the host could not tell all of them now,
 * or not compute them; without pull requests that are gone.
 */
export async function readThreads(
  github: GithubGraphql,
  wanted: readonly { readonly node_id: string; readonly threads: number }[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly HostThread[] | null>> {
  const found = new Map<string, HostThread[] | null>();
  // Those with most first: a request asks each of its pull requests for as many as its first one has.
  const beginnings = wanted
    .map(({ node_id, threads }) => ({ node_id, first: Math.min(LONGEST_LIST, Math.max(1, threads)), after: null }))
    .sort((a, b) => b.first - a.first);
  for (const answer of await ask(beginnings)) {
    let { id, next } = take(answer);
    while (next !== null) {
      const [more] = await ask([{ node_id: id, first: LONGEST_LIST, after: next }]);
      ({ id, next } = more === undefined ? { id, next: null } : take(more));
    }
  }
  return found;

  /** The next page of each, without those that are gone or that the host could not tell. */
  async function ask(pages: readonly ThreadsPage[]): Promise<NonNullable<ThreadsAnswer>[]> {
    const answers = await eachInHalves(pages, fittingThreads, askTogether, () => askLittle(github, signal));
    return answers.flatMap((answer, index) => {
      if (answer !== null) return answer.told ?? [];
      found.set(pages[index]!.node_id, null);
      return [];
    });
  }

  async function askTogether(pages: readonly ThreadsPage[]): Promise<({ readonly told: ThreadsAnswer } | null)[]> {
    const [{ first, after }] = pages as [ThreadsPage];
    const reply = await github.ask(
      'review-threads',
      { ids: pages.map(({ node_id }) => node_id), first, after },
      signal,
    );
    const answers = understand(z.array(threadsAnswer).length(pages.length), reply.data.nodes, github.label);
    return answers.map((told, index) =>
      passingError(errorsAt(reply.errors, ['nodes', index])) === null ? { told } : null,
    );
  }

  function take({ id, reviewThreads: { nodes, pageInfo } }: NonNullable<ThreadsAnswer>) {
    const threads = nodes.flatMap((thread): HostThread[] => {
      const opening = thread?.comments.nodes[0];
      if (thread === null || opening == null) return [];
      return [{ comment_id: idOf(opening), resolved: thread.isResolved, resolved_by: accountOf(thread.resolvedBy) }];
    });
    found.set(id, [...(found.get(id) ?? []), ...threads]);
    const goesOn = pageInfo.hasNextPage && pageInfo.endCursor !== null && nodes.length > 0;
    return { id, next: goesOn ? pageInfo.endCursor : null };
  }
}
