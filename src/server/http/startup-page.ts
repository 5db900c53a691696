import { createHash } from 'node:crypto';

/** What the server is at while it cannot serve requests yet. */
export interface StartupState {
  /** Stable, snake_case: the `code` of the error answers. */
  readonly code: string;
  /** The heading of the page. */
  readonly heading: string;
  /** For probes, calls and people: what it is at, one sentence. */
  readonly sentence: string;
}

const style = `
:root { color-scheme: light; --canvas: #fbfbfc; --text: #171a21; --text-2: #515966; }
:root[data-mantine-color-scheme="dark"] { color-scheme: dark; --canvas: #0d0f13; --text: #e9ebef; --text-2: #a6aebb; }
@media (prefers-color-scheme: dark) {
  :root:not([data-mantine-color-scheme="light"]) { color-scheme: dark; --canvas: #0d0f13; --text: #e9ebef; --text-2: #a6aebb; }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--canvas); color: var(--text);
  font: 1rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
main { padding: 1.5rem; max-width: 32rem; text-align: center; overflow-wrap: anywhere; }
svg { width: 2.75rem; height: 2.75rem; }
h1 { margin: 1rem 0 0.5rem; font-size: 1.375rem; font-weight: 600; line-height: 1.3; }
p { margin: 0; color: var(--text-2); }
p + p { margin-top: 0.75rem; font-size: 0.875rem; }
`;

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

const mark = `<svg viewBox="0 0 22 22" aria-hidden="true"><rect width="22" height="22" rx="5.5" fill="#171d2e"/><path d="M7 6.8v8.4M7 8.6c.5 3.6 3.2 5.2 6.6 5.2" fill="none" stroke="#a9c1ff" stroke-width="1.6" stroke-linecap="round"/><circle cx="7" cy="6" r="1.7" fill="#a9c1ff"/><circle cx="7" cy="16" r="1.7" fill="#a9c1ff"/><circle cx="15.2" cy="13.8" r="4.2" fill="#ffc861" opacity=".28"/><circle cx="15.2" cy="13.8" r="2.1" fill="#ffc861"/></svg>`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page's Content-Security-Policy: its own style and script, and questions to this server. */
export const startupPagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
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
<style>${style}</style>
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
