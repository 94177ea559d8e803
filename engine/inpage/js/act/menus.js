// Lists of choices that say little or nothing of themselves: what a button opens, with the items of a menu, of a list or of neither in it. An item is
// clicked; whether that chose something is not told by a state.

import { attr, bodyOf, children, composedParent, deepQueryAll, isElement, localName } from '../dom/dom.js';
import { isClippedOff, isInside, isVisible } from '../dom/geometry.js';
import { roleOf } from '../ax/role.js';
import { queryEverywhere } from '../dom/shadow.js';
import { styleOf } from '../dom/builtins.js';
import { shownStart } from '../dom/text.js';
import { checkVisibilityOf } from '../dom/visibility.js';

const LIKE_ITEMS = 'a, button, [role=button], [role=link], [tabindex]';
const SUBMITS = new Set(['submit', 'image', 'reset']);

/**
 * Whether a click on it may open a list, although it does not say so. A click on what sends a form, or leads elsewhere, is not tried.
 * @param {Element} el
 */
export function mayOpen(el) {
  if (isDrawnField(el)) return true;
  if (roleOf(el) !== 'button') return false;
  const { form, type } = /** @type {HTMLButtonElement} */ (el);
  return !(form && SUBMITS.has(type));
}

const ROLELESS = new Set(['', 'generic', 'none']);
const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [tabindex]';

/**
 * Whether it is an element without a role that takes clicks and holds no other control: pages draw fields of it, with their list in it.
 * @param {Element} el
 */
function isDrawnField(el) {
  if (!ROLELESS.has(roleOf(el)) || deepQueryAll(el, CONTROLS).some(isOffered)) return false;
  return attr(el, 'tabindex') !== null || styleOf(el).cursor === 'pointer';
}

const NOT_FADED = { visibilityProperty: true, opacityProperty: true };

/**
 * Whether a person can use it: lists are rendered while they are closed, too, faded out, folded up or behind the pointer.
 * @param {Element} el
 */
export function isOffered(el) {
  return isVisible(el) && checkVisibilityOf.call(el, NOT_FADED) && styleOf(el).pointerEvents !== 'none' && !isClippedOff(el);
}

/**
 * Whether what the element opens may be a list without a role.
 * @param {Element} owner
 */
export function opensLoose(owner) {
  const role = roleOf(owner);
  return role === 'button' || ROLELESS.has(role);
}

/**
 * What can be seen beside the element, in an element other than a button, and at the end of the document, where things open.
 * @param {Element} owner
 */
export function seenBeside(owner) {
  return placesBeside(owner).filter(isOffered);
}

/** @param {Element} owner */
function placesBeside(owner) {
  const around = composedParent(owner);
  const places = [around, around && composedParent(around), bodyOf()].flatMap((el) => (el ? children(el).filter(isElement) : []));
  const within = roleOf(owner) === 'button' ? [] : deepQueryAll(owner, '*');
  return [...places, ...within, ...queryEverywhere('[popover], ul, ol, menu')];
}

/**
 * What has come into sight since, and has something to choose in it.
 * @param {Element} owner
 * @param {Set<Element>} before
 */
export function looseList(owner, before) {
  const mayHold = roleOf(owner) !== 'button';
  const isNew = (/** @type {Element} */ el) =>
    !before.has(el) && !isInside(owner, el) && (mayHold || !isInside(el, owner)) && isOffered(el);
  return placesBeside(owner).find((el) => isNew(el) && looseItems(el).length > 0) ?? null;
}

/**
 * What a person takes for the items of a list: its entries, else what can be used in it, else the parts that it has.
 * @param {Element} list
 * @returns {Element[]}
 */
export function looseItems(list) {
  const entries = deepQueryAll(list, 'li').filter((el) => isItem(el) && !deepQueryAll(el, 'li').some(isItem));
  if (entries.length > 0) return entries;
  const used = deepQueryAll(list, LIKE_ITEMS).filter(isItem);
  const outermost = used.filter((el) => !used.some((other) => other !== el && isInside(el, other)));
  if (outermost.length > 0) return outermost;
  let box = list;
  for (let inner = partsOf(box); inner.length === 1; inner = partsOf(box)) box = inner[0];
  return partsOf(box).filter(isItem);
}

/** @param {Element} el */
function partsOf(el) {
  return /** @type {Element[]} */ (children(el).filter(isElement));
}

/** @param {Element} el */
function isItem(el) {
  return isOffered(el) && shownStart(el, 1) !== '';
}

/**
 * What a click on it does is up to the page: it is the item of a menu, or does not tell of a choice.
 * @param {Element} option
 */
export function isCommand(option) {
  const role = attr(option, 'role');
  if (role === 'menuitem') return true;
  return (role === null || role === 'treeitem') && localName(option) !== 'input' && attr(option, 'aria-selected') === null;
}

/**
 * What an item is called in a note.
 * @param {Element} option
 */
export function kindOfItem(option) {
  const role = roleOf(option);
  return role === '' || role === 'generic' ? localName(option) : role;
}
