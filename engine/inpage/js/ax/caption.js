// The text that a person takes for the name of a field that has none: a label that belongs to no control, the cell before it, the words behind a
// check box. It is a guess from the place, and never a name.

import { labelControlGet } from '../dom/access.js';
import {
  elementCountGet,
  localNameGet,
  matchesOfElement,
  nextSiblingGet,
  nodeTypeGet,
  parentElementGet,
  previousElementGet,
  queryAllOf,
  TEXT,
  textContentGet,
} from '../dom/builtins.js';
import { isHTMLElement } from '../dom/dom.js';
import { inputType } from './role.js';

const FIELDS = 'input:not([type=hidden]), select, textarea';
const BUTTONS = new Set(['button', 'submit', 'reset', 'image', 'hidden']);
const BOXES = new Set(['checkbox', 'radio']);
const WORDS = new Set(['span', 'b', 'strong', 'em', 'i', 'small', 'font']);

// What is further away, or in another part of the form, is of something else.
const LEVELS = 3;
const SIBLINGS = 4;
const PARTS = new Set(['form', 'fieldset', 'table', 'tr', 'dl', 'ul', 'ol', 'section', 'main', 'dialog', 'body']);

/**
 * The node whose text is beside a field as its label would be, or null.
 * @param {Element} el
 * @returns {Node|null}
 */
export function captionOf(el) {
  if (!isHTMLElement(el)) return null;
  const tag = localNameGet.call(el);
  if (tag === 'input') {
    const type = inputType(el);
    if (BUTTONS.has(type)) return null;
    if (BOXES.has(type)) return wordsBehind(el);
  } else if (tag !== 'select' && tag !== 'textarea') return null;
  let node = /** @type {Element|null} */ (el);
  for (let level = 0; level < LEVELS && node !== null; level++) {
    const found = captionBefore(node);
    if (found !== undefined) return found;
    node = parentElementGet.call(node);
    if (node === null || PARTS.has(localNameGet.call(node)) || queryAllOf.call(node, FIELDS).length > 1) return null;
  }
  return null;
}

/**
 * The caption among the elements before one; null if what is there is of another field, undefined if nothing is.
 * @param {Element} el
 * @returns {Element|null|undefined}
 */
function captionBefore(el) {
  let before = previousElementGet.call(el);
  for (let i = 0; i < SIBLINGS && before !== null; i++, before = previousElementGet.call(before)) {
    if (matchesOfElement.call(before, FIELDS) || queryAllOf.call(before, FIELDS).length > 0) return null;
    const tag = localNameGet.call(before);
    if (tag === 'label') return labelControlGet.call(before) === null ? before : null;
    if (tag === 'th' || tag === 'dt' || (tag === 'td' && isFormRow(before))) return before;
  }
  return undefined;
}

/**
 * Whether a cell is the first of two, as in forms that are tables.
 * @param {Element} cell
 */
function isFormRow(cell) {
  const row = parentElementGet.call(cell);
  return row !== null && elementCountGet.call(row) === 2;
}

/**
 * The words directly behind a check box or radio button.
 * @param {Element} el
 */
function wordsBehind(el) {
  for (let node = nextSiblingGet.call(el); node !== null; node = nextSiblingGet.call(node)) {
    const isText = nodeTypeGet.call(node) === TEXT;
    if (isText && textContentGet.call(node).trim() === '') continue;
    if (isText || WORDS.has(localNameGet.call(node))) return node;
    return localNameGet.call(node) === 'label' && labelControlGet.call(node) === null ? node : null;
  }
  return null;
}
