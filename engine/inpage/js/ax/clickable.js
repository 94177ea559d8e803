// Elements that react to clicks without a role that says so: by a pointing hand, an onclick attribute, a tabindex and contenteditable, where
// the rules are those of agent-browser, so that the same elements get refs, and by listeners, of which listening.js knows.

import { labelControlGet } from '../dom/access.js';
import { firstElementGet, matchesOfElement, queryAllOf, textContentGet } from '../dom/builtins.js';
import { POINTS } from '../dom/declarations.js';
import { localName } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { attrOf, computedOf, parentOf, saidBy } from '../dom/facts.js';
import { isEditableHost } from './focusable.js';
import { getRect } from '../dom/geometry.js';
import { INTERACTIVE_ROLES } from './interactiveroles.js';
import { anyListening, holdsActors, isListening } from './listening.js';
import { selectorFor } from '../dom/older.js';
import { inputType, semanticRole } from './role.js';
import { styleBits } from '../dom/styles.js';
import { checkVisibilityOf, isInCanvas, WITH_VISIBILITY } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

const POINTER = 1;
const ONCLICK = 2;
const TABBABLE = 4;
const EDITABLE = 8;
const LISTENER = 16;

const HINT_NAMES = ['cursor:pointer', 'onclick', 'tabindex', 'contenteditable', 'listener'];
export const HINTS = Array.from({ length: 32 }, (_, bits) => HINT_NAMES.filter((_, i) => bits & (1 << i)).join());

// Their own role says all.
const SPEAKING_TAGS = new Set(['a', 'button', 'input', 'select', 'textarea', 'details', 'summary', 'option', 'optgroup', 'html', 'iframe']);

/**
 * Why the element seems to react to clicks, as bits; 0 = it does not seem to, or has a role that says so.
 * @param {Facts} facts
 */
export function hintsOf(facts) {
  return (facts.hints ??= computeHints(facts));
}

/** @param {Facts} facts */
function computeHints(facts) {
  // The body of a frame is what editors of rich text make editable.
  if (facts.html && facts.tag === 'body') return isEditableHost(facts) && hasBox(facts.el) ? EDITABLE : 0;
  // An anchor without an address has no role; frameworks make links of them by listeners.
  if (facts.html && SPEAKING_TAGS.has(facts.tag) && (facts.tag !== 'a' || semanticRole(facts) === 'link')) return 0;
  if (!facts.plain && INTERACTIVE_ROLES.has(explicitRole(facts))) return 0;
  let hints = 0;
  if (mayPoint(facts) && hasPointer(facts)) {
    const parent = parentOf(facts);
    if (parent === null || !hasPointer(parent)) hints = POINTER;
  }
  if (!facts.plain) hints |= attributeHints(facts);
  if (
    anyListening &&
    (hints & (POINTER | ONCLICK)) === 0 &&
    isListening(facts.el) &&
    (hints !== 0 || !holdsActors(facts)) &&
    !isGrip(facts)
  )
    hints |= LISTENER;
  return hints !== 0 && hasBox(facts.el) ? hints : 0;
}

/**
 * Whether a hand over the element says that it can be clicked. The browser's own style sheet shows one over anchors with an address, whatever their
 * role is; those in drawings are links all the same.
 * @param {Facts} facts
 */
function mayPoint(facts) {
  if (facts.tag === 'a')
    return facts.html ? attrOf(facts, 'href') !== null || (styleBits(facts) & POINTS) !== 0 : semanticRole(facts) !== 'link';
  return (styleBits(facts) & POINTS) !== 0;
}

/** @param {Facts} facts */
function attributeHints(facts) {
  let hints = saidBy(facts, 'onclick') === null ? 0 : ONCLICK;
  const index = saidBy(facts, 'tabindex');
  if (index !== null && index.trim() !== '-1') hints |= TABBABLE;
  if (isEditableHost(facts)) hints |= EDITABLE;
  return hints;
}

/** @param {Facts} facts */
export function hasPointer(facts) {
  return computedOf(facts).cursor === 'pointer';
}

const THIN = 10; // px

/**
 * Whether the element is a grip between two parts: a thin strip without content, or one over which the pointer says that dragging it sizes something. Its
 * listeners keep a click from what is below.
 * @param {Facts} facts
 */
function isGrip(facts) {
  if (!facts.html || firstElementGet.call(facts.el) !== null || textContentGet.call(facts.el).trim() !== '') return false;
  const { width, height } = getRect.call(facts.el);
  const [short, long] = width < height ? [width, height] : [height, width];
  return (short <= THIN && long >= 2 * short) || computedOf(facts).cursor.endsWith('-resize');
}

/**
 * Whether it has a box. A straight line of a drawing is as wide as its stroke, which is not part of that.
 * @param {Element} el
 */
function hasBox(el) {
  const { width, height } = getRect.call(el);
  return (width > 0 && height > 0) || (el instanceof SVGGeometryElement && width + height > 0);
}

/**
 * The check box or radio button that is hidden and that this element stands for: the label of a control that CSS hides in order to draw its
 * own, or a clickable element around it. Or null.
 * @param {Facts} facts
 * @returns {Element|null}
 */
export function boxBehind(facts) {
  if (!facts.html) return null;
  if (facts.tag === 'label') return hiddenBox(labelControlGet.call(facts.el));
  if (!BOX_WRAPPERS.has(facts.tag) || hintsOf(facts) === 0 || !matchesOfElement.call(facts.el, HAS_BOX)) return null;
  return hiddenBox(queryAllOf.call(facts.el, ':scope > input[type=checkbox], :scope > input[type=radio]')[0]);
}

const BOX_WRAPPERS = new Set(['div', 'span', 'li', 'p', 'td']);
const HAS_BOX = selectorFor(':has(> input:is([type=checkbox], [type=radio]))', '*'); // a quick no, where the browser can give it

/** @param {Element|undefined} control */
function hiddenBox(control) {
  if (!control || localName(control) !== 'input') return null;
  const type = inputType(control);
  if (type !== 'checkbox' && type !== 'radio') return null;
  return checkVisibilityOf.call(control, WITH_VISIBILITY) || isInCanvas(control) ? null : control;
}
