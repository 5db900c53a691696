import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { escaped } from '../http/html.ts';
import type { OpenApiDocument } from '../http/openapi.ts';
import { apiReference } from './api-reference.ts';
import { htmlOf } from './markdown.ts';

interface Document {
  /** Below `/docs/`. */
  readonly slug: string;
  /** In the repository. */
  readonly file: string;
  readonly title: string;
  /** One line for the list of documents. */
  readonly about: string;
}

/** What this installation shows of its own documentation, in the order of the list. */
export const documents: readonly Document[] = [
  {
    slug: 'metrics',
    file: 'docs/metrics.md',
    title: 'Every number',
    about: 'What each figure means, over which time, and what is left out.',
  },
  {
    slug: 'product',
    file: 'docs/product.md',
    title: 'What the screens show',
    about: 'Each screen, the rules behind it, its words, thresholds and calls.',
  },
  {
    slug: 'operating',
    file: 'docs/operating.md',
    title: 'Operating Mergelight',
    about: 'Settings, signing in with GitHub, webhooks, backup, upgrade.',
  },
  {
    slug: 'server',
    file: 'docs/server.md',
    title: 'How the server works',
    about: 'What its calls answer, who sees what, how it syncs, and what it retries.',
  },
  {
    slug: 'security',
    file: 'docs/security.md',
    title: 'Security, point by point',
    about: 'The OWASP verification standard, each point with what shows it.',
  },
  {
    slug: 'reporting',
    file: 'SECURITY.md',
    title: 'Reporting a weakness',
    about: 'How to report one, and which versions are mended.',
  },
  { slug: 'changes', file: 'CHANGELOG.md', title: 'Changelog', about: 'What people notice of a new version.' },
  { slug: 'licence', file: 'LICENSE', title: 'Licence', about: 'The terms under which Mergelight may be used.' },
];

const style = `
:root { color-scheme: light; --canvas: #fbfbfc; --surface: #fff; --sunken: #f4f5f7; --line: #e6e8ec; --text: #171a21; --text-2: #515966; --accent: #2a5bd0; --tint: #eef3fe; }
:root[data-mantine-color-scheme="dark"] { color-scheme: dark; --canvas: #0d0f13; --surface: #13161b; --sunken: #1b1f26; --line: #252a33; --text: #e9ebef; --text-2: #a6aebb; --accent: #86a9ff; --tint: #18233f; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--canvas); color: var(--text); overflow-wrap: break-word;
  font: 0.9375rem/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
header { background: var(--surface); border-bottom: 1px solid var(--line); }
header > div, main { max-width: 62rem; margin-inline: auto; padding-inline: 1.5rem; }
header > div { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; min-height: 3.25rem; padding-block: 0.5rem; font-size: 0.8125rem; }
header .brand { display: inline-flex; align-items: center; gap: 0.5rem; margin-inline-end: auto; color: var(--text); font-weight: 600; font-size: 0.9375rem; }
main { padding-block: 2rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.02em; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; line-height: 1.4; margin: 2.25rem 0 0.5rem; }
h3 { font-size: 0.9375rem; margin: 1.5rem 0 0.25rem; }
p, ul, ol { margin: 0 0 1rem; max-width: 46rem; }
ul, ol { padding-inline-start: 1.375rem; }
li + li { margin-top: 0.375rem; }
a { color: var(--accent); }
header a { text-decoration: none; }
header a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; background: var(--sunken); border-radius: 4px; padding: 0.0625rem 0.25rem; }
pre { margin: 0 0 1rem; padding: 0.75rem 1rem; overflow-x: auto; background: var(--sunken); border-radius: 8px; }
pre code { padding: 0; background: none; }
pre.text { white-space: pre-wrap; font-size: 0.8125rem; }
.wide { overflow-x: auto; margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
table { border-collapse: collapse; width: 100%; font-size: 0.8125rem; line-height: 1.5; }
th, td { padding: 0.5rem 0.75rem; text-align: start; vertical-align: top; min-width: 6rem; overflow-wrap: anywhere; }
td:first-child code { white-space: nowrap; }
th { color: var(--text-2); font-weight: 500; }
tbody tr { border-top: 1px solid var(--line); }
tr:target { background: var(--tint); }
.list { list-style: none; padding: 0; display: grid; gap: 1rem; }
.list li { margin: 0; }
.list span { display: block; color: var(--text-2); }
`;

const root = join(import.meta.dirname, '../../..');

/** Below `/docs/`, beside the documents: the calls, drawn from the OpenAPI document. */
const reference = {
  slug: 'api',
  title: 'API reference',
  about: 'Each call of the server, with what it takes and answers.',
};

/** The documentation of this very version, at `/docs`: what the product's pages link to is there without another network, too. */
export function serveDocs(app: FastifyInstance, api: () => OpenApiDocument): void {
  let drawn: string | undefined;
  app.get('/docs/api', async (_request, reply) => {
    drawn ??= pageOf(reference.title, apiReference(api(), documentOf), 'api');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(drawn);
  });
  for (const [file, type] of [
    ['api-reference.css', 'text/css'],
    ['api-reference.js', 'text/javascript'],
  ] as const)
    app.get(`/docs/${file}`, async (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .send(await readFile(join(import.meta.dirname, file), 'utf8')),
    );
  app.get('/docs/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style),
  );
  app.get('/docs', async (_request, reply) => {
    const list = [reference, ...documents].map(
      ({ slug, title, about }) => `<li><a href="/docs/${slug}">${title}</a><span>${about}</span></li>`,
    );
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(pageOf('Documentation', `<h1>Documentation</h1><ul class="list">${list.join('')}</ul>`));
  });
  // Anybody may ask for these as often as they like, and rendering takes much longer than reading: a text is rendered once.
  const rendered = new Map<string, { readonly text: string; readonly page: string }>();
  app.get<{ Params: { slug: string } }>('/docs/:slug', async (request, reply) => {
    const document = documents.find(({ slug }) => slug === request.params.slug);
    if (document === undefined) return reply.callNotFound();
    const { slug, file, title } = document;
    const text = await readFile(join(root, file), 'utf8');
    const known = rendered.get(slug);
    const page = known?.text === text ? known.page : pageOf(title, contentOf(document, text));
    if (page !== known?.page) rendered.set(slug, { text, page });
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}

function contentOf({ file, title }: Document, text: string): string {
  return file.endsWith('.md')
    ? htmlOf(text, (target) => placeOf(file, target))
    : `<h1>${title}</h1><pre class="text">${escaped(text)}</pre>`;
}

/** Where a link in a file leads here: to another document, to an address elsewhere, or nowhere. */
function placeOf(file: string, target: string): string | null {
  if (/^(https:\/\/|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const wanted = posix.join(posix.dirname(file), path);
  const document = documentOf(wanted);
  if (document === undefined) return null;
  return `/docs/${document.slug}${anchor === undefined ? '' : `#${anchor}`}`;
}

const documentOf = (file: string) => documents.find((one) => one.file === file);

function pageOf(title: string, content: string, kind?: 'api'): string {
  const own =
    kind === undefined
      ? ''
      : '\n<link rel="stylesheet" href="/docs/api-reference.css">\n<script src="/docs/api-reference.js" defer></script>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Mergelight</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<script src="/color-scheme.js"></script>
<link rel="stylesheet" href="/docs/style.css">${own}
</head>
<body${kind === undefined ? '' : ` class="${kind}"`}>
<header><div>
<a class="brand" href="/"><img src="/mark.svg" width="22" height="22" alt=""> Mergelight</a>
<a href="/docs">Documentation</a>
<a href="/docs/api">API</a>
<a href="/dashboard">Dashboard</a>
</div></header>
<main>
${content}
</main>
</body>
</html>
`;
}
