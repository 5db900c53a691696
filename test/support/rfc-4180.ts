/** The records of a CSV in which every cell is quoted, read by RFC 4180 alone. Throws at what it doesn't allow. */
export function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] !== '"') throw new Error(`A cell begins without a quote at ${at}: ${text.slice(at, at + 20)}`);
    let cell = '';
    for (at += 1; ; at += 1) {
      const end = text.indexOf('"', at);
      if (end < 0) throw new Error('A cell has no end.');
      cell += text.slice(at, end);
      at = end + 1;
      if (text[at] !== '"') break;
      cell += '"';
    }
    record.push(cell);
    if (text.startsWith('\r\n', at)) {
      records.push(record);
      record = [];
      at += 2;
    } else if (text[at] === ',') at += 1;
    else throw new Error(`A cell ends in ${JSON.stringify(text.slice(at, at + 5))}`);
  }
  if (record.length > 0) throw new Error('The last line has no end.');
  return records;
}
