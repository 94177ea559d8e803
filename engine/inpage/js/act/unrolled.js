// Ops unroll, unrollTo and rollUp: a box that scrolls is brought from part to part, so that a picture can have all of its content. What sticks to its
// edges is at its own place meanwhile, nothing snaps, and all is put back by rollUp, or when no other part is asked for.

import { isConnected, scrollingElement } from '../dom/access.js';
import {
  clientHeightGet,
  clientWidthGet,
  getterOf,
  scrollHeightGet,
  scrollLeftGet,
  scrollTopGet,
  scrollWidthGet,
  styleOf,
} from '../dom/builtins.js';
import { attr, bodyOf, composedParent, deepQueryAll, describe, elementRoot, localName } from '../dom/dom.js';
import { fromScreen, hitAt, isInside, overlap, rectOf } from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { located, withTarget } from '../find/locate.js';
import { painted, samePosition, scrollPosition, scrollToOf } from './rest.js';

/** @import { Box } from '../dom/geometry.js' */
/** @typedef {{el: Element, style: CSSStyleDeclaration, text: string|null, before: [string, string, string][]}} Restyled  before = names, values and priorities */
/** @typedef {{box: Element, x: number, y: number}} Place */

const createElementOf = Document.prototype.createElement;
const setAttributeOf = Element.prototype.setAttribute;
const removeAttributeOf = Element.prototype.removeAttribute;
const clientLeftGet = getterOf(Element.prototype, 'clientLeft');
const clientTopGet = getterOf(Element.prototype, 'clientTop');
const offsetWidthGet = getterOf(HTMLElement.prototype, 'offsetWidth');
const offsetHeightGet = getterOf(HTMLElement.prototype, 'offsetHeight');
const htmlStyleGet = getterOf(HTMLElement.prototype, 'style');
const svgStyleGet = getterOf(SVGElement.prototype, 'style');

/** How a box is scrolled to exactly where it is wanted. */
const STILL = [
  ['scroll-snap-type', 'none'],
  ['scroll-behavior', 'auto'],
  ['overflow-anchor', 'none'],
];
/** How what sticks to an edge is put at its own place. */
const UNSTUCK = [
  ['position', 'relative'],
  ['top', 'auto'],
  ['right', 'auto'],
  ['bottom', 'auto'],
  ['left', 'auto'],
];
const ABANDONED_AFTER = 30_000;
// A page that changes all the time is not waited for.
const MOST_ROUNDS = 10;

/** @type {Unrolled|null} */
let unrolled = null;

class Unrolled {
  /** @param {Element} el */
  constructor(el) {
    this.el = el;
    this.isPage = el === scrollingElement();
    /** @type {Element[]} what clips the box, the innermost first */
    this.around = [];
    for (let node = composedParent(el); node; node = composedParent(node))
      if (node !== scrollingElement() && clips(node)) this.around.push(node);
    /** @type {Place[]} */
    this.places = [el, ...this.around, scrollingElement()].map((box) => ({ box, ...scrollPosition(box) }));
    /** @type {Restyled[]} */
    this.restyled = [];
    for (const { box } of this.places) this.restyle(box, STILL);
    this.unstick();
    // Right-to-left and reversed boxes begin at the other end, with negative positions.
    this.leftward = beginsAtTheEnd(el, 'left', scrollLeftGet);
    this.upward = beginsAtTheEnd(el, 'top', scrollTopGet);
    this.changes = 0;
    this.observer = new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) this.changes += addedNodes.length + removedNodes.length;
    });
    this.observer.observe(this.isPage ? document : el, { subtree: true, childList: true });
    this.rearm();
  }

  rearm() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => rollUp(), ABANDONED_AFTER);
  }

  /** @param {Element} el @param {string[][]} wish */
  restyle(el, wish) {
    const get = el instanceof HTMLElement ? htmlStyleGet : el instanceof SVGElement ? svgStyleGet : null;
    if (get === null || this.restyled.some((one) => one.el === el && one.before[0][0] === wish[0][0])) return;
    const style = get.call(el);
    const before = wish.map(
      ([name]) => /** @type {[string, string, string]} */ ([name, style.getPropertyValue(name), style.getPropertyPriority(name)]),
    );
    this.restyled.push({ el, style, text: attr(el, 'style'), before });
    for (const [name, value] of wish) style.setProperty(name, value, 'important');
  }

  /** What sticks within the box itself, also what has come while it was scrolled. */
  unstick() {
    const within = this.isPage ? document : this.el;
    for (const el of deepQueryAll(within, '*')) if (styleOf(el).position === 'sticky' && this.scrolls(el)) this.restyle(el, UNSTUCK);
  }

  /** Whether the box is what the element scrolls in. @param {Element} el */
  scrolls(el) {
    let node = composedParent(el);
    while (node && node !== this.el && !(clips(node) && node !== bodyOf() && node !== elementRoot())) node = composedParent(node);
    return node === this.el || (this.isPage && (!node || node === elementRoot() || node === bodyOf()));
  }

  size() {
    return { width: scrollWidthGet.call(this.el), height: scrollHeightGet.call(this.el) };
  }

  /** Where the content begins, in positions of the box. */
  begin() {
    return {
      x: this.leftward ? clientWidthGet.call(this.el) - scrollWidthGet.call(this.el) : 0,
      y: this.upward ? clientHeightGet.call(this.el) - scrollHeightGet.call(this.el) : 0,
    };
  }

  /** @param {{x: number, y: number}} at */
  async bring({ x, y }) {
    const begin = this.begin();
    place(this.el, x + begin.x, y + begin.y);
    this.showPart(x, y);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const changes = this.changes;
      await painted();
      if (this.changes === changes) break;
    }
    this.unstick();
    this.showPart(x, y);
  }

  /** Scrolls what is around the box so that its part from a point of the content on is not clipped away. @param {number} x @param {number} y */
  showPart(x, y) {
    for (const box of this.isPage ? [] : [...this.around, scrollingElement()]) {
      const area = box === scrollingElement() ? page() : areaOf(box);
      const shown = areaOf(this.el);
      const at = this.contentAt();
      const left = shown.x + Math.max(0, x - at.x);
      const top = shown.y + Math.max(0, y - at.y);
      const over = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ low, /** @type {number} */ high) =>
        from < low || to > high ? from - low : 0;
      const dx = over(left, shown.x + shown.width, area.x, area.x + area.width);
      const dy = over(top, shown.y + shown.height, area.y, area.y + area.height);
      if (dx !== 0 || dy !== 0) place(box, scrollLeftGet.call(box) + dx, scrollTopGet.call(box) + dy);
    }
  }

  /** Which point of the content is at the corner of the box. */
  contentAt() {
    const begin = this.begin();
    const { x, y } = scrollPosition(this.el);
    return { x: x - begin.x, y: y - begin.y };
  }

  /** What of the content is to be seen, and where, in the viewport of the frame. */
  part() {
    const area = this.isPage ? page() : areaOf(this.el);
    const at = this.contentAt();
    /** @type {Box|null} */
    let seen = this.isPage ? area : overlap(area, page());
    for (const box of this.around) if (seen) seen = overlap(seen, areaOf(box));
    if (!seen) return null;
    return {
      x: at.x + seen.x - area.x,
      y: at.y + seen.y - area.y,
      width: seen.width,
      height: seen.height,
      left: seen.x,
      top: seen.y,
      covered: this.coveredBy(seen),
    };
  }

  /** What lies over a part of it, such as a button that stays in a corner of the screen. @param {Box} seen */
  coveredBy(seen) {
    for (const down of [0.02, 0.5, 0.98]) {
      for (const across of [0.02, 0.5, 0.98]) {
        const hit = hitAt(seen.x + seen.width * across, seen.y + seen.height * down);
        if (hit && !isInside(hit, this.el) && !isInside(this.el, hit)) return describe(hit);
      }
    }
    return undefined;
  }

  /** Puts back where everything was. */
  replace() {
    for (const { box, x, y } of this.places) if (isConnected(box) && !samePosition(scrollPosition(box), { x, y })) place(box, x, y);
  }

  /** Positions go first, since what snaps would not let them. */
  async end() {
    clearTimeout(this.timer);
    this.observer.disconnect();
    this.replace();
    await painted();
    this.replace(); // a list that makes its rows when they are seen has them again
    for (const one of this.restyled) asBefore(one);
    this.replace();
  }
}

/** @param {Restyled} restyled */
function asBefore({ el, style, text, before }) {
  for (const [name, value, priority] of before) {
    if (value === '') style.removeProperty(name);
    else style.setProperty(name, value, priority);
  }
  const now = attr(el, 'style'); // Chromium removes no attribute that it has not written yet
  if (text === null) {
    if (style.length === 0) removeAttributeOf.call(el, 'style');
    return;
  }
  if (now === text || !sameRules(style, text)) return;
  setAttributeOf.call(el, 'style', text);
  if (style.cssText === '' && now) style.cssText = now; // where the page's policy allows no such attribute
}

/** Whether the text of an attribute says the same, so that what the page has changed meanwhile stays. @param {CSSStyleDeclaration} style @param {string} text */
function sameRules(style, text) {
  const probe = htmlStyleGet.call(createElementOf.call(document, 'i'));
  probe.cssText = text;
  return probe.cssText === style.cssText;
}

/** @param {Element} box @param {number} left @param {number} top */
function place(box, left, top) {
  scrollToOf.call(box, { left, top, behavior: 'instant' });
}

/** Whether a box shows only a part of what is in it. @param {Element} el */
function clips(el) {
  const { overflowX, overflowY, display } = styleOf(el);
  return (overflowX !== 'visible' || overflowY !== 'visible') && display !== 'inline' && display !== 'contents';
}

/** What a box shows of its content, within its borders and beside its scroll bars. @param {Element} el @returns {Box} */
function areaOf(el) {
  const { x, y } = rectOf(el);
  return { x: x + clientLeftGet.call(el), y: y + clientTopGet.call(el), width: clientWidthGet.call(el), height: clientHeightGet.call(el) };
}

/** The viewport without its scroll bars. @returns {Box} */
function page() {
  const root = elementRoot();
  return { x: 0, y: 0, width: Math.min(innerWidth, clientWidthGet.call(root)) || innerWidth, height: innerHeight };
}

/** @param {Element} el @param {'left'|'top'} axis @param {(this: Element) => number} get */
function beginsAtTheEnd(el, axis, get) {
  const now = get.call(el);
  if (now !== 0) return now < 0;
  scrollToOf.call(el, { [axis]: -1, behavior: 'instant' });
  const negative = get.call(el) < 0;
  if (negative) scrollToOf.call(el, { [axis]: 0, behavior: 'instant' });
  return negative;
}

/** Whether the page draws the box in another size, or turned. @param {Element} el */
function isTransformed(el) {
  if (!(el instanceof HTMLElement)) return false;
  const { width, height } = rectOf(el);
  return Math.abs(width - offsetWidthGet.call(el)) > 1 || Math.abs(height - offsetHeightGet.call(el)) > 1;
}

/**
 * Begins with a box, or with `page` with the document of the frame. scrolls = false: there is nothing to bring; ofFrame = it is the content of the frame
 * that is meant; ofPage = that of the page.
 * @param {any} arg
 */
ops.unroll = (arg) => {
  if (arg.page) return begun(scrollingElement());
  return withTarget(arg, (found) => {
    const el = found.el;
    const tag = localName(el);
    if (tag === 'iframe' || tag === 'frame') return { ...located(found), ofFrame: true };
    if (el === scrollingElement() || el === elementRoot() || (el === bodyOf() && !clips(elementRoot())))
      return { ...located(found), ofPage: true };
    return { ...located(found), ...begun(el) };
  });
};

/** @param {Element} el */
function begun(el) {
  unrolled?.end();
  unrolled = null;
  const { overflowX, overflowY } = styleOf(el);
  const moves = (/** @type {string} */ overflow) => overflow !== 'visible' && overflow !== 'clip';
  const across = moves(overflowX) && scrollWidthGet.call(el) > clientWidthGet.call(el);
  const down = moves(overflowY) && scrollHeightGet.call(el) > clientHeightGet.call(el);
  if (el !== scrollingElement() && !across && !down) return { scrolls: false };
  if (clientWidthGet.call(el) < 1 || clientHeightGet.call(el) < 1) return { scrolls: false };
  if (isTransformed(el)) return { scrolls: true, transformed: true };
  unrolled = new Unrolled(el);
  return { scrolls: true, ...unrolled.size() };
}

/** Brings the part of the content that begins at a point, and tells what is seen of it. @param {{x: number, y: number}} at */
ops.unrollTo = async (at) => {
  const box = unrolled;
  if (!box || !isConnected(box.el)) return { gone: true };
  box.rearm();
  await box.bring(at);
  return { part: box.part(), ...box.size(), changes: box.changes, screen: fromScreen({ x: scrollX, y: scrollY }) };
};

ops.rollUp = () => rollUp();

async function rollUp() {
  const box = unrolled;
  unrolled = null;
  await box?.end();
  return box !== null;
}
