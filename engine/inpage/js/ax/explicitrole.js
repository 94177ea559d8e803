// The role that an element asks for by its attribute (core-aam, WAI-ARIA 1.2 section 5.3), and whether it gets it.

import { ARIA_ALIASES, ARIA_ROLES } from './ariaroles.js';
import { getRootNodeOf, matchesOfElement } from '../dom/builtins.js';
import { queryAll } from '../dom/dom.js';
import { attrOf, factsOf, parentOf, saidBy } from '../dom/facts.js';
import { isFocusable } from './focusable.js';
import { isFrame, isNamedByAuthor, itemRole, semanticRole } from './role.js';
import { isInGridTable } from './states.js';

/**
 * @import { Facts } from '../dom/facts.js'
 */

/**
 * The role by attribute, or "". The first word that names a role which is allowed here wins.
 * @param {Facts} facts
 * @returns {string}
 */
export function explicitRole(facts) {
  return facts.plain ? '' : (facts.said ??= roleByAttribute(facts));
}

/** @param {Facts} facts @returns {string} */
function roleByAttribute(facts) {
  const value = saidBy(facts, 'role');
  if (value === null || value === '') return '';
  for (const word of value.toLowerCase().split(/\s+/)) {
    if (!ARIA_ROLES.has(word)) continue;
    const role = ARIA_ALIASES[word] ?? word;
    if ((role === 'form' || role === 'region') && !isNamedByAuthor(facts) && saidBy(facts, 'aria-roledescription') === null) continue;
    if (isOrphan(facts, role)) continue;
    if (inConflict(facts, role)) return '';
    if (role === 'listitem') return itemRole(facts);
    return role === 'cell' && isInGridTable(facts) ? 'gridcell' : role;
  }
  return '';
}

/**
 * Whether the element's own role is kept although it asks for another one.
 * @param {Facts} facts
 * @param {string} role
 */
function inConflict(facts, role) {
  // WAI-ARIA 1.2, 7.1: what can be focused or has a global ARIA attribute is not presentational.
  return role === 'none' && (isFrame(facts) || isFocusable(facts) || hasGlobalARIA(facts));
}

const GLOBAL_ARIA = [
  'atomic',
  'braillelabel',
  'brailleroledescription',
  'busy',
  'controls',
  'current',
  'describedby',
  'description',
  'details',
  'flowto',
  'keyshortcuts',
  'label',
  'labelledby',
  'live',
  'owns',
  'relevant',
  'roledescription',
]
  .map((name) => `[aria-${name}]`)
  .join();

/** @param {Facts} facts */
function hasGlobalARIA(facts) {
  return !facts.plain && matchesOfElement.call(facts.el, GLOBAL_ARIA);
}

// The containers without which Chrome does not believe these roles.
/** @type {Object<string, {tags: string[], roles: string[], through: string[]}>} */
const REQUIRED_PARENTS = {
  __proto__: /** @type {any} */ (null),
  listitem: { tags: ['ul', 'ol', 'menu'], roles: ['list', 'directory', 'group'], through: [] },
  option: { tags: ['select'], roles: ['listbox', 'group'], through: [] },
  treeitem: { tags: [], roles: ['tree', 'group'], through: ['treeitem'] },
};

/**
 * Elements without semantics of their own may stand between an item and its container.
 * @param {Facts} facts
 * @param {string} role
 */
function isOrphan(facts, role) {
  const required = REQUIRED_PARENTS[role];
  if (!required) return false;
  const owner = attrOf(facts, 'id') === null ? null : ownerOf(facts);
  if (owner && required.roles.includes(semanticRole(owner))) return false;
  for (let node = parentOf(facts); node; node = parentOf(node)) {
    if (node.html && required.tags.includes(node.tag)) return false;
    const own = firstWord(node);
    if (required.roles.includes(own)) return false;
    if (own === 'none' || own === 'presentation' || required.through.includes(own)) continue;
    if (own !== '' && own !== 'generic') return true;
    if (!isWrapper(node)) return true;
  }
  return true;
}

/**
 * What owns the element by aria-owns, or null.
 * @param {Facts} facts
 */
function ownerOf(facts) {
  const id = attrOf(facts, 'id');
  if (id === null) return null;
  const owner = queryAll(getRootNodeOf.call(facts.el), `[aria-owns~="${CSS.escape(id)}"]`)[0];
  return owner ? factsOf(owner) : null;
}

/** @param {Facts} facts */
function firstWord(facts) {
  const value = saidBy(facts, 'role');
  return value === null
    ? ''
    : (value
        .toLowerCase()
        .split(/\s+/)
        .find((word) => ARIA_ROLES.has(word)) ?? '');
}

const WRAPPERS = new Set(['div', 'span', 'slot']);

/** @param {Facts} facts */
function isWrapper(facts) {
  return facts.html && (WRAPPERS.has(facts.tag) || facts.tag.includes('-'));
}
