// Fields beside the target whose values an action changed: a picker writes a date, a script empties a form. No mutation tells it.

import { isConnected } from '../dom/access.js';
import { queryAll } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { nameOf } from '../ax/name.js';
import { roleOf } from '../ax/role.js';
import { holdsSecret, textOf } from './edit.js';

/** @typedef {{role: string, name: string, from?: string, to?: string, secret?: boolean}} FieldChange  secret = without its values */

const FIELDS = 'input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=file]), textarea, select';
const LOOKED_AT = 100;
const TOLD = 3;
const LONGEST = 100; // characters of a value

/**
 * What the fields of the document hold.
 * @returns {Map<Element, string>}
 */
export function fieldValues() {
  /** @type {Map<Element, string>} */
  const values = new Map();
  for (const el of queryAll(document, FIELDS)) {
    if (values.size === LOOKED_AT) break;
    values.set(el, textOf(el));
  }
  return values;
}

/**
 * The fields, except for the target, that hold something else by now and can be seen.
 * @param {Map<Element, string>} before
 * @param {Element|null} target
 * @returns {FieldChange[]}
 */
export function fieldChanges(before, target) {
  /** @type {FieldChange[]} */
  const changes = [];
  for (const [el, from] of before) {
    if (changes.length === TOLD) break;
    if (el === target || !isConnected(el) || textOf(el) === from || !isVisible(el)) continue;
    const what = { role: roleOf(el), name: nameOf(el) };
    changes.push(holdsSecret(el) ? { ...what, secret: true } : { ...what, from: clipped(from), to: clipped(textOf(el)) });
  }
  return changes;
}

/** @param {string} text */
const clipped = (text) => (text.length > LONGEST ? text.slice(0, LONGEST) + '…' : text);
