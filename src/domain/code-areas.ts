/**
 * The area of the code that a changed file lies in: the first two folders of its path, `.` for a file in the root
 * (metric definitions, section 4, `code_ownership_areas`).
 */
export function areaOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  return folders.length === 0 ? '.' : folders.slice(0, 2).join('/');
}
