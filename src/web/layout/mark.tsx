/** The product's mark: a branch that merges into a small lamp. Decorative: the name stands beside it. */
export function Mark({ size = 22 }: { size?: number }) {
  return <img src="/mark.svg" width={size} height={size} alt="" />;
}
