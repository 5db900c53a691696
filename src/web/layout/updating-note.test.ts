import { expect, test } from 'vitest';
import { updatingSentence } from './updating-note.tsx';

const web = { full_name: 'acme/web', counting: { percentage: 41, seconds_left: 170 } };

test('nothing is said while nothing is counted', () => {
  expect(updatingSentence([{ full_name: 'acme/web', counting: null }])).toBeNull();
});

test('what is counted, and left out meanwhile, is named with how far it is', () => {
  expect(updatingSentence([web, { full_name: 'acme/old', counting: null }])).toBe(
    'Updating … The figures of acme/web are being counted and left out until that is done: 41 %, about 3 minutes.',
  );
});

test('two are named, more are counted, and no time is guessed before there is a pace', () => {
  const begins = { percentage: 0, seconds_left: null };
  const api = { full_name: 'acme/api', counting: begins };

  expect(updatingSentence([web, api])).toBe(
    'Updating … The figures of acme/web and acme/api are being counted and left out until that is done: 20 %.',
  );
  expect(updatingSentence([web, api, { full_name: 'acme/doc', counting: begins }])).toMatch(
    /^Updating … The figures of 3 repo/,
  );
});
