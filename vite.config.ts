import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { endpoints } from './src/contract/endpoints.ts';

/** Where `vite dev` finds the server; its Origin check sees the server's own address. */
const server = process.env.MERGELIGHT_SERVER ?? 'http://localhost:3000';
const toServer = { target: server, headers: { origin: server } };

/**
 * The browser needs of the contract only how and where to call, and its plain words; the shapes, and zod with them, are the server's
 * to check. Types are gone by then, and importing a shape's value is a build error.
 */
function contractForTheBrowser(): Plugin {
  const folder = join(import.meta.dirname, 'src/contract');
  return {
    name: 'contract-for-the-browser',
    enforce: 'pre',
    async load(id) {
      if (dirname(id) !== folder) return null;
      const values = basename(id) === 'endpoints.ts' ? { endpoints: calls() } : await import(pathToFileURL(id).href);
      return Object.entries(values)
        .filter(([name, value]) => name === 'endpoints' || isPlain(value))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

function calls() {
  const entries = Object.entries(endpoints).map(([name, endpoint]) => {
    const { method, path, access, media } = { media: undefined, ...endpoint };
    return [name, { method, path, access, media }];
  });
  return Object.fromEntries(entries);
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || (Array.isArray(value) && value.every(isPlain));

export default defineConfig({
  root: 'src/web',
  plugins: [contractForTheBrowser(), react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The Content-Security-Policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // The sources have a folder `api` of their own, which the development server serves itself.
  server: { proxy: { '^/api/(?!.*\\.tsx?(\\?|$))': toServer, '/auth': toServer, '/webhooks': toServer } },
});
