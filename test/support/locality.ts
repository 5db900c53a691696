import { loadModule, parseSync } from 'libpg-query';
import { columnTypes } from '../../src/server/db/column-types.ts';
import { placements } from '../../src/server/db/distribution.ts';

/*
 * Whether a statement stays within the repositories that it names: read from PostgreSQL's own parse of its text. Every column that holds
 * a repository's id is a node; `=` between two of them joins their classes and has each bind the other, and `=`, `in` and `= any` with
 * values that the statement is given bind a node. What an outer join is on binds the side alone that may be missing; what comes out of a
 * set operation is bound by all of its arms together, and binds each. A statement is local where each distributed table's node is bound,
 * tables of one FROM are joined with each other by it, and a subquery that looks at a row outside is joined with that row by it.
 */

await loadModule();

/** Why a statement is not local, one sentence for each table; empty where it is. */
export function problemsOf(text: string): string[] {
  return new Statement().problemsOf(text);
}

type Ast = Readonly<Record<string, unknown>>;
type Binding = 'one' | 'several';

class RepositoryId {
  #parent: RepositoryId | null = null;
  binding: Binding | null = null;
  /** Those that are bound where this one is. */
  readonly #binds: RepositoryId[] = [];
  /** Where all of these are bound, this one is. */
  arms: readonly (RepositoryId | null)[] = [];

  root(): RepositoryId {
    return this.#parent === null ? this : this.#parent.root();
  }
  /** The same repository; `of`: that binds these alone. */
  join(other: RepositoryId, of: ReadonlySet<RepositoryId> | null = null): void {
    const [a, b] = [this.root(), other.root()];
    if (a !== b) b.#parent = a;
    if (of?.has(other) ?? true) this.#alsoBind(other);
    if (of?.has(this) ?? true) other.#alsoBind(this);
  }
  #alsoBind(other: RepositoryId): void {
    this.#binds.push(other);
    if (this.binding !== null) other.bind(this.binding);
  }
  /** What comes out of a set operation. */
  static ofArms(arms: readonly (RepositoryId | null)[]): RepositoryId {
    const id = new RepositoryId();
    id.arms = arms;
    for (const arm of arms) if (arm !== null) id.#alsoBind(arm);
    return id;
  }
  bind(binding: Binding): void {
    if (this.binding === 'one' || this.binding === binding) return;
    this.binding = binding;
    for (const other of this.#binds) other.bind(binding);
  }
  /** Binds what comes out of arms that are all bound; whether it was not so before. */
  settle(): boolean {
    const before = this.binding;
    const bindings = this.arms.map((arm) => arm?.binding ?? null);
    if (bindings.length > 0 && !bindings.includes(null))
      this.bind(bindings.every((one) => one === 'one') ? 'one' : 'several');
    return this.binding !== before;
  }
}

/** What stands in a FROM: its name, and those of its columns that hold a repository's id. */
interface Item {
  readonly name: string;
  readonly ids: ReadonlyMap<string, RepositoryId>;
  /** Every column is a value that the statement is given. */
  readonly isGiven?: boolean;
  readonly table?: string;
  readonly columns?: ReadonlySet<string>;
}

interface Level {
  readonly items: Item[];
  readonly outer: Level | null;
  readonly ctes: Map<string, ReadonlyMap<string, RepositoryId>>;
  /** Distributed tables outside that it looks at. */
  readonly seenOutside: Set<Item>;
}

type Output = { readonly name: string; readonly id: RepositoryId | null };

/** Statements of tables and not of rows, those of sessions, and `vacuum` and `analyze`, which look at a table wherever it lies. */
const ofNoRows: readonly string[] = [
  ...['AlterTableStmt', 'CreateExtensionStmt', 'CreateFunctionStmt', 'CreateSchemaStmt', 'CreateSeqStmt', 'CreateStmt'],
  ...['CreateTrigStmt', 'DropStmt', 'IndexStmt', 'LockStmt', 'RenameStmt', 'TransactionStmt', 'VacuumStmt'],
  ...['VariableSetStmt', 'ViewStmt'],
];

class Statement {
  readonly #tables: { readonly name: string; readonly id: RepositoryId }[] = [];
  readonly #levels: Level[] = [];
  readonly #ofArms: RepositoryId[] = [];

  problemsOf(text: string): string[] {
    for (const { stmt } of (parseSync(text) as { stmts?: { stmt: Ast }[] }).stmts ?? []) this.#query(stmt, null);
    for (let changed = true; changed; ) {
      changed = false;
      for (const id of this.#ofArms) changed = id.settle() || changed;
    }
    const problems = this.#tables
      .filter(({ id }) => id.binding === null)
      .map(({ name }) => `${name} is read in every repository`);
    for (const { items, seenOutside } of this.#levels) {
      const here = items.filter((item) => item.table !== undefined);
      const linked = [...here, ...(here.length > 0 ? seenOutside : [])];
      for (const item of linked.slice(1)) {
        const [one, other] = [idOf(linked[0]!), idOf(item)];
        if (one.root() !== other.root() && !(one.binding === 'one' && other.binding === 'one'))
          problems.push(`${linked[0]!.table} and ${item.table} are not joined by repository_id`);
      }
    }
    return [...new Set(problems)].sort();
  }

  /** Returns the columns that it gives. */
  #query(node: Ast, outer: Level | null, inherited?: Level['ctes']): Output[] {
    const [kind, value] = Object.entries(node)[0] as [string, Ast];
    const level: Level = {
      items: [],
      outer,
      ctes: new Map(inherited ?? outer?.ctes ?? []),
      seenOutside: new Set(),
    };
    this.#levels.push(level);
    for (const { CommonTableExpr: cte } of listOf((value.withClause as Ast | undefined)?.ctes) as {
      CommonTableExpr: Ast;
    }[]) {
      const name = cte.ctename as string;
      const query = cte.ctequery as Ast;
      const first = (query.SelectStmt as Ast | undefined)?.larg as Ast | undefined;
      // A recursive one is known by its first arm while its second is read.
      if ((value.withClause as Ast).recursive === true && first !== undefined)
        level.ctes.set(name, named(this.#query({ SelectStmt: first }, outer, level.ctes), cte.aliascolnames));
      level.ctes.set(name, named(this.#query(query, outer, level.ctes), cte.aliascolnames));
    }
    switch (kind) {
      case 'SelectStmt':
        return this.#select(value, level);
      case 'InsertStmt':
        return this.#insert(value, level);
      case 'UpdateStmt':
      case 'DeleteStmt':
        return this.#change(value, level);
      default:
        if (ofNoRows.includes(kind)) return [];
        throw new Error(`Which rows does a ${kind} read?`);
    }
  }

  #select(select: Ast, level: Level): Output[] {
    if (select.op !== 'SETOP_NONE' && select.op !== undefined) {
      const [left, right] = [select.larg, select.rarg].map((arm) =>
        this.#query({ SelectStmt: arm as Ast }, level.outer, level.ctes),
      );
      return left!.map(({ name, id }, index) => {
        const other = right![index]?.id ?? null;
        if (id === null && other === null) return { name, id: null };
        const both = RepositoryId.ofArms([id, other]);
        this.#ofArms.push(both);
        return { name, id: both };
      });
    }
    if (select.valuesLists !== undefined) {
      for (const list of listOf(select.valuesLists)) this.#expression(list, level);
      const [first] = listOf(select.valuesLists) as { List: { items: Ast[] } }[];
      return (first?.List.items ?? []).map((_, index) => ({ name: `column${index + 1}`, id: given('several') }));
    }
    for (const item of listOf(select.fromClause)) this.#from(item, level);
    this.#condition(select.whereClause as Ast | undefined, level);
    for (const key of [
      'havingClause',
      'groupClause',
      'sortClause',
      'windowClause',
      'limitCount',
      'limitOffset',
      'distinctClause',
    ])
      this.#expression(select[key], level);
    return this.#outputs(select.targetList, level);
  }

  #insert(insert: Ast, level: Level): Output[] {
    const target = this.#table(insert.relation as Ast, level);
    const columns = listOf(insert.cols).map((column) => (column as { ResTarget: { name: string } }).ResTarget.name);
    if (insert.selectStmt !== undefined) {
      const outputs = this.#query(insert.selectStmt as Ast, level, level.ctes);
      const own = target.ids.get('repository_id');
      const source = outputs[columns.indexOf('repository_id')]?.id;
      if (own !== undefined && source) own.join(source);
    }
    const conflict = insert.onConflictClause as Ast | undefined;
    level.items.push({ name: 'excluded', ids: target.ids });
    this.#condition(conflict?.whereClause as Ast | undefined, level);
    this.#expression(conflict?.targetList, level);
    return this.#outputs(insert.returningList, level);
  }

  #change(change: Ast, level: Level): Output[] {
    this.#table(change.relation as Ast, level);
    for (const item of listOf(change.fromClause ?? change.usingClause)) this.#from(item, level);
    this.#condition(change.whereClause as Ast | undefined, level);
    this.#expression(change.targetList, level);
    return this.#outputs(change.returningList, level);
  }

  #from(node: Ast, level: Level): void {
    const [kind, value] = Object.entries(node)[0] as [string, Ast];
    const alias = (value.alias as { aliasname?: string; colnames?: unknown } | undefined) ?? {};
    switch (kind) {
      case 'RangeVar':
        this.#table(value, level);
        break;
      case 'RangeSubselect':
        level.items.push({
          name: alias.aliasname ?? '',
          ids: named(this.#query(value.subquery as Ast, level), alias.colnames),
        });
        break;
      case 'RangeFunction':
        this.#expression(value.functions, level);
        level.items.push(this.#function(value, alias));
        break;
      case 'JoinExpr': {
        const before = level.items.length;
        this.#from(value.larg as Ast, level);
        const middle = level.items.length;
        this.#from(value.rarg as Ast, level);
        const [left, right] = [level.items.slice(before, middle), level.items.slice(middle)];
        // Whatever an outer join is on, the rows of the other side are all there.
        const missing = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] }[value.jointype as string];
        const of = missing === undefined ? null : new Set(missing.flatMap(({ ids }) => [...ids.values()]));
        for (const {
          String: { sval },
        } of listOf(value.usingClause) as { String: { sval: string } }[])
          for (const one of left) for (const other of right) joinIds(one.ids.get(sval), other.ids.get(sval), of);
        this.#condition(value.quals as Ast | undefined, level, of);
        break;
      }
      default:
        throw new Error(`What is ${kind} in a FROM?`);
    }
  }

  #function(range: Ast, { aliasname = '', colnames }: { aliasname?: string; colnames?: unknown }): Item {
    const isOfValues = isGiven(range.functions);
    const [first] = listOf(range.functions) as unknown as { List: { items: Ast[] } }[];
    const defined = [...listOf(range.coldeflist), ...listOf((first?.List.items[1]?.List as Ast | undefined)?.items)];
    const names = [
      ...listOf(colnames).map((column) => (column as { String: { sval: string } }).String.sval),
      ...defined.map((column) => (column as { ColumnDef: { colname: string } }).ColumnDef.colname),
    ];
    // One that gives a single column is called like it.
    if (names.length === 0) names.push(aliasname);
    const ids = new Map(isOfValues ? names.map((name) => [name, given('several')]) : []);
    return { name: aliasname, ids, isGiven: isOfValues };
  }

  #table(range: Ast, level: Level): Item {
    const relation = range.relname as string;
    const name = (range.alias as { aliasname: string } | undefined)?.aliasname ?? relation;
    const cte = level.ctes.get(relation);
    if (cte !== undefined && range.schemaname === undefined) {
      const item = { name, ids: cte };
      level.items.push(item);
      return item;
    }
    const columns = new Set(Object.keys((columnTypes as Record<string, object>)[relation] ?? {}));
    const ids = new Map<string, RepositoryId>();
    const column = relation === 'repositories' ? 'id' : 'repository_id';
    if (columns.has(column)) ids.set(column, new RepositoryId());
    const isDistributed =
      relation === 'timeline_moments' || placements[relation as keyof typeof placements]?.kind === 'distributed';
    if (isDistributed) this.#tables.push({ name: relation, id: ids.get(column)! });
    const item = { name, ids, columns, ...(isDistributed && { table: relation }) };
    level.items.push(item);
    return item;
  }

  #outputs(list: unknown, level: Level): Output[] {
    return listOf(list).flatMap((target): Output[] => {
      const { name, val } = (target as { ResTarget: { name?: string; val: Ast } }).ResTarget;
      const fields = fieldsOf(val);
      if (fields !== null && fields.at(-1) === '*') {
        const items = level.items.filter((item) => fields.length === 1 || item.name === fields[0]);
        return items.flatMap(({ ids }) => [...ids].map(([column, id]) => ({ name: column, id })));
      }
      return [
        {
          name: name ?? fields?.at(-1) ?? '',
          id: this.#expression(val, level) ?? (isGiven(val) ? given('one') : null),
        },
      ];
    });
  }

  /** What has to be true: its equalities join and bind; `of`: these alone. */
  #condition(node: Ast | undefined, level: Level, of: ReadonlySet<RepositoryId> | null = null): void {
    if (node === undefined) return;
    const { BoolExpr: bool, A_Expr: comparison, SubLink: link } = node as Record<string, Ast | undefined>;
    if (bool?.boolop === 'AND_EXPR') {
      for (const part of listOf(bool.args)) this.#condition(part, level, of);
    } else if (comparison !== undefined && nameOf(comparison) === '=') {
      const { lexpr, rexpr, kind } = comparison as { lexpr: Ast; rexpr: Ast; kind: string };
      const [left, right] = [rowOf(lexpr), rowOf(rexpr)];
      if (kind === 'AEXPR_OP' && left !== null && right !== null) {
        for (const [index, one] of left.entries()) this.#equal(one, right[index]!, 'one', level, of);
      } else this.#equal(lexpr, rexpr, kind === 'AEXPR_OP' ? 'one' : 'several', level, of);
    } else if (link?.subLinkType === 'ANY_SUBLINK' && link.operName === undefined) {
      const outputs = this.#query(link.subselect as Ast, level);
      const tested = link.testexpr as Ast;
      for (const [index, one] of (rowOf(tested) ?? [tested]).entries())
        joinIds(this.#expression(one, level), outputs[index]?.id, of);
    } else this.#expression(node, level);
  }

  #equal(left: Ast, right: Ast, binding: Binding, level: Level, of: ReadonlySet<RepositoryId> | null): void {
    const ids = [left, right].map((side) => this.#expression(side, level));
    joinIds(ids[0], ids[1], of);
    for (const [index, side] of [right, left].entries()) {
      const id = ids[index] ?? null;
      if (id !== null && isGiven(side) && (of?.has(id) ?? true)) id.bind(binding);
    }
  }

  /** The repository's id that it is; null where it is something else. What is asked within it is read, too. */
  #expression(node: unknown, level: Level): RepositoryId | null {
    if (Array.isArray(node)) {
      for (const part of node) this.#expression(part, level);
      return null;
    }
    if (typeof node !== 'object' || node === null) return null;
    const { ColumnRef, SubLink, TypeCast, SelectStmt } = node as Record<string, Ast | undefined>;
    if (ColumnRef !== undefined) return this.#column(fieldsOf(node as Ast)!, level);
    if (TypeCast !== undefined) return this.#expression(TypeCast.arg, level);
    if (SelectStmt !== undefined) return this.#query(node as Ast, level)[0]?.id ?? null;
    if (SubLink !== undefined) {
      this.#expression(SubLink.testexpr, level);
      const [first] = this.#query(SubLink.subselect as Ast, level);
      const isValue = SubLink.subLinkType === 'EXPR_SUBLINK' || SubLink.subLinkType === 'ARRAY_SUBLINK';
      return isValue ? (first?.id ?? null) : null;
    }
    for (const part of Object.values(node)) this.#expression(part, level);
    return null;
  }

  #column(fields: readonly string[], level: Level): RepositoryId | null {
    const column = fields.at(-1)!;
    const table = fields.length > 1 ? fields.at(-2)! : null;
    for (let at: Level | null = level; at !== null; at = at.outer) {
      const item = at.items.find(({ name, ids, columns, isGiven: isFunction }) =>
        table === null
          ? ids.has(column) || columns?.has(column) || (isFunction === true && column === 'repository_id')
          : name === table,
      );
      if (item === undefined) continue;
      if (item.table !== undefined)
        for (let inner = level; inner !== at; inner = inner.outer!) inner.seenOutside.add(item);
      return item.ids.get(column) ?? (item.isGiven === true ? given('several') : null);
    }
    return null;
  }
}

function idOf(item: Item): RepositoryId {
  return item.ids.get('repository_id')!;
}

function given(binding: Binding): RepositoryId {
  const id = new RepositoryId();
  id.bind(binding);
  return id;
}

function joinIds(
  one: RepositoryId | null | undefined,
  other: RepositoryId | null | undefined,
  of: ReadonlySet<RepositoryId> | null = null,
): void {
  if (one && other) one.join(other, of);
}

function named(outputs: readonly Output[], columns: unknown): ReadonlyMap<string, RepositoryId> {
  const names = listOf(columns).map((column) => (column as { String: { sval: string } }).String.sval);
  return new Map(outputs.flatMap(({ name, id }, index) => (id === null ? [] : [[names[index] ?? name, id]])));
}

function listOf(value: unknown): Ast[] {
  return (value as Ast[] | undefined) ?? [];
}

function nameOf(expression: Ast): string {
  return (listOf(expression.name).at(-1) as { String: { sval: string } }).String.sval;
}

function rowOf(node: Ast): Ast[] | null {
  return ((node.RowExpr as { args: Ast[] } | undefined)?.args ?? null) as Ast[] | null;
}

/** Of a column `a.b` its names, `*` for all; null of anything else. */
function fieldsOf(node: Ast): string[] | null {
  const column = node.ColumnRef as { fields: { String?: { sval: string } }[] } | undefined;
  return column?.fields.map(({ String: text }) => text?.sval ?? '*') ?? null;
}

/** Whether the statement is given the value: it names no column, and asks nothing. */
function isGiven(node: unknown): boolean {
  return !mentionsColumns(node);
}

function mentionsColumns(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('ColumnRef' in node || 'SubLink' in node) return true;
  return Object.values(node).some(mentionsColumns);
}
