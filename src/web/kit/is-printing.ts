import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed. What is drawn then is drawn at once: the browser does not wait. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const paper = matchMedia('print');
    const tell = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint' || paper.matches));
    paper.addEventListener('change', tell);
    for (const type of ['beforeprint', 'afterprint']) window.addEventListener(type, tell);
    return () => {
      paper.removeEventListener('change', tell);
      for (const type of ['beforeprint', 'afterprint']) window.removeEventListener(type, tell);
    };
  }, []);
  return isPrinting;
}

/** Whether a media query holds, or `onPaper`: that is laid out as soon as printing begins, before its width is known. */
export function useScreen(query: string, onPaper: boolean): boolean {
  const holds = useMediaQuery(query, undefined, { getInitialValueInEffect: false }) ?? false;
  return useIsPrinting() ? onPaper : holds;
}
