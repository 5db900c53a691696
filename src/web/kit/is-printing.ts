import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed. What is drawn then is drawn at once: the browser does not wait. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useWindowEvent('beforeprint', () => flushSync(() => setPrinting(true)));
  useWindowEvent('afterprint', () => flushSync(() => setPrinting(false)));
  return useMediaQuery('print') || isPrinting;
}

/** Whether a media query holds, or `onPaper`: that is laid out as soon as printing begins, before its width is known. */
export function useScreen(query: string, onPaper: boolean): boolean {
  const holds = useMediaQuery(query, undefined, { getInitialValueInEffect: false }) ?? false;
  return useIsPrinting() ? onPaper : holds;
}
