import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledQuery, DefaultQueryCompiler, type QueryId, type RootOperationNode } from 'kysely';
import { expect } from 'vitest';

/** A statement that the product sent while tests ran. */
export interface RecordedStatement {
  /** Its text, with every `$1` as it was sent. */
  readonly text: string;
  /** The file of `src/server` that sent it. */
  readonly place: string;
  /** The test file that ran. */
  readonly test: string;
}

const root = join(import.meta.dirname, '../../');
const folder = process.env.STATEMENTS_FOLDER;
const seenTexts = new Set<string>();
const seenForms = new Set<string>();

/**
 * Writes down every statement that the product compiles in this process from now on, once each, for `test/statements`, where
 * STATEMENTS_FOLDER names a folder that is there. Statements of the tests themselves are left out: who sends one is the first file of
 * the project on the stack.
 */
export function recordStatements(): void {
  if (folder === undefined || process.env.TEST_DATABASE !== 'postgresql') return;
  write({ text: '', place: '', test: testFile() });
  const prototype = DefaultQueryCompiler.prototype as DefaultQueryCompiler & { isRecorded?: true };
  if (prototype.isRecorded === true) return;
  prototype.isRecorded = true;
  const compile = prototype.compileQuery;
  prototype.compileQuery = function (node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = compile.call(this, node, queryId);
    if (!seenTexts.has(compiled.sql)) record(compiled.sql);
    return compiled;
  };
}

function record(text: string): void {
  const form = formOf(text);
  if (!seenForms.has(form)) {
    const place = sender();
    if (place === null) return;
    seenForms.add(form);
    write({ text, place, test: testFile() });
  }
  seenTexts.add(text);
}

/** Statements that differ in how many values they are given have one form. */
export function formOf(text: string): string {
  return text
    .replace(/\$\d+/g, '$')
    .replace(/(\(\$(, \$)*\)(, )?)+/g, '($)')
    .replace(/\s+/g, ' ');
}

function write(statement: RecordedStatement): void {
  appendFileSync(join(folder!, `${statement.test.replaceAll('/', '-')}.jsonl`), `${JSON.stringify(statement)}\n`);
}

function testFile(): string {
  return (expect.getState().testPath ?? '').replace(root, '');
}

/** Null where a test sent it. Reads the stack without its source maps, which would take longer than all the rest. */
function sender(): string | null {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 40;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  const files = new Error().stack as unknown as string[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  for (const path of files) {
    const file = path.split(root)[1];
    if (file === undefined || file.startsWith('node_modules/') || file === 'test/support/recorded-statements.ts')
      continue;
    return file.startsWith('src/server/') && !file.endsWith('.test.ts') ? file : null;
  }
  return null;
}
