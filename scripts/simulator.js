// npm run demo-host: the simulated host alone, e.g. `npm run demo-host -- --world tiny --port 4000`.
import { become, ensureInstalled } from './bootstrap.js';

ensureInstalled();
const given = process.argv.slice(2);
become(['src/simulator/main.ts', ...(given.length > 0 ? given : ['--world', 'demo', '--port', '4000'])]);
