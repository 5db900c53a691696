import { type RawBuilder, sql } from 'kysely';
import type { Compared } from '../db/compared.ts';
import type { Scope } from '../metrics/scope.ts';

export type Sql = RawBuilder<unknown>;

/** One part of a figure that has many: a size, a day, an hour, a person, a folder, a week. */
export interface Part {
  /** As the caller names it. */
  readonly name: string;
  /** The part's own time, its first instant and that of the next; `to` null where it goes on until now. */
  readonly from?: number;
  readonly to?: number | null;
  /** The row id where the part is a person. */
  readonly person_id?: number;
}

/** For whom and when a figure is asked. */
export interface Frame {
  readonly scope: Scope;
  /** The person's row id; null for a figure of the team. */
  readonly person_id: number | null;
  /** What the figure's window begins after. */
  readonly after: Date;
  /** The end of what is compared, for a comparison of one pull request. */
  readonly now: Date;
  readonly time_zone: string;
  /** Whether lists of people hold bots and agents, too. */
  readonly with_automation: boolean;
  /** Null for a figure without parts. */
  readonly part: Part | null;
  /** Null but for comparisons of one pull request. */
  readonly compared: Compared | null;
}

/** How the parts of a figure are told apart. */
export interface Parts {
  /** What names one, to follow "must be": "a size: 0-50 or 51-200". */
  readonly named: (frame: Pick<Frame, 'now' | 'time_zone'>) => string;
  /** The part of that name, or null when there is none. */
  readonly find: (name: string, frame: Pick<Frame, 'now' | 'time_zone'>) => Part | null;
  /** Each part is a person in scope, by their login. */
  readonly arePeople?: true;
}

/** How an aggregate figure is made from the things that went into it. */
export interface Figure {
  /** In days; `period` is the one asked for, null no window: what is so now, or has been of all time. */
  readonly days: number | 'period' | null;
  /**
   * `percentile`: of the single values, 0–1; `per`: how many there are for each row of another question; `of`: the values’ sum in
   * percent of the sum of another question’s.
   */
  readonly made:
    | 'count'
    | 'mean'
    | 'share'
    | 'percent'
    | { readonly percentile: number }
    | { readonly per: (frame: Frame) => Sql }
    | { readonly of: (frame: Frame) => Sql };
  /** Rows of `repository_id number at value`: each thing with its pull request, its moment and what it contributed. */
  readonly items: (frame: Frame) => Sql;
  /** What does not count, with a question for rows of it. */
  readonly left_out: readonly { readonly reason: string; readonly rows: (frame: Frame) => Sql }[];
  /** The figure is of one part of many, which has to be named. */
  readonly parts?: Parts;
  /** With fewer items than this nothing is said. */
  readonly at_least?: number;
}

/** A figure from its window, how it is made, what goes into it and what does not. */
export function figure(
  days: Figure['days'],
  made: Figure['made'],
  items: Figure['items'],
  ...left_out: Figure['left_out'][number][]
): Figure {
  return { days, made, items, left_out };
}

/** For items that contribute nothing but themselves. */
export const nothing = sql`null::float8`;
