import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { answerError } from './answer-error.ts';
import { HttpError, notFound } from './errors.ts';
import { decompressed, type FrontEndFile } from './front-end-files.ts';
import { pathOf } from './path-of.ts';

/** Never pages of the browser's: what is unknown there is an error in JSON. */
const ofTheServer = /^\/(api|auth|mcp|webhooks|assets|healthz|readyz|metrics)(\/|$|\?)/;

/** The calls of the contract, each with what its path matches. */
const calls = Object.values(endpoints as Readonly<Record<string, Endpoint>>).map(({ method, path }) => ({
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  paths: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}));

/** A name that holds the hash of what the file says. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** What the build calls its files. */
const nameOfFile = /^[\w-][\w.-]*$/;

/**
 * Serves the built front end: files whose names carry their content's hash for ever, the page itself never from a cache.
 * Each other address a browser asks for gets the page, whose router knows what to show. `ofOthers` finds files of other versions, null where
 * there are none beside this process.
 */
export async function serveWebFiles(
  app: FastifyInstance,
  folder: string,
  ofOthers: ((name: string) => Promise<FrontEndFile | null>) | null,
): Promise<void> {
  const built = existsSync(join(folder, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      // Its own route reads whole folders at each request, to refuse names in other letters on disks that take them for the same.
      serve: false,
      cacheControl: false,
      // The build leaves each file compressed beside it.
      preCompressed: true,
      setHeaders(reply, path) {
        const hashed = path.startsWith(join(folder, 'assets'));
        reply.header('cache-control', hashed ? FOR_EVER : 'no-cache');
      },
    });
    const own = new Set(readdirSync(join(folder, 'assets')));
    app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
      const { name } = request.params;
      if (!nameOfFile.test(name)) return reply.callNotFound();
      const other = own.has(name) ? null : ((await ofOthers?.(name)) ?? null);
      if (other === null) return reply.sendFile(`assets/${name}`);
      reply.type(other.type).header('cache-control', FOR_EVER).header('vary', 'accept-encoding');
      if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(await decompressed(other));
      return reply.header('content-encoding', 'br').send(other.body);
    });
    const beside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of beside) app.get(`/${name}`, (_, reply) => reply.sendFile(name));
    app.get('/', (_, reply) => reply.sendFile('index.html'));
  }
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const methods = [...new Set(calls.flatMap((call) => (call.paths.test(path) ? call.methods : [])))];
    if (methods.length > 0 && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '));
      return answerError(new HttpError('method_not_allowed', `Send it by ${methods.join(' or ')}.`), request, reply);
    }
    const forPage = request.method === 'GET' || request.method === 'HEAD';
    if (!forPage || ofTheServer.test(request.url))
      return answerError(notFound('There is nothing here.'), request, reply);
    if (built) return reply.sendFile('index.html');
    return answerError(notFound('The front end is not built: run "npm run build".'), request, reply);
  });
}
