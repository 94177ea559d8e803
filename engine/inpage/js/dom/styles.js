// The effects of style sheets that a walk needs for every element: a pointer cursor, text before and after, letter case, colors. Computing each
// element's style costs more than the rest of a walk, so the rules are read instead. They are indexed by the class, tag or id that they select; only
// elements with one of these get their style computed. To read the rules of a large library takes longer than to look at a small page, so they are
// left unread while only a few elements are asked about: any rule may match any element then.

import { labelControlGet } from './access.js';
import { DOCUMENT, ELEMENT, getAttributeOf, getterOf, hasAttributeOf, matchesOfElement, nodeTypeGet, shadowRootGet } from './builtins.js';
import { ALL_BITS, BARS, COLORS, effectsOf, GROUNDS, OF_ELEMENTS, POINTS } from './declarations.js';
import { animationsIn, isHTMLElement, queryAll } from './dom.js';
import { parentOf, rememberAnimating, rootOf, rootStylesOf, shadowIn } from './facts.js';
import { indexOf, NO_SHEETS, readSoFar, setsCase, sheetsOf, UNREAD } from './sheets.js';

/**
 * @import { Facts } from './facts.js'
 * @import { StyleIndex } from './sheets.js'
 */

// Attributes by which an element may have such a style of its own.
const STYLED = '[style],[cursor],[part],[bgcolor],font[color],body[text]';

// An op that looks at one control needs the styles near it only, and must not search the document for them: in a document of some thousand
// elements, a search takes as long as this many lookups.
const ASKED_SINGLY = 400;

const styleGet = getterOf(HTMLElement.prototype, 'style');
const styleInSVGGet = getterOf(SVGElement.prototype, 'style');

/**
 * What the attributes of an element that matches STYLED do.
 * @param {Element} el
 */
function bitsByAttributes(el) {
  if (hasAttributeOf.call(el, 'part')) return ALL_BITS; // rules outside of its tree match it
  let bits = 0;
  if (hasAttributeOf.call(el, 'cursor')) bits |= POINTS;
  if (COLORING.some((name) => hasAttributeOf.call(el, name))) bits |= COLORS;
  if (hasAttributeOf.call(el, 'bgcolor')) bits |= GROUNDS;
  if (!hasAttributeOf.call(el, 'style')) return bits;
  if (el instanceof HTMLElement) return bits | (effectsOf(styleGet.call(el)) & OF_ELEMENTS);
  return el instanceof SVGElement ? bits | (effectsOf(styleInSVGGet.call(el)) & OF_ELEMENTS) : ALL_BITS;
}

const COLORING = ['bgcolor', 'color', 'text'];

const CASED = '[style*="text-transform" i],[style*="text-security" i],[part]';

/** @type {Map<Element, number>} */
const NO_STYLES = new Map();
/** @type {Element[]} */
const NO_LABELS = [];

// To read a rule takes half as long as to have the styles of an element computed. So sheets are read when more elements were asked about than that,
// and where there are only a few rules.
const ELEMENTS_A_RULE = 0.5;
const FEW_RULES = 200;

let guessed = 0; // elements of this document that were asked about while their sheets were not read
let looksAtAll = false; // whether the op does so, and knows how many elements there are

/** Called by an op that looks at all elements of the document. It sees each tree with its sheets read, or with all of them unread. */
export function lookAtAll() {
  looksAtAll = true;
}

// Whether a shadow tree that was seen changes the case of letters.
export let casedShadows = false;

/** Forgets what holds for one op. */
export function endStyles() {
  casedShadows = false;
  looksAtAll = false;
}

/** What is known of one tree (a document or a shadow tree) while an op runs. */
export class RootStyles {
  /** @param {Node} root */
  constructor(root) {
    this.node = root;
    /** @type {Map<Element, Element[]>|undefined} */
    this.labels = undefined;
    this.sheets = sheetsOf(root);
    /** @type {StyleIndex} */
    this.index = UNREAD;
    this.isClosed = true; // every element has to be asked for its cursor
    /** @type {boolean|undefined} */
    this.cased = true;
    const before = readSoFar(this.sheets);
    /** @type {(StyleIndex|undefined)[]} of each sheet, what was read before */
    this.known = before?.parts ?? [];
    /** @type {number} */
    this.unread = before?.unread ?? 0; // rules that may be read
    if (before !== null && (this.unread < FEW_RULES || this.isWorthReading(looksAtAll ? queryAll(root, '*').length : 0))) this.read();
    // The rules of the browser's own shadow trees, in controls, cannot be read; animations by script have none.
    this.isAuthored =
      (nodeTypeGet.call(root) === DOCUMENT || shadowRootGet.call(/** @type {ShadowRoot} */ (root).host) === root) && !isAnimatedByScript();
    this.asked = 0;
    if (nodeTypeGet.call(root) !== DOCUMENT) casedShadows ||= this.cased ??= queryAll(root, CASED).length > 0;
    /** @type {Map<string, number>} by the whole class attribute: rows of a table have the same */
    this.byClass = new Map();
    /** @type {NodeListOf<Element>|undefined} */
    this.styled = undefined;
    /** @type {Map<Element, number>|undefined} what those do that have some */
    this.own = this.sheets === NO_SHEETS ? NO_STYLES : undefined;
  }

  /** @param {number} more elements that will be asked about */
  isWorthReading(more) {
    return guessed + more > this.unread * ELEMENTS_A_RULE;
  }

  read() {
    this.unread = 0;
    this.index = indexOf(this.sheets, this.known);
    this.isClosed = (this.index.all & (POINTS | BARS)) !== 0;
    this.cased = setsCase(this.index) || undefined;
  }

  /** Whether something in the tree may change the case of letters. Who asks for a few elements only has to look at them. */
  mayCase() {
    if (this.cased === undefined && ++this.asked > ASKED_SINGLY)
      this.cased = this.ownStyles().length > 0 && queryAll(this.node, CASED).length > 0;
    return this.cased ?? true;
  }

  /** The elements that may have a style of their own. */
  ownStyles() {
    return (this.styled ??= queryAll(this.node, STYLED));
  }

  /**
   * What the element's own attributes do to it.
   * @param {Element} el
   */
  ownBits(el) {
    if (this.own === undefined) {
      if (++this.asked <= ASKED_SINGLY) return matchesOfElement.call(el, STYLED) ? bitsByAttributes(el) : 0;
      this.own = new Map();
      for (const styled of this.ownStyles()) this.own.set(styled, bitsByAttributes(styled));
    }
    return this.own.get(el) ?? 0;
  }

  /**
   * What rules may do to the element.
   * @param {Facts} facts
   */
  bits(facts) {
    if (this.unread > 0) {
      guessed++;
      if (!looksAtAll && this.isWorthReading(0)) this.read();
    }
    const { index } = this;
    return facts.bare ? index.all | (index.tags.get(facts.tag) ?? 0) : this.bitsOf(facts.el, facts.tag);
  }

  /**
   * The same of an element with attributes.
   * @param {Element} el
   * @param {string} tag
   */
  bitsOf(el, tag) {
    const { index } = this;
    let bits = index.all | (index.tags.get(tag) ?? 0);
    if (bits === ALL_BITS) return bits;
    if (index.classes.size > 0) {
      const value = getAttributeOf.call(el, 'class');
      if (value !== null) bits |= this.byClass.get(value) ?? this.classBits(value);
    }
    if (index.ids.size > 0) bits |= index.ids.get(getAttributeOf.call(el, 'id') ?? '') ?? 0;
    bits |= this.ownBits(el);
    for (const [selector, other] of index.others) if ((bits & other) !== other && matchesSafely(el, selector)) bits |= other;
    return bits;
  }

  /**
   * Whether rules may put a pointing hand on elements because of their tag, or bar them; only asked where not every element has to be.
   * @param {string} tag
   */
  concerns(tag) {
    const { tags } = this.index;
    return tags.size > 0 && !this.isClosed && ((tags.get(tag) ?? 0) & (POINTS | BARS)) !== 0;
  }

  /**
   * The labels of a control. Its own property `labels` searches the whole document, each time for each control.
   * @param {Element} control
   */
  labelsOf(control) {
    if (this.labels === undefined) {
      this.labels = new Map();
      for (const label of nodeTypeGet.call(this.node) === ELEMENT ? [] : queryAll(this.node, 'label')) {
        const labelled = isHTMLElement(label, 'label') ? labelControlGet.call(label) : null;
        if (labelled === null) continue;
        const others = this.labels.get(labelled);
        if (others === undefined) this.labels.set(labelled, [label]);
        else others.push(label);
      }
    }
    return this.labels.get(control) ?? NO_LABELS;
  }

  /** @param {string} value */
  classBits(value) {
    let bits = 0;
    for (const name of value.split(/\s+/)) bits |= this.index.classes.get(name) ?? 0;
    this.byClass.set(value, bits);
    return bits;
  }
}

/** Asked once an op, not once a shadow tree. */
function isAnimatedByScript() {
  return rememberAnimating(animatesByScript);
}

function animatesByScript() {
  return animationsIn(document).some((animation) => !(animation instanceof CSSAnimation) && !(animation instanceof CSSTransition));
}

/** @param {Element} el @param {string} selector */
function matchesSafely(el, selector) {
  try {
    return matchesOfElement.call(el, selector);
  } catch {
    return true;
  }
}

/**
 * What rules of its own tree, of the shadow tree it hosts and of the one it is slotted into may do to the element.
 * @param {Facts} facts
 */
export function styleBits(facts) {
  return (facts.bits ??= rootOf(facts).bits(facts) | hostBits(facts) | slottedBits(facts));
}

/** @param {Facts} facts */
function hostBits(facts) {
  const shadow = shadowIn(facts);
  return shadow === null ? 0 : rootStylesOf(shadow).index.host;
}

/** @param {Facts} facts */
function slottedBits(facts) {
  const slot = parentOf(facts);
  return slot !== null && slot.tag === 'slot' && slot.html ? rootOf(slot).index.slotted : 0;
}
