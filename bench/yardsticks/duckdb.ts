import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Row } from './questions.ts';

/** Pinned; see docs/decisions/0018-duckdb-as-a-yardstick.md. */
const DUCKDB = '@duckdb/node-api@1.5.6-r.1';
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/duckdb');

/** What is used of the package, which is no dependency of the project. */
interface Package {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}
interface Connection {
  runAndReadAll(text: string): Promise<{ getRowObjectsJS(): Row[] }>;
  closeSync(): void;
}

/** The columns that the heavy questions read. */
const columns = {
  pull_requests: ['created_at', 'state', 'additions', 'deletions'],
  pull_request_facts: ['ended_at', 'first_review_at', 'time_to_merge', 'time_to_first_review'],
  reviews: ['submitted_at', 'counts'],
} as const;

/** DuckDB with the same rows, copied out of a PostgreSQL server that may write to `exchange`. */
export interface DuckDb {
  rows(statement: string, now: Date): Promise<Row[]>;
  close(): void;
}

export async function duckDbOf(client: pg.Client, exchange: string): Promise<DuckDb> {
  const { DuckDBInstance } = installed();
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'");
  for (const [table, names] of Object.entries(columns)) {
    const file = join(exchange, `${table}.csv`);
    // Without a zone, in which it counts as days and weeks do.
    const read = names.map((name) => {
      if (name.endsWith('_at')) return `${name} at time zone 'UTC' as ${name}`;
      return name === 'counts' ? `${name}::text as ${name}` : name;
    });
    await client.query(`copy (select ${read.join(', ')} from ${table}) to '${file}' with (format csv, header)`);
    await connection.runAndReadAll(`create table ${table} as select * from read_csv('${file}', sample_size = -1)`);
  }
  return {
    async rows(statement, now) {
      const moment = `timestamp '${now.toISOString().slice(0, 19)}'`;
      const answer = await connection.runAndReadAll(statement.replaceAll('$1::timestamptz', moment));
      return answer.getRowObjectsJS();
    },
    close: () => connection.closeSync(),
  };
}

/** Installs it beside the project's packages the first time. */
function installed(): Package {
  if (!existsSync(join(folder, 'node_modules'))) {
    const { status } = spawnSync('npm', ['install', '--prefix', folder, '--no-save', DUCKDB], { stdio: 'inherit' });
    if (status !== 0) throw new Error('DuckDB could not be installed: see above.');
  }
  return createRequire(join(folder, 'package.json'))('@duckdb/node-api') as Package;
}
