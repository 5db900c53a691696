import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `vite dev` finds the server; its Origin check sees the server's own address. */
const server = process.env.MERGELIGHT_SERVER ?? 'http://localhost:3000';
const toServer = { target: server, headers: { origin: server } };

export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The Content-Security-Policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': toServer, '/auth': toServer, '/webhooks': toServer } },
});
