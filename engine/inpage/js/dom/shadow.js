// The open shadow roots of the document. Finding them means looking at every element, so that they are remembered while something waits and
// looks again and again; what is added meanwhile is told by the waiting observer. A root that is attached to an element which was there
// before is not a mutation: for those, the memory is renewed from time to time.

import { elementCountGet } from './builtins.js';
import { deepQueryAll, hostsBelow, isElement, queryAll, shadowOf } from './dom.js';

export const ROOTS_AGE = 250;

/** @type {{roots: ShadowRoot[], at: number}|null} */
export let knownRoots = null;
let watchers = 0;

/** @returns {ShadowRoot[]} */
export function shadowRoots() {
  if (knownRoots && performance.now() < knownRoots.at + ROOTS_AGE) return knownRoots.roots;
  const roots = rootsBelow(document, []);
  if (watchers > 0) knownRoots = { roots, at: performance.now() };
  return roots;
}

/**
 * Adds the open shadow roots below a node to the list.
 * @param {Node} node
 * @param {ShadowRoot[]} roots
 */
function rootsBelow(node, roots) {
  let next = roots.length;
  for (let tree = node; ; tree = roots[next++]) {
    for (const host of hostsBelow(tree)) roots.push(/** @type {ShadowRoot} */ (shadowOf(host)));
    if (next === roots.length) return roots;
  }
}

/**
 * The roots that came with a node that was added to the document.
 * @param {Node} node
 */
export function rootsAdded(node) {
  /** @type {ShadowRoot[]} */
  const roots = [];
  if (isElement(node)) {
    const shadow = shadowOf(/** @type {Element} */ (node));
    if (shadow !== null) {
      roots.push(shadow);
      rootsBelow(shadow, roots);
    }
    if (elementCountGet.call(node) > 0) rootsBelow(node, roots);
  }
  knownRoots?.roots.push(...roots);
  return roots;
}

/**
 * Every match in the document and its open shadow trees, in document order.
 * @param {string} css
 */
export function queryEverywhere(css) {
  return shadowRoots().length === 0 ? Array.from(queryAll(document, css)) : deepQueryAll(document, css);
}

export function watchRoots() {
  watchers++;
}

export function unwatchRoots() {
  if (--watchers === 0) knownRoots = null;
}
