// Reads from the source text where figures are shown and where they are computed; for metrics-docs.js and its test.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The screens, by the folders of their files. */
const screens = {
  dashboard: 'Dashboard',
  'stuck-prs': 'Stuck PRs',
  'reviewer-stats': 'Reviewers',
  'developer-stats': 'Developers',
  'review-load': 'Review load',
  contributors: 'Contributors',
  contributor: 'Contributor',
  team: 'Team',
  prs: 'Pull requests',
  pr: 'Pull request',
};

/** For each key of a figure the names of the screens that show it, and the file that computes it: null where no comment says so. */
export function whereFiguresStand(keys: readonly string[]): (key: string) => { shown: string[]; file: string | null } {
  const files = sourcesIn('src/web');
  const named = new Set([...files.values()].flatMap((text) => keysIn(text, keys, () => false)));
  const mentions = new Map(
    [...files].map(([file, text]) => [file, keysIn(text, keys, (key) => !named.has(key) && isAbout(file, key))]),
  );
  const shown = Object.entries(screens).map(([folder, name]) => {
    const own = [...files.keys()].filter((file) => file.startsWith(`src/web/screens/${folder}/`));
    return { name, keys: new Set([...closure(own, files)].flatMap((file) => mentions.get(file) ?? [])) };
  });
  const rules = [...sourcesIn('src/domain'), ...sourcesIn('src/server')].filter(
    ([file]) => !file.startsWith('src/domain/metrics/'),
  );
  return (key) => ({
    shown: shown.filter((screen) => screen.keys.has(key)).map(({ name }) => name),
    file: rules.find(([, text]) => text.includes(`\`${key}\``))?.[0] ?? null,
  });
}

/** Whether a file may show the field of a key: of people only one that is about the key's group. */
function isAbout(file: string, key: string): boolean {
  const [group = ''] = key.split('.');
  return group === 'pull_request' || file.includes(group);
}

/**
 * The keys that a file names: whole, or by their names where it puts the group before them. What is a word or a moment, and explains itself
 * nowhere, is shown by whoever reads the field of that name.
 */
function keysIn(text: string, keys: readonly string[], isSilent: (key: string) => boolean): string[] {
  return keys.filter((key) => {
    const [group, name] = key.split('.');
    return (
      text.includes(`'${key}'`) ||
      text.includes(`"${key}"`) ||
      (text.includes(`\`${group}.\${`) && new RegExp(`['".]${name}\\b`).test(text)) ||
      (isSilent(key) && new RegExp(`\\b${name}\\b`).test(text))
    );
  });
}

/** Files and all that they import, but for what explains figures and for other screens. */
function closure(own: readonly string[], files: ReadonlyMap<string, string>): Set<string> {
  const found = new Set(own);
  for (const file of found)
    for (const [, path] of (files.get(file) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path!);
      if (files.has(imported) && !/^src\/web\/(explain|screens)\//.test(imported)) found.add(imported);
    }
  return found;
}

function sourcesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|e2e)\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);
  return new Map(files.toSorted().map((file) => [file, readFileSync(file, 'utf8')]));
}
