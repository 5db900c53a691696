import type { ChangedFile, Size } from '../../history.ts';
import type { Dice } from './dice.ts';
import type { RepositoryName } from './people.ts';
import { VOCABULARY } from './vocabulary.ts';

/** Quantiles of the share of additions among the lines changed: p10 0.4, p50 0.75, p90 1.0. */
const ADDITIONS_SHARE: readonly (readonly [quantile: number, share: number])[] = [
  [0, 0.05],
  [0.1, 0.4],
  [0.5, 0.75],
  [0.9, 1],
  [1, 1],
];

function additionsShare(quantile: number): number {
  for (const [index, [upper, share]] of ADDITIONS_SHARE.entries()) {
    const [lower, below] = ADDITIONS_SHARE[index - 1] ?? [0, share];
    if (quantile <= upper)
      return upper === lower ? share : below + ((share - below) * (quantile - lower)) / (upper - lower);
  }
  return 1;
}

/** Of what would be larger, which in life are generated files, a tenth counts. */
const LARGE = 8_000;

/**
 * Total lines and number of files from two normal deviates: lines log-normal, median 60, sigma 1.9, at most 12,200,
 * 0.2 % with none, all times `factor`; files p50 3, p90 15, rank correlation 0.75 to the lines (values for a generator, "Size").
 */
export function drawLines(deviate: number, factor: number, dice: Dice): { lines: number; files: number } {
  if (dice.chance(0.002)) return { lines: 0, files: 1 };
  const drawn = Math.min(50_000, Math.max(1, Math.round(factor * 60 * Math.exp(1.9 * deviate))));
  const lines = drawn <= LARGE ? drawn : LARGE + Math.round((drawn - LARGE) / 10);
  const spread = 0.78 * deviate + 0.63 * dice.normal();
  const files = 1 + Math.round(2 * Math.exp(1.45 * spread) - 0.4);
  return { lines, files: Math.max(1, Math.min(files, lines, 240)) };
}

/** Which areas of a repository a person knows: three of its folders, the first most of all. */
function homeAreas(areas: readonly string[], owner: number): readonly string[] {
  return [0, 1, 3].map((step) => areas[(owner + step) % areas.length] ?? '.');
}

/** One path in an area that the person with this number knows, now and then elsewhere or at the root. */
export function drawPath(repository: RepositoryName, owner: number, dice: Dice): string {
  const { areas, things, places, extension } = VOCABULARY[repository];
  if (dice.chance(0.05)) return dice.pick(['README.md', 'package.json', 'CHANGELOG.md', '.editorconfig']);
  const [first = '.', second = '.', third = '.'] = homeAreas(areas, owner);
  const choice = dice.next();
  const area = choice < 0.55 ? first : choice < 0.75 ? second : choice < 0.87 ? third : dice.pick(areas);
  const name = dice.pick(dice.chance(0.75) ? things : places).replaceAll(' ', '-');
  const folder = dice.chance(0.3) ? `${dice.pick(places).replaceAll(' ', '-')}/` : '';
  if (area.startsWith('docs/')) return `${area}/${folder}${name}.md`;
  if (area.endsWith('/migrations')) return `${area}/V${dice.integer(100, 999)}__${name.replaceAll('-', '_')}.sql`;
  if (area.startsWith('styles/')) return `${area}/${folder}${name}.css`;
  if (area.startsWith('test/')) return `${area}/${folder}${name}.test.${extension}`;
  return `${area}/${folder}${name}.${extension}`;
}

/** The changed files whose lines add up to the total, under distinct paths. */
export function drawSize(
  repository: RepositoryName,
  owner: number,
  { lines, files }: { lines: number; files: number },
  dice: Dice,
): Size {
  const paths = new Set<string>();
  for (let tries = 0; paths.size < files && tries < files * 4; tries++) paths.add(drawPath(repository, owner, dice));
  const shares = [...paths].map(() => dice.exponential(1));
  const total = shares.reduce((sum, each) => sum + each, 0);
  const quantile = dice.next();
  let linesLeft = lines;
  const changed: ChangedFile[] = [];
  for (const path of paths) {
    const othersLeft = paths.size - changed.length - 1;
    const share = Math.round((lines * (shares[changed.length] ?? 0)) / total);
    const own = othersLeft === 0 ? linesLeft : Math.max(Math.min(1, lines), Math.min(share, linesLeft - othersLeft));
    const additions = Math.round(own * additionsShare(quantile));
    changed.push({ path, additions, deletions: own - additions });
    linesLeft -= own;
  }
  return sizeOf(changed);
}

export function sizeOf(files: readonly ChangedFile[]): Size {
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { additions, deletions, files };
}

/** Nobody needs many commits for a line or two: so many of them change four lines each at the least. One alone may change none. */
export function enoughFor(commits: number, size: Size): Size {
  const missing = 4 * commits - size.additions - size.deletions;
  const [first, ...others] = size.files;
  if (commits === 1 || missing <= 0 || first === undefined) return size;
  return sizeOf([{ ...first, additions: first.additions + missing }, ...others]);
}

/** The size after one more push: a few lines in a file touched already, at times a new file. */
export function grown(size: Size, repository: RepositoryName, owner: number, dice: Dice): Size {
  const limit = Math.max(1, Math.round((size.additions + size.deletions) * 0.25));
  const lines = Math.max(1, Math.min(limit, Math.round(dice.logNormal(6, 1.1))));
  const path = drawPath(repository, owner, dice);
  if (dice.chance(0.15) && !size.files.some((file) => file.path === path)) {
    return sizeOf([...size.files, { path, additions: lines, deletions: 0 }]);
  }
  const touched = dice.integer(0, size.files.length - 1);
  const deletions = Math.floor(lines * dice.next() * 0.5);
  return sizeOf(
    size.files.map((file, index) =>
      index === touched
        ? { path: file.path, additions: file.additions + lines - deletions, deletions: file.deletions + deletions }
        : file,
    ),
  );
}
