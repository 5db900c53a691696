import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The instructions of the Dockerfile's stages, each on one line without comments. */
function stages(): string[][] {
  const lines = read('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/^(HEALTHCHECK .*)$/, '$1'))
    .filter((line) => line !== '');
  const starts = lines.flatMap((line, place) => (line.startsWith('FROM ') ? [place] : []));
  return starts.map((start, stage) => lines.slice(start, starts[stage + 1]));
}

/** What the last stage says after this word, in its order. */
export function instructions(word: string): string[] {
  return stages()
    .at(-1)!
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1).trim());
}

/** The commands by which the stage that builds makes, of what `npm ci` has installed, the packages of the image and the list of them. */
export function packagingCommands(): string[] {
  return stages()[0]!
    .filter((line) => /^RUN npm (?!ci )/.test(line))
    .map((line) => line.slice('RUN '.length));
}

/** What it copies, each with where that goes below /app. */
function copied(fromBuild: boolean): [from: string, to: string][] {
  return instructions('COPY')
    .map((line) => line.split(/\s+/))
    .filter(([first]) => (first === '--from=build') === fromBuild)
    .flatMap((words) => {
      const paths = (fromBuild ? words.slice(1) : words).map((path) => path.replace(/^\/build\//, ''));
      const to = paths.at(-1)!;
      return paths.slice(0, -1).map((from): [string, string] => [from, to === './' ? from : to.replace(/^\.\//, '')]);
    });
}

export const copiedFromBuild = () => copied(true);
export const copiedFromContext = () => copied(false);

/** The folders of packages that are installed here. */
export function installedPackages(): string[] {
  const { packages } = JSON.parse(read('node_modules/.package-lock.json')) as { packages: Record<string, unknown> };
  return Object.keys(packages);
}

/** The folders that `npm prune --omit=dev` leaves, as package-lock.json has them, as far as they are installed here. */
export function productionPackages(): string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
  };
  const installed = new Set(installedPackages());
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => path)
    .filter((path) => installed.has(path));
}
