import { readdirSync, readFileSync } from 'node:fs';

const DIRECTORY = new URL('./queries/', import.meta.url);

export type QueryName =
  | 'repository'
  | 'repositories-by-id'
  | 'organization'
  | 'teams'
  | 'team-members'
  | 'pull-requests'
  | 'pull-requests-by-id'
  | 'whole-pull-requests-by-id'
  | 'pull-request-by-number'
  | 'changes'
  | 'open-pull-requests'
  | 'look-at-repository'
  | 'look-at-threads'
  | 'look-at-checks'
  | 'pull-requests-of-commit'
  | 'review-threads'
  | 'closing-issues'
  | 'more-review-requests'
  | 'more-reviews'
  | 'more-inline-comments'
  | 'more-threads'
  | 'more-thread-comments'
  | 'more-comments'
  | 'more-commits'
  | 'more-files'
  | 'more-timeline'
  | 'more-checks';

export type Variables = Readonly<Record<string, unknown>>;

/** A query with its fragments, ready to send. */
export interface Query {
  readonly name: string;
  readonly text: string;
  readonly variables: Variables;
}

/** One question among several that travel in one request. */
export interface Part {
  readonly query: QueryName;
  readonly variables: Variables;
  /** How many lists it asks for, which is what the host charges. */
  readonly lists: number;
}

/** Given where a query asks for it; fragments name it, so it is the same for all parts of a request. */
const CHECKS = '$withChecks';

const fragments = fragmentsOf('fragments.graphql');
const fragmentsWithoutTeams = new Map([...fragments, ...fragmentsOf('fragments-without-teams.graphql')]);
const operations = new Map(
  readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.graphql') && !file.startsWith('fragments'))
    .map((file) => [file.replace('.graphql', ''), operationOf(file)]),
);

/**
 * The names of all queries, as their files are called.
 * @internal for the test that asks every one of them of GitHub's schema
 */
export const QUERY_NAMES = [...operations.keys()].sort() as readonly QueryName[];

/**
 * One query. `teams` false leaves out the fields of teams, which a token without `read:org` may not name.
 */
export function queryOf(name: QueryName, variables: Variables, may: { teams: boolean; checks: boolean }): Query {
  const { title, parameters, selection } = operation(name);
  return {
    name: title,
    text: withFragments(`query ${title}(${parameters}) {\n${selection}\n}\n`, may.teams),
    variables: parameters.includes(CHECKS) ? { ...variables, withChecks: may.checks } : variables,
  };
}

/** Several questions in one request, named after the page that it begins or the repositories that it looks at, if any: the answer to the part at index i is the field `part_i` of the data. */
export function queryOfParts(parts: readonly Part[], may: { teams: boolean; checks: boolean }): Query {
  const parameters: string[] = [];
  const selections: string[] = [];
  const variables: Record<string, unknown> = {};
  for (const [index, part] of parts.entries()) {
    const of = operation(part.query);
    const numbered = (text: string) => text.replaceAll(/\$(?!withChecks\b)(\w+)/g, `$$$1_${index}`);
    parameters.push(numbered(of.parameters));
    selections.push(numbered(of.selection).replace(/^(\s*)(\w+)\(/, `$1part_${index}: $2(`));
    for (const [name, value] of Object.entries(part.variables)) variables[`${name}_${index}`] = value;
    if (of.parameters.includes(CHECKS)) variables.withChecks = may.checks;
  }
  const own = parts.find(({ query }) => query === 'pull-requests' || query === 'look-at-repository');
  const name = own ? operation(own.query).title : 'Parts';
  const text = `query ${name}(${[...new Set(parameters.flatMap((one) => one.split(', ')))].join(', ')}) {\n${selections.join('\n')}\n}\n`;
  return { name, text: withFragments(text, may.teams), variables };
}

function operation(name: QueryName) {
  const found = operations.get(name);
  if (!found) throw new Error(`There is no query file ${name}.graphql.`);
  return found;
}

function withFragments(text: string, teams: boolean): string {
  const known = teams ? fragments : fragmentsWithoutTeams;
  const used = new Set<string>();
  const collect = (selection: string) => {
    for (const [, name] of selection.matchAll(/\.\.\.(\w+)/g)) {
      const fragment = known.get(name!);
      if (!fragment || used.has(name!)) continue;
      used.add(name!);
      collect(fragment);
    }
  };
  collect(text);
  return [text, ...[...used].map((name) => known.get(name)!)].join('\n');
}

function read(file: string): string {
  return readFileSync(new URL(file, DIRECTORY), 'utf8').replaceAll(/^\s*#.*\n/gm, '');
}

function fragmentsOf(file: string): Map<string, string> {
  const found = read(file).matchAll(/^fragment (\w+) on [\s\S]*?^\}$/gm);
  return new Map([...found].map(([text, name]) => [name!, text]));
}

function operationOf(file: string) {
  const [, title, parameters, selection] = /^query (\w+)\(([^)]*)\) \{\n([\s\S]*)\n\}\s*$/m.exec(read(file)) ?? [];
  if (!title || !parameters || !selection) throw new Error(`${file} is not one query with variables.`);
  return { title, parameters, selection };
}
