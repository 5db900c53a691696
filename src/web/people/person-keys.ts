/** Keys of rows that are people: their logins, numbered where several accounts had the same one after the other. */
export function personKeys<Row extends object>(
  rows: readonly Row[] | undefined,
  loginOf: (row: Row) => string,
): (row: Row) => string {
  const counts = new Map<string, number>();
  const keys = new Map<Row, string>();
  for (const row of rows ?? []) {
    const login = loginOf(row);
    const count = (counts.get(login) ?? 0) + 1;
    counts.set(login, count);
    keys.set(row, count === 1 ? login : `${login} ${count}`);
  }
  return (row) => keys.get(row) ?? loginOf(row);
}
