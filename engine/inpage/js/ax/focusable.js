// Which elements can get the focus.

import { matchesOfElement } from '../dom/builtins.js';
import { attrOf, saidBy } from '../dom/facts.js';
import { isLink, summaryRole } from './role.js';

/**
 * @import { Facts } from '../dom/facts.js'
 */

/**
 * Whether the element can get the focus, by click or by script at least.
 * @param {Facts} facts
 */
export function isFocusable(facts) {
  const index = saidBy(facts, 'tabindex');
  if (index !== null && /^\s*[+-]?\d/.test(index)) return !matchesOfElement.call(facts.el, ':disabled');
  switch (facts.tag) {
    case 'a':
    case 'area':
      return isLink(facts.el);
    case 'button':
    case 'input':
    case 'select':
    case 'textarea':
      return !matchesOfElement.call(facts.el, ':disabled');
    case 'summary':
      return summaryRole(facts) !== 'generic'; // whatever role it asks for
    case 'iframe':
    case 'dialog':
      return true;
    case 'audio':
    case 'video':
      return attrOf(facts, 'controls') !== null;
  }
  return isEditableHost(facts);
}

/**
 * Whether the element makes its contents editable.
 * @param {Facts} facts
 */
export function isEditableHost(facts) {
  const value = saidBy(facts, 'contenteditable');
  return value !== null && facts.html && ['', 'true', 'plaintext-only'].includes(value.toLowerCase());
}
