import { appendFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CompiledQuery, DefaultQueryCompiler, type QueryId, type RootOperationNode } from 'kysely';
import { expect } from 'vitest';

/** A statement that the product sent while tests ran. */
export interface RecordedStatement {
  /** Its text, with every `$1` as it was sent. */
  readonly text: string;
  /** The file and line of `src/server` that sent it. */
  readonly place: string;
  /** The test file that ran. */
  readonly test: string;
}

const folder = process.env.STATEMENTS_FOLDER;
const seen = new Set<string>();

/**
 * Writes down every statement that the product compiles in this process from now on, once each, for `test/statements`. Statements of the
 * tests themselves are left out: who sends one is the first file of the project on the stack.
 */
export function recordStatements(): void {
  if (folder === undefined || process.env.TEST_DATABASE !== 'postgresql') return;
  const prototype = DefaultQueryCompiler.prototype as DefaultQueryCompiler & { isRecorded?: true };
  if (prototype.isRecorded === true) return;
  prototype.isRecorded = true;
  const compile = prototype.compileQuery;
  prototype.compileQuery = function (node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = compile.call(this, node, queryId);
    const form = formOf(compiled.sql);
    if (!seen.has(form)) {
      const place = sender();
      if (place !== null) {
        seen.add(form);
        write({ text: compiled.sql, place, test: testFile() });
      }
    }
    return compiled;
  };
  write({ text: '', place: '', test: testFile() });
}

/** Statements that differ in how many values they are given have one form. */
export function formOf(text: string): string {
  return text
    .replace(/\$\d+/g, '$')
    .replace(/(\(\$(, \$)*\)(, )?)+/g, '($)')
    .replace(/\s+/g, ' ');
}

function write(statement: RecordedStatement): void {
  mkdirSync(folder!, { recursive: true });
  appendFileSync(join(folder!, `${basename(statement.test)}.jsonl`), `${JSON.stringify(statement)}\n`);
}

function testFile(): string {
  return (expect.getState().testPath ?? '').replace(/^.*?\/(?=src\/|test\/)/, '');
}

/** Null where a test sent it. */
function sender(): string | null {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  for (const line of stack.split('\n').slice(1)) {
    const [, place] = line.match(/((?:src|test|bench)\/[^\s():]+:\d+)/) ?? [];
    if (place === undefined || line.includes('node_modules') || place.startsWith('test/support/recorded-statements'))
      continue;
    return place.startsWith('src/server/') && !place.includes('.test.ts') ? place : null;
  }
  return null;
}
