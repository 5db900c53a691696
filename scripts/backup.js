// npm run backup -- FILE: a backup of the database, also while the server runs.
import { become, ensureInstalled, fromHere } from './bootstrap.js';

ensureInstalled();
become(['src/server/backup-command.ts', ...process.argv.slice(2).map(fromHere)]);
