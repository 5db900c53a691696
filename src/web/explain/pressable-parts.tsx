import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { LazyPart } from '../kit/lazy-part.tsx';
import { ExplainPopover } from './explain.tsx';
import type { FigureToExplain } from './explain-popover.tsx';
import classes from './pressable-parts.module.css';

interface Props {
  /** What a part explains, by what the drawing carries as its `data-part`. */
  readonly explain: (part: string) => FigureToExplain;
  /** The drawing, or buttons. */
  readonly children: ReactNode;
}

interface Pressed {
  readonly target: HTMLElement;
  readonly anchor: CSSProperties;
}

/** Where a part stands in its box. */
function placed(target: HTMLElement, box: HTMLElement): Pressed {
  const [outer, inner] = [box.getBoundingClientRect(), target.getBoundingClientRect()];
  const anchor = {
    inset: 'auto',
    left: inner.left - outer.left,
    top: inner.top - outer.top,
    width: inner.width,
    height: inner.height,
  };
  return { target, anchor };
}

/**
 * Explains its parts when they are pressed, in one popover. A drawing stays one image for assistive technology: by the keyboard the same
 * figures are reached in the table beside it. A part that is a button gets the focus back.
 */
export function PressableParts({ explain, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState<Pressed | null>(null);
  useEffect(() => {
    const drawing = box.current;
    const press = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-part]') : null;
      if (drawing !== null && target !== null) setPressed(placed(target, drawing));
    };
    drawing?.addEventListener('click', press);
    return () => drawing?.removeEventListener('click', press);
  }, []);
  const target = pressed?.target;
  useEffect(() => {
    const drawing = box.current;
    if (drawing === null || target === undefined) return;
    // Another width moves the part, or draws another in its place.
    const moved = new ResizeObserver(() => setPressed(target.isConnected ? placed(target, drawing) : null));
    moved.observe(drawing);
    return () => moved.disconnect();
  }, [target]);
  const part = target?.dataset.part ?? '';
  const stay = () => undefined;
  return (
    <div ref={box} className={classes.parts}>
      {children}
      {pressed !== null && (
        <LazyPart onFail={() => setPressed(null)}>
          <ExplainPopover
            key={part}
            {...explain(part)}
            anchor={pressed.anchor}
            opened
            withFocus
            onClose={() => {
              pressed.target.focus({ preventScroll: true });
              setPressed(null);
            }}
            onPointerEnter={stay}
            onPointerLeave={stay}
          />
        </LazyPart>
      )}
    </div>
  );
}
