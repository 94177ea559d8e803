// Which elements get a node of their own, and which of these can be referred to.

import { labelControlGet } from '../dom/access.js';
import { closestOf, elementCountGet, firstChildGet, localNameGet, nextSiblingGet, nodeTypeGet, TEXT } from '../dom/builtins.js';
import { hintsOf } from './clickable.js';
import { isInline, textDataGet } from './content.js';
import { children, isElement, isFlat, localName, shadowOf } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { attrOf, computedOf, factsOf, getAttributeNamesOf, saidBy } from '../dom/facts.js';
import { isFocusable } from './focusable.js';
import { INTERACTIVE_ROLES } from './interactiveroles.js';
import { isListening } from './listening.js';
import { labellingElements, nameOfFacts, titleOf } from './name.js';
import { childWithTag, isTextField, symbolTitle } from './native.js';
import { inputType } from './role.js';
import { ABSENT, checkVisibilityOf, rendering, WITH_VISIBILITY } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

// Roles that always get a token.
export const REF_ROLES = new Set([
  ...INTERACTIVE_ROLES,
  'Iframe',
  'DisclosureTriangle',
  'DisclosureTriangleGrouped',
  'ColorWell',
  'Date',
  'DateTime',
  'InputTime',
]);

// Roles that get one when they have a name.
const NAMED_REF_ROLES = new Set([
  'heading',
  'cell',
  'gridcell',
  'columnheader',
  'rowheader',
  'listitem',
  'article',
  'region',
  'main',
  'navigation',
]);

/** @param {Facts} facts @param {string} role @param {number} hints */
export function isRefWorthy(facts, role, hints) {
  return hints !== 0 || REF_ROLES.has(role) || (NAMED_REF_ROLES.has(role) && nameOfFacts(facts) !== '');
}

/**
 * Whether Chrome gives an element of this role a node of its own.
 * @param {Facts} facts
 * @param {string} role
 */
export function isIncluded(facts, role) {
  switch (role) {
    case 'image':
      if (facts.html) return isToldImage(facts);
      return (facts.tag === 'svg' && (elementCountGet.call(facts.el) > 0 || isPositioned(facts))) || isToldSVG(facts);
    case 'rowgroup':
      return (
        facts.tag !== 'tbody' ||
        explicitRole(facts) !== '' ||
        isTarget(facts) ||
        isListening(facts.el) ||
        closestOf.call(facts.el, 'canvas') !== null
      );
    case 'graphics-symbol':
    case 'graphics-object':
      return isToldSVG(facts);
    case 'group':
      return facts.html ? facts.tag !== 'address' || isContainer(facts) : isToldSVG(facts);
    case 'caption':
      return facts.tag !== 'caption' || isContainer(facts);
    case 'Canvas':
      return firstChildGet.call(facts.el) !== null || isTarget(facts) || hasARIA(facts) || isTold(facts) || isPlacedCanvas(facts);
  }
  return true;
}

/** @param {Facts} facts */
function isContainer(facts) {
  return !facts.plain || isTarget(facts) || holdsInline(facts);
}

/**
 * Whether a link within the page may lead to the element.
 * @param {Facts} facts
 */
function isTarget(facts) {
  return Boolean(attrOf(facts, 'id'));
}

/**
 * Chrome keeps what is positioned, whose box others are placed by.
 * @param {Facts} facts
 */
function isPositioned(facts) {
  return computedOf(facts).position !== 'static';
}

/**
 * A canvas of a single pixel shows nothing.
 * @param {Facts} facts
 */
function isPlacedCanvas(facts) {
  const { width, height } = computedOf(facts);
  return isPositioned(facts) && parseFloat(width) > 1 && parseFloat(height) > 1;
}

/**
 * alt="" says that an image means nothing; without alt it may mean something.
 * @param {Facts} facts
 */
function isToldImage(facts) {
  return attrOf(facts, 'alt') !== '' || (!facts.plain && (hasARIA(facts) || isTold(facts) || hintsOf(facts) !== 0));
}

/** @param {Facts} facts */
function isToldSVG(facts) {
  if (isTold(facts) || childWithTag(facts.el, 'title') !== null || childWithTag(facts.el, 'desc') !== null) return true;
  return facts.tag === 'use' && symbolTitle(facts.el) !== null;
}

/**
 * Whether attributes give the element a meaning.
 * @param {Facts} facts
 */
function isTold(facts) {
  return !facts.plain && (explicitRole(facts) !== '' || Boolean(titleOf(facts)) || isNamedByARIA(facts) || isFocusable(facts));
}

/**
 * Chrome leaves out the label of a check box or radio button, with its text, when nothing else is in it.
 * @param {Facts} facts
 */
export function isRedundantLabel(facts) {
  if (!facts.plain && (hasARIA(facts) || hintsOf(facts) !== 0 || titleOf(facts) || explicitRole(facts) !== '')) return false;
  const control = labelControlGet.call(facts.el);
  if (!control || localName(control) !== 'input') return false;
  const type = inputType(control);
  if (type !== 'checkbox' && type !== 'radio') return false;
  const box = factsOf(control);
  if (isNamedByARIA(box) || !checkVisibilityOf.call(control, WITH_VISIBILITY)) return false;
  const count = elementCountGet.call(facts.el);
  return count === 0 || (count === 1 && facts.el.firstElementChild === control);
}

/** @param {Facts} facts */
function hasARIA(facts) {
  return !facts.plain && getAttributeNamesOf.call(facts.el).some((name) => name.startsWith('aria-'));
}

/** @param {Facts} facts */
export function isNamedByARIA(facts) {
  if (facts.plain) return false;
  return (saidBy(facts, 'aria-label') ?? '').trim() !== '' || labellingElements(facts).length > 0;
}

/**
 * Whether the text in the element is told otherwise: as the value of a field, or as the name of a labelled control.
 * @param {Facts} facts
 */
export function isSilent(facts) {
  return isTextField(facts) || (facts.html && facts.tag === 'label' && isRedundantLabel(facts));
}

/**
 * Whether what is laid out directly in the element are lines, and no blocks beside these.
 * @param {Facts} facts
 */
function holdsInline(facts) {
  if (computedOf(facts).display === 'contents') return false;
  let lines = hasOwnText(facts.el);
  for (const node of children(facts.el)) {
    if (!isElement(node)) continue;
    const inner = factsOf(node);
    if (rendering(inner) === ABSENT) continue;
    if (!isInline(inner) && !isOutOfFlow(computedOf(inner))) return false;
    lines = true;
  }
  return lines;
}

/** @param {CSSStyleDeclaration} style */
function isOutOfFlow(style) {
  return style.float !== 'none' || style.position === 'absolute' || style.position === 'fixed';
}

/**
 * Whether the element has a text node of its own.
 * @param {Element} el
 */
export function hasOwnText(el) {
  const inner = !isFlat && (localNameGet.call(el) === 'slot' || shadowOf(el) !== null) ? children(el) : null;
  if (inner !== null) return inner.some(isWord);
  for (let node = firstChildGet.call(el); node !== null; node = nextSiblingGet.call(node)) if (isWord(node)) return true;
  return false;
}

/**
 * Whether the node is a text that is more than space.
 * @param {Node} node
 */
function isWord(node) {
  return nodeTypeGet.call(node) === TEXT && /\S/.test(textDataGet.call(node));
}
