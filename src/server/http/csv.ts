import { Readable } from 'node:stream';
import { type Input, stringify } from 'csv-stringify/sync';

/**
 * Rows, objects by column or lists of cells, some at once, as RFC 4180 text in which every cell is quoted. A text that a spreadsheet would run as
 * a formula gets an apostrophe in front; numbers stay numbers. With `bom` it begins with a byte-order mark, by which spreadsheets know UTF-8.
 */
export function csvText(
  rows: AsyncIterable<Input> | Iterable<Input>,
  columns: readonly string[],
  { bom = false } = {},
): Readable {
  const textOf = (some: Input, isFirst: boolean) =>
    stringify(some, {
      bom: bom && isFirst,
      header: isFirst,
      columns: [...columns],
      quoted: true,
      quoted_empty: true,
      record_delimiter: 'windows',
      escape_formulas: true,
    });
  async function* texts() {
    yield textOf([], true);
    for await (const some of rows) yield textOf(some, false);
  }
  return Readable.from(texts(), { objectMode: false });
}
