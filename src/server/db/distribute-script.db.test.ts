import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { distributeScript } from './distribute-script.ts';
import { placements } from './distribution.ts';

const kindOf = (table: string) => placements[table as keyof typeof placements]?.kind;

test('the script distributes every table that is not local, each after those that it refers to', async () => {
  const { db, close } = await openTestDatabase();
  try {
    const script = await distributeScript(db);
    const made = [...script.matchAll(/create_(reference|distributed)_table\('(\w+)'/g)].map(([, kind, table]) => ({
      kind,
      table: table!,
    }));
    const { rows: tables } = await sql<{ table: string }>`
      select relname as table from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`.execute(
      db,
    );
    const onNodes = tables.map(({ table }) => table).filter((table) => kindOf(table) !== 'local');
    expect(made.map(({ table }) => table).sort()).toEqual(onNodes.sort());
    for (const { kind, table } of made) expect(kind, table).toBe(kindOf(table));

    // Citus takes foreign keys to what is on the nodes already, never to a distributed table from elsewhere.
    const order = made.map(({ table }) => table);
    const { rows: keys } = await sql<{ holder: string; to: string; columns: string[] }>`
      select h.relname as holder, t.relname as to, array_agg(a.attname::text) as columns
      from pg_constraint c join pg_class h on h.oid = c.conrelid join pg_class t on t.oid = c.confrelid
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.conparentid = 0 and h.relnamespace = 'public'::regnamespace group by c.oid, h.relname, t.relname`.execute(
      db,
    );
    for (const { holder, to, columns } of keys) {
      const name = `${holder} to ${to}`;
      if (kindOf(holder) !== 'local') expect(kindOf(to), name).not.toBe('local');
      if (kindOf(to) !== 'distributed') continue;
      expect(kindOf(holder), name).toBe('distributed');
      expect(columns, name).toContain('repository_id');
      if (holder !== to) expect(order.indexOf(to), name).toBeLessThan(order.indexOf(holder));
    }

    const dropped = [...script.matchAll(/drop constraint (\w+)/g)].map(([, name]) => name);
    expect([...script.matchAll(/add constraint (\w+)/g)].map(([, name]) => name)).toEqual(dropped);
  } finally {
    await close();
  }
});
