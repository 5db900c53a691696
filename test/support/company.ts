import { type RunningSimulator, startSimulator } from './simulator.ts';

/** The person who imports: reads the 300 busiest repositories and no others. */
export const IMPORTER = 'outsider';

interface Company {
  readonly simulator: RunningSimulator;
  /** The full names of the 300 busiest repositories, which hold all pull requests. */
  readonly busy: readonly string[];
}

/**
 * A host with the simulated company of 1,200 repositories, of which the importer and `others` read the 300 busiest and nobody else
 * reads these. `more` are arguments of the simulator's command line.
 */
export async function startCompany(
  pull_requests: number,
  others: readonly string[] = [],
  more: readonly string[] = [],
): Promise<Company> {
  const simulator = await startSimulator({ world: 'company', more: ['--count', String(pull_requests), ...more] });
  const { repositories } = (await simulator.control('state')) as {
    repositories: { full_name: string; pull_requests: number }[];
  };
  const busy = repositories.filter((one) => one.pull_requests > 0).map(({ full_name }) => full_name);
  for (const full_name of busy)
    await simulator.control(
      `repos/${full_name}`,
      { private: true, readers: [IMPORTER, ...others], admins: [] },
      'PATCH',
    );
  return { simulator, busy };
}

/** What the host says of a pull request, in short: who, when, and how much there is. */
const PULL_REQUESTS = `query ($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number title state createdAt mergedAt closedAt additions deletions author { login }
        reviews { totalCount } comments { totalCount } commits { totalCount }
      }
    }
  }
}`;

/** The pull requests of a repository as the host itself lists them to this person, by number, each as a line of JSON. */
export async function listedAtHost(simulator: RunningSimulator, login: string, full_name: string): Promise<string[]> {
  const [owner, name] = full_name.split('/');
  const lines: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const answer = await fetch(`${simulator.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ghp_${login}`, 'content-type': 'application/json', 'user-agent': 'test' },
      body: JSON.stringify({ query: PULL_REQUESTS, variables: { owner, name, after } }),
    });
    const { data, errors } = (await answer.json()) as { data: { repository: Listed } | null; errors?: unknown };
    if (!data?.repository) throw new Error(`${full_name}: ${answer.status} ${JSON.stringify(errors)}`);
    const { pageInfo, nodes } = data.repository.pullRequests;
    lines.push(...nodes.map(lineOf));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  return lines;
}

interface Listed {
  readonly pullRequests: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly nodes: readonly {
      readonly number: number;
      readonly title: string;
      readonly state: string;
      readonly createdAt: string;
      readonly mergedAt: string | null;
      readonly closedAt: string | null;
      readonly additions: number;
      readonly deletions: number;
      readonly author: { readonly login: string } | null;
      readonly reviews: { readonly totalCount: number };
      readonly comments: { readonly totalCount: number };
      readonly commits: { readonly totalCount: number };
    }[];
  };
}

const moment = (text: string | null) => (text === null ? null : new Date(text).toISOString());

function lineOf(pull: Listed['pullRequests']['nodes'][number]): string {
  return JSON.stringify([
    ...[pull.number, pull.title, pull.state.toLowerCase(), pull.author?.login ?? null],
    ...[moment(pull.createdAt), moment(pull.mergedAt), moment(pull.closedAt), pull.additions, pull.deletions],
    ...[pull.reviews.totalCount, pull.comments.totalCount, pull.commits.totalCount],
  ]);
}
