import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { endpoints } from './src/contract/endpoints.ts';

/** Where `vite dev` finds the server; its Origin check sees the server's own address. */
const server = process.env.MERGELIGHT_SERVER ?? 'http://localhost:3000';
const toServer = { target: server, headers: { origin: server } };

/** The browser needs of the contract only how and where to call; its shapes, and zod with them, are the server's to check. */
function contractForTheBrowser(): Plugin {
  return {
    name: 'contract-for-the-browser',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/src/contract/endpoints.ts')) return null;
      const calls = Object.entries(endpoints).map(([name, endpoint]) => {
        const { method, path, access, media } = { media: undefined, ...endpoint };
        return [name, { method, path, access, media }];
      });
      return `export const endpoints = ${JSON.stringify(Object.fromEntries(calls))};`;
    },
  };
}

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
