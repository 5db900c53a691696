import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mailsOfKind } from '#domain/notifications/subscriptions.ts';
import { escaped } from '../http/html.ts';
import { isEmbedded } from '../http/limit-routes.ts';
import type { Limits } from '../http/limits.ts';
import { mark, plainStyle, sourceHash } from '../http/plain-page.ts';
import { type Confirmable, confirm, findConfirmation } from './confirm.ts';
import type { NotificationDeps } from './outlets.ts';
import { findUnsubscription, unsubscribe } from './unsubscribe.ts';

const style = `${plainStyle}
form { margin-top: 1.5rem; }
form + p { margin-top: 1.5rem; font-size: 0.875rem; }
button { font: inherit; font-weight: 600; padding: 0.625rem 1.25rem; border: 0; border-radius: 8px; background: #2a5bd0; color: #fff; cursor: pointer; }
button:hover { background: #2450b8; }
a { color: inherit; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 3px; }
strong { color: var(--text); }
`;

const policy = [
  "default-src 'none'",
  `style-src ${sourceHash(style)}`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The largest body that is taken; nothing of it is read. */
const MOST_BYTES = 4096;
const tokens = /^[\w-]{43}$/;

interface Page {
  readonly heading: string;
  /** HTML. */
  readonly text: string;
  readonly button?: string;
}

const unknownLink: Page = {
  heading: 'This link doesn’t work',
  text: 'It was used already, is too old, or isn’t whole. Look for a newer mail.',
};

/**
 * The pages that links in mails lead to, for whoever has the link: no session, no script, no JSON, no Origin. A GET shows what the
 * button would do and changes nothing, so that whoever looks through mails for their readers does no harm; the POST does it.
 */
export function serveLinkPages(
  app: FastifyInstance,
  deps: NotificationDeps,
  limits: Pick<Limits, 'admitStranger' | 'countRefused'>,
): void {
  // Mail programs post as RFC 8058 says, in whichever type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, _body, done) =>
    done(null, undefined),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy);
  });
  const config = { any_origin: true };

  function page(
    path: string,
    show: (token: string) => Promise<Page | null>,
    act: (token: string) => Promise<Page | null>,
  ) {
    const answer =
      (find: typeof show) => async (request: FastifyRequest<{ Params: { token: string } }>, reply: FastifyReply) => {
        const { token } = request.params;
        const is_embedded = isEmbedded(request);
        limits.admitStranger(request.ip, is_embedded);
        const found = tokens.test(token) ? await find(token) : null;
        if (found === null) limits.countRefused(request.ip, is_embedded);
        return reply
          .code(found === null ? 404 : 200)
          .type('text/html; charset=utf-8')
          .send(htmlOf(found ?? unknownLink, deps.public_url));
      };
    app.get(path, { config }, answer(show));
    app.post(path, { config }, answer(act));
  }

  page(
    '/confirm/:token',
    async (token) => {
      const found = await findConfirmation(deps, token);
      return (
        found && {
          heading: 'Confirm this address?',
          text: `${escaped(found.login)} would like ${messagesTo(found)} to be sent to <strong>${escaped(found.address)}</strong>.`,
          button: 'Confirm',
        }
      );
    },
    async (token) => {
      const found = await confirm(deps, token);
      const to = found && `<strong>${escaped(found.address)}</strong>`;
      return found && { heading: 'Confirmed', text: `From now on ${messagesTo(found)} can be sent to ${to}.` };
    },
  );
  page(
    '/unsubscribe/:token',
    async (token) => {
      const found = await findUnsubscription(deps, token);
      return (
        found && {
          heading: 'Stop these mails?',
          text: `You would get no more mails ${mailsOfKind[found.kind]}. Everything else stays as it is.`,
          button: 'Stop these mails',
        }
      );
    },
    async (token) => {
      const found = await unsubscribe(deps, token);
      return found && { heading: 'Stopped', text: `You get no more mails ${mailsOfKind[found.kind]}.` };
    },
  );
}

function messagesTo({ channel }: Confirmable): string {
  return channel === null
    ? 'messages of Mergelight'
    : `messages of the channel “${escaped(channel.name)}” of Mergelight`;
}

function htmlOf({ heading, text, button }: Page, public_url: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading} · Mergelight</title>
<style>${style}</style>
</head>
<body>
<main>
${mark}
<h1>${heading}</h1>
<p>${text}</p>
${button === undefined ? '' : `<form method="post"><button type="submit">${button}</button></form>`}
<p><a href="${escaped(public_url)}/settings/notifications">What reaches you, and when, is in the settings</a></p>
</main>
</body>
</html>
`;
}
