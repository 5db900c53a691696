// npm start: installs, builds and starts the server, each only when needed.
import { become, ensureBuilt, ensureInstalled } from './bootstrap.js';

ensureInstalled();
ensureBuilt();
become(['src/server/main.ts']);
