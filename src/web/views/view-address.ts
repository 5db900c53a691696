/** The address of a kept view, to be given to others. */
export function viewAddress(slug: string): string {
  return `${window.location.origin}/v/${slug}`;
}
