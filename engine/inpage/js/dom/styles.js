// The effects of style sheets that a walk needs for every element: a pointer cursor, text before and after, letter case, colors. Computing each
// element's style costs more than the rest of a walk, so the rules are read instead. They are indexed by the class, tag or id that they select; only
// elements with one of these get their style computed.

import { labelControlGet } from './access.js';
import {
  DOCUMENT,
  ELEMENT,
  getAttributeOf,
  hasAttributeOf,
  localNameGet,
  matchesOfElement,
  nodeTypeGet,
  shadowRootGet,
} from './builtins.js';
import { animationsIn, isHTMLElement, queryAll } from './dom.js';
import { parentOf, rememberAnimating, rootOf, rootStylesOf, shadowIn } from './facts.js';
import { ALL_BITS, BARS, mergedIndex, NO_ELEMENTS, NO_LABELS, NO_SHEETS, POINTS, setsCase, sheetIndex, sheetsOf } from './sheets.js';

/**
 * @import { Facts } from './facts.js'
 * @import { StyleIndex } from './sheets.js'
 */

// Attributes by which an element may have such a style of its own, and the properties that matter there.
const STYLED = '[style],[cursor],[part],[bgcolor],font[color],body[text]';
const TELLING_STYLE = new RegExp(
  [
    'display',
    'visibility',
    'opacity',
    'filter',
    'animation',
    'cursor',
    'text-transform',
    'text-security',
    'content-visibility',
    'interactivity',
    'color',
    'background',
    'clip',
    'overflow',
    'text-indent',
    'all:',
    '(?:width|height|font-size)\\s*:\\s*(?:[0-2](?:\\.\\d*)?(?:px|em|%)?\\s*(?:;|$)|\\.|var|calc)',
    'transform',
    'scale',
    'rotate',
    'translate',
    'zoom',
    'fixed',
    '(?:left|top|right|bottom|margin[a-z-]*|inset)\\s*:[^;]*(?:-\\d\\d|%|v[wh]|var|calc)',
  ].join('|'),
  'i',
);

// An op that looks at one control needs the styles near it only, and must not search the document for them: in a document of some thousand
// elements, a search takes as long as this many lookups.
const ASKED_SINGLY = 400;

/** @param {Element} el one that matches STYLED */
function tellsByItself(el) {
  const style = getAttributeOf.call(el, 'style');
  return style === null || TELLING_STYLE.test(style) || localNameGet.call(el) === 'body' || hasAttributeOf.call(el, 'part');
}

const CASED = '[style*="text-transform" i],[style*="text-security" i],[part]';

// Whether a shadow tree that was seen changes the case of letters.
export let casedShadows = false;

export function forgetCasing() {
  casedShadows = false;
}

/** What is known of one tree (a document or a shadow tree) while an op runs. */
export class RootStyles {
  /** @param {Node} root */
  constructor(root) {
    this.node = root;
    /** @type {Map<Element, Element[]>|undefined} */
    this.labels = undefined;
    const sheets = sheetsOf(root);
    /** @type {StyleIndex} */
    this.index = sheets.length === 1 ? sheetIndex(sheets[0]) : mergedIndex(sheets.map(sheetIndex));
    // The rules of the browser's own shadow trees, in controls, cannot be read; animations by script have none.
    this.isAuthored =
      (nodeTypeGet.call(root) === DOCUMENT || shadowRootGet.call(/** @type {ShadowRoot} */ (root).host) === root) && !isAnimatedByScript();
    this.isClosed = (this.index.all & (POINTS | BARS)) !== 0; // every element has to be asked for its cursor
    this.asked = 0;
    /** @type {boolean|undefined} */
    this.cased = setsCase(this.index) || undefined;
    if (nodeTypeGet.call(root) !== DOCUMENT) casedShadows ||= this.cased ??= queryAll(root, CASED).length > 0;
    /** @type {Map<string, number>} by the whole class attribute: rows of a table have the same */
    this.byClass = new Map();
    /** @type {NodeListOf<Element>|undefined} */
    this.styled = undefined;
    /** @type {Set<Element>|undefined} */
    this.special = sheets === NO_SHEETS ? NO_ELEMENTS : undefined;
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
   * Whether the element may have a style of its own that matters.
   * @param {Element} el
   */
  isSpecial(el) {
    if (this.special === undefined) {
      if (++this.asked <= ASKED_SINGLY) return matchesOfElement.call(el, STYLED) && tellsByItself(el);
      this.special = new Set([...this.ownStyles()].filter(tellsByItself));
    }
    return this.special.has(el);
  }

  /**
   * What rules may do to the element.
   * @param {Facts} facts
   */
  bits(facts) {
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
    if (this.isSpecial(el)) bits = ALL_BITS;
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
