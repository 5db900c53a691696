import { distributeScript } from './db/distribute-script.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';

/* `npm run distribute`: prints the SQL that distributes the schema over the nodes of Citus (docs/scaling.md#citus). */

const database = await openDatabase({ kind: 'embedded', folder: null }, (error) => {
  throw error;
});
try {
  await migrate(database.db);
  process.stdout.write(await distributeScript(database.db));
} finally {
  await database.close();
}
