import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The rules of ARCHITECTURE.md ("Who may import whom"), read from the sources themselves. */

const root = resolve(import.meta.dirname, '..');
const rooms = ['domain', 'contract', 'server', 'web', 'simulator'] as const;
type Room = (typeof rooms)[number];

const mayImport: Record<Room, readonly Room[]> = {
  domain: [],
  contract: ['domain'],
  web: ['domain', 'contract'],
  server: ['domain', 'contract'],
  simulator: [],
};

/** Folders of the server that are no capability: every capability may use them, they use none, and of each other those before them. */
const serverGround = ['host', 'db', 'jobs', 'http', 'metrics'];

/** The rooms of the web: each may import those of the lines before its own. */
const webRooms: readonly (readonly string[])[] = [
  ['api', 'url', 'theme', 'charts'],
  ['session'],
  ['time'],
  ['kit'],
  ['explain', 'filters', 'sync', 'notes', 'views'],
  ['table'],
  ['people'],
  ['teams'],
  ['pull-requests'],
  ['layout'],
  ['screens'],
];

interface Import {
  readonly from: string;
  readonly to: string;
  /** The imported file below the root, or null for a package. */
  readonly file: string | null;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

const isTest = (file: string) => /\.(test|e2e)\.tsx?$/.test(file);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^\s*import\s+'([^']+)'/gm,
    ),
  ];
  return specifiers.map((match) => {
    const to = match[1] ?? match[2] ?? match[3] ?? '';
    if (to.startsWith('.')) return { from: file, to, file: relative(root, resolve(root, dirname(file), to)) };
    if (to.startsWith('#')) return { from: file, to, file: join('src', to.slice(1)) };
    return { from: file, to, file: null };
  });
}

const files = sourceFiles('src').filter((file) => !isTest(file));
const imports = files.flatMap(importsOf);
const roomOf = (file: string): Room | undefined => rooms.find((room) => file.startsWith(`src/${room}/`));
const folderOf = (file: string): string => file.split('/')[2] ?? '';
const isRootFile = (file: string): boolean => file.split('/').length === 3;
const describeImport = ({ from, to }: Import) => `${from} imports ${to}`;

describe('architecture', () => {
  it('finds the sources that it judges', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('lets a room import only the rooms that it may', () => {
    const broken = imports.filter(({ from, file }) => {
      const here = roomOf(from);
      const there = file === null ? undefined : roomOf(file);
      return here !== undefined && there !== undefined && here !== there && !mayImport[here].includes(there);
    });

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('crosses from room to room by name, and walks within one by relative path', () => {
    const broken = imports.filter(({ from, to, file }) => {
      if (file === null) return false;
      return (roomOf(from) === roomOf(file)) === to.startsWith('#');
    });

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('keeps packages out of the domain, and everything but zod out of the contract', () => {
    const broken = imports.filter(({ from, to, file }) => {
      if (file !== null) return false;
      return from.startsWith('src/domain/') || (from.startsWith('src/contract/') && to !== 'zod');
    });

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('keeps the server’s ground free of capabilities, and capabilities free of each other', () => {
    const broken = imports.filter(({ from, file }) => {
      if (file === null || roomOf(from) !== 'server' || roomOf(file) !== 'server') return false;
      if (isRootFile(from) || isRootFile(file)) return false;
      const here = folderOf(from);
      const there = folderOf(file);
      return here !== there && !serverGround.includes(there);
    });

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('lets the server’s ground import only the ground before it', () => {
    const broken = imports.filter(({ from, file }) => {
      if (file === null || roomOf(from) !== 'server' || roomOf(file) !== 'server') return false;
      const [here, there] = [serverGround.indexOf(folderOf(from)), serverGround.indexOf(folderOf(file))];
      return here !== -1 && there > here;
    });

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('names a concrete code host in the composition root only', () => {
    const broken = imports.filter(
      ({ from, file }) =>
        /^src\/server\/host\/[^/]+\//.test(file ?? '') && !from.startsWith('src/server/host/') && !isRootFile(from),
    );

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('keeps the host’s spelling behind its interface: types of accounts, events and headers of webhooks, tokens, settings pages', () => {
    const events =
      'ping|pull_request_review(_comment|_thread)?|issue_comment|check_suite|team_add|installation(_repositories)?|github_app_authorization';
    const spelling = new RegExp(
      `x-github-|x-hub-|'(User|Bot|Mannequin|Organization)'|'(${events})'|github_pat|databaseId|/settings/(?!notifications|assistants|tokens">)|(?<!/)/hooks\\b|/installations\\b`,
    );
    const speakers = files.filter(
      (file) =>
        /^src\/(server|domain)\//.test(file) &&
        !file.startsWith('src/server/host/github/') &&
        spelling.test(readFileSync(join(root, file), 'utf8')),
    );

    expect(speakers).toEqual([]);
  });

  it('lets charts know no product, and screens no other screen', () => {
    const broken = imports.filter(({ from, file }) => {
      if (file === null) return false;
      if (from.startsWith('src/web/charts/')) return file.startsWith('src/contract/');
      const screen = /^src\/web\/screens\/([^/]+)\//;
      const here = screen.exec(from)?.[1];
      const there = screen.exec(file)?.[1];
      return here !== undefined && there !== undefined && here !== there;
    });

    expect(broken.map(describeImport)).toEqual([]);
  });

  it('lets a room of the web import only rooms before it', () => {
    const lineOf = (file: string) => webRooms.findIndex((line) => line.includes(folderOf(file)));
    const inWeb = files.filter((file) => roomOf(file) === 'web' && !isRootFile(file));
    const broken = imports.filter(({ from, file }) => {
      if (file === null || isRootFile(from) || roomOf(from) !== 'web' || roomOf(file) !== 'web') return false;
      return isRootFile(file) || (folderOf(from) !== folderOf(file) && lineOf(file) >= lineOf(from));
    });

    expect(inWeb.filter((file) => lineOf(file) === -1)).toEqual([]);
    expect(broken.map(describeImport)).toEqual([]);
  });

  it('has no files that import each other in a circle', () => {
    expect(circles()).toEqual([]);
  });

  it('reads the environment in one place of the server', () => {
    const readers = files.filter(
      (file) => file.startsWith('src/server/') && /process\.env/.test(readFileSync(join(root, file), 'utf8')),
    );

    expect(readers).toEqual(['src/server/config.ts']);
  });

  it('keeps chance and elapsed time out of the domain', () => {
    const impure = files.filter(
      (file) =>
        file.startsWith('src/domain/') &&
        /Math\.random\(|performance\.now\(/.test(readFileSync(join(root, file), 'utf8')),
    );

    expect(impure).toEqual([]);
  });

  it('reads the system’s clock in one place, from which a process hands it on as `now`', () => {
    const readers = files.filter(
      (file) =>
        /^src\/(server|domain)\//.test(file) &&
        /\bDate\.now\b|new Date\(\)|new Date;|Temporal\.Now/.test(readFileSync(join(root, file), 'utf8')),
    );
    const importers = imports.filter(({ file }) => file === 'src/server/clock.ts').map(({ from }) => from);

    expect(readers).toEqual(['src/server/clock.ts']);
    expect(importers.sort()).toEqual([
      'src/server/backup-command.ts',
      // Each thread compares the system's clock with the monotonic one, which stands still while the machine sleeps.
      'src/server/db/lease.ts',
      'src/server/main.ts',
    ]);
  });

  it('scrolls boxes, not elements into view, which would move where the Tab key goes on from', () => {
    const movers = files.filter(
      (file) => file.startsWith('src/web/') && /\.scrollIntoView\b/.test(readFileSync(join(root, file), 'utf8')),
    );

    expect(movers).toEqual([]);
  });

  it('has no folder for leftovers and no barrel file', () => {
    const leftovers = files.filter((file) => /\/(utils?|common|helpers?|types|misc|lib)\/|\/index\.tsx?$/.test(file));

    expect(leftovers).toEqual([]);
  });
});

it('makes no code of text and puts no markup into a page as it is', () => {
  const dangerous =
    /\beval\(|new Function\(|dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write\(/;
  const found = rooms
    .flatMap((room) => sourceFiles(`src/${room}`))
    .filter((file) => !isTest(file) && dangerous.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});

/** Every circle of imports, types included, as one line. */
function circles(): string[] {
  const next = new Map(files.map((file) => [file, [] as string[]]));
  for (const { from, file } of imports) if (file !== null && next.has(file)) next.get(from)?.push(file);
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (file: string) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    path.push(file);
    for (const one of next.get(file) ?? []) walk(one);
    path.pop();
  };
  for (const file of files) walk(file);
  return found;
}
