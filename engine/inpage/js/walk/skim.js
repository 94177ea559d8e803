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
import { CARD, cardClass, isCard } from './digest.js';
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
    if (assigned.length > 0) {
      walk.descent.enter(assigned, (node) => skimAssigned(walk, node, el, tag, depth, pointing, facts));
      return;
    }
  }
  if (shadow !== null) root = rootStylesOf(shadow);
  const child = shadow === null ? firstElementGet.call(el) : firstElementOfTreeGet.call(shadow);
  if (hosts && shadow === null && (child === null || custom)) suspectHost(el, tag);
  const { digest } = walk;
  const tree = shadow ?? el;
  if (child !== null) {
    const first = digest === null ? child : firstChildGet.call(tree);
    const cards = digest !== null && shadow === null ? cardClass(el, child) : null;
    walk.descent.frames.push(new Skimmed(walk, first, cards, el, tag, root, depth, pointing, facts));
  } else if (digest !== null)
    for (let node = firstChildGet.call(tree); node !== null; node = nextSiblingGet.call(node))
      if (nodeTypeGet.call(node) === TEXT) digest.words.add(textDataGet.call(node), el, tag, depth);
}

/**
 * A node that is assigned to a slot.
 * @param {Walk} walk
 * @param {Node} node
 * @param {Element} el the slot
 * @param {string} tag
 * @param {number} depth
 * @param {boolean} pointing
 * @param {Facts|null} facts
 */
function skimAssigned(walk, node, el, tag, depth, pointing, facts) {
  if (isElement(node)) skimElement(walk, /** @type {Element} */ (node), rootStylesOf(getRootNodeOf.call(node)), depth, pointing, facts);
  else if (walk.digest !== null) walk.digest.words.add(textDataGet.call(node), el, tag, depth);
}

/**
 * A frame of a walk: the elements in an element or its shadow tree, for a digest the texts, too. Equal siblings get a line each around what is in them.
 */
class Skimmed {
  /**
   * @param {Walk} walk
   * @param {Node|null} node the first of them
   * @param {string|null} cards the class of the equal siblings among them
   * @param {Element} el
   * @param {string} tag
   * @param {RootStyles} root
   * @param {number} depth
   * @param {boolean} pointing
   * @param {Facts|null} facts
   */
  constructor(walk, node, cards, el, tag, root, depth, pointing, facts) {
    this.walk = walk;
    this.node = node;
    this.cards = cards;
    this.el = el;
    this.tag = tag;
    this.root = root;
    this.depth = depth;
    this.pointing = pointing;
    this.facts = facts;
  }

  step() {
    const { digest } = this.walk;
    return digest === null ? this.stepElements() : this.stepNodes(digest);
  }

  stepElements() {
    const { walk, root, depth, pointing, facts } = this;
    const { frames } = walk.descent;
    const { length } = frames;
    for (let node = /** @type {Element|null} */ (this.node); node !== null; ) {
      const next = nextElementGet.call(node);
      skimElement(walk, node, root, depth, pointing, facts);
      node = next;
      if (frames.length === length) continue;
      this.node = node;
      return true;
    }
    return false;
  }

  /** @param {Digest} digest */
  stepNodes(digest) {
    const { walk, cards, el, tag, root, depth, pointing, facts } = this;
    const { frames } = walk.descent;
    const { length } = frames;
    for (let { node } = this; node !== null; ) {
      const type = nodeTypeGet.call(node);
      const next = nextSiblingGet.call(node);
      if (type === TEXT) digest.words.add(textDataGet.call(node), el, tag, depth);
      else if (type === ELEMENT) {
        const child = /** @type {Element} */ (node);
        const groups = cards !== null && KINDS[localNameGet.call(child)] === undefined && isCard(child, cards);
        skimElement(walk, child, root, groups ? digest.surround(factsOf(child), CARD, depth) : depth, pointing, facts);
      }
      node = next;
      if (frames.length === length) continue;
      this.node = node;
      return true;
    }
    if (cards !== null) digest.endCards(el, depth);
    return false;
  }
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
    walk.digest?.layer === el ||
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
