// Op scroll: what a wheel would move, by how much it moved, and where that is now.

import { matches, scrollingElement } from '../dom/access.js';
import { clientHeightGet, clientWidthGet, scrollHeightGet, scrollLeftGet, scrollTopGet, scrollWidthGet, styleOf } from '../dom/builtins.js';
import { bodyOf, composedParent, deepQueryAll, describe, elementRoot } from '../dom/dom.js';
import { movedByOp, watchEffects, withEffects } from './effects.js';
import { FRAME_TAGS } from './frame.js';
import { hitAt, overlap, rectOf, viewport } from '../dom/geometry.js';
import { located, named, withTarget } from '../find/locate.js';
import { ops } from '../dom/ops.js';
import { atRest, goOn, samePosition, scrollByOf, scrollPosition, scrollToOf, standStill } from './rest.js';
import { tokenOf } from '../dom/tokens.js';

/**
 * @import { Box } from '../dom/geometry.js'
 * @import { Looked, ScrollArg, ScrolledSaid } from '../ops.js'
 */

/**
 * Of a ScrollArg, shares: dx and dy are shares of what the box shows, not pixels; edge = top, bottom, left or right; share = of the way, from 0 to 1, sideways where across is set.
 * @typedef {{x: number, y: number}} Way  a direction, or a distance in pixels
 */

ops.scroll = (arg) => {
  if (arg.watch) watchEffects();
  return withEffects(arg, scroll(arg));
};

/** @param {ScrollArg} arg @returns {Promise<Looked<ScrolledSaid>>} */
async function scroll(arg) {
  const way = wayOf(arg);
  if (!elementRoot()) return { moved: false, x: 0, y: 0 };
  if (!arg.target) return scrollBox(pageScroller(way.x, way.y), arg);
  const found = await withTarget({ ...arg, target: arg.target }, (one) => one);
  if (found.error) return found;
  const what = located(found);
  if (matches(found.el, FRAME_TAGS)) return { ...what, inFrame: what.token };
  return { ...what, ...(await scrollBox(scrollerFor(found.el, way.x, way.y), arg)) };
}

/**
 * The direction of a scroll along both axes.
 * @param {ScrollArg} arg
 */
function wayOf({ dx = 0, dy = 0, edge, share, across = false }) {
  if (edge === undefined && share === undefined) return { x: dx, y: dy };
  return across || edge === 'left' || edge === 'right' ? { x: 1, y: 0 } : { x: 0, y: 1 };
}

// A box that a script moves all the time does not come to rest.
const RESTS_WITHIN = 1000;

/**
 * Scrolls at once, whatever scroll-behavior says. Handlers of the scroll, snapping and content that comes only then may move it on: with `later` the
 * op rest tells of that, else where it came to rest is read back.
 * @param {Element} box
 * @param {ScrollArg} arg
 */
async function scrollBox(box, arg) {
  const way = wayOf(arg);
  const from = scrollPosition(box);
  const before = edgesOf(box);
  if (arg.edge !== undefined) scrollToEdge(box, arg.edge, way);
  else if (arg.share !== undefined) scrollToShare(box, arg.share, way);
  else scrollByOf.call(box, { ...distanceIn(box, way, arg.shares), behavior: 'instant' });
  const began = scrollPosition(box);
  const unmoved = samePosition(from, began);
  if (!unmoved && arg.later) goOn(() => atRest([box], 2, RESTS_WITHIN).then(() => movedOn(box, from, began)));
  else standStill();
  if (!unmoved && !arg.later) await atRest([box]);
  const to = scrollPosition(box);
  /** @type {ScrolledSaid & {error?: undefined}} */
  const answer = { moved: !samePosition(from, to), x: to.x, y: to.y, from, edges: edgesOf(box) };
  if (box !== scrollingElement()) Object.assign(answer, { container: describe(box), box: named(box) });
  if (answer.moved) {
    if (arg.later) movedByOp();
    return answer;
  }
  if (box === scrollingElement() && pansAlong(way)) return { ...answer, pans: true };
  // A script that takes every scroll back is another thing than an end.
  if (!samePosition(from, began)) answer.takenBack = true;
  if (!canScroll(box, way.x, way.y)) {
    const frame = arg.target ? null : frameInTheMiddle();
    if (frame) return { ...answer, inFrame: tokenOf(frame) };
    answer.still = true;
    answer.others = scrollersNow(way).map((other) => ({ container: describe(other), ...named(other) }));
  } else answer.edges = before;
  return answer;
}

/**
 * Where a box is that was not to move any more, or null.
 * @param {Element} box
 * @param {{x: number, y: number}} from  where it was before the scroll
 * @param {{x: number, y: number}} told  and after it
 */
function movedOn(box, from, told) {
  const { x, y } = scrollPosition(box);
  return samePosition({ x, y }, told) ? null : { moved: true, x, y, takenBack: samePosition({ x, y }, from) };
}

/**
 * Whether the screen shows only a part of the viewport and another one lies that way, which fingers reach and scrolling does not.
 * @param {Way} way
 */
function pansAlong({ x, y }) {
  const view = viewport();
  if (x < 0 || y < 0) return (x < 0 && view.x > 0) || (y < 0 && view.y > 0);
  const page = scrollingElement();
  const room = (/** @type {number} */ size, /** @type {number} */ most) => Math.min(size, most) - AT_EDGE;
  return (
    (x > 0 && view.x + view.width < room(innerWidth, scrollWidthGet.call(page))) ||
    (y > 0 && view.y + view.height < room(innerHeight, scrollHeightGet.call(page)))
  );
}

/**
 * How far a scroll of a box goes, in pixels.
 * @param {Element} box
 * @param {Way} way
 * @param {boolean} [shares]
 */
function distanceIn(box, way, shares = false) {
  if (!shares) return { left: way.x, top: way.y };
  return { left: Math.round(way.x * clientWidthGet.call(box)), top: Math.round(way.y * clientHeightGet.call(box)) };
}

/**
 * @param {Element} box
 * @param {string} edge
 * @param {Way} way
 */
function scrollToEdge(box, edge, way) {
  const far = edge === 'top' || edge === 'left' ? -1e9 : 1e9;
  scrollByOf.call(box, { left: way.x * far, top: way.y * far, behavior: 'instant' });
}

/**
 * @param {Element} box
 * @param {number} share
 * @param {Way} way
 */
function scrollToShare(box, share, way) {
  const { left, top, width, height } = scrollRange(box);
  const options = way.x ? { left: left + share * width } : { top: top + share * height };
  scrollToOf.call(box, { ...options, behavior: 'instant' });
}

/**
 * The least scroll position and how far it goes from there: content that runs to the left or up begins at 0 and goes below that.
 * @param {Element} box
 */
export function scrollRange(box) {
  const width = Math.max(0, scrollWidthGet.call(box) - clientWidthGet.call(box));
  const height = Math.max(0, scrollHeightGet.call(box) - clientHeightGet.call(box));
  const style = styleOf(box);
  const flexed = style.display.includes('flex') ? style.flexDirection : '';
  const leftwards = (style.direction === 'rtl') !== (flexed === 'row-reverse') || style.writingMode === 'vertical-rl';
  return {
    left: scrollLeftGet.call(box) < 0 || (leftwards && scrollLeftGet.call(box) === 0) ? -width : 0,
    top: scrollTopGet.call(box) < 0 || (flexed === 'column-reverse' && scrollTopGet.call(box) === 0) ? -height : 0,
    width,
    height,
  };
}

// Positions are rounded to the pixels of the screen, ends are not.
const AT_EDGE = 1.5;

/**
 * Which of its edges it shows.
 * @param {Element} box
 */
export function edgesOf(box) {
  const { left, top, width, height } = scrollRange(box);
  return {
    top: scrollTopGet.call(box) - top < AT_EDGE,
    bottom: top + height - scrollTopGet.call(box) < AT_EDGE,
    left: scrollLeftGet.call(box) - left < AT_EDGE,
    right: left + width - scrollLeftGet.call(box) < AT_EDGE,
  };
}

/** The frame that fills the middle of a page that does not scroll itself. */
function frameInTheMiddle() {
  const hit = hitAt(innerWidth / 2, innerHeight / 2);
  return hit && matches(hit, FRAME_TAGS) ? hit : null;
}

const MOST_SCROLLERS = 3;

/**
 * What can be scrolled that way, the largest first.
 * @param {Way} way
 */
function scrollersNow(way) {
  const sized = [];
  const page = scrollingElement();
  for (const el of [...deepQueryAll(document, '*')]) {
    if (!canScroll(el, way.x, way.y) || (el === page && !pageScrolls(way))) continue;
    const part = el === page ? viewport() : overlap(rectOf(el), viewport());
    if (part) sized.push({ el, area: part.width * part.height });
  }
  sized.sort((a, b) => b.area - a.area);
  return sized.slice(0, MOST_SCROLLERS).map(({ el }) => el);
}

/** @param {Way} way */
function pageScrolls(way) {
  return canScroll(scrollingElement(), way.x, way.y);
}

/**
 * The target when it scrolls that way, else what scrolls in it, else what it scrolls in.
 * @param {Element} el
 * @param {number} dx
 * @param {number} dy
 */
export function scrollerFor(el, dx, dy) {
  if (canScroll(el, dx, dy)) return el;
  const inner = largest(deepQueryAll(el, '*').filter((node) => canScroll(node, dx, dy)));
  if (inner) return inner;
  for (let node = composedParent(el); node; node = composedParent(node)) if (canScroll(node, dx, dy)) return node;
  return scrollingElement();
}

/**
 * The document, or where it does not scroll that way: the largest that can in the middle of the screen, else anywhere.
 * @param {number} dx
 * @param {number} dy
 */
function pageScroller(dx, dy) {
  const page = scrollingElement();
  if (canScroll(page, dx, dy)) return page;
  const around = [];
  for (let node = hitAt(innerWidth / 2, innerHeight / 2); node; node = composedParent(node)) {
    if (node !== page && canScroll(node, dx, dy)) around.push(node);
  }
  return largest(around) ?? largest(deepQueryAll(document, '*').filter((node) => node !== page && canScroll(node, dx, dy))) ?? page;
}

/**
 * Whether a person could scroll it along the axis, be it at its end or not.
 * @param {Element} el
 * @param {number} dx
 * @param {number} dy
 */
export function canScroll(el, dx, dy) {
  const across = dx !== 0 && scrollWidthGet.call(el) > clientWidthGet.call(el);
  const down = dy !== 0 && scrollHeightGet.call(el) > clientHeightGet.call(el);
  if (!across && !down) return false;
  const style = styleOf(el);
  if (el === scrollingElement()) return (across && pageMayScroll('overflowX')) || (down && pageMayScroll('overflowY'));
  return (across && scrollsBy(style.overflowX)) || (down && scrollsBy(style.overflowY));
}

/** @param {string} overflow */
export function scrollsBy(overflow) {
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
}

/**
 * The viewport takes its overflow from <html>, or from <body> when <html> says nothing.
 * @param {'overflowX'|'overflowY'} axis
 */
function pageMayScroll(axis) {
  const root = styleOf(elementRoot())[axis];
  if (root !== 'visible') return root !== 'hidden' && root !== 'clip';
  const body = bodyOf();
  const overflow = body ? styleOf(body)[axis] : 'visible';
  return overflow !== 'hidden' && overflow !== 'clip';
}

/** @param {Element[]} els */
function largest(els) {
  let best = null;
  let most = 0;
  for (const el of els) {
    const part = overlap(rectOf(el), viewport());
    const area = part ? part.width * part.height : 0;
    if (area > most) [best, most] = [el, area];
  }
  return best;
}
