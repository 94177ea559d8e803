// The op boxes: where elements can be seen, for a picture of the page, and where the frames of the document lie.

import { isConnected } from '../dom/access.js';
import { styleOf } from '../dom/builtins.js';
import { bodyOf, composedParent, elementRoot } from '../dom/dom.js';
import { fromFrame } from './framebox.js';
import {
  boxOf,
  hasArea,
  hitAt,
  isInside,
  isVisible,
  isWithin,
  leavesNothing,
  overlap,
  receivesFor,
  rectOf,
  viewport,
} from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { elementOf } from '../dom/tokens.js';

/** @import { Box } from '../dom/geometry.js' */

/**
 * @typedef {Object} FramePlace  where the viewport of a child frame is drawn in this one, and how large its pixels are
 * @property {number} x
 * @property {number} y
 * @property {number} scaleX
 * @property {number} scaleY
 * @property {number[]|null} seen  the part of this viewport in which the child is seen; null: none
 */

/**
 * The boxes of elements as [x, y, width, height] in this frame's viewport, null for those that cannot be seen.
 * @param {{tokens?: number[], frames?: number[], whole?: boolean}} arg  frames: tokens of frame elements; whole: the picture shows the whole
 *     document and not the viewport only
 */
ops.boxes = ({ tokens = [], frames = [], whole = false }) => {
  const clips = new Clips(whole ? EVERYWHERE : viewport());
  return {
    boxes: tokens.map((token) => shownBox(elementOf(token), clips)),
    frames: frames.map((token) => framePlace(elementOf(token), clips)),
    scrollX,
    scrollY,
    view: viewport(),
  };
};

export const EVERYWHERE = Object.freeze({ x: -1e7, y: -1e7, width: 2e7, height: 2e7 });

// A box of a pixel is what pages give to text that is for screen readers alone.
const LEAST = 1.5;

/** What the ancestors of elements leave of them, worked out once for each ancestor. */
export class Clips {
  /** @param {Box} outermost */
  constructor(outermost) {
    this.outermost = outermost;
    /** @type {Map<Element, Box|null>} */
    this.inside = new Map();
  }

  /**
   * The part of the viewport in which an element can be seen; null: nowhere.
   * @param {Element} el
   */
  around(el) {
    return this.within(clippingParent(el, styleOf(el)));
  }

  /**
   * The part in which the contents of an element can be seen.
   * @param {Element | null} el
   * @returns {Box|null}
   */
  within(el) {
    const { inside } = this;
    const open = [];
    let known = el;
    for (; known !== null && !inside.has(known); known = clippingParent(known, styleOf(known))) open.push(known);
    let clip = known === null ? this.outermost : /** @type {Box|null} */ (inside.get(known));
    for (let node = open.pop(); node !== undefined; node = open.pop()) inside.set(node, (clip = this.compute(node, clip)));
    return clip;
  }

  /**
   * @param {Element} el
   * @param {Box|null} outer the part in which the element itself can be seen
   * @returns {Box|null}
   */
  compute(el, outer) {
    const style = styleOf(el);
    if (outer === null || leavesNothing(style)) return null;
    // What the root and the body do not show is scrolled to.
    if (el === elementRoot() || el === bodyOf()) return outer;
    const { overflowX, overflowY } = style;
    if ((overflowX === 'visible' && overflowY === 'visible') || style.display === 'contents' || style.display === 'inline') return outer;
    const rect = rectOf(el);
    return overlap(outer, {
      x: overflowX === 'visible' ? EVERYWHERE.x : rect.x,
      width: overflowX === 'visible' ? EVERYWHERE.width : rect.width,
      y: overflowY === 'visible' ? EVERYWHERE.y : rect.y,
      height: overflowY === 'visible' ? EVERYWHERE.height : rect.height,
    });
  }
}

/**
 * The nearest ancestor whose overflow, if it clips, clips the element: what is positioned is clipped by what it is positioned in.
 * @param {Element} el
 * @param {CSSStyleDeclaration} style
 */
function clippingParent(el, style) {
  const { position } = style;
  let node = composedParent(el);
  if (position !== 'absolute' && position !== 'fixed') return node;
  while (node && !isContaining(styleOf(node), position)) node = composedParent(node);
  return node;
}

/**
 * css-position-3, section 2.1, and the properties that make a containing block of their own.
 * @param {CSSStyleDeclaration} style
 * @param {string} position
 */
function isContaining(style, position) {
  if (position === 'absolute' && style.position !== 'static') return true;
  return (
    style.transform !== 'none' ||
    style.perspective !== 'none' ||
    style.filter !== 'none' ||
    style.rotate !== 'none' ||
    style.scale !== 'none' ||
    style.translate !== 'none' ||
    /paint|layout|strict|content/.test(style.contain) ||
    /transform|perspective|filter/.test(style.willChange)
  );
}

/**
 * @param {Element | null} el
 * @param {Clips} clips
 * @returns {number[]|null}
 */
function shownBox(el, clips) {
  const part = el === null || !isConnected(el) ? null : shownPart(el, clips);
  return part && [part.x, part.y, part.width, part.height];
}

/**
 * @param {Element} el
 * @param {Clips} clips
 * @returns {Box|null}
 */
function shownPart(el, clips) {
  const own = rectOf(el);
  if (hasArea(own) && overlap(own, clips.outermost) === null) return null; // most of a long page, told without a look at styles
  if (!isVisible(el)) return null;
  const box = boxOf(el);
  const around = clips.around(el);
  if (box === null || around === null || leavesNothing(styleOf(el))) return null;
  const part = overlap(box, around);
  return part === null || part.width < LEAST || part.height < LEAST || isCovered(el, part) ? null : part;
}

/**
 * Whether a pointer meets something else in the middle and near all corners. Only what is on the screen can be asked, and what lets the
 * pointer through is not known to be covered.
 * @param {Element} el
 * @param {Box} part
 */
function isCovered(el, part) {
  if (styleOf(el).pointerEvents === 'none') return false;
  const dx = Math.min(4, part.width / 4);
  const dy = Math.min(4, part.height / 4);
  const screen = viewport();
  let asked = 0;
  for (const [x, y] of [
    [part.x + part.width / 2, part.y + part.height / 2],
    [part.x + dx, part.y + dy],
    [part.x + part.width - dx, part.y + dy],
    [part.x + dx, part.y + part.height - dy],
    [part.x + part.width - dx, part.y + part.height - dy],
  ]) {
    if (!isWithin({ x, y }, screen)) continue;
    const hit = hitAt(x, y);
    if (hit === null || hit === elementRoot() || isInside(el, hit) || receivesFor(hit, el)) return false;
    asked++;
  }
  return asked === 5;
}

/**
 * @param {Element | null} owner
 * @param {Clips} clips
 * @returns {FramePlace|null}
 */
function framePlace(owner, clips) {
  if (owner === null || !isConnected(owner)) return null;
  const seen = shownPart(owner, clips);
  if (seen === null) return null;
  const { x, y } = fromFrame(owner, 0, 0);
  const one = fromFrame(owner, 1, 1);
  const style = styleOf(owner);
  const inside = {
    x,
    y,
    width: (owner.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) * (one.x - x),
    height: (owner.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)) * (one.y - y),
  };
  const part = overlap(seen, inside);
  return { x, y, scaleX: one.x - x, scaleY: one.y - y, seen: part && [part.x, part.y, part.width, part.height] };
}
