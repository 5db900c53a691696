import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fanOuts } from '../../src/server/db/fan-outs.ts';
import { problemsOf } from '../support/locality.ts';
import { formOf, type RecordedStatement } from '../support/recorded-statements.ts';

/*
 * Reads every statement that the product sent to PostgreSQL while the tests of this run went through it. With some of the tests it reads
 * what those sent; that no entry of the list is left over is told with all of them.
 */

const recorded = read();
const sent = [...new Map(recorded.filter(({ text }) => text !== '').map((one) => [formOf(one.text), one])).values()];
const fileOf = ({ place }: RecordedStatement) => place.replace(/:\d+$/, '').replace('src/server/', '');

test('every statement stays within the repositories that it is given, except those that are named with their bound', () => {
  const wrong = sent.flatMap((statement) => {
    const problems = problemsOf(statement.text);
    return problems.length === 0 || fanOuts[fileOf(statement)] !== undefined
      ? []
      : [`${statement.place}: ${problems.join('; ')}\n    ${formOf(statement.text)}`];
  });
  expect(wrong.sort()).toEqual([]);
});

test('every statement that is named is one', () => {
  const ran = new Set(recorded.map(({ test: file }) => file));
  const all = globSync(['src/**/*.db.test.ts', 'test/flows/**/*.test.ts'], { cwd: join(import.meta.dirname, '../..') });
  if (!all.every((file) => ran.has(file))) return;
  const needed = new Set(sent.filter(({ text }) => problemsOf(text).length > 0).map(fileOf));
  expect(Object.keys(fanOuts).filter((file) => !needed.has(file))).toEqual([]);
});

function read(): RecordedStatement[] {
  const folder = process.env.STATEMENTS_FOLDER!;
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // Nothing ran on PostgreSQL.
  }
  return names.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RecordedStatement),
  );
}
