// Why an element cannot be seen.

import { styleOf } from '../dom/builtins.js';
import { blame } from './cover.js';
import { composedParent, describe, localName } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { isOpen, summaryOf } from '../dom/text.js';
import { isRendered, optionOwner } from '../dom/visibility.js';

/**
 * Why an element is not visible, and which element is the reason, for messages.
 * @param {Element} el
 * @returns {{reason: string, by?: string, byToken?: number}}
 */
export function whyHidden(el) {
  const select = optionOwner(el);
  if (select && isRendered(select)) return { reason: 'option of a closed select', ...blame('by', select) };
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    const style = styleOf(node);
    const named = () => (node === el ? {} : blame('by', node));
    if (style.display === 'none') return { reason: 'display:none', ...named() };
    const parent = composedParent(node);
    if (parent && localName(parent) === 'details' && !isOpen(parent) && node !== summaryOf(parent)) {
      return { reason: 'closed details', ...blame('by', /** @type {Element} */ (summaryOf(parent) ?? parent)), by: describe(parent) };
    }
    if (node !== el && style.contentVisibility === 'hidden') return { reason: 'content-visibility:hidden', ...named() };
  }
  if (styleOf(el).visibility !== 'visible') return { reason: 'visibility:' + styleOf(el).visibility };
  return { reason: 'empty box' };
}

/**
 * The select whose menu an option is in, when the browser draws that menu itself; the page cannot see whether it is open. Null for the options
 * of a list that the page shows, and of a select that is not shown.
 * @param {Element} el
 * @returns {HTMLSelectElement|null}
 */
export function menuOf(el) {
  const select = localName(el) === 'option' ? optionOwner(el) : null;
  return select && isVisible(select) && !isVisible(el) ? /** @type {HTMLSelectElement} */ (select) : null;
}
