// What was shifted to bring an element into view although it hides what overflows: a person cannot scroll it back, and the page may not do so either.

import { isConnected, scrollingElement } from '../dom/access.js';
import { scrollLeftGet, scrollTopGet, styleOf } from '../dom/builtins.js';
import { bodyOf, composedParent, describe, elementRoot } from '../dom/dom.js';

/** @typedef {Map<Element, {x: number, y: number}>} Places  where boxes were before */

/** @type {Places} */
let noted = new Map();

/**
 * Notes where the boxes around an element are that hide what overflows, before it is brought into view.
 * @param {Element} el
 */
export function noteHiding(el) {
  for (let node = composedParent(el); node; node = composedParent(node)) {
    const { overflowX, overflowY } = styleOf(node);
    if (overflowX !== 'hidden' && overflowY !== 'hidden') continue;
    const box = node === bodyOf() || node === elementRoot() ? scrollingElement() : node;
    if (box && !noted.has(box)) noted.set(box, placeOf(box));
  }
}

/** What was noted since the last call. */
export function takeNoted() {
  const taken = noted;
  noted = new Map();
  return taken;
}

/**
 * The innermost of the boxes that is elsewhere now.
 * @param {Places} places
 */
export function shiftedOf(places) {
  for (const [box, from] of places) {
    const to = placeOf(box);
    if (isConnected(box) && (from.x !== to.x || from.y !== to.y))
      return { from: [from.x, from.y], to: [to.x, to.y], hiding: describe(box) };
  }
  return null;
}

/** @param {Element} box */
function placeOf(box) {
  return { x: scrollLeftGet.call(box), y: scrollTopGet.call(box) };
}
