/** The code that Node or the system gave an error, as `ENOENT`; undefined where it has none. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
