// Popups that are open over the page, and the control that each of them belongs to.

import { getAttributeOf, getRootNodeOf, localNameGet, matchesOfElement, nextElementGet, styleOf } from '../dom/builtins.js';
import { byId, composedParent, isHTMLElement, queryAll } from '../dom/dom.js';
import { OPEN_POPOVER } from '../dom/older.js';
import { holds, isRendered } from '../dom/visibility.js';

// The attributes by which a control names its popup: WAI-ARIA 1.2, 6.6.2.
const NAMING = ['aria-controls', 'aria-owns'];

const POPUP_ROLES = ['menu', 'listbox', 'dialog', 'tree', 'grid', 'tooltip'];

const MOST_AROUND = 5; // elements between what a control names and the box over the page

/**
 * The box that an expanded control has opened over the page, or null. What opens within the page, such as a part of an accordion, does not count.
 * @param {Element} control
 * @returns {Element|null}
 */
export function popupOf(control) {
  for (const candidate of candidatesOf(control)) {
    const box = boxOver(candidate, control);
    if (box !== null) return box;
  }
  return null;
}

/**
 * What may be the popup: what the control names, what names the control, and what follows it.
 * @param {Element} control
 * @returns {Element[]}
 */
function candidatesOf(control) {
  const root = getRootNodeOf.call(control);
  /** @type {(Element|null|undefined)[]} */
  const found = [];
  for (const name of NAMING)
    for (const id of (getAttributeOf.call(control, name) ?? '').split(/\s+/)) if (id !== '') found.push(byId(control, id));
  if (isHTMLElement(control, 'button', 'input')) found.push(/** @type {HTMLButtonElement} */ (control).popoverTargetElement);
  const id = getAttributeOf.call(control, 'id');
  if (id) {
    const selector = POPUP_ROLES.map((role) => `[role=${role}][aria-labelledby~="${CSS.escape(id)}"]`).join();
    found.push(...queryAll(root, selector));
  }
  found.push(nextElementGet.call(control));
  return found.filter((el) => el !== null && el !== undefined);
}

/**
 * The nearest box around an element, or itself, that lies over the page and does not hold the control.
 * @param {Element} el
 * @param {Element} control
 */
function boxOver(el, control) {
  let box = /** @type {Element|null} */ (el);
  for (let i = 0; i < MOST_AROUND && box !== null && localNameGet.call(box) !== 'body'; i++, box = composedParent(box)) {
    if (holds(box, control)) return null;
    const { position } = styleOf(box);
    if (position === 'absolute' || position === 'fixed' || matchesOfElement.call(box, OPEN_POPOVER)) return isRendered(box) ? box : null;
  }
  return null;
}
