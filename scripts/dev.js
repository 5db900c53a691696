// npm run dev: the server, started anew when its files change, and the front end, replaced in the open page as you type.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { become, ensureInstalled, environment, node, root } from './bootstrap.js';

ensureInstalled();
const port = process.env.PORT ?? '3000';
const watched = ['src/server', 'src/domain', 'src/contract'].map((path) => `--watch-path=${join(root, path)}`);
const front = spawn(node(), [join(root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...environment(), MERGELIGHT_SERVER: process.env.MERGELIGHT_SERVER ?? `http://localhost:${port}` },
});
process.once('exit', () => front.kill());
front.once('exit', (code) => process.exit(code ?? 0));
become(['--watch', '--watch-preserve-output', ...watched, 'src/server/main.ts'], { PORT: port });
