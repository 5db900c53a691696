import type { Kept } from './kept-columns.ts';
import type { Source, Sql, Viewpoint } from './sources/source.ts';

/** Things that do not count. */
export interface LeftOut {
  readonly reason: string;
  /** Under which name it is counted of a signal. */
  readonly why?: 'trivial' | 'dismissed' | 'unknown';
  readonly from: Source;
  readonly where?: (asked: Viewpoint) => Sql;
  /** Only where the team is asked about, not where one person is. */
  readonly ofTeam?: true;
  /** Whoever they are by, and of whatever team. */
  readonly ofAnybody?: true;
}

/** What a metric counts and how one number is made of it. */
export interface Counted {
  readonly from: Source;
  /** Which of the source's things, `it`, count; all unless said. */
  readonly where?: (asked: Viewpoint) => Sql;
  /** What each contributes: a number, for `share` and `percent` a condition. */
  readonly value?: (asked: Viewpoint) => Sql;
  /** The column that alone the value is made of, where few values occur: of columns the database knows how many. */
  readonly column?: Sql;
  /**
   * `count`: how many things, or with `different` how many different ones; `mean` of the values; `share` (0–1) and `percent` (0–100) of
   * those that the condition holds of; `part`: the values' sum in percent of that over all values of the dimension asked by; `half`: the
   * fewest people to whom half of the things belong; `sum` of the values; `rate`: that for each of what `over` sums.
   */
  readonly made: 'count' | 'mean' | 'share' | 'percent' | 'part' | 'half' | 'sum' | 'rate';
  /** What a figure says of the values as its own, where that is not what is made of them. */
  readonly own?: 'p50';
  /** Of a rate. */
  readonly over?: Sql;
  /** How many things one row stands for; 1 unless said. */
  readonly things?: Sql;
  /** Rows that do not count have 0 as value, `over` and `things`, so that sums need not leave them out. */
  readonly addsNothing?: true;
  /** What makes a thing another one; the values of those that are the same add up, a condition holds of them once. */
  readonly different?: (asked: Viewpoint) => Sql;
  /** An aggregate with a bit for each different one, which needs no sorting; null where the window has too many. */
  readonly tally?: (asked: Viewpoint) => Sql | null;
  /** Each thing without what tells them apart is another one; else it is none. */
  readonly nullsDiffer?: true;
  /**
   * Of a share of what was so at moments, `where` and `value` as times: which things may count at all, the `spans` in which they do, rows
   * of `begins ends`, null without a bound, and `after` which moment, of a `span`, the condition holds.
   */
  readonly during?: {
    readonly where: (asked: Viewpoint) => Sql;
    readonly spans: Sql;
    readonly after: (asked: Viewpoint) => Sql;
  };
  /**
   * Of the share that a reviewer acted on: `all` once, whoever opened and reviewed them, and those that each reviewed. Where reviewers are told
   * apart, each has every one but its own, so that they need not be read for each.
   */
  readonly byReviewer?: { readonly all: Source; readonly reviewed: Source };
  /** Of a state: how many hours after the source says it begins. */
  readonly afterHours?: number;
  /** When an item behind it was, where that is another moment than the one by which it counts. */
  readonly at?: Sql;
  readonly leftOut?: readonly LeftOut[];
  /** It is summed by month. */
  readonly kept?: Kept;
  /** Which things are summed, where sums cannot tell different ones apart; those that count unless said. */
  readonly isKept?: Sql;
}
