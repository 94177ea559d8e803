// Fields beside the target whose values an action changed: a picker writes a date, a script empties a form. No mutation tells it.

import { isConnected } from '../dom/access.js';
import { getElementsByTagNameOf } from '../dom/builtins.js';
import { isVisible } from '../dom/geometry.js';
import { nameOf } from '../ax/name.js';
import { roleOf } from '../ax/role.js';
import { holdsSecret } from './edit.js';

/** @typedef {{role: string, name: string, from?: string, to?: string, secret?: boolean}} FieldChange  secret = without its values */

const FIELDS = ['input', 'textarea', 'select'];
const WITHOUT_TEXT = new Set(['hidden', 'checkbox', 'radio', 'file', 'submit', 'button', 'reset', 'image']);
const LOOKED_AT = 50; // of each kind
const TOLD = 3;
const LONGEST = 100; // characters of a value

/**
 * What the fields of the document hold.
 * @returns {Map<Element, string>}
 */
export function fieldValues() {
  /** @type {Map<Element, string>} */
  const values = new Map();
  for (const tag of FIELDS) {
    const all = getElementsByTagNameOf.call(document, tag);
    for (let i = 0; i < all.length && i < LOOKED_AT; i++) if (!WITHOUT_TEXT.has(kindOfInput(all[i]))) values.set(all[i], heldBy(all[i]));
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
    if (el === target || !isConnected(el) || heldBy(el) === from || !isVisible(el)) continue;
    const what = { role: roleOf(el), name: nameOf(el) };
    changes.push(holdsSecret(el) ? { ...what, secret: true } : { ...what, from: clipped(from), to: clipped(heldBy(el)) });
  }
  return changes;
}

/** @param {Element} el */
const kindOfInput = (el) => /** @type {HTMLInputElement} */ (el).type;

/** @param {Element} el */
const heldBy = (el) => String(/** @type {HTMLInputElement} */ (el).value);

/** @param {string} text */
const clipped = (text) => (text.length > LONGEST ? text.slice(0, LONGEST) + '…' : text);
