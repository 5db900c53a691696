// npm run test:soak: kills the server many times and looks whether anything was lost, e.g. `npm run test:soak -- --kills 1000`.
import { become, ensureInstalled } from './bootstrap.js';

ensureInstalled();
become(['test/soak/soak.ts', ...process.argv.slice(2)]);
