import { describe, expect, it } from 'vitest';
import { addresses } from './addresses.ts';

describe('where a GitHub host answers', () => {
  it.each([
    ['https://github.com', 'https://github.com', 'https://api.github.com', 'https://api.github.com/graphql'],
    ['https://github.com/', 'https://github.com', 'https://api.github.com', 'https://api.github.com/graphql'],
    ['https://www.github.com', 'https://github.com', 'https://api.github.com', 'https://api.github.com/graphql'],
    ['https://octo.ghe.com', 'https://octo.ghe.com', 'https://api.octo.ghe.com', 'https://api.octo.ghe.com/graphql'],
    [
      'https://git.acme.test',
      'https://git.acme.test',
      'https://git.acme.test/api/v3',
      'https://git.acme.test/api/graphql',
    ],
    [
      'https://acme.test:8443/git/',
      'https://acme.test:8443/git',
      'https://acme.test:8443/git/api/v3',
      'https://acme.test:8443/git/api/graphql',
    ],
    ['https://notghe.com', 'https://notghe.com', 'https://notghe.com/api/v3', 'https://notghe.com/api/graphql'],
    [
      'http://127.0.0.1:4000',
      'http://127.0.0.1:4000',
      'http://127.0.0.1:4000/api/v3',
      'http://127.0.0.1:4000/api/graphql',
    ],
    [
      'http://localhost:4000',
      'http://localhost:4000',
      'http://localhost:4000/api/v3',
      'http://localhost:4000/api/graphql',
    ],
    ['http://[::1]:4000', 'http://[::1]:4000', 'http://[::1]:4000/api/v3', 'http://[::1]:4000/api/graphql'],
  ])('%s', (given, web_url, api_url, graphql_url) => {
    expect(addresses(given)).toEqual({ web_url, api_url, graphql_url });
  });

  it.each(['http://github.com', 'http://git.acme.test', 'http://127.evil.test', 'http://localhost.evil.test'])(
    '%s is refused, since tokens would travel unencrypted',
    (given) => {
      expect(() => addresses(given)).toThrow('use https');
    },
  );

  it.each(['github.com', '', 'ftp://github.com', 'javascript:alert(1)'])('%j is no address of a host', (given) => {
    expect(() => addresses(given)).toThrow('is no web address');
  });

  it('a password in the address is refused without repeating it', () => {
    expect(() => addresses('https://me:hunter2@git.acme.test')).toThrow(
      /^(?!.*hunter2).*must not hold a name or password/,
    );
  });
});
