// Where elements are on the screen: boxes, the hit test through shadow trees, what covers what, and what clips what.

import { controlOf, labelsOf } from './access.js';
import { areaBox } from './area.js';
import { getRootNodeOf, getterOf, namespaceGet, styleOf, SVG_NS } from './builtins.js';
import { FAINTEST, gradientColors } from './colors.js';
import { attr, bodyOf, composedParent, elementRoot, innerRootOf, localName, shadowOf } from './dom.js';
import { isRendered } from './visibility.js';

/** @import { Target } from '../find/locate.js' */

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

export const getRect = Element.prototype.getBoundingClientRect;
export const getRects = Element.prototype.getClientRects;
const elementsAt = { document: Document.prototype.elementFromPoint, shadow: ShadowRoot.prototype.elementFromPoint };

/**
 * The element's border box in the frame's viewport.
 * @param {Element} el
 */
export function rectOf(el) {
  return getRect.call(el);
}

/** @param {Box} rect */
export function hasArea(rect) {
  return rect.width > 0 && rect.height > 0;
}

/**
 * The box that an element shows, or null. An element without a box of its own (display: contents), or with an empty one that does not
 * clip (a link around a float), shows the boxes of its contents.
 * @param {Element} el
 * @returns {DOMRect|null}
 */
export function boxOf(el) {
  const own = rectOf(el);
  if (hasArea(own)) return own;
  if ((own.width > 0 || own.height > 0) && namespaceGet.call(el) === SVG_NS) return thickened(own);
  const style = styleOf(el);
  if (localName(el) === 'area') return areaBox(/** @type {HTMLAreaElement} */ (el));
  if (style.display === 'none') return null;
  if (style.display !== 'contents' && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) return null;
  for (const parent of [el, shadowOf(el)]) {
    if (!parent) continue;
    const inner = contentsRectOf(parent);
    if (hasArea(inner)) return inner;
  }
  return null;
}

/**
 * The box of a straight line, whose own box leaves its stroke out.
 * @param {DOMRect} rect
 */
function thickened({ x, y, width, height }) {
  const across = width > 0 ? 0 : LINE / 2;
  const down = height > 0 ? 0 : LINE / 2;
  return new DOMRect(x - across, y - down, width + 2 * across, height + 2 * down);
}

// How thick a line is taken for, in pixels.
const LINE = 2;

/**
 * The box around the contents of an element or a shadow root.
 * @param {Node} parent
 */
export function contentsRectOf(parent) {
  const range = new Range();
  range.selectNodeContents(parent);
  return range.getBoundingClientRect();
}

/**
 * The boxes of an element that is broken over lines, else its one box.
 * @param {Element} el
 */
export function boxesOf(el) {
  const rects = [...getRects.call(el)].filter(hasArea);
  if (rects.length > 0) return rects;
  const box = boxOf(el);
  return box ? [box] : [];
}

/**
 * Whether a person could see it if it were in view: rendered, not hidden by visibility, and with a box. Opacity does not count.
 * @param {Element} el
 */
export function isVisible(el) {
  return (isRendered(el) || localName(el) === 'area') && boxOf(el) !== null;
}

const CLIPPED_OFF = /^rect\((0|1)px[ ,]+(0|1)px[ ,]+(0|1)px[ ,]+(0|1)px\)$|^inset\((50|100)%/;

/**
 * Whether it, or what it is in, is clipped to nothing: it is there for screen readers only.
 * @param {Element} el
 */
export function isClippedOff(el) {
  for (let node = /** @type {Element|null} */ (el); node && node !== bodyOf(); node = composedParent(node)) {
    const { clip, clipPath, overflowX, overflowY, display } = styleOf(node);
    if (CLIPPED_OFF.test(clip) || CLIPPED_OFF.test(clipPath)) return true;
    if ((overflowX === 'visible' && overflowY === 'visible') || display === 'inline' || display === 'contents') continue;
    const { width, height } = rectOf(node);
    if (width <= 1 || height <= 1) return true;
  }
  return false;
}

const offsetLeftGet = getterOf(VisualViewport.prototype, 'offsetLeft');
const offsetTopGet = getterOf(VisualViewport.prototype, 'offsetTop');
const viewWidthGet = getterOf(VisualViewport.prototype, 'width');
const viewHeightGet = getterOf(VisualViewport.prototype, 'height');

// What scroll bars take of a frame that shows all of its viewport.
const SCROLLBAR = 20;

/**
 * The part of this frame's viewport that the screen shows: the visual viewport. Two fingers make it smaller than the layout viewport, in which
 * boxes and hit tests are, and so does a page that is wider than the screen of a phone. Only the page's main frame has one.
 */
export function viewport() {
  const view = visualViewport;
  const x = offsetLeftGet.call(view);
  const y = offsetTopGet.call(view);
  const width = viewWidthGet.call(view);
  const height = viewHeightGet.call(view);
  const isAll = x === 0 && y === 0 && width + SCROLLBAR >= innerWidth && height + SCROLLBAR >= innerHeight;
  return isAll ? { x, y, width: innerWidth, height: innerHeight } : { x, y, width, height };
}

/**
 * Where the browser takes input for a point of this frame's viewport, and where a picture shows it: in the main frame, the distance from the corner of
 * the visual viewport.
 * @template {{x: number, y: number}} P
 * @param {P} point
 * @returns {P}
 */
export function toScreen(point) {
  const { x, y } = viewport();
  return { ...point, x: point.x - x, y: point.y - y };
}

/**
 * The reverse of toScreen.
 * @param {{x: number, y: number}} point
 */
export function fromScreen(point) {
  const { x, y } = viewport();
  return { x: point.x + x, y: point.y + y };
}

/**
 * What two boxes have in common, or null when that is less than a pixel wide or high (and not all of a).
 * @param {Box} a
 * @param {Box} b
 */
export function overlap(a, b) {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  if (width < Math.min(1, a.width) || height < Math.min(1, a.height) || width <= 0 || height <= 0) return null;
  return { x, y, width, height };
}

/** @param {Box} box */
export function centre(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {{x: number, y: number}} point @param {Box} box */
export function isWithin(point, box) {
  return point.x >= box.x && point.y >= box.y && point.x < box.x + box.width && point.y < box.y + box.height;
}

/**
 * The element of the document that a pointer would meet at a point of the viewport; of one in a shadow tree its host.
 * @param {number} x
 * @param {number} y
 * @returns {Element | null}
 */
export function elementAt(x, y) {
  return elementsAt.document.call(document, x, y);
}

/**
 * The innermost element that a pointer would meet at a point of the viewport, looked for through shadow trees and the parts of controls.
 * @param {number} x
 * @param {number} y
 */
export function hitAt(x, y) {
  let hit = elementAt(x, y);
  while (hit) {
    const shadow = innerRootOf(hit);
    const inner = shadow && elementsAt.shadow.call(shadow, x, y);
    // A shadow root answers with its host, or with an element outside, where nothing of its own is at the point.
    if (!inner || inner === hit || getRootNodeOf.call(inner) !== shadow) break;
    hit = inner;
  }
  return hit;
}

/**
 * Whether inner is outer or lies in it, shadow trees included.
 * @param {Element | null} inner
 * @param {Node} outer
 */
export function isInside(inner, outer) {
  for (let node = inner; node; node = composedParent(node)) if (node === outer) return true;
  return false;
}

/**
 * The labels of a control that are on the screen.
 * @param {Element} el
 */
export function visibleLabels(el) {
  return labelsOf(el).filter(isVisible);
}

/**
 * What a label, or a label around the element, is for.
 * @param {Element} el
 */
export function labelledControl(el) {
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node))
    if (localName(node) === 'label') return controlOf(node);
  return null;
}

/**
 * Whether input that reaches hit is input for the target: it or something in it, or the other half of a label and its control.
 * @param {Element|null} hit
 * @param {Element} target
 */
export function receivesFor(hit, target) {
  if (isInside(hit, target)) return true;
  for (const label of labelsOf(target)) if (activates(hit, label)) return true;
  const control = labelledControl(target);
  return control !== null && isInside(hit, control);
}

/**
 * Whether a click on hit is a click on the label: a link or a button inside a label keeps its clicks.
 * @param {Element|null} hit
 * @param {Element} label
 */
export function activates(hit, label) {
  for (let node = hit; node; node = composedParent(node)) {
    if (node === label) return true;
    if (keepsClicks(node)) return false;
  }
  return false;
}

/** @param {Element} el */
function keepsClicks(el) {
  const tag = localName(el);
  return tag === 'button' || tag === 'select' || tag === 'textarea' || tag === 'input' || (tag === 'a' && attr(el, 'href') !== null);
}

/**
 * The nearest ancestor, or the element itself, that clips its contents so that none of the box is left; with the box that is.
 * @param {Element} el
 * @param {DOMRect} box
 * @returns {{part: Box|null, clippedBy: Element|null}}
 */
export function visiblePart(el, box) {
  /** @type {Box|null} */
  let part = box;
  let fixed = styleOf(el).position === 'fixed';
  for (let node = composedParent(el); node; node = composedParent(node)) {
    if (fixed || node === elementRoot() || node === bodyOf()) {
      if (fixed) break;
      continue;
    }
    const style = styleOf(node);
    if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
      const rect = rectOf(node);
      const clip = {
        x: style.overflowX === 'visible' ? -1e7 : rect.x,
        width: style.overflowX === 'visible' ? 2e7 : rect.width,
        y: style.overflowY === 'visible' ? -1e7 : rect.y,
        height: style.overflowY === 'visible' ? 2e7 : rect.height,
      };
      part = overlap(part, clip);
      if (!part) return { part: null, clippedBy: node };
    }
    fixed = style.position === 'fixed';
  }
  return { part: overlap(part, viewport()), clippedBy: null };
}

/** @param {Box} arg */
export function plainBox({ x, y, width, height }) {
  return { x, y, width, height };
}

/**
 * Whether the clips or the mask of a style leave nothing of its element to be seen.
 * @param {CSSStyleDeclaration} style
 */
export function leavesNothing(style) {
  if (isMaskedOut(style.webkitMaskImage)) return true;
  if (style.clip !== 'auto' && (style.position === 'absolute' || style.position === 'fixed')) {
    const sides = style.clip.match(/-?[\d.]+/g)?.map(Number);
    if (sides?.length === 4 && (sides[2] - sides[0] <= 1 || sides[1] - sides[3] <= 1)) return true;
  }
  const path = style.clipPath;
  if (path === 'none') return false;
  const inset = /^inset\(([^)]*)\)/.exec(path);
  if (inset !== null) {
    const [top, right = top, bottom = top, left = right] = inset[1].split(' round')[0].trim().split(/\s+/);
    return coversWhole(top, bottom) || coversWhole(left, right);
  }
  return /^(circle|ellipse)\(0(px|%)?( 0(px|%)?)?( at|\))/.test(path) || /^polygon\((0(px|%)? 0(px|%)?(, )?)+\)$/.test(path);
}

/**
 * Whether a mask has only colors that let nothing through.
 * @param {string} image as computed
 */
function isMaskedOut(image) {
  return gradientColors(image)?.every((color) => color[3] < FAINTEST) ?? false;
}

/** @param {string} from @param {string} to */
function coversWhole(from, to) {
  return from.endsWith('%') && to.endsWith('%') && parseFloat(from) + parseFloat(to) >= 100;
}
