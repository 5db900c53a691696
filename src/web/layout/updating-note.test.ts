import { expect, test } from 'vitest';
import { updatingWords } from './updating-note.tsx';

const web = { full_name: 'acme/web', counting: { percentage: 41, seconds_left: 170 } };

test('nothing is said while nothing is counted', () => {
  expect(updatingWords([{ full_name: 'acme/web', counting: null }])).toBeNull();
});

test('what is counted, and left out meanwhile, is named with how far it is', () => {
  expect(updatingWords([web, { full_name: 'acme/old', counting: null }])?.sentence).toBe(
    'Updating … The figures of acme/web are being counted and left out until that is done: 41 %, about 3 minutes.',
  );
});

test('two are named, more are counted, and no time is guessed before there is a pace', () => {
  const begins = { percentage: 0, seconds_left: null };
  const api = { full_name: 'acme/api', counting: begins };

  expect(updatingWords([web, api])?.sentence).toBe(
    'Updating … The figures of acme/web and acme/api are being counted and left out until that is done: 20 %.',
  );
  expect(updatingWords([web, api, { full_name: 'acme/doc', counting: begins }])?.sentence).toMatch(
    /^Updating … The figures of 3 repo/,
  );
});

test('what is spoken of it changes at every tenth of the way', () => {
  const spokenAt = (percentage: number) =>
    updatingWords([{ full_name: 'acme/web', counting: { percentage, seconds_left: 170 } }])?.spoken;

  expect(spokenAt(49)).toBe(spokenAt(41));
  expect(spokenAt(49)).toMatch(/acme\/web are being counted and left out until that is done: 40 percent\.$/);
  expect(spokenAt(50)).toMatch(/50 percent\.$/);
});
