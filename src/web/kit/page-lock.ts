import { useLayoutEffect } from 'react';

/** How many dialogs are open: the last one to go gives the page back. */
let locks = 0;

/**
 * Keeps the page behind a dialog from scrolling, and its width where its scrollbar takes room. The kit would add a style element for it,
 * which the Content-Security-Policy forbids (`theme.ts`).
 */
export function usePageLock(): void {
  useLayoutEffect(() => {
    const page = document.documentElement;
    locks += 1;
    if (locks === 1) {
      const scrollbar = window.innerWidth - page.clientWidth;
      page.style.overflow = 'hidden';
      if (scrollbar > 0) page.style.paddingRight = `${scrollbar}px`;
    }
    return () => {
      locks -= 1;
      if (locks > 0) return;
      page.style.overflow = '';
      page.style.paddingRight = '';
    };
  }, []);
}
