// Finding, copying and where one is on the API reference. Without it the page reads the same.
(() => {
  const field = document.getElementById('find');
  const found = document.getElementById('found');
  const none = document.getElementById('none');
  const contents = document.querySelector('nav details');
  const links = [...document.querySelectorAll('nav li')];
  const sections = [...document.querySelectorAll('#api .call[data-words]')];
  const groups = [...document.querySelectorAll('[data-group]')];
  const isSmall = matchMedia('(max-width: 56rem)');

  /** Shows the calls that have all words, and says how many. */
  function show(text, remember = true) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const each of [...links, ...sections]) each.hidden = !words.every((word) => each.dataset.words.includes(word));
    for (const group of groups) group.hidden = group.querySelector('[data-words]:not([hidden])') === null;
    const count = sections.filter(({ hidden }) => !hidden).length;
    found.textContent = words.length > 0 ? `${count} of ${sections.length} calls` : `${sections.length} calls`;
    none.hidden = count > 0;
    for (const each of document.querySelectorAll('[data-introduction], [data-sent]')) each.hidden = words.length > 0;
    if (isSmall.matches) contents.open = words.length > 0;
    if (!remember) return;
    const address = new URL(location.href);
    if (words.length > 0) address.searchParams.set('q', text);
    else address.searchParams.delete('q');
    history.replaceState(null, '', address);
  }

  function clear() {
    field.value = '';
    show('');
  }

  /** What the address names is there, whatever was searched for. */
  function followAddress() {
    const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (wanted?.closest('[hidden]')) clear();
    if (isSmall.matches) contents.open = false;
    wanted?.scrollIntoView();
  }

  const shownLinks = () => links.filter(({ hidden }) => !hidden).map((item) => item.firstElementChild);

  field.addEventListener('input', () => show(field.value));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && field.value !== '') {
      event.preventDefault();
      clear();
    }
    if (event.key === 'Enter') shownLinks()[0]?.click();
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      shownLinks()[0]?.focus();
    }
  });
  contents.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const shown = shownLinks();
    const at = shown.indexOf(document.activeElement);
    if (step === undefined || at === -1) return;
    event.preventDefault();
    (shown[at + step] ?? (step < 0 ? field : shown[at])).focus();
  });
  none.querySelector('button').addEventListener('click', () => {
    clear();
    field.focus();
  });

  function singleKeysAreOn() {
    try {
      return localStorage.getItem('single-key-shortcuts') !== 'off';
    } catch {
      return true; // Storage is switched off.
    }
  }
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || !singleKeysAreOn()) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
    if (button === null) return;
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Not a secure address, or refused: what is selected can be copied by hand.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });

  /** The call that is read now is marked in the list. */
  const seen = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target);
      const first = sections.find((section) => seen.has(section));
      for (const item of links) {
        const isIt = first !== undefined && item.firstElementChild.hash === `#${first.id}`;
        if (isIt) item.firstElementChild.setAttribute('aria-current', 'true');
        else item.firstElementChild.removeAttribute('aria-current');
        if (isIt && !isSmall.matches) item.scrollIntoView({ block: 'nearest' });
      }
    },
    { rootMargin: '-5% 0px -60%' },
  );
  for (const section of sections) watcher.observe(section);

  contents.open = !isSmall.matches;
  isSmall.addEventListener('change', () => {
    contents.open = !isSmall.matches;
  });
  addEventListener('hashchange', followAddress);
  const asked = new URL(location.href).searchParams.get('q') ?? '';
  if (asked !== '') {
    field.value = asked;
    show(asked, false);
  }
  if (location.hash !== '') followAddress();
})();
