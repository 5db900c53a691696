import type { Page } from 'playwright';
import type { Screen } from './screens.ts';

/** So many views of a long page are measured, evenly from its beginning to its end. */
const VIEWS = 6;

/** What the look of the product allows, in CSS pixels. */
const ALLOWED = {
  /** Two texts may touch by so much: line boxes are higher than their letters. */
  overlap: 3,
  /** Of nothing, across the whole width of a screen or of what floats. */
  void: 96,
  /** Between two things in one row of a table. */
  hole: 560,
  /** Between two cards that stand one under the other. */
  cards: [12, 28],
  /** Sides of the mark of a select. */
  mark: [10, 16],
} as const;

/**
 * Measures what is drawn, from the top of the page to its end: texts that lie over one another, that are cut without an ellipsis or stick out of their card,
 * wide stretches of nothing, holes within rows, cards that touch or stand apart, and selects without the kit's mark. Returns one
 * readable line for each trouble; empty where there is none. `room` is how much of nothing the design gives this screen; of one that `isOver`
 * another only what is in view is measured.
 */
export async function boxTroubles(
  page: Page,
  { room = ALLOWED.void, isOver = false }: Pick<Screen, 'room' | 'isOver'> = {},
): Promise<string[]> {
  const troubles = new Set<string>();
  const [height, view] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight] as const);
  const views = isOver ? 1 : Math.min(VIEWS, Math.ceil(height / view));
  for (let at = 0; at < views; at += 1) {
    if (views > 1) await lookAt(page, ((height - view) * at) / (views - 1));
    for (const trouble of await troublesInView(page, room)) troubles.add(trouble);
  }
  if (views > 1) await lookAt(page, 0);
  return [...troubles];
}

/**
 * How every element stands and is drawn, save its colours and pictures, as one text. Where two looks of a page have the same one, `boxTroubles`
 * finds the same in both.
 */
export async function standing(page: Page): Promise<string> {
  return page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return [...document.querySelectorAll('body, body *')]
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        const isFilled = style.backgroundColor !== 'rgba(0, 0, 0, 0)';
        const { display, position, overflow, textOverflow, borderTopWidth, borderTopLeftRadius, appearance } = style;
        return [
          ...[element.tagName, x, y, width, height, element.scrollWidth, isSeen, isFilled],
          ...[display, position, overflow, textOverflow, borderTopWidth, borderTopLeftRadius, appearance],
        ].join();
      })
      .join('\n');
  });
}

async function lookAt(page: Page, top: number): Promise<void> {
  // What is drawn only where one looks hears of it in one frame and is drawn in the next.
  await page.evaluate((to) => {
    scrollTo({ top: to, behavior: 'instant' });
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, top);
}

async function troublesInView(page: Page, room: number): Promise<string[]> {
  return page.evaluate(
    (allowed) => {
      const troubles: string[] = [];
      const say = (trouble: string) => troubles.length < 40 && !troubles.includes(trouble) && troubles.push(trouble);
      const short = (text: string) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 40));
      const styles = new Map<Element, CSSStyleDeclaration>();
      const style = (element: Element): CSSStyleDeclaration => {
        const known = styles.get(element) ?? getComputedStyle(element);
        styles.set(element, known);
        return known;
      };
      /** What a question about an element says, asked once of each; nothing moves while this function runs. */
      const once = <T>(ask: (element: Element) => T) => {
        const answers = new Map<Element, T>();
        return (element: Element): T => {
          if (!answers.has(element)) answers.set(element, ask(element));
          return answers.get(element)!;
        };
      };
      const boxOf = once((element) => element.getBoundingClientRect());
      /** An element and all above it. */
      const above: (element: Element) => readonly Element[] = once((element) =>
        element.parentElement === null ? [element] : [element, ...above(element.parentElement)],
      );
      /** What shows a part of its content only. */
      const clipping = once((element) =>
        above(element).filter((one) => !['visible', ''].includes(style(one).overflow)),
      );
      const isDrawn = once(
        (element) =>
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
          // Said to screen readers alone.
          !clipping(element).some((one) => boxOf(one).width <= 1 && boxOf(one).height <= 1),
      );
      const isCard = once(
        (element) => style(element).borderTopLeftRadius === '10px' && style(element).borderTopWidth === '1px',
      );
      /** What scrolls or floats by itself; only what is in one layer can be in one another's way. */
      const layerOf: (element: Element) => Element = once((element) =>
        ['fixed', 'sticky'].includes(style(element).position) ||
        element.matches('[role=dialog], [role=menu], [role=listbox], [role=tooltip], header') ||
        element.parentElement === null
          ? element
          : layerOf(element.parentElement),
      );

      interface Text {
        element: Element;
        layer: Element;
        words: string;
        box: DOMRect;
      }
      const texts: Text[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement;
        const words = node.textContent ?? '';
        if (element === null || words.trim() === '' || element.closest('script, style, noscript, option') !== null)
          continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        // What is drawn of it: an ancestor may show a part only.
        for (const rect of range.getClientRects()) {
          if (rect.bottom < 0 || rect.top > innerHeight || !isDrawn(element)) continue;
          let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom];
          for (const one of clipping(element)) {
            const box = boxOf(one);
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
          }
          if (right - left < 1 || bottom - top < 1 || bottom < 0 || top > innerHeight) continue;
          texts.push({
            element,
            layer: layerOf(element),
            words,
            box: new DOMRect(left, top, right - left, bottom - top),
          });
        }
      }

      // Texts that lie over one another.
      const byTop = texts.toSorted((a, b) => a.box.top - b.box.top);
      for (const [at, one] of byTop.entries()) {
        for (let next = at + 1; next < byTop.length; next += 1) {
          const other = byTop[next]!;
          if (other.box.top >= one.box.bottom - allowed.overlap) break;
          if (other.layer !== one.layer || other.element === one.element) continue;
          const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          if (wide > allowed.overlap && high > allowed.overlap)
            say(
              `${short(one.words)} and ${short(other.words)} lie over one another by ${Math.round(wide)} × ${Math.round(high)}`,
            );
        }
      }

      // A text of its own in a flex box is cut all the same.
      const shortens = once((one) => style(one).textOverflow === 'ellipsis' && !style(one).display.includes('flex'));
      const cuts = once(
        (one) =>
          ['hidden', 'clip'].includes(style(one).overflowX) &&
          !shortens(one) &&
          style(one).webkitLineClamp === 'none' &&
          one.scrollWidth > one.clientWidth + 1,
      );
      // Texts that are cut without a sign of it, and those that stick out.
      for (const { element, words, box } of texts) {
        const cutter = clipping(element).find(cuts);
        const isShortened = above(element).some(shortens);
        if (cutter !== undefined && !isShortened && !element.closest('svg')) {
          const range = document.createRange();
          range.selectNodeContents(element);
          if (range.getBoundingClientRect().right > boxOf(cutter).right + 1)
            say(`${short(words)} is cut without an ellipsis`);
        }
        const card = above(element).find(isCard);
        if (card !== undefined && layerOf(card) === layerOf(element)) {
          const edge = boxOf(card);
          if (box.right > edge.right + 1 || box.left < edge.left - 1) say(`${short(words)} sticks out of its card`);
        }
      }
      for (const one of document.querySelectorAll('select')) {
        const shown = one.selectedOptions[0]?.textContent ?? '';
        if (!isDrawn(one)) continue;
        const canvas = document.createElement('canvas').getContext('2d')!;
        canvas.font = style(one).font;
        const room =
          one.clientWidth - Number.parseFloat(style(one).paddingLeft) - Number.parseFloat(style(one).paddingRight);
        if (canvas.measureText(shown).width > room + 1 && style(one).textOverflow !== 'ellipsis')
          say(`the choice ${short(shown)} is cut without an ellipsis`);
        // The mark of the kit stands at the right end, in the middle, and is the only one.
        const box = boxOf(one);
        const marks = [...(one.parentElement?.querySelectorAll('svg') ?? [])].map((mark) => boxOf(mark));
        const right = marks.filter((mark) => mark.left > box.left + box.width / 2);
        const mark = right[0];
        const fits = (length: number) => length >= allowed.mark[0] && length <= allowed.mark[1];
        if (right.length !== 1 || mark === undefined) say(`the select ${short(shown)} has ${right.length} marks`);
        else if (!fits(mark.width) || !fits(mark.height))
          say(`the mark of the select ${short(shown)} is ${mark.width} × ${mark.height}`);
        else if (Math.abs(mark.top + mark.height / 2 - (box.top + box.height / 2)) > 1.5 || mark.right > box.right - 4)
          say(`the mark of the select ${short(shown)} is not at its place`);
        if (style(one).appearance !== 'none') say(`the select ${short(shown)} is drawn by the browser`);
      }

      // Stretches of nothing across the screen, or across what floats.
      const ink = [...document.querySelectorAll('svg, img, input, select, textarea, button, [role=img], hr')].filter(
        (one) => boxOf(one).bottom > 0 && boxOf(one).top < innerHeight && isDrawn(one),
      );
      const places = [
        ...document.querySelectorAll('#content, main, [role=dialog], [role=menu], [role=listbox]'),
      ].filter(isDrawn);
      for (const place of places) {
        if (place.querySelector('[class*=skeleton i]') !== null) continue;
        const edge = boxOf(place);
        const isFloating = place.matches('[role=dialog], [role=menu], [role=listbox]');
        const spans = [
          ...texts.filter(({ element }) => place.contains(element)).map(({ box }) => box),
          ...ink.filter((one) => place.contains(one)).map(boxOf),
        ]
          .filter(({ height, bottom, top }) => height > 0 && bottom > edge.top && top < edge.bottom)
          .map(({ top, bottom }) => [top, bottom] as const)
          .sort((a, b) => a[0] - b[0]);
        if (spans.length === 0) continue;
        const ends = isFloating ? edge.bottom : Math.min(edge.bottom, innerHeight);
        // What is the whole screen of a phone ends where that ends.
        const isBound = isFloating ? edge.height < innerHeight : edge.bottom > innerHeight;
        let reached = isFloating ? edge.top : spans[0]![0];
        for (const [top, bottom] of isBound ? [...spans, [ends, ends] as const] : spans) {
          if (top - reached > allowed.void)
            say(`nothing for ${Math.round(top - reached)} px, ${Math.round(reached + scrollY)} px down the page`);
          reached = Math.max(reached, bottom);
        }
      }

      // Holes within the rows of tables.
      for (const row of document.querySelectorAll('#content tbody tr')) {
        // A label and its value stand at the two ends.
        if (row.childElementCount < 3) continue;
        const { top, bottom } = boxOf(row);
        // Of a row at the edge of the view only some of the texts are seen.
        if (top < 0 || bottom > innerHeight || !isDrawn(row)) continue;
        const spans = [
          ...texts.filter(({ element }) => row.contains(element)).map(({ box }) => box),
          ...ink.filter((one) => row.contains(one)).map(boxOf),
          ...[...row.querySelectorAll('*')]
            .filter((one) => one.childElementCount === 0 && style(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
            .map(boxOf),
        ]
          .map(({ left, right }) => [left, right] as const)
          .sort((a, b) => a[0] - b[0]);
        let reached = spans[0]?.[0] ?? 0;
        for (const [left, right] of spans) {
          if (left - reached > allowed.hole)
            say(`a hole of ${Math.round(left - reached)} px in the row ${short(row.textContent ?? '')}`);
          reached = Math.max(reached, right);
        }
      }

      // Cards one under the other.
      const cards = [...document.querySelectorAll('#content *')].filter((one) => isCard(one) && isDrawn(one));
      const outer = cards.filter((one) => !cards.some((other) => other !== one && other.contains(one)));
      for (const one of outer) {
        const box = boxOf(one);
        const below = outer
          .map(boxOf)
          .filter((other) => other.top >= box.top + 1 && other.left < box.right - 1 && other.right > box.left + 1)
          .sort((a, b) => a.top - b.top)[0];
        if (below === undefined || box.bottom < 0 || below.top > innerHeight) continue;
        const gap = below.top - box.bottom;
        const between = texts.some(
          ({ box: text }) =>
            text.top >= box.bottom - 1 &&
            text.bottom <= below.top + 1 &&
            text.left < box.right &&
            text.right > box.left,
        );
        if (gap < allowed.cards[0] || (gap > allowed.cards[1] && !between))
          say(`${Math.round(gap)} px between the card ${short(one.textContent ?? '')} and the one below it`);
      }
      return troubles;
    },
    { ...ALLOWED, void: room, cards: [ALLOWED.cards[0], room === ALLOWED.void ? ALLOWED.cards[1] : room] as const },
  );
}
