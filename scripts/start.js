// npm start: installs, builds and starts the server, each only when needed.
import { become, ensureBuilt, ensureInstalled, sparing } from './bootstrap.js';

ensureInstalled();
ensureBuilt();
become(['src/server/main.ts'], sparing());
