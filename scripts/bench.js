// npm run bench: runs a benchmark of bench/ by its name; without one it lists them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { become, ensureInstalled, fail, root, sparing } from './bootstrap.js';

const [name, ...rest] = process.argv.slice(2);
const folder = join(root, 'bench');
if (name === undefined || !existsSync(join(folder, `${name}.ts`))) {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []));
  fail(`Usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ') || '(none yet)'}`);
}
ensureInstalled();
// A measurement runs as the product does.
become([join('bench', `${name}.ts`), ...rest], sparing());
