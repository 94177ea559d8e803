// Where the boxes are that scroll, and when they have come to rest.

import { scrollingElement } from '../dom/access.js';
import { scrollLeftGet, scrollTopGet } from '../dom/builtins.js';
import { composedParent, describe } from '../dom/dom.js';
import { fromScreen } from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { named } from '../find/locate.js';
import { canScroll, edgesOf } from './scroll.js';

/** @import { Box } from '../dom/geometry.js' */

/**
 * That a box moved on, to where, and whether that is where it was before the scroll; or that the element is not in view any more.
 * @typedef {{moved?: boolean, x?: number, y?: number, takenBack?: boolean, outside?: boolean}} Came
 */

/** @type {(this: Element, options: ScrollToOptions) => void} */
export const scrollByOf = Element.prototype.scrollBy;
/** @type {(this: Element, options: ScrollToOptions) => void} */
export const scrollToOf = Element.prototype.scrollTo;

/**
 * Everything that scrolling over an element may move, the innermost first: each box that scrolls around it, and the page.
 * @param {Element} el
 */
export function scrollChain(el) {
  const chain = [];
  const page = scrollingElement();
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node))
    if (node !== page && canScroll(node, 1, 1)) chain.push(node);
  if (page) chain.push(page);
  return chain;
}

/** @param {Element} box */
export function scrollPosition(box) {
  return { x: scrollLeftGet.call(box), y: scrollTopGet.call(box) };
}

/**
 * What of a box a person sees: of the page, the visual viewport may show another part although no box has scrolled.
 * @param {Element} box
 */
export function shownPosition(box) {
  const { x, y } = scrollPosition(box);
  return box === scrollingElement() ? fromScreen({ x, y }) : { x, y };
}

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
export function samePosition(a, b) {
  return a.x === b.x && a.y === b.y;
}

/**
 * The next animation frame, or a while later in a page that has none.
 * @param {() => void} callback
 */
export function nextPaint(callback) {
  let called = false;
  const once = () => {
    if (called) return;
    called = true;
    clearTimeout(late);
    callback();
  };
  const late = setTimeout(once, 100);
  requestAnimationFrame(once);
}

/** Resolves when what changed has been painted, or soon after where nothing is painted, as out of view. */
export function painted() {
  return new Promise((resolve) => nextPaint(() => nextPaint(() => resolve(undefined))));
}

ops.painted = () => painted().then(() => new Promise((resolve) => setTimeout(resolve)));

/**
 * Resolves when none of the boxes has moved for some frames, or at the limit.
 * @param {Element[]} boxes
 */
export function atRest(boxes, frames = 2, limit = 3000) {
  const end = performance.now() + limit;
  return new Promise((resolve) => {
    let last = boxes.map(shownPosition);
    let still = 0;
    const look = () => {
      const now = boxes.map(shownPosition);
      still = now.every((position, i) => samePosition(position, last[i])) ? still + 1 : 0;
      last = now;
      if (still >= frames || performance.now() > end) resolve(undefined);
      else nextPaint(look);
    };
    nextPaint(look);
  });
}

/**
 * What an op that scrolled at once left to come: handlers of the scroll, content that is laid out or loaded when it comes near the screen. The next
 * scroll takes its place, if it does not wait for that; else it stays, for a caller that asks late.
 * @type {Promise<Came|null>|null}
 */
export let coming = null;

/**
 * Goes on with work after the answer. The work can ask whether it is still the last one. It resolves with what the next reply says, or null.
 * @param {(last: () => boolean) => Promise<Came|null>} work
 */
export function goOn(work) {
  /** @type {Promise<Came|null>} */
  const own = work(() => coming === own).then((said) => (coming === own ? said : null));
  coming = own;
}

/** Ends that, as nothing has scrolled. */
export function standStill() {
  coming = null;
}

/**
 * What of the boxes has moved, with where it came from.
 * @param {Element[]} boxes
 * @param {{x: number, y: number}[]} from
 */
export function movedBoxes(boxes, from) {
  /** @type {Object<string, any>[]} */
  const moved = [];
  boxes.forEach((box, i) => {
    const to = shownPosition(box);
    if (samePosition(from[i], to)) return;
    const name = box === scrollingElement() ? {} : { container: describe(box), box: named(box) };
    moved.push({ ...name, from: from[i], x: to.x, y: to.y, edges: edgesOf(box) });
  });
  return moved;
}
