/**
 * Whether a file is one that nobody writes, by patterns as in `.gitattributes` (docs/metrics.md#signals): one without a slash is that of
 * a name in any folder, another that of the path from the root; `*` and `?` stay within a name, `**` spans folders.
 */
export function isGenerated(path: string, patterns: readonly string[]): boolean {
  const folders = path.split('/');
  return patterns.some((pattern) => {
    const parts = pattern.replace(/^\//, '').split('/');
    return pattern.includes('/') ? matchesPath(parts, folders) : matchesName(pattern, folders.at(-1)!);
  });
}

/** Folder by folder; what a `**` spans may be nothing, at the end it is something. No more than each part against each folder. */
function matchesPath(parts: readonly string[], folders: readonly string[]): boolean {
  let reached = [0];
  parts.forEach((part, at) => {
    if (part !== '**') {
      reached = reached
        .filter((from) => from < folders.length && matchesName(part, folders[from]!))
        .map((from) => from + 1);
    } else if (reached.length > 0) {
      // From the first of them it reaches all that it reaches from the others.
      const least = at === parts.length - 1 ? reached[0]! + 1 : reached[0]!;
      reached = Array.from({ length: Math.max(0, folders.length - least + 1) }, (_, to) => least + to);
    }
  });
  return reached.includes(folders.length);
}

/** Goes back to the last `*` alone, so that no pattern takes more than its length times that of the name. */
function matchesName(pattern: string, name: string): boolean {
  let [inPattern, inName, star, marked] = [0, 0, -1, 0];
  while (inName < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern;
      marked = inName;
      inPattern += 1;
    } else if (pattern[inPattern] === '?' || pattern[inPattern] === name[inName]) {
      inPattern += 1;
      inName += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      marked += 1;
      inName = marked;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
