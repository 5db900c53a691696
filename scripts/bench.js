// npm run bench: runs a benchmark of bench/ by its name; without one the report over all.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { become, ensureBuilt, ensureInstalled, fail, root, sparing } from './bootstrap.js';
import { ensureChromium } from './machine.js';

const [name = 'report', ...rest] = process.argv.slice(2);
const folder = join(root, 'bench');
if (!existsSync(join(folder, `${name}.ts`))) {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []));
  fail(`Usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
}
ensureInstalled();
const opensPages = ['report', 'browser'].includes(name);
if (opensPages) ensureBuilt();
const browser = opensPages ? await ensureChromium() : null;
// A measurement runs as the product does.
become([join('bench', `${name}.ts`), ...rest], { ...sparing(), ...(browser && { CHROMIUM_PATH: browser }) });
