// npm run partition -- 64: splits the tables that grow into that number of parts; `off` makes each one table again. The product is stopped meanwhile.
import { become, ensureInstalled } from './bootstrap.js';

ensureInstalled();
become(['src/server/partition-command.ts', ...process.argv.slice(2)]);
