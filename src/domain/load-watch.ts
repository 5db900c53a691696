/** Someone in the review load. */
export interface Load {
  readonly reviewer: string;
  readonly outstanding_reviews: number;
  readonly reviews_last_week: number;
}

export interface LoadWatch<Row extends Load> {
  readonly heaviest: Row;
  /** Of everyone. */
  readonly outstanding: number;
  /** Up to two others with the fewest outstanding reviews, fewer than an even share; may be empty. */
  readonly withRoom: readonly Row[];
}

/** A share above this, of at least so many, is worth a look (docs/product.md#thresholds-and-ratings). */
const SHARE = 0.25;
const AT_LEAST = 5;
const NAMED = 2;

/** Whether one person holds over a quarter of the outstanding reviews, five at least, and who has room; null when nobody does. */
export function loadWatch<Row extends Load>(rows: readonly Row[]): LoadWatch<Row> | null {
  const outstanding = rows.reduce((sum, row) => sum + row.outstanding_reviews, 0);
  const ordered = [...rows].sort(
    (a, b) => a.outstanding_reviews - b.outstanding_reviews || b.reviews_last_week - a.reviews_last_week,
  );
  const most = Math.max(0, ...rows.map((row) => row.outstanding_reviews));
  const heaviest = rows.find((row) => row.outstanding_reviews === most);
  if (heaviest === undefined || most < AT_LEAST || most <= SHARE * outstanding) return null;
  const withRoom = ordered
    .filter((row) => row !== heaviest && row.outstanding_reviews < outstanding / rows.length)
    .slice(0, NAMED);
  return { heaviest, outstanding, withRoom };
}
