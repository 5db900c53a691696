import { leadsToSignIn } from '#domain/sign-in-page.ts';

const base = 'https://local.invalid';

/**
 * The address within this product that `return_to` names, or null for anything that could lead a browser elsewhere:
 * another host, `//host`, backslashes, control characters; and for the sign-in page (docs/server.md#sessions).
 */
export function localPath(text: string | undefined): string | null {
  if (text === undefined || !text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return null;
  const url = URL.parse(text, base);
  if (url === null || url.origin !== base || url.pathname.startsWith('//') || leadsToSignIn(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
