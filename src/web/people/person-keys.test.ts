import { expect, it } from 'vitest';
import { personKeys } from './person-keys.ts';

it('each of two accounts that had the same login one after the other has a key of its own, in any order', () => {
  const [first, other, second] = [{ login: 'mona' }, { login: 'ben' }, { login: 'mona' }];
  const key = personKeys([first, other, second], ({ login }) => login);

  expect([second, other, first].map(key)).toEqual(['mona 2', 'ben', 'mona']);
});
