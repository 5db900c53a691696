import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/server/db/open.ts';
import { convertPartitions } from '../../src/server/db/partitions.ts';
import { startFirst } from './first-start.ts';
import { migratedEmbedded } from './migrated-embedded.ts';
import { startPostgresql } from './postgresql.ts';

const template = 'mergelight_template';

/**
 * Prepares the database that a project names in TEST_DATABASE, before its tests. PostgreSQL is a temporary server of this run,
 * or the one behind TEST_POSTGRESQL_URL. Without PostgreSQL on this machine those tests are left out, loudly; with
 * REQUIRE_POSTGRESQL=1 that is a failure. With MERGELIGHT_TEST_PARTITIONS=64 the tables there that grow are split into that number of parts.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  switch (project.config.env.TEST_DATABASE) {
    case 'postgresql':
      return await preparePostgresql(project);
    case 'embedded':
      return await prepareEmbedded(project);
    default:
      return undefined;
  }
}

async function preparePostgresql(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const stop = await providePostgresql(project);
  if (stop !== null) return stop;
  const message = 'PostgreSQL is not installed on this machine (initdb and postgres were not found)';
  if (process.env.REQUIRE_POSTGRESQL === '1') throw new Error(message);
  console.error(`\n${'!'.repeat(80)}\n${message}:\nthe tests of "${project.name}" are LEFT OUT.\n${'!'.repeat(80)}\n`);
  project.config.include = [];
  return undefined;
}

/** Gives a project the PostgreSQL server of this run; answers what stops it, null where PostgreSQL is not installed. */
export async function providePostgresql(project: TestProject): Promise<(() => Promise<void>) | null> {
  const given = process.env.TEST_POSTGRESQL_URL;
  const server = given === undefined ? await startPostgresql() : { url: given, stop: async () => undefined };
  if (server === null) return null;
  // The next project of the same run shares the server and the database.
  process.env.TEST_POSTGRESQL_URL = server.url;
  if (process.env.TEST_POSTGRESQL_MIGRATED !== server.url) await migrateTemplate(server.url);
  process.env.TEST_POSTGRESQL_MIGRATED = server.url;
  project.provide('postgresql', { url: server.url, template });
  return async () => {
    if (given === undefined) delete process.env.TEST_POSTGRESQL_URL;
    await server.stop();
  };
}

async function migrateTemplate(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${template} with (force)`);
  await admin.query(`create database ${template}`);
  await admin.end();
  const address = new URL(url);
  address.pathname = `/${template}`;
  const database = await openDatabase({ kind: 'postgresql', url: address.href, connections: 2 }, console.error);
  await startFirst(database);
  if (process.env.MERGELIGHT_TEST_PARTITIONS)
    await convertPartitions(database.db, Number(process.env.MERGELIGHT_TEST_PARTITIONS));
  await database.close();
}

async function prepareEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const { folder, copyOf, remove } = await migratedEmbedded();
  project.provide('embedded', { copyOf });
  project.provide('migratedFolder', folder);
  return remove;
}
