import { z } from 'zod';
import { listAnswer } from './answers.ts';
import { reasonOf } from './github-graphql.ts';
import type { QueryName } from './queries.ts';

/** The most that GitHub lists at once. */
const PAGE = 100;

/** A list inside an answer, read page by page to its end. */
export class NestedList<T> {
  readonly items: T[] = [];
  /** The node whose list it is, and the query that goes on with it. */
  readonly of: string;
  readonly query: QueryName;
  /** As the host counts; null where it counts pages alone. */
  total: number | null = null;
  /** Where to go on, `after` null to begin; null when there is no more to ask for. */
  next: { readonly after: string | null } | null = null;
  /** Why it is not whole although it has come to an end: fewer nodes arrived than the host counted, or none. */
  short: string | null = null;
  /** Why it cannot be understood. */
  broken: string | null = null;
  /** Whether each of its items is asked for with a list of its own. */
  readonly nested: boolean;
  /** At which of the host's items it begins. */
  readonly skip: number;
  /** Whether what comes after its first page is another list's. */
  readonly onePage: boolean;
  readonly #item: z.ZodType<T>;
  #listed = 0;

  constructor(query: QueryName, of: string, item: z.ZodType<T>, { nested = false, skip = 0, onePage = false } = {}) {
    this.nested = nested;
    this.skip = skip;
    this.onePage = onePage;
    this.query = query;
    this.of = of;
    this.#item = item;
  }

  /** How many nodes the next page may hold. */
  get expected(): number {
    return this.total === null ? PAGE : Math.min(PAGE, Math.max(1, this.total - this.#listed));
  }

  /** What the host counts its next page as. */
  get lists(): number {
    return this.nested ? 1 + this.expected : 1;
  }

  /** Begins again, by its own query. */
  restart(): void {
    this.items.length = 0;
    this.#listed = 0;
    this.short = null;
    this.next = { after: null };
  }

  /** Takes in a page; null when the node that it belongs to is gone. Nodes that the host hides are null and count. */
  take(page: unknown): void {
    const asked = this.next?.after;
    this.next = null;
    if (page == null) {
      this.short = `${this.query}: gone while being read`;
      return;
    }
    const answer = listAnswer.safeParse(page);
    const items = z.array(this.#item).safeParse(answer.data?.nodes.filter((node) => node !== null));
    const error = answer.error ?? items.error;
    if (!answer.success || !items.success) {
      this.broken = `${this.query}: ${error ? reasonOf(error) : ''}`;
      return;
    }
    const { totalCount, pageCount, pageInfo, nodes } = answer.data;
    this.items.push(...items.data);
    this.#listed += nodes.length;
    if (totalCount !== undefined) this.total = totalCount;
    const { hasNextPage, endCursor } = pageInfo;
    // A cursor that leads nowhere new would be followed for ever.
    const goesOn = hasNextPage && endCursor !== null && endCursor !== asked;
    const missing =
      pageCount === undefined
        ? goesOn || this.total === null
          ? 0
          : this.total - this.#listed
        : pageCount - nodes.length;
    if (missing > 0 || hasNextPage !== goesOn) this.short = `${this.query}: ${this.#listed} listed, ${missing} missing`;
    else if (goesOn && !this.onePage) this.next = { after: endCursor };
  }
}
