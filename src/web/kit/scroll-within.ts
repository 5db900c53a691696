/**
 * Scrolls `box`, and nothing else, until `child` lies in the middle of it, as far as there is something to scroll. Unlike
 * `scrollIntoView` this leaves alone where the Tab key goes on from: Chromium takes an element that was scrolled into view for the
 * place where navigation by keyboard starts.
 */
export function scrollToMiddle(box: Element, child: Element): void {
  const outer = box.getBoundingClientRect();
  const inner = child.getBoundingClientRect();
  box.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}

/** Scrolls `box`, and nothing else, up or down just until all of `child` is to be seen. */
export function scrollToNearest(box: Element, child: Element): void {
  const top = box.getBoundingClientRect().top + box.clientTop;
  const inner = child.getBoundingClientRect();
  if (inner.top < top) box.scrollTop -= top - inner.top;
  else if (inner.bottom > top + box.clientHeight) box.scrollTop += inner.bottom - (top + box.clientHeight);
}
