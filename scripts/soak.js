// npm run test:soak: kills the server, or what sends messages, many times and looks whether anything was lost, e.g. `npm run test:soak -- --kills 1000`.
import { become, ensureInstalled } from './bootstrap.js';

ensureInstalled();
const given = process.argv.slice(2);
const sends = given.some((one) => one.startsWith('--senders'));
become([sends ? 'test/soak/senders.ts' : 'test/soak/soak.ts', ...given]);
