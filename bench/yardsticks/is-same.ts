/** Whether two figures, or lists of figures, are the same but for the order in which fractions were added up; `bigint` counts as a number. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => isSame(value, other[at]));
  if (isNumber(one) && isNumber(other)) {
    const [a, b] = [Number(one), Number(other)];
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  }
  return one === other;
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
