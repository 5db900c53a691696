import { describe, expect, it } from 'vitest';
import { definitionOf, definitions } from './definitions.ts';
import type { Definition } from './metric.ts';

const all: [string, Definition][] = Object.entries(definitions);

describe('the definitions', () => {
  it.each(all)('%s is one sentence that names no key', (_key, { definition }) => {
    expect(definition).toMatch(/^[A-Z][^\n]*\.$/);
    expect(definition).not.toMatch(/\.\s+[A-Z]|_/);
  });

  it('are found by key, and nothing else is', () => {
    expect(definitionOf('team.open_prs')?.name).toBe('Open now');
    expect(definitionOf('toString')).toBeNull();
    expect(definitionOf('open_prs')).toBeNull();
  });
});
