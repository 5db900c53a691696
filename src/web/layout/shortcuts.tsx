import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { part } from '../api/part.ts';
import { areSingleKeysOn } from '../kit/single-keys-switch.ts';
import { pages } from './pages.ts';
import { showOverlay, useOverlay } from './palette-state.ts';

const CommandPalette = lazy(part(() => import('./command-palette.tsx')));
const ShortcutList = lazy(part(() => import('./shortcut-list.tsx')));

/** The second key of a chord has to come within this time (milliseconds). */
const CHORD = 1_200;

/** The page's own search box if it has one, else the navigation's. */
function focusSearch(): boolean {
  const box =
    document.querySelector<HTMLInputElement>('main input[type="search"]') ??
    document.querySelector<HTMLInputElement>('input[type="search"]');
  box?.focus();
  return box !== null;
}

function isText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]',
    ) !== null
  );
}

/**
 * The keys of every signed-in page: Ctrl or ⌘ K opens the command palette; / goes to search, ? lists all shortcuts, G and a letter opens a page. The
 * single keys never fire in fields and dialogs and can be switched off.
 */
export function Shortcuts() {
  const overlay = useOverlay();
  const navigate = useNavigate();
  const chordUntil = useRef(0);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && key === 'k') {
        event.preventDefault();
        showOverlay('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isText(event.target) || !areSingleKeysOn()) return;
      const inChord = event.timeStamp < chordUntil.current;
      chordUntil.current = 0;
      const page = inChord ? pages.find((one) => one.key === key) : undefined;
      if (page !== undefined) void navigate({ to: page.href });
      else if (key === 'g') chordUntil.current = event.timeStamp + CHORD;
      else if (event.key === '?') showOverlay('shortcuts');
      else if (event.key !== '/' || !focusSearch()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the screens' own keys, which are other letters: the second key of a chord is nobody else's.
    window.addEventListener('keydown', onKeyDown, true);
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      showOverlay(null);
    };
  }, [navigate]);

  if (overlay === null) return null;
  return <Suspense>{overlay === 'palette' ? <CommandPalette /> : <ShortcutList />}</Suspense>;
}
