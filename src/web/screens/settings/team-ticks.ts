/** Slugs of teams. */
export type Ticks = ReadonlySet<string>;

interface Branch {
  readonly slug: string;
  readonly parent_slug: string | null;
  /** Null where it is not imported. */
  readonly imported_id: number | null;
}

/** The ticks once a team has been ticked or not: its children come and go with it, what is imported has no tick to give. */
export function withTick(ticks: Ticks, teams: readonly Branch[], slug: string, on: boolean): Ticks {
  const next = new Set(ticks);
  const waiting = [slug];
  const seen = new Set<string>();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    const isImported = teams.some((team) => team.slug === one && team.imported_id !== null);
    if (on && !isImported) next.add(one);
    else next.delete(one);
    waiting.push(...teams.filter(({ parent_slug }) => parent_slug === one).map((team) => team.slug));
  }
  return next;
}
