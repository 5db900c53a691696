import { z } from 'zod';
import type { Beside, Endpoint } from '#contract/endpoint.ts';

/** The answer of a call as a table (docs/server.md#csv). */
export interface AnswerTable {
  /** Lists of objects within a row, by their names: each can be asked for by `part`. */
  readonly parts: readonly string[];
  /** Those of the rows, and behind them those of the elements of a part. They come from the contract: an empty table has them, too. */
  columns(part?: string): string[];
  /** What of the answer has a row. */
  rowsIn(answer: unknown): readonly object[];
  /** The cells of a row; one line, or of a part one for each of its elements. Absent is an empty text. */
  lines(row: object, part?: string): Iterable<Cell[]>;
  /** Throws where a row is not what the contract says. */
  check(rows: readonly object[]): void;
}

export type Cell = string | number;
type Path = readonly string[];

interface Column {
  readonly path: Path;
  /** The list of the row that holds its values, one for each element of the part. */
  readonly from?: string;
}

/** A list of objects in another one, and what each of these has. */
interface Part {
  readonly path: Path;
  readonly columns: readonly Column[];
  readonly parts: readonly Part[];
}

/** Null for a call that has no table. @throws where its answer is not what the entry says of it */
export function tableOf({ path, method, table, answer }: Endpoint): AnswerTable | null {
  if (method !== 'GET' || table === null) return null;
  const row = rowShape(table, answer);
  if (row === null) throw new Error(`The answer of ${path} has no ${JSON.stringify(table)}.`);
  const whole = partOf([], row);
  const beside = (typeof table === 'object' && table?.beside) || {};
  const named = new Map(namedParts(whole.parts, []).map(([name, steps]) => [name, withBeside(steps, beside[name])]));
  const lists = Object.values(beside).flatMap((columns) => Object.values(columns));
  if (!Object.keys(beside).every((name) => named.has(name)) || !lists.every((name) => name in row.shape))
    throw new Error(`The answer of ${path} has no ${JSON.stringify(beside)}.`);
  const rowsIn = (found: unknown): readonly object[] => {
    if (table === 'object') return [found as object];
    return (table === 'list' ? found : (found as Record<string, unknown>)[table.list]) as object[];
  };
  const steps = (part: string | undefined) => [whole, ...(part === undefined ? [] : named.get(part)!)];
  return {
    parts: [...named.keys()],
    columns(part) {
      return steps(part).flatMap(({ columns }, depth, all) => {
        const before = all.slice(1, depth + 1).flatMap((step) => step.path);
        return columns.map((column) => [...before, ...column.path].join('.'));
      });
    },
    rowsIn,
    lines: (value, part) => linesOf(value, value, 0, steps(part)),
    check(rows) {
      const result = z.array(row).safeParse(JSON.parse(JSON.stringify(rows)));
      if (!result.success) throw new Error(`A table of ${path} breaks the contract: ${result.error.message}`);
    },
  };
}

/** The last of the steps, which is the part itself, with the columns that lists of the row have for it before its own. */
function withBeside(steps: readonly Part[], beside: Beside = {}): readonly Part[] {
  const columns = Object.entries(beside).map(([name, from]): Column => ({ path: [name], from }));
  const last = steps.at(-1)!;
  return [...steps.slice(0, -1), { ...last, columns: [...columns, ...last.columns] }];
}

function* linesOf(row: object, value: object, place: number, [step, ...deeper]: readonly Part[]): Iterable<Cell[]> {
  const cells = step!.columns.map(({ path, from }) =>
    cellOf(from === undefined ? valueAt(value, path) : (valueAt(row, [from]) as unknown[])[place]),
  );
  const [next] = deeper;
  if (next === undefined) yield cells;
  else
    for (const [at, element] of ((valueAt(value, next.path) ?? []) as object[]).entries())
      for (const line of linesOf(row, element, at, deeper)) yield [...cells, ...line];
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const name of path) found = (found as Record<string, unknown> | null | undefined)?.[name];
  return found;
}

/** As JSON has it, save lists, whose elements are joined. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellOf).join('; ');
  return typeof value === 'number' ? value : String(value);
}

function rowShape(table: NonNullable<Endpoint['table']>, answer: z.ZodType | undefined): z.ZodObject | null {
  const found = bare(answer);
  if (table === 'object') return found instanceof z.ZodObject ? found : null;
  const list = table === 'list' ? found : found instanceof z.ZodObject ? bare(found.shape[table.list]) : undefined;
  const element = list instanceof z.ZodArray ? bare(list.element) : undefined;
  return element instanceof z.ZodObject ? element : null;
}

function partOf(path: Path, shape: z.ZodObject): Part {
  const columns: Column[] = [];
  const parts: Part[] = [];
  for (const [name, each] of Object.entries(shape.shape)) collect([name], each, columns, parts);
  return { path, columns, parts };
}

function collect(path: Path, shape: unknown, columns: Column[], parts: Part[]): void {
  const found = bare(shape);
  if (found instanceof z.ZodObject)
    for (const [name, each] of Object.entries(found.shape)) collect([...path, name], each, columns, parts);
  else if (found instanceof z.ZodRecord && found.keyType instanceof z.ZodEnum)
    for (const key of found.keyType.options) collect([...path, String(key)], found.valueType, columns, parts);
  else if (found instanceof z.ZodArray && bare(found.element) instanceof z.ZodObject)
    parts.push(partOf(path, bare(found.element) as z.ZodObject));
  else if (isCell(found)) columns.push({ path });
  else throw new Error(`${path.join('.')} is nothing that a cell can hold.`);
}

const plain = new Set(['string', 'number', 'boolean', 'enum', 'literal', 'null']);

/** One value, or a list of values. */
function isCell(shape: z.ZodType | undefined): boolean {
  if (shape instanceof z.ZodUnion) return shape.options.every((option) => isCell(bare(option)));
  if (shape instanceof z.ZodArray) return plain.has(bare(shape.element)?.def.type ?? '');
  return plain.has(shape?.def.type ?? '');
}

/** Without what says that it may be absent, and of what is transformed what that begins with. */
function bare(shape: unknown): z.ZodType | undefined {
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional || shape instanceof z.ZodDefault)
    return bare(shape.unwrap());
  if (shape instanceof z.ZodPipe) return bare(shape.out instanceof z.ZodTransform ? shape.in : shape.out);
  return shape as z.ZodType | undefined;
}

function namedParts(parts: readonly Part[], before: readonly Part[]): [string, readonly Part[]][] {
  return parts.flatMap((part) => {
    const steps = [...before, part];
    const name = steps.flatMap(({ path }) => path).join('.');
    return [[name, steps] as [string, readonly Part[]], ...namedParts(part.parts, steps)];
  });
}
