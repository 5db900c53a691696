/*
 * How fast `GET /api/export/pull-requests` gives out everything, 5,000 pull requests a call, and how much memory the server takes for that, on
 * both databases. `npm run bench export [-- SIZE]`, the size in pull requests
 * (200,000). Leaves `bench/export.md`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conditions } from './support/conditions.ts';
import { type DatabaseKind, startFilled } from './support/filled-server.ts';
import { residentMemory } from './support/resident-memory.ts';

interface Exported {
  readonly lines: number;
  readonly seconds: number;
  readonly megabytes: number;
  /** In MB. */
  readonly atRest: number;
  readonly peak: number;
}

const size = Number(process.argv[2] ?? 200_000);
if (!(Number.isInteger(size) && size >= 4000 && size % 800 === 0)) {
  console.error('Usage: npm run bench export [-- SIZE], a number of pull requests from 4000 up, a multiple of 800');
  process.exit(1);
}

const rows: string[] = [];
for (const kind of ['postgresql', 'embedded'] as const) {
  const all = await exportedFrom(kind);
  const cells = [
    ...[kind, all.lines.toLocaleString('en'), all.seconds.toFixed(1), (all.lines / all.seconds).toFixed(0)],
    ...[all.megabytes, all.atRest, all.peak].map((one) => one.toFixed(0)),
  ];
  rows.push(`| ${cells.join(' | ')} |`);
  console.log(rows.at(-1));
}
writeFileSync(
  join(import.meta.dirname, 'export.md'),
  `# Exporting everything

\`GET /api/export/pull-requests\` from the first line to the last of ${size.toLocaleString('en')} pull requests, one call after the other, over HTTP. \`npm run bench export\`.
${conditions()} Memory is what the server's process holds, in MB; with the embedded database that is part of it.

| database | lines | s | lines a second | MB of text | memory before | most |
| --- | --: | --: | --: | --: | --: | --: |
${rows.join('\n')}
`,
);

async function exportedFrom(kind: DatabaseKind): Promise<Exported> {
  const { server, cookie, stop } = await startFilled(kind, size);
  try {
    const page = async (cursor: string | null) => {
      const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const answer = await fetch(`${server.url}/api/export/pull-requests${query}`, { headers: { cookie } });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`The export was answered with ${answer.status}: ${text}`);
      return text;
    };
    const atRest = residentMemory(server.pid);
    let peak = atRest;
    const watching = setInterval(() => {
      peak = Math.max(peak, residentMemory(server.pid));
    }, 50);
    const began = performance.now();
    let [lines, bytes] = [0, 0];
    for (let cursor: string | null = null; ; ) {
      const text = await page(cursor);
      const got = text.split('\n').filter((line) => line !== '');
      if (got.length === 0) break;
      lines += got.length;
      bytes += text.length;
      cursor = (JSON.parse(got.at(-1)!) as { cursor: string }).cursor;
    }
    const seconds = (performance.now() - began) / 1000;
    clearInterval(watching);
    if (lines !== size) throw new Error(`${lines} of ${size} pull requests were exported.`);
    return { lines, seconds, megabytes: bytes / 1e6, atRest, peak };
  } finally {
    await stop();
  }
}
