import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemsOf } from '../support/locality.ts';
import { formOf, type RecordedStatement } from '../support/recorded-statements.ts';
import { type FanOut, fanOuts } from './fan-outs.ts';

/*
 * Reads every statement that the product sent to PostgreSQL while the tests of this run went through it. With some of the tests it reads
 * what those sent; that no entry of the list is left over is told with all of them.
 */

const recorded = read();
const sent = [
  ...new Map(
    recorded.filter(({ text }) => text !== '').map((one) => [`${one.place} ${formOf(one.text)}`, one]),
  ).values(),
];
const fileOf = ({ place }: RecordedStatement) => place.replace('src/server/', '');
const problem = (table: string) => `${table} is read in every repository`;
const holds = ({ files }: FanOut, statement: RecordedStatement) =>
  files === null || files.some((file) => fileOf(statement).startsWith(file));
const server = join(import.meta.dirname, '../../src/server');
const sources = globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts'] }).map((file) => ({
  file,
  text: readFileSync(join(server, file), 'utf8'),
}));
const problems = sent.flatMap((statement) => problemsOf(statement.text).map((what) => ({ statement, what })));

test('every statement stays within the repositories that it is given, except those that are named with their bound', () => {
  const wrong = problems
    .filter(
      ({ statement, what }) => !fanOuts.some((one) => holds(one, statement) && one.tables.map(problem).includes(what)),
    )
    .map(({ statement, what }) => `${statement.place}: ${what}\n    ${formOf(statement.text)}`);
  expect(wrong.sort()).toEqual([]);
});

test('every statement that is named is one', () => {
  const ran = new Set(recorded.map((one) => one.test));
  const all = globSync(['src/**/*.db.test.ts', 'test/{flows,processes}/**/*.test.ts'], {
    cwd: join(import.meta.dirname, '../..'),
  });
  // Of a part of the tests it can't be said.
  const isWhole = all.every((file) => ran.has(file) || !usesDatabase(file));
  // Some are sent only when others come first: what the file names is needed, whether or not this run came to it.
  const isNamed = ({ files }: FanOut, table: string) =>
    sources.some(
      ({ file, text }) => (files === null || files.some((one) => file.startsWith(one))) && text.includes(table),
    );
  const unneeded = fanOuts.flatMap((one) =>
    one.tables
      .filter((table) => !problems.some(({ statement, what }) => holds(one, statement) && what === problem(table)))
      .filter((table) => !isNamed(one, table))
      .map((table) => `${table} in ${one.files?.join(', ') ?? 'any file'}`),
  );
  expect(isWhole ? unneeded : []).toEqual([]);
});

/** Some tests on a database start processes alone, which write nothing down. */
function usesDatabase(file: string): boolean {
  return /openTest(Database|App)\(/.test(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
}

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
