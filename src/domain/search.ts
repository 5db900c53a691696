/**
 * Whether any of some texts holds what was typed, without regard to case; what was typed is trimmed and literal
 * (docs/product.md#words-and-errors). Nothing typed matches everything; null texts match nothing.
 */
export function matchesSearch(texts: readonly (string | null)[], typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted) ?? false);
}
