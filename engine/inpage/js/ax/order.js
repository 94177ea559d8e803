// Where aria-owns puts elements, and the levels of items.

import { attr, byId, composedParent, queryAll } from '../dom/dom.js';
import { factsOf, parentOf, rememberOwned, saidBy } from '../dom/facts.js';
import { isEditableHost } from './focusable.js';
import { semanticRole } from './role.js';
import { isHiddenForAX } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

/** Which elements aria-owns takes to which owners; null when there are none. */
export function ownedElements() {
  return rememberOwned(findOwned);
}

function findOwned() {
  const owners = queryAll(document, '[aria-owns]');
  if (owners.length === 0) return null;
  /** @type {Map<Element, Element>} */
  const owned = new Map();
  for (const owner of owners) {
    if (!mayOwn(owner)) continue;
    for (const id of (attr(owner, 'aria-owns') ?? '').split(/\s+/)) {
      const el = id === '' ? null : byId(owner, id);
      if (el && !owned.has(el) && !isAround(el, owner, owned)) owned.set(el, owner);
    }
  }
  return owned;
}

// Their contents are the browser's own, or those of another document; and where text is edited, nothing can be brought.
const OWNS_NOTHING = new Set([
  'input',
  'textarea',
  'select',
  'option',
  'img',
  'iframe',
  'frame',
  'object',
  'embed',
  'hr',
  'br',
  'wbr',
  'progress',
  'meter',
  'video',
  'audio',
]);

/**
 * Whether an element can own others: it is in the tree, and other nodes can be in it.
 * @param {Element} el
 */
function mayOwn(el) {
  const facts = factsOf(el);
  if (facts.html && OWNS_NOTHING.has(facts.tag)) return false;
  return !isEditableHost(facts) && !isHiddenForAX(el);
}

/**
 * Whether outer is around inner once what is owned is where it is owned.
 * @param {Element} outer
 * @param {Element} inner
 * @param {Map<Element, Element>} owned
 */
function isAround(outer, inner, owned) {
  for (let node = /** @type {Element|null} */ (inner); node; node = owned.get(node) ?? composedParent(node))
    if (node === outer) return true;
  return false;
}

/**
 * How many lists are around an item.
 * @param {Facts} facts
 * @param {Map<Element, Element> | null} owned
 */
export function listsAround(facts, owned) {
  let lists = 0;
  for (let node = /** @type {Facts|null} */ (facts); node; ) {
    const owner = owned === null ? undefined : owned.get(node.el);
    node = owner === undefined ? parentOf(node) : factsOf(owner);
    if (node !== null && semanticRole(node) === 'list') lists++;
  }
  return lists;
}

/** @param {Facts} facts */
export function headingLevel(facts) {
  const level = saidBy(facts, 'aria-level');
  if (level !== null) {
    const value = parseInt(level, 10) || 0;
    if (level !== '' && value <= 9) return Math.max(1, value);
  }
  if (!facts.html) return 0;
  return /^h[1-6]$/.test(facts.tag) ? Number(facts.tag[1]) : 2;
}

/** @param {Facts} facts */
export function ariaLevel(facts) {
  const level = saidBy(facts, 'aria-level');
  return level === null || level === '' ? 0 : Math.max(1, parseInt(level, 10) || 0);
}
