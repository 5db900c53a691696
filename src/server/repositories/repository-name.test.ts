import { expect, test } from 'vitest';
import { repositoryName } from './repository-name.ts';

test.each([
  ['acme', 'web'],
  [' acme ', ' web '],
  ['', 'acme/web'],
  ['acme', 'acme/web'],
  ['somebody-else', 'acme/web'],
  ['acme/web', ''],
  ['acme/web', 'web'],
  ['', 'https://github.com/acme/web'],
  ['', 'https://github.com/acme/web/'],
  ['', 'https://github.com/acme/web.git'],
  ['', 'https://github.com/acme/web/pull/12/files?diff=split#top'],
  ['', 'http://127.0.0.1:4000/acme/web'],
  ['', 'github.com/acme/web'],
  ['', 'git.example.com:8443/acme/web'],
  ['', 'git@github.com:acme/web.git'],
  ['', 'ssh://git@github.com/acme/web.git'],
  ['https://github.com/acme/web', ''],
])('"%s" and "%s" mean acme/web', (owner, name) => {
  expect(repositoryName(owner, name)).toEqual({ owner: 'acme', name: 'web' });
});

test.each([
  ['acme', 'web.js'],
  ['acme', '.github'],
  ['a', '_'],
  ['acme_corp', 'web-2'],
])('%s/%s is a name that a host could have given', (owner, name) => {
  expect(repositoryName(owner, name)).toEqual({ owner, name });
});

test.each([
  ['', '', 'owner'],
  ['', 'web', 'owner'],
  ['acme', '', 'name'],
  ['acme', '..', 'name'],
  ['acme', 'we b', 'name'],
  ['ac me', 'web', 'owner'],
  ['', 'https://github.com/acme', 'owner'],
  ['', 'https://github.com/acme/', 'name'],
  ['', '../../etc/passwd', 'owner'],
  ['acme', `${'x'.repeat(101)}`, 'name'],
  ['acme', 'web?x=1', 'name'],
])('"%s" and "%s" are refused, naming the field', (owner, name, field) => {
  expect(() => repositoryName(owner, name)).toThrow(
    expect.objectContaining({ status: 400, issues: [expect.objectContaining({ path: field })] }),
  );
});

test('what cannot be a name is refused at once, however long it is', () => {
  expect(() => repositoryName('a', `a/${'?'.repeat(250_000)}\nx`)).toThrow();
  expect(() => repositoryName('a', `${'a.'.repeat(125_000)}\n/x`)).toThrow();
});
