// Where a pointer may reach an element, and how a point is brought into view.

import { scrollingElement, scrollIntoViewOf } from '../dom/access.js';
import { imageOf } from '../dom/area.js';
import { styleOf } from '../dom/builtins.js';
import { composedParent, localName } from '../dom/dom.js';
import { centre, isWithin, overlap, rectOf, viewport } from '../dom/geometry.js';
import { sameRect } from '../dom/motion.js';
import { scrollsBy } from './scroll.js';
import { noteHiding } from './shifted.js';

/**
 * @import { Box } from '../dom/geometry.js'
 */

/**
 * Where to try, best first: the middle of the box (of each line's box), then points around it.
 * @param {DOMRect[]} boxes
 */
export function pointsOf(boxes) {
  const screen = viewport();
  const parts = boxes.map((box) => overlap(box, screen)).filter((part) => part !== null);
  const points = parts.map(centre);
  if (parts.length === 0) return boxes.length > 0 ? [centre(boxes[0])] : [];
  const biggest = parts.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
  const inset = (/** @type {number[]} */ share) => ({ x: biggest.x + biggest.width * share[0], y: biggest.y + biggest.height * share[1] });
  for (const share of [
    [0.25, 0.5],
    [0.75, 0.5],
    [0.5, 0.25],
    [0.5, 0.75],
  ])
    points.push(inset(share));
  for (const share of [
    [0.08, 0.15],
    [0.92, 0.15],
    [0.08, 0.85],
    [0.92, 0.85],
  ])
    points.push(inset(share));
  return points;
}

/**
 * Brings a point of something that may be larger than the screen into view, container by container.
 * @param {Element} el
 * @param {() => {x: number, y: number}} pointOf where the point is now
 * @param {number} [share] how far down the container it is brought
 */
export function showPoint(el, pointOf, share = 0.5) {
  const before = pointOf();
  for (let node = composedParent(el); node; node = composedParent(node)) {
    const page = node === scrollingElement();
    if (!page && !scrollsBy(styleOf(node).overflowX) && !scrollsBy(styleOf(node).overflowY)) continue;
    const rect = page ? viewport() : rectOf(node);
    const point = pointOf();
    if (share === 0.5 && isWithin(point, rect)) continue;
    node.scrollBy({ left: point.x - rect.x - rect.width / 2, top: point.y - rect.y - rect.height * share, behavior: 'instant' });
  }
  if (!isWithin(pointOf(), viewport())) panTo(el, pointOf);
  const after = pointOf();
  return before.x !== after.x || before.y !== after.y;
}

/** @type {ScrollLogicalPosition[]} */
const PLACES = ['nearest', 'center', 'start', 'end'];

/**
 * Moves the visual viewport until it shows a point of an element, if it can. No scroll position says where it is, so that only elements can be
 * brought into it.
 * @param {Element} el
 * @param {() => {x: number, y: number}} pointOf
 */
function panTo(el, pointOf) {
  const { width, height } = viewport();
  if (width === innerWidth && height === innerHeight) return;
  for (const block of PLACES) {
    for (const inline of PLACES) {
      scrollIntoViewOf.call(el, { block, inline, behavior: 'instant' });
      if (isWithin(pointOf(), viewport())) return;
    }
  }
}

/**
 * @param {Element} el
 * @param {ScrollLogicalPosition} block
 * @param {ScrollLogicalPosition} [inline]
 * @returns {boolean} whether the element moved on the screen
 */
export function showAt(el, block, inline = 'nearest') {
  const shown = localName(el) === 'area' ? (imageOf(/** @type {HTMLAreaElement} */ (el)) ?? el) : el;
  const before = rectOf(shown);
  noteHiding(shown);
  scrollIntoViewOf.call(shown, { block, inline, behavior: 'instant' });
  return !sameRect(before, rectOf(shown));
}

/**
 * Whether a box takes most of what the screen shows.
 * @param {Box} box
 */
export function coversMost(box) {
  const { width, height } = viewport();
  return box.width * box.height > 0.8 * width * height;
}

/**
 * Whether it, or what it lies in, keeps its place on the screen while the page scrolls below it, and leaves room beside it.
 * @param {Element | null | undefined} el
 */
export function sticks(el) {
  for (let node = el; node; node = composedParent(node)) {
    const { position } = styleOf(node);
    if (position !== 'fixed' && position !== 'sticky') continue;
    const rect = overlap(rectOf(node), viewport());
    return rect !== null && !coversMost(rect);
  }
  return false;
}
