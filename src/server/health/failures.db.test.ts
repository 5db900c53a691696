import { expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, HOST } from '../../../test/support/stored.ts';
import { signalsOf } from './signals.ts';
import { healthAsked } from './view.ts';

it('fails once where the database is lost while it is asked: nothing is left that would end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.prependListener('unhandledRejection', note);
  const database = await openTestDatabase();
  const user = await aUser(database.db);
  await aRepository(database.db, 'acme/lost', [user]);
  const signedIn = { id: user, host: HOST, login: 'me', time_zone: 'UTC', own_marks: false };
  const health = await healthAsked(database.db, signedIn, endpoints.getHealth.query.parse({}), new Date());
  const { db } = database;
  await database.close();

  await expect(signalsOf(db, health, 3)).rejects.toThrow();
  await new Promise((later) => setTimeout(later, 50));
  process.off('unhandledRejection', note);

  expect(unhandled).toEqual([]);
});
