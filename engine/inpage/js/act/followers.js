// Boxes that show another part of what they hold when a box beside them scrolls: heads, frozen rows and frozen columns of tables. No wheel
// scrolls them, so that what they hold is reached by a scroll of the box that leads them.

import { clientHeightGet, clientWidthGet, scrollHeightGet, scrollWidthGet, styleOf } from '../dom/builtins.js';
import { children, composedParent, isElement } from '../dom/dom.js';
import { scrollPosition } from './rest.js';
import { canScroll } from './scroll.js';

// How far up, and down from there, the box that leads is searched for, and in how many elements.
const NEAR = 3;
const MOST_SEEN = 200;

// By how much the ways of the two may differ: the scroll bars of the one that leads.
const BARS = 40;

/**
 * The boxes around an element that follow another one, each with the one that it follows.
 * @param {Element} el
 * @param {Element[]} scrollers what scrolls around it by itself
 */
export function followersAround(el, scrollers) {
  /** @type {Map<Element, Element>} */
  const found = new Map();
  for (let node = composedParent(el); node; node = composedParent(node)) {
    if (scrollers.includes(node)) continue;
    const axis = hiddenAxis(node);
    const leader = axis && leaderOf(node, axis);
    if (leader) found.set(node, leader);
  }
  return found;
}

/**
 * The axis along which a box hides what does not fit.
 * @param {Element} box
 * @returns {'x'|'y'|null}
 */
function hiddenAxis(box) {
  const { overflowX, overflowY } = styleOf(box);
  if (overflowX === 'hidden' && wayOf(box, 'x') > 1) return 'x';
  return overflowY === 'hidden' && wayOf(box, 'y') > 1 ? 'y' : null;
}

/**
 * How far a box goes along an axis.
 * @param {Element} box
 * @param {'x'|'y'} axis
 */
function wayOf(box, axis) {
  return axis === 'x' ? scrollWidthGet.call(box) - clientWidthGet.call(box) : scrollHeightGet.call(box) - clientHeightGet.call(box);
}

/**
 * What scrolls near a box, as far as it and to the same place.
 * @param {Element} box
 * @param {'x'|'y'} axis
 */
function leaderOf(box, axis) {
  const leads = (/** @type {Element} */ other) =>
    other !== box &&
    Math.abs(scrollPosition(other)[axis] - scrollPosition(box)[axis]) <= 1 &&
    Math.abs(wayOf(other, axis) - wayOf(box, axis)) <= BARS &&
    (axis === 'x' ? canScroll(other, 1, 0) : canScroll(other, 0, 1));
  let seen = 0;
  let around = composedParent(box);
  for (let up = 0; around && up < NEAR; up++, around = composedParent(around)) {
    let level = [around];
    for (let down = 0; down < NEAR; down++) {
      const next = [];
      for (const parent of level) {
        for (const child of children(parent)) {
          if (!isElement(child)) continue;
          if (++seen > MOST_SEEN) return null;
          if (leads(child)) return child;
          if (child !== box) next.push(child);
        }
      }
      level = next;
    }
  }
  return null;
}
