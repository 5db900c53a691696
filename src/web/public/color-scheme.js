// Runs before the first paint, so that a dark page never flashes light. The kit reads and writes the same key.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('color-scheme') ?? 'auto';
  } catch {
    // Storage is switched off: follow the system.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
