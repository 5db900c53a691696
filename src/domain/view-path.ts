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
/** Screens of one person or team, whose name follows. */
const screensOfOne: ReadonlySet<string> = new Set(['contributors', 'contributor', 'team']);

/** Parameters that hold ids of what not everybody sees. */
const idParameters = ['repository', 'team'] as const;
export type IdParameter = (typeof idParameters)[number];
/** Parameters that hold what somebody typed. */
const typedParameters: ReadonlySet<string> = new Set(['q', 'person']);

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
  readonly sees: (parameter: IdParameter, id: string) => boolean;
  /** Whether they typed what stands there. */
  readonly isMaker: boolean;
}

/**
 * A kept address as one reader gets it: ids that are not theirs are taken out, also one by one of a list, and of somebody else's view what was
 * typed. `missing` tells whether anything was.
 */
export function pathFor(path: string, { sees, isMaker }: PathReader): { path: string; missing: boolean } {
  const { pathname, query } = split(path);
  if (query === null) return { path, missing: false };
  const parameters = query.split('&');
  const kept = parameters.flatMap((parameter) => {
    const [name = '', ...rest] = parameter.split('=');
    const [called, value] = [decode(name), decode(rest.join('='))];
    if (called === null || value === null) return [];
    if (typedParameters.has(called)) return isMaker || value === '' ? [parameter] : [];
    const holds = idParameters.find((one) => one === called);
    if (holds === undefined) return [parameter];
    const ids = value.split(',').map((id) => id.trim());
    const seen = ids.filter((id) => id === '' || sees(holds, id));
    if (seen.length === ids.length) return [parameter];
    return seen.some((id) => id !== '') ? [`${holds}=${seen.map(encodeURIComponent).join(',')}`] : [];
  });
  const missing = kept.length < parameters.length || kept.some((parameter, at) => parameter !== parameters[at]);
  if (!missing) return { path, missing };
  return { path: kept.length === 0 ? pathname : `${pathname}?${kept.join('&')}`, missing };
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
