// What must be the same of an element and its page before an element of another document is taken for it. Within a document, what was there before
// tells a replacement from a neighbor; across documents only what is there does. So all texts count here, with their numbers, and what addresses
// and hidden fields say of the thing that a page, a row or a control is about.

import {
  ELEMENT,
  firstChildGet,
  getAttributeOf,
  localNameGet,
  nextSiblingGet,
  nodeTypeGet,
  TEXT,
  textContentGet,
} from '../dom/builtins.js';
import { shadowOf } from '../dom/dom.js';
import { getAttributeNamesOf, parentOf } from '../dom/facts.js';
import { hashOf, isFickle, isItem, textsIn, unnumbered } from './place.js';

/** @import { Facts } from '../dom/facts.js' */

const NO_TEXT = new Set(['script', 'style', 'template', 'noscript', 'object', 'svg']);
export const MOST_NODES = 20_000; // a document with more is not compared
const LONGEST = 1000; // of an attribute
const NEAR = 3; // how far up the group of an element may be

// What a server makes again for each answer.
const TOKEN = /token|csrf|nonce|viewstate|validation|stamp|captcha/i;

/**
 * Called with each text below a node, and each attribute that tells what something is about.
 * @callback Visit
 * @param {string} text
 * @param {Element} el that it is of
 */

/**
 * @param {Node} root
 * @param {Visit} visit
 * @param {(el: Element) => void} [meet] called with each element
 * @returns {boolean} whether there were few enough nodes to look at all
 */
export function eachText(root, visit, meet) {
  const rest = [root];
  let left = MOST_NODES;
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (left-- <= 0) return false;
    const type = nodeTypeGet.call(node);
    let shadow = null;
    if (type === ELEMENT) {
      const el = /** @type {Element} */ (node);
      meet?.(el);
      if (NO_TEXT.has(localNameGet.call(el))) continue;
      tellAttributes(el, visit);
      shadow = shadowOf(el);
      if (shadow !== null) rest.push(shadow);
      if (isFickle(el) && !isDatedOnly(el)) continue;
    }
    for (let child = firstChildGet.call(node); child !== null; child = nextSiblingGet.call(child)) {
      if (nodeTypeGet.call(child) !== TEXT) rest.push(child);
      else if (type === ELEMENT) tellText(/** @type {Element} */ (node), child, visit);
    }
  }
  return true;
}

/**
 * Whether it is a time that nothing but its text says.
 * @param {Element} el
 */
function isDatedOnly(el) {
  return localNameGet.call(el) === 'time' && getAttributeOf.call(el, 'datetime') === null;
}

/** @param {Element} el @param {Node} node @param {Visit} visit */
function tellText(el, node, visit) {
  const text = (textContentGet.call(node) ?? '').replace(/\s+/g, ' ').trim();
  if (text !== '') visit(text, el);
}

/** @param {Element} el @param {Visit} visit */
function tellAttributes(el, visit) {
  const tag = localNameGet.call(el);
  const tell = (/** @type {string} */ name) => {
    const value = getAttributeOf.call(el, name);
    if (value !== null && value !== '') visit(name + '=' + value.slice(0, LONGEST), el);
  };
  if (tag === 'img' || tag === 'iframe' || tag === 'video') tell('src');
  if (tag === 'form') tell('action');
  if (tag === 'time') tell('datetime'); // where its text may be "5 minutes ago"
  if (tag !== 'input') return;
  const hidden = getAttributeOf.call(el, 'type') === 'hidden';
  if (hidden && TOKEN.test(getAttributeOf.call(el, 'name') ?? '')) return;
  if (hidden || getAttributeOf.call(el, 'readonly') !== null || getAttributeOf.call(el, 'disabled') !== null) tell('value');
}

const ABOUT = new Set(['href', 'formaction', 'onclick', 'value', 'for', 'name', 'id']);

/**
 * What the attributes of a control say of what it acts on: "/orders/7", data-id="7".
 * @param {Element} el
 */
export function ownHash(el) {
  let hash = hashOf(localNameGet.call(el));
  for (const name of getAttributeNamesOf.call(el)) hash = joined(hash, attributeHash(el, name));
  return hash;
}

/**
 * 0 where it says nothing. Ids and data without a number are those of the design.
 * @param {Element} el
 * @param {string} name
 */
function attributeHash(el, name) {
  if (!ABOUT.has(name) && !name.startsWith('data-')) return 0;
  if (name === 'value' && hasOtherValue(el)) return 0;
  const value = getAttributeOf.call(el, name) ?? '';
  if (name !== 'href' && !/\d/.test(value)) return 0;
  if (TOKEN.test(name) || TOKEN.test(value)) return 0;
  return hashOf(name + '=' + value.slice(0, LONGEST));
}

const FIXED = new Set(['hidden', 'submit', 'button', 'image', 'radio', 'checkbox']);

/**
 * Whether a person can fill it in: a form that comes back may then show another value.
 * @param {Element} el
 */
function hasOtherValue(el) {
  return localNameGet.call(el) === 'input' && !FIXED.has(getAttributeOf.call(el, 'type') ?? '');
}

/**
 * The group of an element: its row or entry, or the nearest element around it that has a text.
 * @param {Facts} facts
 * @returns {{group: Facts|null, item: boolean}}
 */
export function groupOf(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node !== null; node = parentOf(node)) {
    if (isItem(node)) return { group: node, item: true };
  }
  let node = parentOf(facts);
  for (let i = 0; i < NEAR && node !== null && node.tag !== 'body'; i++) {
    if (textsIn(node).length > 0) return { group: node, item: false };
    node = parentOf(node);
  }
  return { group: null, item: false };
}

/**
 * All that a group says. What came into it since a walk saw it does not count.
 * @param {Element} group
 * @param {(el: Element) => boolean} [counts]
 */
export function groupHash(group, counts = () => true) {
  let hash = 0;
  const visit = (/** @type {string} */ text, /** @type {Element} */ el) => {
    if (counts(el)) hash = joined(hash, hashOf(text));
  };
  const meet = (/** @type {Element} */ el) => {
    if (!counts(el)) return;
    for (const name of getAttributeNamesOf.call(el)) hash = joined(hash, attributeHash(el, name));
  };
  eachText(group, visit, meet);
  return hash;
}

/** @param {number} hash @param {number} more 0 changes nothing */
function joined(hash, more) {
  return more === 0 ? hash : (Math.imul(hash, 31) + more) | 0;
}

/** @param {string} text */
export function textHash(text) {
  return hashOf(text);
}

/** @param {string} text */
export function countedHash(text) {
  return hashOf(unnumbered(text));
}
