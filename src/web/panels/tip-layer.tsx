import { useEffect, useState } from 'react';
import classes from './tip-layer.module.css';

const DELAY = 120;
const GAP = 6;
const ID = 'tip';

interface Tip {
  readonly text: string;
  readonly middle: number;
  readonly edge: number;
  readonly above: boolean;
}

/**
 * Shows the text of `data-tip` of whatever is pointed at or focused, 120 ms later. One layer serves the whole page, so that a
 * table of hundreds of dates carries no tooltip of its own per cell.
 */
export function TipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);

  useEffect(() => {
    let target: Element | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      target?.removeAttribute('aria-describedby');
      target = null;
      setTip(null);
    };
    const show = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const above = bottom + 80 > window.innerHeight;
      element.setAttribute('aria-describedby', ID);
      const middle = Math.min(Math.max((left + right) / 2, 8), window.innerWidth - 8);
      setTip({ text: element.getAttribute('data-tip') ?? '', middle, edge: above ? top - GAP : bottom + GAP, above });
    };
    const consider = ({ target: on, type }: Event) => {
      const element = on instanceof Element ? on.closest('[data-tip]') : null;
      if (element === target) return;
      hide();
      if (element === null || (type === 'focusin' && !element.matches(':focus-visible'))) return;
      target = element;
      timer = setTimeout(() => show(element), DELAY);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide();
    };
    document.addEventListener('pointerover', consider);
    document.addEventListener('focusin', consider);
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('scroll', hide, true);
    return () => {
      hide();
      document.removeEventListener('pointerover', consider);
      document.removeEventListener('focusin', consider);
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('scroll', hide, true);
    };
  }, []);

  if (tip === null || tip.text === '') return null;
  const { middle, edge, above } = tip;
  // Beside an edge of the window the bubble slides inwards instead of leaving it.
  const share = (middle / window.innerWidth) * 100;
  return (
    <div
      id={ID}
      role="tooltip"
      className={classes.tip}
      style={{ left: middle, top: edge, transform: `translate(-${share}%, ${above ? '-100%' : '0'})` }}
    >
      {tip.text}
    </div>
  );
}
