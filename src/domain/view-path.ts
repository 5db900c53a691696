/** The longest address that can be kept. */
export const LONGEST_PATH = 2000;

/** Screens whose address can be kept. */
const screens: ReadonlySet<string> = new Set([
  '/dashboard',
  '/prs',
  '/contributors',
  '/health',
  '/trends',
  '/teams',
  '/ai',
]);
/** Screens of one person, whose login follows. */
const screensOfPerson: ReadonlySet<string> = new Set(['contributors', 'contributor']);
/** Screens of one person or team, whose name follows. */
const screensOfOne: ReadonlySet<string> = new Set([...screensOfPerson, 'team']);

/** Parameters that hold ids of what not everybody sees, and of what; `teams`, `asked` and `parent` are teams, too. */
const idParameters: ReadonlyMap<string, 'repository' | 'team'> = new Map([
  ['repository', 'repository'],
  ['team', 'team'],
  ['teams', 'team'],
  ['asked', 'team'],
  ['parent', 'team'],
]);
/** Parameters that hold what somebody typed, or names of what not everybody sees: of people, a repository, and of lines, as branches are. */
const textParameters: ReadonlySet<string> = new Set([
  ...['q', 'person', 'compare', 'reviewer', 'credited_to'],
  ...['labels', 'place', 'pinned'],
]);

/** Values that are words of the screen's own: the team's means beside somebody's figures, and what is credited to nobody. */
const fixedValues: Readonly<Record<string, string>> = { compare: '*', credited_to: 'none' };

/**
 * Why an address cannot be kept, as a sentence; null where it can: the path of one of the screens with its query, of this product only
 * and spelled plainly, so that no browser takes it for another one's (docs/product.md#kept-views).
 */
export function viewPathProblem(path: string): string | null {
  if (!/^\/(?![/\\])/.test(path)) return 'must begin with one /';
  if (path.length > LONGEST_PATH) return `must not be longer than ${LONGEST_PATH} letters`;
  const { pathname, query } = split(path);
  const decoded = [decode(pathname), ...(query ?? '').split('&').map(decode)];
  if (!path.isWellFormed() || path.includes('#') || decoded.includes(null)) return 'must be a path and a query';
  if ([path, ...decoded].some((text) => /\p{Cc}/u.test(text!))) return 'must not contain control characters';
  return screens.has(pathname) || isOfOne(pathname) ? null : 'must be one of the screens that can be kept';
}

function isOfOne(pathname: string): boolean {
  const [, screen = '', name = '', ...more] = pathname.split('/');
  const called = decode(name)!;
  return screensOfOne.has(screen) && more.length === 0 && !/^\.{0,2}$|[/\\]/.test(called);
}

/** What a reader may be shown of an address. */
export interface PathReader {
  /** Whether they may know of it: the id is as the address has it. */
  readonly sees: (what: 'repository' | 'team', id: string) => boolean;
  /** Whether they may know of the person with this login. */
  readonly knows: (login: string) => boolean;
  /** Whether they typed what stands there. */
  readonly isMaker: boolean;
}

export interface ReadPath {
  readonly path: string;
  /** Whether anything was taken out. */
  readonly missing: boolean;
  /** Whether a team or group was: it was deleted, or the reader does not see it. */
  readonly team_gone: boolean;
}

/** The login of the person whose screen an address is; null where it is another screen's. */
export function personOf(path: string): string | null {
  const [, screen = '', name = ''] = split(path).pathname.split('/');
  return screensOfPerson.has(screen) && name !== '' ? decode(name) : null;
}

/**
 * A kept address as one reader gets it: ids that are not theirs are taken out, also one by one of a list, and of somebody else's view what was
 * typed. That of a team which is not theirs becomes that of all teams, and somebody else's of a person whom they don't know that of all people.
 * `/contributors/{login}` becomes `/contributor/{login}`, the address of the screen.
 */
export function pathFor(keptPath: string, { sees, knows, isMaker }: PathReader): ReadPath {
  const path = keptPath.replace(/^\/contributors\//, '/contributor/');
  const { pathname, query } = split(path);
  const [, screen, name] = pathname.split('/');
  let team_gone = screen === 'team' && !sees('team', decode(name ?? '') ?? '');
  const person = isMaker ? null : personOf(path);
  const shown = team_gone ? '/teams' : person !== null && !knows(person) ? '/contributors' : pathname;
  if (query === null) return { path: shown, missing: shown !== pathname, team_gone };
  const parameters = query.split('&').map((text) => {
    const [name = '', ...rest] = text.split('=');
    return { text, name: decode(name), value: decode(rest.join('=')) };
  });
  const kept = parameters.flatMap(({ text, name, value }) => {
    if (name === null || value === null) return [];
    if (textParameters.has(name)) return isMaker || value === '' || fixedValues[name] === value ? [text] : [];
    const what = idParameters.get(name);
    if (what === undefined) return [text];
    const ids = value.split(',').map((id) => id.trim());
    const seen = ids.filter((id) => id === '' || sees(what, id));
    if (seen.length === ids.length) return [text];
    if (what === 'team') team_gone = true;
    return seen.some((id) => id !== '') ? [`${name}=${seen.map(encodeURIComponent).join(',')}`] : [];
  });
  const missing =
    shown !== pathname || kept.length < parameters.length || kept.some((text, at) => text !== parameters[at]!.text);
  if (!missing) return { path, missing, team_gone };
  // As whose a team's pull requests count means nothing without a team.
  const has = (texts: readonly string[]) => texts.some((text) => decode(text.split('=')[0]!) === 'team');
  const isLost = !has(kept) && has(parameters.map(({ text }) => text));
  const left = isLost ? kept.filter((text) => decode(text.split('=')[0]!) !== 'team_as') : kept;
  return { path: left.length === 0 ? shown : `${shown}?${left.join('&')}`, missing, team_gone };
}

function split(path: string): { pathname: string; query: string | null } {
  const at = path.indexOf('?');
  return at < 0 ? { pathname: path, query: null } : { pathname: path.slice(0, at), query: path.slice(at + 1) };
}

/** As a query's texts are read; null for what is none. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
