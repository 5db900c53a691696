/** The values that differ from before. */
export const changedOf = <T extends object>(before: Partial<NoInfer<T>>, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T])),
  ) as Partial<T>;
