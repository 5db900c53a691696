import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { definitions } from '#domain/metrics/definitions.ts';
import { openApiDocument } from '../http/openapi.ts';
import { documents, serveDocs } from './docs-pages.ts';
import { htmlOf } from './markdown.ts';

vi.mock(import('./markdown.ts'), async (original) => {
  const markdown = await original();
  return { ...markdown, htmlOf: vi.fn(markdown.htmlOf) };
});

describe('the documentation that the server shows', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = Fastify();
    serveDocs(app, () => openApiDocument('https://prs.example'));
  });
  afterAll(() => app.close());
  const textOf = async (path: string) => (await app.inject(path)).body;

  it('lists every document, and shows each as a page of its own', async () => {
    const list = await textOf('/docs');
    for (const { slug, title } of documents) {
      expect(list).toContain(`<a href="/docs/${slug}">${title}</a>`);
      const page = await app.inject(`/docs/${slug}`);
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.body.match(/<h1/g)).toHaveLength(1);
    }
    expect((await app.inject('/docs/nothing')).statusCode).toBe(404);
    expect((await app.inject('/docs/..%2Fpackage.json')).statusCode).toBe(404);
  });

  it('leads nowhere that is not there: every link within the documents has a page and an anchor', async () => {
    const pages = new Map<string | undefined, Awaited<ReturnType<typeof app.inject>>>();
    for (const slug of ['api', ...documents.map((document) => document.slug)]) {
      const page = await textOf(`/docs/${slug}`);
      for (const [, target = ''] of page.matchAll(/<a[^>]* href="(\/docs[^"]*|#[^"]*)"/g)) {
        const [path, anchor] = target.startsWith('#') ? [`/docs/${slug}`, target.slice(1)] : target.split('#');
        const there = pages.get(path) ?? (await app.inject(path ?? ''));
        pages.set(path, there);
        expect(there.statusCode, target).toBe(200);
        if (anchor !== undefined) expect(there.body.includes(`id="${anchor}"`), target).toBe(true);
      }
    }
  });

  it('has a row for each figure, and a section for how sign-in is set up', async () => {
    const metrics = await textOf('/docs/metrics');
    expect(Object.keys(definitions).filter((key) => !metrics.includes(`id="${key}"`))).toEqual([]);
    expect(await textOf('/docs/operating')).toContain('<h2 id="signing-in-with-github">');
  });

  it('shows no mark of the language that the texts are written in', async () => {
    for (const { slug } of documents) {
      const words = (await textOf(`/docs/${slug}`)).replace(/<(pre|code)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
      expect(words.match(/\*\*|\]\(|^#|^\||`/gm), slug).toBeNull();
    }
  });

  it('heads no column with nothing', async () => {
    for (const { slug } of documents) expect(await textOf(`/docs/${slug}`), slug).not.toMatch(/<th[^>]*>\s*<\/th>/);
  });

  it('renders each document once, however often it is asked for', async () => {
    const before = await textOf('/docs/metrics');
    vi.mocked(htmlOf).mockClear();

    expect(await Promise.all(Array.from({ length: 5 }, () => textOf('/docs/metrics')))).toEqual(Array(5).fill(before));
    expect(htmlOf).not.toHaveBeenCalled();
  });

  it('renders a long text in proportion to its length', () => {
    const seconds = (blocks: number) => {
      const text = 'a\n\n'.repeat(blocks);
      const before = process.cpuUsage();
      htmlOf(text, () => null);
      return process.cpuUsage(before).user / 1e6;
    };
    seconds(5000);

    // With the rest of the text copied for each block it would be several seconds.
    expect(seconds(60_000)).toBeLessThan(1);
  });

  it('takes text for text', () => {
    expect(htmlOf('a < b & "c" <script>`<i>`</script> [x](javascript:alert)', () => null)).toBe(
      '<p>a &lt; b &amp; &quot;c&quot; &lt;script&gt;<code>&lt;i&gt;</code>&lt;/script&gt; x</p>',
    );
  });
});
