export interface CsvColumn<Row> {
  readonly name: string;
  /** Null is an empty cell. */
  readonly value: (row: Row) => string | number | boolean | null;
}

/**
 * A table as RFC 4180 text with a byte-order mark, so that spreadsheets read it as UTF-8. Cells that a spreadsheet would run as a formula
 * (they begin with = + - @, also of full width, a tab or a carriage return) get a leading apostrophe; numbers are left alone. Every cell is quoted.
 */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ name }) => cellOf(name)),
    ...rows.map((row) => columns.map(({ value }) => cellOf(value(row)))),
  ];
  return `\uFEFF${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

function cellOf(value: string | number | boolean | null): string {
  const text =
    typeof value === 'string' && /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : String(value ?? '');
  return `"${text.replaceAll('"', '""')}"`;
}

/** Hands a content to the browser as a file to keep. */
export function download(filename: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
