import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../db/open.ts';
import { countRows } from './count-rows.ts';

/** A limit of time is a PostgreSQL server's alone. */
test.skipIf(process.env.TEST_DATABASE === 'embedded')(
  'a table is read for longer than any other statement may take, and the limit holds again afterwards',
  async () => {
    const database = await openTestDatabase();
    const url = String(database.pool.options.connectionString);
    const hurried = await openDatabase({ kind: 'postgresql', url, connections: 1, answer_limit: 400 }, () => undefined);
    try {
      await hurried.pool.query('set statement_timeout = 300');
      const counted = await database.db.transaction().execute(async (holding) => {
        await sql`lock table people in access exclusive mode`.execute(holding);
        const counting = countRows(hurried);
        counting.catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return { counting };
      });

      expect((await counted.counting).tables.get('people')).toBe(0);
      expect((await hurried.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '300ms' }]);
    } finally {
      await hurried.close();
      await database.close();
    }
  },
);
