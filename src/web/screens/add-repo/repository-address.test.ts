import { describe, expect, it } from 'vitest';
import { readRepositoryAddress } from './repository-address.ts';

describe('an address in the name field', () => {
  it.each([
    'bitcoin-core/gui',
    ' bitcoin-core/gui ',
    'https://github.com/bitcoin-core/gui',
    'https://github.com/bitcoin-core/gui/',
    'https://github.com/bitcoin-core/gui.git',
    'http://localhost:4000/bitcoin-core/gui/pull/3',
    'https://github.com/bitcoin-core/gui?tab=readme',
    'https://github.com/bitcoin-core/gui#readme',
    'github.com/bitcoin-core/gui',
    'git.example.com:8443/bitcoin-core/gui',
    'git@github.com:bitcoin-core/gui.git',
    'ssh://git@github.com/bitcoin-core/gui.git',
  ])('fills both fields: %s', (text) => {
    expect(readRepositoryAddress(text)).toEqual({ owner: 'bitcoin-core', name: 'gui' });
  });

  it.each([
    'gui',
    '',
    'dot.github.io',
    'https://github.com/bitcoin-core',
    'bitcoin-core/',
    'https://g',
    'github.com/b',
  ])('is none: %s', (text) => {
    expect(readRepositoryAddress(text)).toBeNull();
  });
});
