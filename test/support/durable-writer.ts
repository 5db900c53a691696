/* A process that changes an embedded database step by step, and says in between, by making a folder, which step is over. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/server/db/open.ts';

const [folder = '', sync] = process.argv.slice(2);
const over = (step: string) => mkdirSync(join(folder, `over-${step}`));
const place = { kind: 'embedded', folder: join(folder, 'database'), sync: sync === 'full' } as const;
const { pool, close } = await openDatabase(place, () => undefined);
over('open');
await pool.query('create table notes (note text)');
over('table');
await pool.query("insert into notes values ('kept')");
over('change');
await pool.query('checkpoint');
over('checkpoint');
await pool.query('drop table notes');
await pool.query('checkpoint');
over('removed');
await close();
