/** What `npm run check` calls unused: exports that no file imports, and with `--production` what only tests import. */
export default ({ production }) => ({
  entry: [
    'src/server/main.ts!',
    'src/server/*-command.ts!',
    'src/simulator/main.ts!',
    'scripts/*.js!',
    'bench/*.ts',
    'bench/support/stopped-clock.ts',
    'test/**/*.{test,e2e}.ts',
    'src/**/*.{test,e2e}.{ts,tsx}',
    'test/support/sender-process.ts',
    'test/support/simulators-process.ts',
    'test/flows/sync-worker-process.ts',
    'test/support/lease-taker.ts',
    'test/support/durable-writer.ts',
    'test/soak/*.ts',
  ],
  project: [
    'src/**/*.{ts,tsx}!',
    '!src/**/*.{test,e2e}.{ts,tsx}!',
    'scripts/**/*.js!',
    'test/**/*.ts',
    'bench/**/*.ts',
  ],
  ignoreDependencies: [
    'dejavu-fonts-ttf',
    '@fontsource/noto-sans-devanagari',
    '@fontsource/noto-sans-thai',
    '@fontsource-variable/noto-sans-kr',
    '@fontsource-variable/noto-sans-sc',
    '@octokit/graphql-schema',
  ],
  ignoreBinaries: ['pdftoppm', 'pg_dump', 'readlink', 'strace', 'unshare'],
  // Functions may be exported for tests alone, where their own file uses them too.
  ignoreExportsUsedInFile: production || { interface: true, type: true },
});
