import { HostError } from '../errors.ts';
import type { PageRequest, PullRequestPage } from '../pages.ts';
import type { RepositoryName } from '../repository.ts';
import { mayBeTooHeavy } from './failures.ts';
import type { GithubGraphql, Reply } from './github-graphql.ts';
import { askForPage, fullName, LARGEST_PAGE, type PageOf, pageIn, type Take } from './pages.ts';
import {
  type Begun,
  batchesOf,
  beginReading,
  finishReading,
  fitting,
  isReading,
  LISTS_PER_REQUEST,
  readOn,
  type UnreadList,
  unreadOf,
} from './reading.ts';

/** A page of the history whose pull requests may not be read to their ends. */
interface BegunPage extends PageOf<readonly Begun[]> {
  /** `owner/name` in lower case. */
  readonly of: string;
  readonly cursor: string | null;
  /** The page size that was asked for when it was begun, and what the host could compute of it. */
  readonly asked: number;
  readonly size: number;
  readonly begun_at: Date;
}

/** Less than that is not worth beginning a page for. */
const LEAST_AHEAD = 10;
/** The most pages that are begun before the first of them is whole. */
const MOST_AHEAD = 3;
/** A page that was begun longer ago than this, in milliseconds, is begun again. */
const STALE = 10 * 60_000;
/** The lists that a page asks for of each of its pull requests. */
const LISTS_OF_EACH = 2;

/**
 * Reads all pull requests of a repository, page by page, each complete. The host charges for whole points, so the lists that a page
 * leaves to be read on travel with the beginning of the next ones: a request asks for just under what two points pay for. What was
 * begun so is kept for whoever asks for it next, and for a while only.
 */
export class HistoryReader {
  readonly #github: GithubGraphql;
  readonly #now: () => Date;
  /** Pages that follow each other, each as far as it was read. */
  #begun: BegunPage[] = [];

  constructor(github: GithubGraphql, now: () => Date) {
    this.#github = github;
    this.#now = now;
  }

  /**
   * The page at a cursor, of `size` pull requests at most. What cannot be understood is skipped and named.
   * @throws HostError `too_heavy` when the host keeps leaving out parts of a single pull request
   */
  async page(of: RepositoryName, { cursor, size: wanted, signal }: PageRequest): Promise<PullRequestPage> {
    const size = Math.min(LARGEST_PAGE, Math.max(1, Math.floor(wanted)));
    this.#keepFrom(of, cursor);
    const page = this.#begun[0] ?? (await this.#begin(of, { cursor, size, signal }));
    this.#begun[0] = page;
    // One that was begun along says nothing of a size that was not known then.
    const computed = page.asked === size ? page.size : size;
    for (let mayBegin = true; ; ) {
      const unread = unreadOf(page.answer);
      if (unread.length === 0) break;
      const all = [...unread, ...this.#begun.slice(1).flatMap(({ answer }) => unreadOf(answer))];
      const some = all.slice(0, fitting(all));
      const room = LISTS_PER_REQUEST - some.reduce((sum, { list }) => sum + list.lists, 0);
      const first = Math.min(computed, Math.floor((room - 1) / LISTS_OF_EACH));
      const next = this.#begun.at(-1)?.next_cursor ?? null;
      if (!mayBegin || next === null || this.#begun.length > MOST_AHEAD || first < Math.min(computed, LEAST_AHEAD))
        await readOn(this.#github, some, signal);
      else {
        const ahead = await this.#readOnAndBegin(of, some, { cursor: next, size: first, signal });
        // A host that did not give both is not asked for both again.
        if (ahead === null) mayBegin = false;
        else this.#begun.push({ ...ahead, asked: size, size: computed });
      }
    }
    const read = await finishReading(this.#github, of, page.answer, signal);
    this.#begun.shift();
    return {
      ...read,
      repository: page.repository,
      next_cursor: page.next_cursor,
      total: page.total,
      page_size: computed,
      begun_at: page.begun_at,
      newest: newestOf(page.answer),
      rate_limit: this.#github.rate_limit,
    };
  }

  /** Forgets what was begun unless it goes on from this cursor, and lately. */
  #keepFrom(of: RepositoryName, cursor: string | null): void {
    const [first] = this.#begun;
    if (first === undefined) return;
    const fresh = this.#now().getTime() - first.begun_at.getTime() <= STALE;
    if (!fresh || first.cursor !== cursor || first.of !== fullName(of)) this.#begun = [];
  }

  async #begin(of: RepositoryName, request: PageRequest): Promise<BegunPage> {
    const begun_at = this.#now();
    const page = await askForPage(this.#github, 'pull-requests', of, request, this.#take);
    return { ...page, asked: request.size, of: fullName(of), cursor: request.cursor, begun_at };
  }

  /** Reads these lists on, and begins a page in the same request; null where the host does not give that page along. */
  async #readOnAndBegin(
    of: RepositoryName,
    lists: readonly UnreadList[],
    { cursor, size: first, signal }: PageRequest,
  ): Promise<Omit<BegunPage, 'asked' | 'size'> | null> {
    const begun_at = this.#now();
    const batches = batchesOf(lists);
    const variables = { owner: of.owner, name: of.name, first, after: cursor };
    const page = { query: 'pull-requests', variables, lists: 1 + LISTS_OF_EACH * first } as const;
    let asked: Awaited<ReturnType<GithubGraphql['askParts']>>;
    try {
      asked = await this.#github.askParts([page, ...batches.map(({ part }) => part)], signal);
    } catch (error) {
      if (!mayBeTooHeavy(error)) throw error;
      await readOn(this.#github, lists, signal);
      return null;
    }
    const [repository, ...answers] = asked.answers;
    const [errors = [], ...more] = asked.errors;
    for (const [index, { take }] of batches.entries()) take(answers[index], more[index] ?? []);
    try {
      const ofPage = errors.map((error) => ({ ...error, path: ['repository', ...(error.path ?? []).slice(1)] }));
      const reply = { data: { repository }, errors: ofPage };
      const begun = pageIn(this.#github, reply, { first, cursor }, this.#take);
      return { ...begun, of: fullName(of), cursor, begun_at };
    } catch (error) {
      // Whoever asks for that page is told.
      if (error instanceof HostError) return null;
      throw error;
    }
  }

  readonly #take: Take<readonly Begun[]> = (nodes: readonly unknown[], { errors }: Reply) =>
    beginReading(this.#github, nodes, errors, (index) => ['repository', 'pullRequests', 'nodes', index]);
}

/** The newest update date of what began a page, whatever was read again since. */
function newestOf(begun: readonly Begun[]): Date | null {
  const dates = begun.filter(isReading).map(({ answer }) => answer.updatedAt.getTime());
  return dates.length === 0 ? null : new Date(Math.max(...dates));
}
