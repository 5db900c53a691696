import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const databases = ['embedded', 'postgresql'] as const;
/** Short files that take minutes, the last by waiting for schedules: where they came last, the other workers would wait for them. */
const LONG = ['boxes.e2e', 'pr-one-truth.e2e', 'sign-in.e2e', 'states.e2e', 'first-sight.e2e', 'jobs.db.test'];
const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.ts`));

/**
 * Projects of one group follow each other by name, which in the second is turned round: small files come last, and no worker waits long
 * for another.
 */
class LargeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.sort(
      (one, other) =>
        groupOf(one) - groupOf(other) ||
        Number(isLong(other)) - Number(isLong(one)) ||
        (groupOf(one) === 1 ? compare(other.project.name, one.project.name) : 0),
    );
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * One worker goes through many files and loads what they share once. What a file changes outside of itself it has to undo; the few that
 * replace a module load it anew.
 */
const shared = { isolate: false };
/** Time enough on a small and busy machine: it ends what hangs, and decides nothing else. */
const slow = { testTimeout: 300_000, hookTimeout: 900_000, expect: { poll: { timeout: 60_000 } } };
/** The same for what needs no database, browser or other process. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };

/**
 * Flows of which the embedded database is given one part in a complete run, the one that EMBEDDED_CASES says. PostgreSQL is given all of them
 * in every run. They send their statements from places of the server from which others in every run send the embedded database something, and
 * none is about how it stores; parts take about as long as one another.
 */
const turns: readonly (readonly string[])[] = [
  ['company-import', 'figures-twice', 'teams-compared'],
  [
    ...['ai-authorship-twice', 'company-lists', 'my-work-second', 'my-work-twice', 'notifications-in-time'],
    ...['sync-any-order', 'sync-clock'],
  ],
  [
    ...['lists-of-teams-twice', 'metrics-twice', 'own-marks', 'secrets', 'sight-across-processes', 'sync-full'],
    ...['sync-recorded', 'trend-laws'],
  ],
  [
    ...['access-matrix', 'ai-reviewers-twice', 'every-call', 'health-twice', 'notifications-killed', 'sync-calls'],
    ...['sync-incremental', 'sync-narrower-tokens', 'team-laws'],
  ],
];
const turn = Number(process.env.EMBEDDED_CASES ?? Number.NaN);
const ofOtherRuns = Number.isNaN(turn) ? [] : turns.filter((_, place) => place !== turn % turns.length).flat();

/**
 * Flows that a database is not given. Both plan questions by the same planner; what a sync costs of the host's quota and how long it will take
 * are counted from what it asks of the host, whatever stores it; and on a server the browser's tests find what is recorded (pr-one-truth).
 */
const leftOut: Readonly<Record<(typeof databases)[number], readonly string[]>> = {
  embedded: ['windows', 'collecting-cost', 'sync-estimate', ...ofOtherRuns],
  postgresql: ['first-slice'],
};

/** A project that runs once on each database; `TEST_DATABASE` says which one to the support code. */
const onBothDatabases = (name: string, include: string[]) =>
  databases.map((database) => ({
    test: {
      name: `${name} (${database})`,
      include,
      exclude: leftOut[database].map((name) => `test/flows/${name}.test.ts`),
      env: { TEST_DATABASE: database },
      globalSetup: ['test/support/databases.ts'],
      ...shared,
      sequence: { groupOrder: 1 },
      ...slow,
    },
  }));

/** After the tests on PostgreSQL, which write down in this folder what the product sent; `npm test` names one. */
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
    // Two cores are what a small build machine has; what runs on them waits for pages, disks, pauses and other processes for a part of the time.
    maxWorkers: 4,
    passWithNoTests: true,
    sequence: { sequencer: LargeFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/golden/**/*.test.ts'],
          exclude: ['src/**/*.db.test.ts', 'src/web/**'],
          ...shared,
          ...patient,
        },
      },
      { test: { name: 'web', include: ['src/web/**/*.test.{ts,tsx}'], ...shared, ...patient } },
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
          ...shared,
          ...slow,
          // A busy build machine can be later than a page: the run says `retry x1` beside what passed at the second time alone.
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
});
