// Writes src/server/db/database.ts from the schema that the migrations make; with --check says whether it is what they make.
import { readFileSync, writeFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { migrate } from '../src/server/db/migrate.ts';
import { openDatabase } from '../src/server/db/open.ts';
import { notes } from './column-notes.ts';

const target = new URL('../src/server/db/database.ts', import.meta.url);

/** What JSON columns hold, and how they are written. */
const phases = 'JSONColumnType<{ phase: string; from: string; to: string | null }[]>';
const orNull = (type: string) => `ColumnType<${type} | null, string | null | undefined, string | null>`;
const evidence = orNull('{ rule: number; tool: string; confidence: string; text: string; source: string | null }[]');
const marks = '{ rule: number; tool: string; text: string }[]';
const ofJson: Readonly<Record<string, string>> = {
  'commits.trailers': orNull(`{ marks: ${marks}; co_authors: { id: string | null; login: string }[] }`),
  'health_settings.settings': 'ColumnType<HealthSettings, string, string>',
  'lens_facts.evidence': evidence,
  'lens_facts.phases': phases,
  'notification_channels.quiet_hours': 'ColumnType<QuietHours, string, string>',
  'notification_settings.quiet_hours': 'ColumnType<QuietHours, string, string>',
  'notification_subscriptions.options': 'ColumnType<OptionsOf[Kind], string, string>',
  'pull_request_facts.evidence': evidence,
  'pull_request_facts.phases': phases,
  'pull_requests.assignees': orNull('{ person_id: number; at: string; until: string | null }[]'),
  'pull_requests.description_marks': orNull(
    `{ marks: ${marks}; requested_by: string[]; reverts: { repository: string | null; number: number }[] }`,
  ),
  'repository_lists.repositories': 'ColumnType<StoredListedRepository[], string, string>',
  'repository_lists.unlisted': 'ColumnType<UnlistedRepositories[], string, string>',
  'sync_sessions.skipped': 'ColumnType<{ number: number | null; reason: string }[], string | undefined, string>',
};
const kinds: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  date: 'Date',
  timestamptz: 'Date',
  _timestamptz: 'Date[]',
  text: 'string',
  pg_lsn: 'string',
  uuid: 'string',
  _text: 'string[]',
  _int4: 'number[]',
  bytea: 'Buffer',
};

interface Column {
  readonly table: string;
  readonly name: string;
  /** It is a view's, or generated from other columns. */
  readonly is_computed: boolean;
  readonly type: string;
  readonly nullable: boolean;
  /** The database fills it: always, or where nothing is said. */
  readonly filled: 'always' | 'unless said' | null;
  /** What a check of this column alone lets in; null without one. */
  readonly rule: string | null;
}

async function columnsOf(db: Kysely<never>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, c.relkind = 'v' or a.attgenerated <> '' as is_computed,
      t.typname as type, not a.attnotnull as nullable,
      case when a.attidentity = 'a' or a.attgenerated <> '' then 'always' when a.attidentity = 'd' or a.atthasdef then 'unless said' end as filled,
      (select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as rule
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'v') and c.relname not like 'kysely%'
    order by c.relname, a.attnum`.execute(db);
  return rows;
}

function typeOf({ table, name, is_computed, type, nullable, filled, rule }: Column): string {
  const json = ofJson[`${table}.${name}`];
  if (json !== undefined) return json;
  const kind = kinds[type];
  if (kind === undefined)
    throw new Error(`${table}.${name} is ${type}: say in scripts/tables.ts what the code sees of it.`);
  const allowed =
    type === 'text' ? [...(rule ?? '').matchAll(/'([^']+)'::text/g)].map(([, value]) => `'${value}'`) : [];
  const plain = allowed.length > 0 ? allowed.join(' | ') : kind;
  // Of what is computed the database does not know whether it is ever null; a note says so.
  const isAbsent = is_computed ? /\bnull\b/i.test(notes[table]?.[name] ?? '') : nullable;
  const whole = isAbsent ? `${plain} | null` : plain;
  if (filled === null) return whole;
  return filled === 'always' ? `GeneratedAlways<${whole}>` : `Generated<${whole}>`;
}

function doc(note: string | undefined, indent = ''): string {
  return note === undefined ? '' : `${indent}/** ${note} */\n`;
}

function tableOf(table: string, columns: readonly Column[]): string {
  const lines = columns.map(
    (column) => `${doc(notes[table]?.[column.name], '    ')}    ${column.name}: ${typeOf(column)};`,
  );
  return `${doc(notes[table]?.[''], '  ')}  ${table}: {\n${lines.join('\n')}\n  };`;
}

function sqlTypesOf(table: string, columns: readonly Column[]): string {
  const types = columns.map(({ name, type }) => `${name}: '${type.startsWith('_') ? `${type.slice(1)}[]` : type}'`);
  return `  ${table}: { ${types.join(', ')} },`;
}

async function source(): Promise<string> {
  const database = await openDatabase({ kind: 'embedded', folder: null }, (error) => console.error(error.message));
  try {
    await migrate(database.db);
    const columns = await columnsOf(database.db as unknown as Kysely<never>);
    const tables = Map.groupBy(columns, ({ table }) => table);
    for (const [table, ofTable] of Object.entries(notes))
      for (const name of Object.keys(ofTable))
        if (!tables.has(table) || (name !== '' && !tables.get(table)!.some((column) => column.name === name)))
          throw new Error(`scripts/column-notes.ts speaks of ${table}.${name}, which there is not.`);
    return [
      '// Made by scripts/tables.ts from the schema that the migrations make: change these, then run it again.',
      "import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';",
      "import type { Kind, OptionsOf, QuietHours } from '#domain/notifications/subscriptions.ts';",
      "import type { HealthSettings } from '#domain/signals.ts';",
      "import type { UnlistedRepositories } from '../host/host.ts';",
      "import type { StoredListedRepository } from './listed-repository.ts';",
      '',
      '/** The tables as Kysely sees them. Times are Dates, durations hours, ids of the host text. */',
      `export interface Database {\n${[...tables].map(([table, ofTable]) => tableOf(table, ofTable)).join('\n')}\n}`,
      '',
      '/** The columns of each table in their order, with the types by which PostgreSQL calls them. */',
      `export const columnTypes = {\n${[...tables].map(([table, ofTable]) => sqlTypesOf(table, ofTable)).join('\n')}\n} as const;`,
      '',
    ].join('\n');
  } finally {
    await database.close();
  }
}

const made = await source();
if (!process.argv.includes('--check')) writeFileSync(target, made);
else if (readFileSync(target, 'utf8') !== made) {
  console.error(
    'src/server/db/database.ts is not what the migrations make: node_modules/.bin/node scripts/tables.ts writes it.',
  );
  process.exitCode = 1;
}
