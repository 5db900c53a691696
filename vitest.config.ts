import { defineConfig } from 'vitest/config';

const databases = ['embedded', 'postgresql'] as const;
/** Time enough on a small and busy machine: it ends what hangs, and decides nothing else. */
const slow = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** A project that runs once on each database; `TEST_DATABASE` says which one to the support code. */
const onBothDatabases = (name: string, include: string[]) =>
  databases.map((database) => ({
    test: {
      name: `${name} (${database})`,
      include,
      env: { TEST_DATABASE: database },
      globalSetup: ['test/support/databases.ts'],
      // They wait for disks, pauses and other processes for a third of the time.
      maxWorkers: 3,
      sequence: { groupOrder: 1 },
      ...slow,
    },
  }));

/** After the tests on PostgreSQL, which write down in this folder what the product sent; only where it is named. */
const statements =
  process.env.STATEMENTS_FOLDER === undefined
    ? []
    : [
        {
          test: {
            name: 'statements',
            include: ['test/statements/**/*.test.ts'],
            sequence: { groupOrder: 2 },
            testTimeout: 60_000,
          },
        },
      ];

export default defineConfig({
  test: {
    // Two cores are what a small build machine has; each database test holds a database of its own.
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/golden/**/*.test.ts'],
          exclude: ['src/**/*.db.test.ts', 'src/web/**'],
          testTimeout: 60_000,
        },
      },
      { test: { name: 'web', include: ['src/web/**/*.test.{ts,tsx}'], testTimeout: 60_000 } },
      ...onBothDatabases('db', ['src/**/*.db.test.ts']),
      ...onBothDatabases('flows', ['test/flows/**/*.test.ts']),
      ...statements,
      {
        // What takes several processes on one PostgreSQL server.
        test: {
          name: 'processes',
          include: ['test/processes/**/*.test.ts'],
          env: { TEST_DATABASE: 'postgresql' },
          globalSetup: ['test/support/databases.ts'],
          // As beside them: what runs at the same time shares the workers.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...slow,
        },
      },
      {
        // As in the build, for the tests that draw screens without a browser.
        oxc: { jsx: { development: false } },
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.ts', 'src/web/**/*.e2e.ts'],
          globalSetup: ['test/support/front-end.ts'],
          ...slow,
        },
      },
    ],
  },
});
