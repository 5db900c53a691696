/** Text as it may stand in HTML. */
export function escapeHtml(text: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => named[character] ?? character);
}

/** A whole page of the host; `body` is HTML already. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; --line: #d0d7de; --soft: #59636e; --go: #1f883d; --back: #f6f8fa; --card: #fff; }
  @media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #9198a1; --go: #238636; --back: #0d1117; --card: #151b23; } }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back);
    font: 15px/1.5 system-ui, sans-serif; }
  main { width: min(26rem, calc(100vw - 2rem)); margin: 2rem 0; padding: 1.5rem; box-sizing: border-box;
    background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
  p { color: var(--soft); margin: .25rem 0 1rem; }
  button { display: flex; align-items: center; gap: .75rem; width: 100%; margin: 0 0 .5rem; padding: .6rem .75rem;
    font: inherit; text-align: left; color: inherit; background: none; border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
  button:hover, button:focus-visible { border-color: var(--go); outline: 2px solid transparent; box-shadow: 0 0 0 1px var(--go); }
  button.chosen { background: var(--go); border-color: var(--go); color: #fff; }
  button.deny { justify-content: center; color: var(--soft); }
  img { width: 28px; height: 28px; border-radius: 50%; }
  small { opacity: .75; } code { font-size: .85em; }
</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
}
