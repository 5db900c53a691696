import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

const columns = [
  { name: 'title', value: (row: { title: string; lines: number | null }) => row.title },
  { name: 'lines', value: (row: { title: string; lines: number | null }) => row.lines },
];
const lineOf = (title: string, lines: number | null = 1) => csvOf(columns, [{ title, lines }]).split('\r\n')[1];

describe('a table as CSV', () => {
  it('begins with a byte-order mark and its heads', () => {
    expect(csvOf(columns, [])).toBe('\uFEFF"title","lines"\r\n');
  });

  it.each([
    ['=SUM(A1:A2)', `"'=SUM(A1:A2)","1"`],
    ['+1', `"'+1","1"`],
    ['-1', `"'-1","1"`],
    ['@here', `"'@here","1"`],
    ['\tx', `"'\tx","1"`],
    ['＝1', `"'＝1","1"`],
    ['＋1', `"'＋1","1"`],
    ['－1', `"'－1","1"`],
    ['＠here', `"'＠here","1"`],
    ['a=b', '"a=b","1"'],
  ])('defuses what a spreadsheet would run as a formula: %j', (title, line) => {
    expect(lineOf(title)).toBe(line);
  });

  it('quotes commas, quotation marks and line breaks', () => {
    expect(csvOf(columns, [{ title: 'a, "b"\nc', lines: 2 }])).toBe('\uFEFF"title","lines"\r\n"a, ""b""\nc","2"\r\n');
    expect(lineOf('=1,2')).toBe('"\'=1,2","1"');
  });

  it('leaves a missing value empty and a negative number a number', () => {
    expect(lineOf('x', null)).toBe('"x",""');
    expect(lineOf('x', -3)).toBe('"x","-3"');
  });
});
