// npm run restore -- FILE: a backup into an empty DATA_DIR, or an empty PostgreSQL database.
import { become, ensureInstalled, fromHere } from './bootstrap.js';

ensureInstalled();
become(['src/server/restore-command.ts', ...process.argv.slice(2).map(fromHere)]);
