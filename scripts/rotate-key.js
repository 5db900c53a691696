// npm run rotate-key: seals the stored secrets again, while the server runs or without it.
import { become, ensureInstalled } from './bootstrap.js';

ensureInstalled();
become(['src/server/rotate-key-command.ts']);
