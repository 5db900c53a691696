import { type RefCallback, useCallback, useState } from 'react';

/**
 * The width in pixels of the element that `ref` is given to: known before it is painted for the first time, so that nothing that
 * depends on it moves what is already to be seen, which the kit's useElementSize is too late for, and again whenever it changes. 0 while
 * there is no such element.
 */
export function useWidth(): { readonly ref: RefCallback<Element>; readonly width: number } {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return;
    setWidth(element.getBoundingClientRect().width);
    let frame = 0;
    const resized = new ResizeObserver(([entry]) => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => entry && setWidth(entry.borderBoxSize[0]?.inlineSize ?? 0));
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);
  return { ref, width };
}
