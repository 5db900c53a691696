import { useTimeout, useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import classes from './tip-layer.module.css';

const DELAY = 120;
/** What a whole row tells does not come up at each row that the focus only passes. */
const DELAY_OF_ROW = 500;
const GAP = 6;
const ID = 'tip';

interface Tip {
  readonly text: string;
  readonly middle: number;
  readonly edge: number;
  readonly above: boolean;
  /** It stays while the pointer is over it. */
  readonly stays: boolean;
}

/**
 * Shows the text of `data-tip` of whatever is pointed at, tapped or focused, 120 ms later; it stays while the pointer moves onto it, and
 * what lies below can be pressed. What cannot be focused itself is shown when the focus comes to its row, or to whatever else is marked
 * `data-tips`. One layer serves the whole page, so that a table of hundreds of dates carries no tooltip of its own per cell.
 */
export function TipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const target = useRef<Element | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  const hide = () => {
    soon.clear();
    later.clear();
    target.current?.removeAttribute('aria-describedby');
    target.current = null;
    setTip(null);
  };
  const show = (element: Element, text: string, row: Element | null) => {
    const { left, right, top, bottom } = (row ?? element).getBoundingClientRect();
    const above = bottom + 32 + 16 * Math.max(3, text.split('\n').length) > window.innerHeight;
    element.setAttribute('aria-describedby', ID);
    const middle = Math.min(Math.max(row ? right : (left + right) / 2, 8), window.innerWidth - 8);
    // The parts of a drawing lie close together: a tooltip that stayed would keep the pointer from the next one.
    const stays = !element.parentElement?.closest('[role="img"], [aria-hidden="true"]');
    setTip({ text, middle, edge: above ? top - GAP : bottom + GAP, above, stays });
  };
  const soon = useTimeout(show, DELAY);
  const later = useTimeout(show, DELAY_OF_ROW);
  const consider = (element: Element | null, text: string, row: Element | null = null) => {
    if (element === target.current) return;
    hide();
    if (element === null || text === '') return;
    target.current = element;
    (row ? later : soon).start(element, text, row);
  };
  const considerPointed = ({ target: on }: Event) => {
    const element = on instanceof Element ? on.closest('[data-tip]') : null;
    consider(element, element?.getAttribute('data-tip') ?? '');
  };
  const isOnTip = ({ clientX, clientY }: PointerEvent) => {
    if (!tip?.stays || bubble.current === null) return false;
    const { left, right, top, bottom } = bubble.current.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top - GAP && clientY <= bottom + GAP;
  };
  const onPointer = (event: PointerEvent) => {
    if (event.pointerType !== 'touch' && !isOnTip(event)) considerPointed(event);
  };
  // On touch there is no hover: show the tooltip on tap, unless the tap follows a link or opens a popup.
  const onClick = (event: Event) => {
    const leads = event.target instanceof Element && event.target.closest('a, [aria-haspopup]') !== null;
    if (event instanceof PointerEvent && event.pointerType === 'touch' && !leads) considerPointed(event);
  };
  const onFocus = ({ target: on }: { readonly target: EventTarget | null }) => {
    if (!(on instanceof Element) || !on.matches(':focus-visible')) return hide();
    const own = on.closest('[data-tip]')?.getAttribute('data-tip');
    // A menu or a dialog inside a row is not part of its cells.
    const around = own ? null : on.closest('[data-tips], [role="menu"], [role="dialog"]');
    const row = around?.hasAttribute('data-tips') ? around : null;
    consider(on, own ?? (row && tipsOf(row)) ?? '', row);
  };
  // What is pointed at or has the focus by the time that the layer is loaded.
  const begin = useEffectEvent(() => {
    const pointed = [...document.querySelectorAll('[data-tip]:hover')].at(-1);
    if (pointed) consider(pointed, pointed.getAttribute('data-tip') ?? '');
    else onFocus({ target: document.activeElement });
  });
  useEffect(begin, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide();
  };
  useWindowEvent('pointerover', onPointer);
  useWindowEvent('pointermove', (event) => tip !== null && onPointer(event));
  useWindowEvent('click', onClick);
  useWindowEvent('focusin', onFocus);
  useWindowEvent('keydown', onKeyDown);
  useWindowEvent('pointerdown', hide);
  useWindowEvent('scroll', hide, true);
  useWindowEvent('resize', hide);

  if (tip === null) return null;
  const { middle, edge, above } = tip;
  // Beside an edge of the window the bubble slides inwards instead of leaving it.
  const share = (middle / window.innerWidth) * 100;
  return (
    <div
      ref={bubble}
      id={ID}
      role="tooltip"
      className={classes.tip}
      style={{ left: middle, top: edge, transform: `translate(-${share}%, ${above ? '-100%' : '0'})` }}
    >
      {tip.text}
    </div>
  );
}

/** What a row tells of what nobody can focus in it: each tip behind the words that it explains, and texts that have no room. */
function tipsOf(row: Element): string {
  const tips = [...row.querySelectorAll<HTMLElement>('[data-tip], [title]')].map((element) => {
    const words = element.role === 'img' ? '' : element.textContent.trim();
    const { tip } = element.dataset;
    if (element.closest('[aria-hidden="true"]')) return '';
    if (tip === undefined) return isCut(element) ? element.title : '';
    if (element.matches('a, button')) return '';
    if (words.includes(tip)) return words;
    return words === '' || words.endsWith('…') || tip.includes(words) ? tip : `${words}: ${tip}`;
  });
  return tips.filter((text) => text !== '').join('\n');
}

/** Whether an element, or what holds it, has no room for its whole text. */
function isCut({ scrollWidth, clientWidth, parentElement }: HTMLElement): boolean {
  return scrollWidth > clientWidth || (parentElement !== null && parentElement.scrollWidth > parentElement.clientWidth);
}
