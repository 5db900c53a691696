interface Team {
  readonly id: number;
  readonly name: string;
  /** `organisation/slug`; null of a group. */
  readonly handle: string | null;
}

/** What teams that are listed together are called, by their ids: several of one name by their handles, a group as one. */
export function teamNames(teams: readonly Team[]): Map<number, string> {
  const byName = Map.groupBy(teams, ({ name }) => name);
  return new Map(
    teams.map(({ id, name, handle }) => [id, byName.get(name)!.length > 1 ? (handle ?? `${name} (group)`) : name]),
  );
}
