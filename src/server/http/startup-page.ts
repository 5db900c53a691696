import { escaped } from './html.ts';
import { mark, plainStyle, sourceHash } from './plain-page.ts';

/** What the server is at while it cannot serve requests yet. */
export interface StartupState {
  /** Stable, snake_case: the `code` of the error answers. */
  readonly code: string;
  /** The heading of the page. */
  readonly heading: string;
  /** For probes, calls and people: what it is at, one sentence. */
  readonly sentence: string;
}

/** Follows the chosen color scheme, keeps the sentence up to date and loads the page that was asked for as soon as it is there. */
const script = `
try {
  const chosen = localStorage.getItem('color-scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.setAttribute('data-mantine-color-scheme', chosen);
} catch {}
setInterval(async () => {
  try {
    const answer = await fetch('/readyz', { cache: 'no-store' });
    if (answer.ok) return location.reload();
    const body = await answer.json();
    if (body.heading === undefined) return location.reload();
    document.querySelector('h1').textContent = body.heading;
    document.querySelector('[role=status]').textContent = body.error;
  } catch {}
}, 2000);
`;

/** The page's Content-Security-Policy: its own style and script, and questions to this server. */
export const startupPagePolicy = [
  "default-src 'none'",
  `style-src ${sourceHash(plainStyle)}`,
  `script-src ${sourceHash(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page that stands alone, without the built front end, and reloads itself, also where scripts are switched off. */
export function startupPage({ heading, sentence }: StartupState): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)} · Mergelight</title>
<style>${plainStyle}</style>
<noscript><meta http-equiv="refresh" content="3"></noscript>
</head>
<body>
<main>
${mark}
<h1>${escaped(heading)}</h1>
<p role="status">${escaped(sentence)}</p>
<p>This page reloads by itself.</p>
</main>
<script>${script}</script>
</body>
</html>
`;
}
