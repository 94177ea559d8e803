// The walk for what can be acted on passes through most elements of a page without a closer look.

import {
  assignedNodesOf,
  ELEMENT,
  firstChildGet,
  firstElementGet,
  firstElementOfTreeGet,
  getRootNodeOf,
  hasAttributesOf,
  localNameGet,
  nextElementGet,
  nextSiblingGet,
  nodeTypeGet,
  styleOf,
  TEXT,
} from '../dom/builtins.js';
import { textDataGet } from '../ax/content.js';
import { BARS, POINTS } from '../dom/declarations.js';
import { CARD, cardClass, classOf } from './digest.js';
import { isElement, shadowOf } from '../dom/dom.js';
import { factsOf, HOST_TAGS, rootStylesOf, TELLS_HIDDEN, tellingsOf } from '../dom/facts.js';
import { suspectInternals } from '../ax/internals.js';
import { CANDIDATE, IGNORED, KINDS } from '../dom/kinds.js';
import { isListening } from '../ax/listening.js';
import { suspectHost } from '../ax/pierce.js';
import { internalsOf } from '../dom/said.js';
import { bars } from '../dom/visibility.js';

/**
 * @import { Digest } from './digest.js'
 * @import { Facts } from '../dom/facts.js'
 * @import { RootStyles } from '../dom/styles.js'
 * @import { Walk } from './walk.js'
 */

/**
 * The elements in an element, where only those count that can be acted on: whatever is certainly none of these, nor hides or disables
 * them, is only passed through. On most pages that is nine of ten elements.
 * @param {Walk} walk
 * @param {RootStyles} root of the tree that the element is in
 * @param {boolean} pointing whether the cursor over the element is a hand; only known where style sheets cannot be read
 * @param {Element} el
 * @param {string} tag
 * @param {number} depth
 * @param {Facts|null} facts of the element, if there are any
 */
export function skim(walk, el, tag, root, depth, pointing, facts) {
  const custom = tag.includes('-');
  const hosts = custom || HOST_TAGS.has(tag);
  const shadow = hosts ? shadowOf(el) : null;
  if (custom) suspectInternals(el, tag);
  if (tag === 'slot') {
    const assigned = assignedNodesOf.call(el);
    for (const node of assigned) {
      if (isElement(node)) skimElement(walk, node, rootStylesOf(getRootNodeOf.call(node)), depth, pointing, facts);
      else if (walk.digest !== null) walk.digest.words.add(textDataGet.call(node), el, tag, depth);
    }
    if (assigned.length > 0) return;
  }
  if (shadow !== null) root = rootStylesOf(shadow);
  let child = shadow === null ? firstElementGet.call(el) : firstElementOfTreeGet.call(shadow);
  if (hosts && shadow === null && (child === null || custom)) suspectHost(el, tag);
  if (walk.digest !== null) skimNodes(walk, walk.digest, child, shadow ?? el, el, tag, root, depth, pointing, facts);
  else for (; child !== null; child = nextElementGet.call(child)) skimElement(walk, child, root, depth, pointing, facts);
}

/**
 * The nodes in an element or its shadow tree, with their texts. Equal siblings get a line each around what is in them.
 * @param {Walk} walk
 * @param {Digest} digest
 * @param {Element|null} child the first of them that is an element
 * @param {Node} tree
 * @param {Element} el
 * @param {string} tag
 * @param {RootStyles} root
 * @param {number} depth
 * @param {boolean} pointing
 * @param {Facts|null} facts
 */
function skimNodes(walk, digest, child, tree, el, tag, root, depth, pointing, facts) {
  const cards = child !== null && tree === el ? cardClass(el, child) : null;
  for (let node = firstChildGet.call(tree); node !== null; node = nextSiblingGet.call(node)) {
    const type = nodeTypeGet.call(node);
    if (type === TEXT) digest.words.add(textDataGet.call(node), el, tag, depth);
    else if (type !== ELEMENT) continue;
    else if (cards !== null && KINDS[localNameGet.call(node)] === undefined && classOf(node) === cards)
      digest.around(factsOf(node), CARD, depth, () => skimElement(walk, node, root, depth + 1, pointing, facts));
    else skimElement(walk, node, root, depth, pointing, facts);
  }
  if (cards !== null) digest.endCards(el, depth);
}

/**
 * @param {Walk} walk
 * @param {Element} el
 * @param {RootStyles} root
 * @param {number} depth
 * @param {boolean} pointing
 * @param {Facts|null} up of the parent in the flat tree, if there are any
 */
function skimElement(walk, el, root, depth, pointing, up) {
  const tag = localNameGet.call(el);
  const kind = KINDS[tag];
  if (kind === IGNORED) {
    if (walk.digest !== null) walk.digest.words.space();
    return;
  }
  let points = false;
  if (root.isClosed && kind !== CANDIDATE) {
    const style = styleOf(el);
    if (bars(style)) return;
    points = style.cursor === 'pointer';
  }
  if (
    kind === CANDIDATE ||
    (points && !pointing) ||
    el === walk.scope ||
    el === walk.until ||
    isListening(el) ||
    internalsOf(el) !== null ||
    walk.digest?.popups.has(el) ||
    (hasAttributesOf.call(el) ? isInteresting(walk, el, tag, root) : root.concerns(tag))
  ) {
    const facts = factsOf(el);
    facts.root ??= root;
    if (up !== null) facts.up ??= up;
    walk.visit(facts, depth);
  } else skim(walk, el, tag, root, depth, points, null);
}

/** @param {Walk} walk @param {Element} el @param {string} tag @param {RootStyles} root */
function isInteresting(walk, el, tag, root) {
  return (
    (tellingsOf(el) & ~TELLS_HIDDEN) !== 0 ||
    (!root.isClosed && (root.bitsOf(el, tag) & (POINTS | BARS)) !== 0) ||
    (walk.owned !== null && walk.owned.has(el))
  );
}
