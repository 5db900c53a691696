import type { FastifyInstance } from 'fastify';
import { HttpError, notFound } from '../http/errors.ts';
import { sourceHash } from '../http/plain-page.ts';

/** Where this server shows the demo host's pages. */
export const demoPath = '/demo-host';

/** Pictures, repositories and pull requests; nothing that signs in, and none of the host's controls. */
const shown = /^\/(avatars\/[\w.-]+|(?!api\/)[a-z\d][\w-]*\/[\w.-]+(\/pull\/\d+)?)$/i;

/**
 * Passes the demo host's few pages and pictures on to browsers, which cannot reach that process: they may be on another machine,
 * and its port changes while the addresses stored with the data must not.
 */
export function serveDemoPages(app: FastifyInstance, url: string): void {
  app.get<{ Params: { '*': string } }>(`${demoPath}/*`, async (request, reply) => {
    const path = `/${request.params['*']}`;
    if (!shown.test(path)) throw notFound('There is nothing here.');
    let answer: Response;
    try {
      answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000) });
    } catch (error) {
      throw new HttpError('demo_not_ready', undefined, { retry_after: 5, cause: error });
    }
    const type = answer.headers.get('content-type') ?? 'text/plain';
    reply
      .code(answer.status)
      .header('content-type', type)
      .header('cache-control', answer.headers.get('cache-control') ?? 'no-cache');
    if (!type.startsWith('text/html')) return Buffer.from(await answer.arrayBuffer());
    const page = await answer.text();
    reply.header('content-security-policy', policyOf(page));
    // Its pages refer to each other from its own root.
    return page.replaceAll('href="/', `href="${demoPath}/`);
  });
}

/** Such a page stands alone: its own style elements and pictures of this server, no scripts, nothing else. */
function policyOf(page: string): string {
  const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
  const hashes = styles.map(sourceHash);
  return [
    "default-src 'none'",
    `style-src ${hashes.length === 0 ? "'none'" : hashes.join(' ')}`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
