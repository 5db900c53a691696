import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { providePostgresql } from './databases.ts';
import { migratedEmbedded } from './migrated-embedded.ts';

const root = resolve(import.meta.dirname, '../..');

/** What tests in the browser share: the built front end, and migrated databases to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildFrontEnd();
  const { folder, remove } = await migratedEmbedded();
  project.provide('migratedFolder', folder);
  const stop = await providePostgresql(project);
  return async () => {
    await stop?.();
    await remove();
  };
}

/** Builds the front end, once for all tests that open it, unless the last build is newer than every source. */
async function buildFrontEnd(): Promise<void> {
  const sources = globSync(['src/{web,contract,domain}/**/*', 'vite.config.ts'], { cwd: root }).map((file) =>
    join(root, file),
  );
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  const page = join(root, 'dist/web/index.html');
  if (existsSync(page) && statSync(page).mtimeMs > newest) return;
  // As its own process: a test run's NODE_ENV would give React's development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: root, env });
}
