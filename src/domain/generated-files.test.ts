import { describe, expect, it } from 'vitest';
import { isGenerated } from './generated-files.ts';
import { defaultHealthSettings } from './signals.ts';

describe('a generated file', () => {
  it.each([
    'Cargo.lock',
    'web/package-lock.json',
    'pnpm-lock.yaml',
    'npm-shrinkwrap.json',
    'deep/down/go.sum',
    'src/a.snap',
    'public/site.min.js',
    'vendor/lib/a.c',
    'generated/api.ts',
    'src/generated/deep/api.ts',
  ])('%s is one by default', (path) => {
    expect(isGenerated(path, defaultHealthSettings.generated)).toBe(true);
  });

  it.each([
    'src/lock.ts',
    'lock',
    'src/min.js',
    'src/vendor/a.c',
    'vendor',
    'src/generated',
    'my-go.sum.txt',
    'src/regenerated/a.ts',
  ])('%s is none by default', (path) => {
    expect(isGenerated(path, defaultHealthSettings.generated)).toBe(false);
  });

  it.each([
    ['/api.ts', 'api.ts', true],
    ['/api.ts', 'src/api.ts', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/deep/a.md', false],
    ['docs/**/a.md', 'docs/a.md', true],
    ['docs/**/a.md', 'docs/b/c/a.md', true],
    ['a?c', 'x/abc', true],
    ['a?c', 'ac', false],
    ['**', 'any/thing', true],
    ['a/**', 'a', false],
    ['a/**', 'b/a/c', false],
    ['**/**', 'a', true],
    ['**/a/**/b', 'x/a/y/a/b', true],
    ['**/a/**/b', 'x/b/a', false],
    ['a/**/**/b', 'a/b', true],
    ['x.y', 'xzy', false],
    ['(a+)+$', '(a+)+$', true],
    ['[ab].c', 'a.c', false],
    ['', 'a', false],
  ])('by %s %s is: %s', (pattern, path, is) => {
    expect(isGenerated(path, [pattern])).toBe(is);
  });

  it('costs no more than a pattern times a name, however it is made', () => {
    expect(isGenerated('a'.repeat(250), ['*a'.repeat(99).concat('b')])).toBe(false);
    const deep = 'a/'.repeat(2000);
    for (const pattern of ['**/'.repeat(66), '**/a/'.repeat(39), '**/*a*/'.repeat(28)])
      expect(isGenerated(`${deep}c`, [`${pattern}b`])).toBe(false);
  });
});
