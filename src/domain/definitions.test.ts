import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { definitionOf, definitions } from './definitions.ts';

const all: [string, Definition][] = Object.entries(definitions);

describe('the definitions', () => {
  it.each(all)('%s is one sentence that names no key', (_key, { definition }) => {
    expect(definition).toMatch(/^[A-Z][^\n]*\.$/);
    expect(definition).not.toMatch(/\.\s+[A-Z]|_/);
  });

  it.each(all)('%s names a file that is there', (_key, { file }) => {
    expect(existsSync(file)).toBe(true);
  });

  it('are found by key, and nothing else is', () => {
    expect(definitionOf('team.open_prs')?.name).toBe('Open now');
    expect(definitionOf('toString')).toBeNull();
    expect(definitionOf('open_prs')).toBeNull();
  });
});
