import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { anchorOf } from '../src/server/docs/markdown.ts';

const cited = /docs\/([\w-]+)\.md(?:#([\w-]+))?/g;

/** The lines of a file that are a comment or part of one. */
function commentsOf(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => /^\s*(\/\*|\*|\/\/)/.test(line)).join('\n');
}

function hasSection(file: string, anchor: string): boolean {
  const headings = readFileSync(file, 'utf8').matchAll(/^#{2,} (.+)$/gm);
  return [...headings].some(([, heading]) => anchorOf(heading!) === anchor);
}

test('every document that a comment cites is in the repository, with the section that it names', () => {
  const citations = globSync('{src,test,bench,scripts}/**/*.{ts,tsx,js,css}').flatMap((file) =>
    [...commentsOf(file).matchAll(cited)].map(([text, document, anchor]) => ({ file, text, document, anchor })),
  );

  const broken = citations.filter(({ document, anchor }) => {
    const path = `docs/${document}.md`;
    return !existsSync(path) || (anchor !== undefined && !hasSection(path, anchor));
  });

  expect(broken.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  expect(citations.length).toBeGreaterThan(200);
});
