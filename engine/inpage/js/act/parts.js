// Controls of several parts: a text, an icon and a layer over both are one link, so that input for one of them may reach another.

import { controlOf, matches } from '../dom/access.js';
import { attr, composedParent, deepQueryAll, localName, shadowOf } from '../dom/dom.js';
import { isInside } from '../dom/geometry.js';
import { isListening } from '../ax/listening.js';
import { roleOf } from '../ax/role.js';

export const CLICKABLE_ROLES = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
  'combobox',
]);
export const FIELDS = new Set(['input', 'select', 'textarea', 'summary']);
const CONTROLS = 'a[href], area[href], button, input, select, textarea, summary, label, iframe, [tabindex], [contenteditable], [onclick]';

/** @param {Element} el */
export function takesClicks(el) {
  return localName(el) === 'label' || CLICKABLE_ROLES.has(roleOf(el)) || attr(el, 'onclick') !== null;
}

/**
 * The control that a click on the element is for: the nearest one around it, and for a label what it labels. null where there is none, or
 * where something between the two reacts in a way of its own.
 * @param {Element} el
 * @returns {Element|null}
 */
export function controlAt(el) {
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    if (localName(node) === 'label') return controlOf(node) ?? node;
    if (FIELDS.has(localName(node)) || CLICKABLE_ROLES.has(roleOf(node))) return node;
    if (attr(node, 'onclick') !== null || (attr(node, 'tabindex') ?? '-1') !== '-1' || isListening(node)) return null;
  }
  return null;
}

/**
 * @param {Element} el
 * @returns {Element|null}
 */
export function labelAround(el) {
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) if (localName(node) === 'label') return node;
  return null;
}

/**
 * The nearest custom element around an element that has no other control in it, and so stands for it.
 * @param {Element} el
 * @returns {Element|null}
 */
export function hostFor(el) {
  for (let node = composedParent(el); node; node = composedParent(node)) {
    if (!localName(node).includes('-') || !matches(node, ':defined')) continue; // one that is not defined is a name for a box
    const inner = [...deepQueryAll(node, CONTROLS), ...deepQueryAll(shadowOf(node) ?? node, CONTROLS)];
    return inner.every((one) => isInside(one, el) || isInside(el, one)) ? node : null;
  }
  return null;
}
