// npm run --silent distribute: prints the SQL that distributes the schema over the nodes of Citus.
import { become, ensureInstalled } from './bootstrap.js';

ensureInstalled();
become(['src/server/distribute-command.ts']);
