import { type CSSProperties, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { ExplainProps } from './explain.tsx';
import classes from './pressable-parts.module.css';

const ExplainPopover = lazy(() => import('./explain-popover.tsx'));

interface Props {
  /** What a part explains, by what the drawing carries as its `data-part`. */
  readonly explain: (part: string) => Omit<ExplainProps, 'children'>;
  /** The drawing. */
  readonly children: ReactNode;
}

/**
 * A drawing whose parts explain themselves when they are pressed. It stays one image for assistive technology: by the keyboard the same
 * figures are reached in the table beside it.
 */
export function PressableParts({ explain, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState<{ readonly part: string; readonly anchor: CSSProperties } | null>(null);
  useEffect(() => {
    const drawing = box.current;
    const press = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-part]') : null;
      if (drawing === null || target === null) return;
      const [outer, inner] = [drawing.getBoundingClientRect(), target.getBoundingClientRect()];
      const anchor = {
        inset: 'auto',
        left: inner.left - outer.left,
        top: inner.top - outer.top,
        width: inner.width,
        height: inner.height,
      };
      setPressed({ part: target.dataset.part ?? '', anchor });
    };
    drawing?.addEventListener('click', press);
    return () => drawing?.removeEventListener('click', press);
  }, []);
  const stay = () => undefined;
  return (
    <div ref={box} className={classes.parts}>
      {children}
      {pressed !== null && (
        <Suspense>
          <ExplainPopover
            key={pressed.part}
            {...explain(pressed.part)}
            anchor={pressed.anchor}
            opened
            withFocus
            onClose={() => setPressed(null)}
            onPointerEnter={stay}
            onPointerLeave={stay}
          />
        </Suspense>
      )}
    </div>
  );
}
