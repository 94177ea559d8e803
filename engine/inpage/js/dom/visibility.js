// Whether an element is rendered, and whether it is left out of the accessibility tree.

import './older.js'; // which provides checkVisibility
import { imageOf } from './area.js';
import { closestOf, firstElementGet, getterOf, matchesOfElement, styleOf } from './builtins.js';
import { BARS, HIDES, LOCKS } from './declarations.js';
import { attr, composedParent, focusedElement, isFlat, isHTML, localName, queryAll } from './dom.js';
import { computedOf, HOST_TAGS, parentOf, remembered, rootOf, saidBy, settle, shadowIn, TELLS, TELLS_HIDDEN } from './facts.js';
import { hitAt } from './geometry.js';
import { MODAL_DIALOG } from './older.js';
import { styleBits } from './styles.js';

/** @import { Facts } from './facts.js' */

export const checkVisibilityOf = Element.prototype.checkVisibility;
export const WITH_VISIBILITY = Object.freeze({ visibilityProperty: true });
const WITH_ALL = Object.freeze({ visibilityProperty: true, opacityProperty: true });

export const SHOWN = 0; // rendered and visible
export const INVISIBLE = 1; // hidden by visibility; what is in it may be visible
export const ABSENT = 2; // not rendered, nor is anything in it

/**
 * How an element is rendered.
 * @param {Facts} facts
 */
export function rendering(facts) {
  if (facts.shown === undefined) settle(facts, hasRendering, settleRendering);
  return /** @type {number} */ (facts.shown);
}

/** @param {Facts} facts */
function hasRendering(facts) {
  return facts.shown !== undefined;
}

/** @param {Facts} facts */
function settleRendering(facts) {
  facts.shown = computeRendering(facts);
}

// The browser's own style sheet shows these, unless an attribute says otherwise, and what is in them.
const FLOWING = new Set([
  'html',
  'body',
  'div',
  'span',
  'p',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
  'ul',
  'ol',
  'li',
  'a',
  'button',
  'label',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'section',
  'article',
  'main',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'b',
  'i',
  'em',
  'strong',
  'small',
  'code',
  'pre',
]);

/**
 * Whether the element is as visible as what it is in: no style hides it. To ask the browser costs more than all else that is asked of most
 * elements.
 * @param {Facts} facts
 */
function followsParent(facts) {
  if (!facts.html || !(FLOWING.has(facts.tag) || isShownField(facts)) || (styleBits(facts) & HIDES) !== 0) return false;
  if ((facts.tells & TELLS_HIDDEN) !== 0 || saidBy(facts, 'popover') !== null) return false;
  const parent = parentOf(facts);
  if (parent === null || !showsChildren(parent)) return false;
  // An element with a closed shadow tree may not show its children; one of them is enough to find out.
  return !HOST_TAGS.has(parent.tag) || firstElementGet.call(parent.el) !== facts.el;
}

/**
 * Whether it is a field that the browser's own style sheet shows.
 * @param {Facts} facts
 */
function isShownField({ tag, el }) {
  if (tag === 'select' || tag === 'textarea') return true;
  if (tag !== 'input') return false;
  const type = attr(el, 'type');
  return type === null || !UNSURE_TYPES.has(type.toLowerCase());
}

const UNSURE_TYPES = new Set(['hidden', 'image']);

/** @param {Facts} facts */
function showsChildren(facts) {
  return (facts.open ??=
    facts.html &&
    FLOWING.has(facts.tag) &&
    rendering(facts) === SHOWN &&
    !facts.faint &&
    (styleBits(facts) & LOCKS) === 0 &&
    (facts.tells & TELLS_HIDDEN) === 0 &&
    shadowIn(facts) === null &&
    rootOf(facts).isAuthored);
}

/** @param {Facts} facts */
function computeRendering(facts) {
  if (remembered !== null && followsParent(facts)) return SHOWN;
  if (checkVisibilityOf.call(facts.el, WITH_ALL)) return SHOWN;
  if (checkVisibilityOf.call(facts.el, WITH_VISIBILITY)) {
    facts.faint = true;
    return SHOWN;
  }
  const style = computedOf(facts);
  switch (style.display) {
    case 'none':
      return ABSENT;
    // Without a box of its own checkVisibility knows nothing of it.
    case 'contents': {
      const parent = parentOf(facts);
      if (parent === null || rendering(parent) === ABSENT) return ABSENT;
      return style.visibility === 'visible' ? SHOWN : INVISIBLE;
    }
  }
  // With a box, it is either invisible or in contents that are skipped (content-visibility: hidden, a closed details, until-found).
  return checkVisibilityOf.call(facts.el) ? INVISIBLE : ABSENT;
}

/**
 * Whether the element has a box (or, with display: contents, could have boxes inside) and neither it nor what it is in is hidden by
 * style. Opacity, size and position do not matter.
 * @param {Element} el
 */
export function isRendered(el) {
  if (checkVisibilityOf.call(el, WITH_VISIBILITY)) return true;
  const style = styleOf(el);
  return style.display === 'contents' && style.visibility === 'visible' && isInBoxes(composedParent(el));
}

/**
 * Whether boxes of a child would be laid out in the element.
 * @param {Element | null} el
 */
function isInBoxes(el) {
  for (let node = el; node; node = composedParent(node)) {
    if (checkVisibilityOf.call(node)) return true;
    if (styleOf(node).display !== 'contents') return false;
  }
  return el !== null;
}

/**
 * Whether the element is left out of the accessibility tree: not rendered, aria-hidden, inert, or outside of the modal dialog. The area of an image map
 * is where the image is.
 * @param {Element} el
 * @returns {boolean}
 */
export function isHiddenForAX(el) {
  if (localName(el) === 'area') {
    const image = imageOf(/** @type {HTMLAreaElement} */ (el));
    return image === null || isHiddenForAX(image);
  }
  const control = optionOwner(el);
  if (!isRendered(control ?? el) && !isInCanvas(el)) return true;
  const modal = modalElement();
  if (modal && !holds(modal, el)) return true;
  const focused = focusedElement();
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    if (isCutOff(node, focused)) return true;
    if (node === modal) break; // a modal dialog is not inert for what is inert around it
  }
  return false;
}

/**
 * Whether the element and all that is in it are out of the tree by an attribute.
 * @param {Element} el
 * @param {Element|null} focused
 */
function isCutOff(el, focused) {
  if ((attr(el, 'inert') !== null && isHTML(el)) || isBarred(el)) return true;
  return hidesByARIA(el) && !(focused && holds(el, focused));
}

/**
 * Whether the element and all in it are inert: by its attribute, which is one of HTML only, or by style.
 * @param {Facts} facts
 */
export function isShutOff(facts) {
  if (!facts.plain && facts.html && saidBy(facts, 'inert') !== null) return true;
  return (styleBits(facts) & BARS) !== 0 && bars(computedOf(facts));
}

/**
 * Whether style makes the element inert. What is in it cannot take that back.
 * @param {Element} el
 */
export function isBarred(el) {
  return bars(styleOf(el));
}

/**
 * Whether an attribute or a style, of it or around it, takes all input from it.
 * @param {Element} el
 */
export function isInert(el) {
  if (isBarred(el)) return true;
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) if (attr(node, 'inert') !== null) return true;
  return false;
}

/** @param {CSSStyleDeclaration} style */
export function bars(style) {
  return style.interactivity === 'inert';
}

/**
 * Chrome ignores aria-hidden on the root, the body and options; and where it would hide the focus, see isCutOff.
 * @param {Element} el
 */
export function hidesByARIA(el) {
  const hidden = attr(el, 'aria-hidden');
  if (hidden === null || !isTrue(hidden)) return false;
  return !['html', 'body', 'option'].includes(localName(el));
}

/**
 * The same of an element of which the facts are known.
 * @param {Facts} facts
 */
export function isHiddenByARIA(facts) {
  return (facts.tells & TELLS) !== 0 && hidesByARIA(facts.el);
}

/**
 * ARIA's booleans: anything but "", "false" and "undefined" is true.
 * @param {string|string | null} value
 */
export function isTrue(value) {
  if (value === null || value === '') return false;
  const lower = value.toLowerCase();
  return lower !== 'false' && lower !== 'undefined';
}

/**
 * Whether inner is outer or in it, in the flat tree.
 * @param {Node} outer
 * @param {Element} inner
 */
export function holds(outer, inner) {
  for (let node = /** @type {Element|null} */ (inner); node; node = composedParent(node)) if (node === outer) return true;
  return false;
}

/**
 * The select of an option or optgroup: they have no boxes of their own while the list is closed.
 * @param {Element} el
 */
export function optionOwner(el) {
  const tag = localName(el);
  if (tag !== 'option' && tag !== 'optgroup') return null;
  return closestOf.call(el, 'select');
}

/**
 * Whether the element is the fallback of a canvas: it is not rendered, and it is what the canvas means to assistive technology.
 * @param {Element} el
 */
export function isInCanvas(el) {
  const canvas = closestOf.call(el, 'canvas');
  return canvas !== null && canvas !== el && isRendered(canvas) && styleOf(el).display !== 'none';
}

const fullscreenGet = getterOf(Document.prototype, 'fullscreenElement');

/** Whether the document has what can be modal: the browser searches for a tag faster than for what is. */
function mayBeModal() {
  return queryAll(document, 'dialog').length > 0 || fullscreenGet.call(document) !== null;
}

/** The element that makes everything outside of it inert: the topmost modal dialog, or what is shown full screen. Or null. */
export function modalElement() {
  const modals = mayBeModal() ? queryAll(document, MODAL_DIALOG) : [];
  if (modals.length === 1) return modals[0];
  if (modals.length === 0 && isFlat) return null;
  // The backdrop of the topmost one covers all others, and inert elements receive no hits. That also finds one in a shadow tree.
  for (let hit = hitAt(1, 1); hit; hit = composedParent(hit)) if (matchesOfElement.call(hit, MODAL_DIALOG)) return hit;
  return modals[modals.length - 1] ?? null;
}

/**
 * Whether the contents of the element are skipped by its style.
 * @param {Element} el
 */
export function isLocked(el) {
  return skipsContents(styleOf(el));
}

/**
 * The same, remembered.
 * @param {Facts} facts
 */
export function isLockedIn(facts) {
  return (facts.locked ??= skipsContents(computedOf(facts)));
}

/** @param {CSSStyleDeclaration} style */
function skipsContents(style) {
  return style.contentVisibility === 'hidden' && style.display !== 'none' && style.display !== 'inline';
}
