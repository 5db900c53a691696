import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lazy, useEffect, useRef } from 'react';
import { part } from '../api/part.ts';
import { useFocusBack } from '../kit/focus-back.ts';
import { LazyPart } from '../kit/lazy-part.tsx';
import { isSingleKey } from '../kit/single-keys.ts';
import { pages } from './pages.ts';
import { type Overlay, showOverlay, useOverlay } from './palette-state.ts';

const CommandPalette = lazy(part(() => import('./command-palette.tsx')));
const ShortcutList = lazy(part(() => import('./shortcut-list.tsx')));
const KeepView = lazy(part(() => import('../views/keep-view.tsx')));

/** The second key of a chord has to come within this time (milliseconds). */
const CHORD = 1_200;

/** The page's own search box if it has one, else the navigation's, else the palette: a narrow screen hides that of the navigation. */
function goToSearch(): void {
  const box =
    document.querySelector<HTMLInputElement>('main input[type="search"]') ??
    document.querySelector<HTMLInputElement>('input[type="search"]');
  if (box?.checkVisibility()) box.focus();
  else showOverlay('palette');
}

/**
 * The keys of every signed-in page: Ctrl or ⌘ K opens the command palette; the single keys / goes to search, ? lists all shortcuts, G and a
 * letter opens a page.
 */
export function Shortcuts() {
  const overlay = useOverlay();
  const navigate = useNavigate();
  const chordUntil = useRef(0);

  const openPalette = () => {
    // Escape would close another dialog with it, and what that holds would be gone. The list of shortcuts makes room for it.
    if (overlay === 'shortcuts' || document.querySelector('[aria-modal="true"]') === null) showOverlay('palette');
  };
  useHotkeys([['mod+K', openPalette]], [], true);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSingleKey(event)) return;
    const key = event.key.toLowerCase();
    const inChord = event.timeStamp < chordUntil.current;
    chordUntil.current = 0;
    const page = inChord ? pages.find((one) => one.key === key) : undefined;
    if (page !== undefined) void navigate({ to: page.href });
    else if (key === 'g') chordUntil.current = event.timeStamp + CHORD;
    else if (event.key === '?') showOverlay('shortcuts');
    else if (event.key === '/') goToSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the screens' own keys, which are other letters: the second key of a chord is nobody else's.
  useWindowEvent('keydown', onKeyDown, true);
  useEffect(() => () => showOverlay(null), []);

  return overlay !== null && <OpenOverlay overlay={overlay} />;
}

function OpenOverlay({ overlay }: { readonly overlay: NonNullable<Overlay> }) {
  // What had the focus before the palette gets it back from the dialog that the palette led to, too.
  useFocusBack();
  const close = () => showOverlay(null);
  return (
    <LazyPart key={overlay} onFail={close}>
      {overlay === 'palette' && <CommandPalette />}
      {overlay === 'shortcuts' && <ShortcutList />}
      {overlay === 'keep-view' && <KeepView onClose={close} />}
    </LazyPart>
  );
}
