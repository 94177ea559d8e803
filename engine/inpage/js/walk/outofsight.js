// Where a box is: on the page, or where scrolling does not lead; whole, or clipped by what it is in.

import { scrollingElement } from '../dom/access.js';
import { queryAllOf, scrollLeftGet, scrollTopGet, styleOf } from '../dom/builtins.js';
import { clipsAway } from '../dom/clippaths.js';
import { CLIPS, SHAPES, VEILS } from '../dom/declarations.js';
import { elementRoot, getElementByIdIn } from '../dom/dom.js';
import { computedOf, parentOf, rootOf, settle } from '../dom/facts.js';
import { getRect, hasArea, leavesNothing, overlap, plainBox } from '../dom/geometry.js';
import { canScroll, scrollRange, scrollsBy } from '../act/scroll.js';
import { styleBits } from '../dom/styles.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Box } from '../dom/geometry.js'
 */

// What scrolls and is smaller shows no line of text.
const LEAST_SCROLLER = 10;

/** @type {Reach|null} while a walk runs */
let pageReach = null;

/** Clears what was cached of the page. */
export function forgetPage() {
  pageReach = null;
}

/**
 * The element's box in the viewport, remembered.
 * @param {Facts} facts
 */
export function placeOf(facts) {
  return (facts.place ??= getRect.call(facts.el));
}

/**
 * The page that can be scrolled to, in the coordinates of the viewport, and the viewport. To ask for them costs as much as a box.
 * @typedef {{left: number, top: number, right: number, bottom: number, width: number, height: number}} Reach
 */

/** @returns {Reach} */
function reachOfPage() {
  const page = scrollingElement();
  const root = elementRoot();
  const wide = page?.scrollWidth ?? innerWidth;
  const left = root !== null && styleOf(root).direction === 'rtl' ? Math.min(innerWidth - wide, 0) : 0;
  return {
    left: left - scrollX,
    top: -scrollY,
    right: left + wide - scrollX,
    bottom: (page?.scrollHeight ?? innerHeight) - scrollY,
    width: innerWidth,
    height: innerHeight,
  };
}

/**
 * Whether the box lies before the beginning of the page, or is fixed outside of the viewport.
 * @param {Facts} facts
 * @param {DOMRect} rect
 */
export function isOutside(facts, rect) {
  const page = (pageReach ??= reachOfPage());
  if (rect.x + rect.width <= page.left || rect.y + rect.height <= page.top) return true;
  return !isOnScreen(rect) && (rect.x >= page.right || rect.y >= page.bottom) && isFixed(facts);
}

/**
 * Whether the box begins far before the beginning of the page.
 * @param {DOMRect} rect
 */
export function beginsOutside(rect) {
  return rect.x <= (pageReach ??= reachOfPage()).left - 99;
}

/**
 * Whether the box begins in the viewport, or before it.
 * @param {DOMRect} rect
 */
export function isOnScreen(rect) {
  const page = (pageReach ??= reachOfPage());
  return rect.x < page.width && rect.y < page.height;
}

/**
 * Whether the box is where a person has to scroll to see it.
 * @param {Box} rect
 */
export function isPastScreen(rect) {
  const page = (pageReach ??= reachOfPage());
  return rect.x >= page.width || rect.y >= page.height || rect.y + rect.height <= 0;
}

/** @param {Facts} facts */
export function isFixed(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) if (computedOf(node).position === 'fixed') return true;
  return false;
}

/**
 * Whether clip or clip-path leave nothing of it, or of what it is in.
 * @param {Facts} facts
 * @returns {boolean}
 */
export function isCutOut(facts) {
  if (facts.cutOut === undefined) settle(facts, hasCutOut, settleCutOut);
  return /** @type {boolean} */ (facts.cutOut);
}

/** @param {Facts} facts */
function hasCutOut(facts) {
  return facts.cutOut !== undefined;
}

/** @param {Facts} facts */
function settleCutOut(facts) {
  const parent = parentOf(facts);
  facts.cutOut = ((styleBits(facts) & VEILS) !== 0 && isCutByItself(facts)) || (parent !== null && isCutOut(parent));
}

/** @param {Facts} facts */
function isCutByItself(facts) {
  const style = computedOf(facts);
  if (leavesNothing(style) || isTurnedAway(facts)) return true;
  const { clipPath } = style;
  if (clipPath === 'none') return false;
  const box = placeOf(facts);
  const id = /^url\("#([^"]+)"\)$/.exec(clipPath);
  if (id !== null) return isEmptyClip(getElementByIdIn(rootOf(facts).node, id[1]));
  return hasArea(box) && style.transform === 'none' && clipsAway(clipPath, box, box);
}

/** @param {Element|null} clip */
function isEmptyClip(clip) {
  return clip !== null && Array.from(queryAllOf.call(clip, '*')).every((shape) => !hasArea(fillOf(shape)));
}

const bboxOf = SVGGraphicsElement.prototype.getBBox;

/** @param {Element} shape of a drawing */
function fillOf(shape) {
  return shape instanceof SVGGraphicsElement ? bboxOf.call(shape) : NOTHING;
}

const NOTHING = { x: 0, y: 0, width: 0, height: 0 };

/**
 * Whether it shows its back, which it does not paint.
 * @param {Facts} facts
 */
export function isTurnedAway(facts) {
  if (computedOf(facts).backfaceVisibility !== 'hidden') return false;
  let matrix = matrixOf(facts);
  for (let node = parentOf(facts); node !== null && computedOf(node).transformStyle === 'preserve-3d'; node = parentOf(node))
    matrix = matrixOf(node).multiply(matrix);
  return matrix.inverse().m33 < 0;
}

/** @param {Facts} facts */
function matrixOf(facts) {
  const { transform, rotate } = computedOf(facts);
  const matrix = new DOMMatrix();
  const turn = /^(?:([xy])|([-\d.]+) ([-\d.]+) ([-\d.]+))\s+([-\d.]+)deg$/.exec(rotate ?? 'none');
  if (turn !== null) {
    const [x, y, z] = turn[1] === undefined ? turn.slice(2, 5).map(Number) : [Number(turn[1] === 'x'), Number(turn[1] === 'y'), 0];
    matrix.rotateAxisAngleSelf(x, y, z, Number(turn[5]));
  }
  return transform === 'none' ? matrix : matrix.multiply(new DOMMatrix(transform));
}

/**
 * The nearest element around it that hides what is outside of its own box, or null.
 * @param {Facts} facts
 * @returns {Facts|null}
 */
export function clipperOf(facts) {
  if (facts.clipper === undefined) settle(facts, hasClipper, settleClipper);
  return /** @type {Facts|null} */ (facts.clipper);
}

/** @param {Facts} facts */
function hasClipper(facts) {
  return facts.clipper !== undefined;
}

/** @param {Facts} facts */
function settleClipper(facts) {
  const parent = parentOf(facts);
  if (parent === null || parent.tag === 'body' || parent.tag === 'html') facts.clipper = null;
  else facts.clipper = clips(parent) ? parent : clipperOf(parent);
}

/**
 * Whether the element is a row of a table, or a group of rows: these clip nothing, whatever their style says (CSS 2.2, 11.1.1).
 * @param {Facts} facts
 */
export function isRow(facts) {
  return ROWS.has(facts.tag) && /^table-(?:row|header|footer)/.test(computedOf(facts).display);
}

const ROWS = new Set(['tr', 'tbody', 'thead', 'tfoot']);

/**
 * Whether the browser's own style sheet makes the element clip its contents.
 * @param {Facts} facts
 */
export function clipsByItself(facts) {
  return !facts.html && (facts.tag === 'svg' || facts.tag === 'foreignObject');
}

/** @param {Facts} facts */
function clips(facts) {
  if ((styleBits(facts) & (CLIPS | SHAPES)) === 0 && !clipsByItself(facts)) return false;
  if (facts.tag === 'marquee' || isRow(facts)) return false; // what is in a marquee comes into view by itself
  return cutsOff(facts, 'overflowX') || cutsOff(facts, 'overflowY');
}

/**
 * Whether what is outside of an element's own box cannot be seen along an axis: it does not scroll, or is too small to show a line of text when it does.
 * @param {Facts} facts
 * @param {'overflowX'|'overflowY'} overflow
 */
function cutsOff(facts, overflow) {
  const value = computedOf(facts)[overflow];
  if (value === 'visible') return false;
  if (value === 'hidden' || value === 'clip') return true;
  const { width, height } = placeOf(facts);
  return (overflow === 'overflowX' ? width : height) < LEAST_SCROLLER;
}

/**
 * The innermost element around a box that cuts it off, or null.
 * @param {Facts} facts
 * @param {DOMRect} rect
 * @returns {Facts|null}
 */
export function cutterOf(facts, rect) {
  for (let clipper = clipperOf(facts); clipper !== null; clipper = clipperOf(clipper))
    if (!meets(rect, placeOf(clipper)) && reallyClips(clipper, facts, rect)) return clipper;
  return null;
}

/**
 * Whether more than the edge of a box is in another one.
 * @param {Box} rect
 * @param {Box} other
 */
function meets(rect, other) {
  const both = overlap(rect, other);
  return both !== null && (both.width > 1 || rect.width <= 1) && (both.height > 1 || rect.height <= 1);
}

/**
 * What is positioned is clipped only by what is around its containing block; what overflows to a visible side is not clipped.
 * @param {Facts} facts
 * @param {Box} rect
 * @param {Facts} clipper
 */
function reallyClips(clipper, facts, rect) {
  const style = computedOf(clipper);
  const box = placeOf(clipper);
  const wide = cutsOff(clipper, 'overflowX') ? box : { ...plainBox(box), x: -1e7, width: 2e7 };
  const clip = cutsOff(clipper, 'overflowY') ? wide : { ...plainBox(wide), y: -1e7, height: 2e7 };
  if (meets(rect, clip)) return false;
  let escapes = '';
  for (let node = /** @type {Facts|null} */ (facts); node !== null && node !== clipper; node = parentOf(node)) {
    const { position } = computedOf(node);
    if (escapes === 'absolute' && position !== 'static') escapes = '';
    if (position === 'fixed' || (position === 'absolute' && escapes === '')) escapes = position;
  }
  if (escapes === '') return true;
  return style.transform !== 'none' || (escapes === 'absolute' && style.position !== 'static');
}

/**
 * The innermost of the elements around it that would scroll the box into its own one, or null.
 * @param {Facts} facts
 * @param {DOMRect} rect
 * @returns {Facts|null}
 */
export function bringerOf(facts, rect) {
  for (let scroller = scrollerOf(facts); scroller !== null; scroller = scrollerOf(scroller)) {
    const view = placeOf(scroller);
    if (!meets(rect, view)) return brings(scroller, rect, view) ? scroller : null;
  }
  return null;
}

/**
 * The nearest element around it that a person can scroll, and that moves it then. The page itself does not count.
 * @param {Facts} facts
 * @returns {Facts|null}
 */
function scrollerOf(facts) {
  if (facts.scroller === undefined) settle(facts, hasScroller, settleScroller);
  return /** @type {Facts|null} */ (facts.scroller);
}

/** @param {Facts} facts */
function hasScroller(facts) {
  return facts.scroller !== undefined;
}

/** @param {Facts} facts */
function settleScroller(facts) {
  const { position } = computedOf(facts);
  let around = position === 'fixed' ? null : parentOf(facts);
  if (position === 'absolute') while (around !== null && computedOf(around).position === 'static') around = parentOf(around);
  if (around === null || around.tag === 'body' || around.tag === 'html') facts.scroller = null;
  else facts.scroller = canScroll(around.el, 1, 1) ? around : scrollerOf(around);
}

/**
 * Whether an element can be scrolled to a box that is outside of its own.
 * @param {Facts} facts
 * @param {DOMRect} rect
 * @param {DOMRect} view its own box
 */
function brings(facts, rect, view) {
  if (view.width < LEAST_SCROLLER || view.height < LEAST_SCROLLER) return false;
  const { overflowX, overflowY } = computedOf(facts);
  const range = scrollRange(facts.el);
  const reach = plainBox(view);
  if (scrollsBy(overflowX)) {
    reach.x += range.left - scrollLeftGet.call(facts.el);
    reach.width += range.width;
  }
  if (scrollsBy(overflowY)) {
    reach.y += range.top - scrollTopGet.call(facts.el);
    reach.height += range.height;
  }
  return overlap(rect, reach) !== null;
}
