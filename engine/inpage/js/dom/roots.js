// The shadow trees that no script can ask for, as the browser told them: those behind closed roots, and the browser's own inside of controls.
// See pierce.js on how they are found.

import { assignedNodesOf, shadowQueryOf } from './builtins.js';

/** @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();
/** @type {WeakMap<Element, ShadowRoot>} */
const partRoots = new WeakMap();
export let anyClosed = false;
export let anyParts = false;

/**
 * The element's closed root, if it is known, or null.
 * @param {Element} el
 */
export function closedRootOf(el) {
  return anyClosed ? (closedRoots.get(el) ?? null) : null;
}

/**
 * The browser's own tree inside of a control, where it is known, or null.
 * @param {Element} el
 */
export function partsOf(el) {
  return anyParts ? (partRoots.get(el) ?? null) : null;
}

/**
 * The slot of a closed tree that an element is assigned to, or null: it does not tell itself.
 * @param {Element} el
 * @param {Element} parent
 */
export function closedSlotOf(el, parent) {
  const root = closedRoots.get(parent);
  if (root === undefined) return null;
  for (const slot of shadowQueryOf.call(root, 'slot')) if (assignedNodesOf.call(slot).includes(el)) return slot;
  return null;
}

/**
 * Notes a closed root.
 * @param {Element} host
 * @param {ShadowRoot} root
 * @returns {boolean} whether it was not known before
 */
export function keepClosed(host, root) {
  if (closedRoots.has(host)) return false;
  closedRoots.set(host, root);
  return (anyClosed = true);
}

/**
 * Notes the browser's own tree inside of a control.
 * @param {Element} control
 * @param {ShadowRoot} root
 * @returns {boolean} whether it was not known before
 */
export function keepParts(control, root) {
  if (partRoots.get(control) === root) return false;
  partRoots.set(control, root);
  return (anyParts = true);
}
