import { createHash } from 'node:crypto';

/** What pages share that stand alone, without the built front end. */
export const plainStyle = `
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

export const mark = `<svg viewBox="0 0 22 22" aria-hidden="true"><rect width="22" height="22" rx="5.5" fill="#171d2e"/><path d="M7 6.8v8.4M7 8.6c.5 3.6 3.2 5.2 6.6 5.2" fill="none" stroke="#a9c1ff" stroke-width="1.6" stroke-linecap="round"/><circle cx="7" cy="6" r="1.7" fill="#a9c1ff"/><circle cx="7" cy="16" r="1.7" fill="#a9c1ff"/><circle cx="15.2" cy="13.8" r="4.2" fill="#ffc861" opacity=".28"/><circle cx="15.2" cy="13.8" r="2.1" fill="#ffc861"/></svg>`;

/** The source of a Content-Security-Policy by which a page allows exactly this style or script. */
export const sourceHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
