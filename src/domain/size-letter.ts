/** The size labels of lists and tables (docs/product.md#thresholds-and-ratings). */
export type SizeLetter = 'XS' | 'S' | 'M' | 'L' | 'XL';

/** The label of a number of changed lines (`pull_request.lines_changed`) in lists and the contributor table: XS up to 50, S up to 200, M up to 500, L up to 1000, XL above. */
export function sizeLetter(linesChanged: number): SizeLetter {
  if (linesChanged <= 50) return 'XS';
  if (linesChanged <= 200) return 'S';
  if (linesChanged <= 500) return 'M';
  if (linesChanged <= 1000) return 'L';
  return 'XL';
}
