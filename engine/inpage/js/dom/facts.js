// What is known of an element, remembered while one op runs. Roles and names of an element depend on those of its relatives, so that a
// walk would work them out over and over again. Nothing is remembered between ops: the page changes in between without telling.

import {
  assignedNodesOf,
  DOCUMENT,
  ELEMENT,
  firstChildGet,
  firstElementGet,
  getAttributeOf,
  getRootNodeOf,
  hasAttributesOf,
  HTML_NS,
  localNameGet,
  namespaceGet,
  nextSiblingGet,
  nodeTypeGet,
  styleOf,
  TEXT,
} from './builtins.js';
import { composedParent, isFlat, isShadowRoot, shadowOf, takeAsFlat } from './dom.js';
import { anyInternals, internalsOf } from './said.js';
import { endStyles, RootStyles } from './styles.js';

/**
 * @import { Generated } from './generated.js'
 * @import { Leads, Place, Spot } from '../find/place.js'
 */

// Why an attribute is worth reading, as bits. Attributes with 0 affect neither role, name nor state.
export const TELLS = 1;
export const TELLS_CURRENT = 2;
export const TELLS_BUSY = 4;
export const TELLS_POPUP = 8;
export const TELLS_ACTIVE = 16;
export const TELLS_DESCRIPTION = 32;
const TELLS_LABEL = 64;
const TELLS_LABELS = 128;
export const TELLS_NAME = TELLS_LABEL | TELLS_LABELS; // what else would name the element describes it then
export const TELLS_HIDDEN = 256; // which tells nothing of an element that is shown all the same

// Besides the other ones of ARIA, the attributes that tell something of any element.
/** @type {Map<string, number>} */
const TELLING = new Map([
  ['class', 0],
  ['id', 0],
  ['role', TELLS],
  ['tabindex', TELLS],
  ['inert', TELLS],
  ['onclick', TELLS],
  ['contenteditable', TELLS],
  ['popover', TELLS],
  ['hidden', TELLS_HIDDEN],
  ['autofocus', TELLS],
  ['draggable', TELLS],
  ['usemap', TELLS],
  ['title', TELLS_DESCRIPTION],
  ['aria-describedby', TELLS_DESCRIPTION],
  ['aria-description', TELLS_DESCRIPTION],
  ['aria-label', TELLS_LABEL],
  ['aria-labelledby', TELLS_LABELS],
  ['aria-labeledby', TELLS_LABELS],
  ['aria-current', TELLS_CURRENT],
  ['aria-busy', TELLS_BUSY],
  ['aria-haspopup', TELLS_POPUP],
  ['aria-activedescendant', TELLS_ACTIVE],
]);

export const getAttributeNamesOf = Element.prototype.getAttributeNames;

/**
 * What the attributes of an element tell, as bits.
 * @param {Element} el
 */
export function tellingsOf(el) {
  const names = getAttributeNamesOf.call(el);
  let bits = 0;
  for (let i = 0; i < names.length; i++) bits |= tellingOf(names[i]);
  return bits;
}

/** @param {string} name */
function tellingOf(name) {
  return TELLING.get(name) ?? (name.startsWith('aria-') ? TELLS : 0);
}

/** One element and what has been found out about it; undefined = not asked yet. */
export class Facts {
  /** @param {Element} el */
  constructor(el) {
    this.el = el;
    this.tag = localNameGet.call(el);
    this.html = namespaceGet.call(el) === HTML_NS;
    this.bare = !hasAttributesOf.call(el); // without attributes most questions answer themselves
    this.tells = this.bare ? 0 : tellingsOf(el);
    /** @type {Object<string, string>|null} attributes that it has only by its internals */
    this.internals = anyInternals && this.tag.includes('-') ? internalsOf(el) : null;
    if (this.internals !== null) for (const name of Object.keys(this.internals)) this.tells |= tellingOf(name);
    this.plain = (this.tells & ~TELLS_HIDDEN) === 0; // so they do without ARIA and the like
    /** @type {Facts|null|undefined} */
    this.up = undefined;
    /** @type {RootStyles|undefined} */
    this.root = undefined;
    /** @type {boolean|undefined} whether its text is that of the node, see isLeaf */
    this.leaf = undefined;
    /** @type {boolean|undefined} whether it is one of many by its tag or role, see place.js */
    this.item = undefined;
    /** @type {string|undefined} the text of a leaf, see content.js */
    this.words = undefined;
    /** @type {string|undefined} of an input, see role.js */
    this.type = undefined;
    /** @type {string|undefined} */
    this.role = undefined;
    /** @type {string|undefined} the role by attribute, "" = none */
    this.said = undefined;
    /** @type {string|undefined} */
    this.name = undefined;
    /** @type {string|undefined} see exactName of name.js */
    this.exact = undefined;
    /** @type {number|undefined} */
    this.shown = undefined;
    /** @type {boolean|undefined} whether its contents are skipped, see visibility.js */
    this.locked = undefined;
    /** @type {boolean|undefined} */
    this.open = undefined; // shown, and so is what is in it unless a style hides it
    this.faint = false; // shown, with an opacity of 0
    /** @type {number|undefined} */
    this.hints = undefined;
    /** @type {boolean|undefined} whether something in it can be acted on */
    this.actors = undefined;
    /** @type {number|undefined} */
    this.bits = undefined;
    /** @type {string|undefined} */
    this.casing = undefined;
    /** @type {CSSStyleDeclaration|undefined} */
    this.style = undefined;
    // The place of what is in it; see place.js.
    /** @type {Place|undefined} */
    this.home = undefined;
    /** @type {Spot|undefined} */
    this.spot = undefined;
    /** @type {Leads|undefined} */
    this.leads = undefined;
    /** @type {Leads|undefined} */
    this.leadsAt = undefined;
    // Where it is and how it is painted; see outofsight.js and unseen.js.
    /** @type {DOMRect|undefined} */
    this.place = undefined;
    /** @type {string|undefined} */
    this.veil = undefined;
    /** @type {boolean|undefined} */
    this.shaped = undefined;
    /** @type {boolean|undefined} */
    this.cutOut = undefined;
    /** @type {number|undefined} how much opacities leave of it */
    this.clarity = undefined;
    /** @type {string|null|undefined} what brings it in; see coming.js */
    this.fades = undefined;
    /** @type {string|undefined} */
    this.opens = undefined;
    /** @type {Facts|null|undefined} */
    this.clipper = undefined;
    /** @type {Facts|null|undefined} */
    this.scroller = undefined;
    /** @type {string|undefined} by what lies over it; see covered.js */
    this.over = undefined;
    /** @type {boolean|undefined} */
    this.sunk = undefined;
    /** @type {string|undefined} */
    this.paint = undefined;
    /** @type {number[]|null|undefined} */
    this.ground = undefined;
    /** @type {Generated|null|undefined} */
    this.before = undefined;
    /** @type {Generated|null|undefined} */
    this.after = undefined;
  }
}

/** @type {Map<Element, Facts>|null} */
export let remembered = null;

/** @type {Map<Node, RootStyles>|null} */
let rememberedRoots = null;

/** @type {boolean|null} whether scripts animate something, see styles.js */
let rememberedAnimating = null;

/** @type {Map<Element, Element>|null|undefined} what aria-owns takes where, see ownedElements */
let rememberedOwned;

/**
 * @param {Element} el
 * @returns {Facts}
 */
export function factsOf(el) {
  if (remembered === null) return new Facts(el);
  let facts = remembered.get(el);
  if (facts === undefined) remembered.set(el, (facts = new Facts(el)));
  return facts;
}

/**
 * Runs a synchronous function during which facts are remembered.
 * @template T
 * @param {() => T} run
 * @returns {T}
 */
export function remembering(run) {
  if (remembered !== null) return run();
  nested = 0;
  remembered = new Map();
  rememberedRoots = new Map();
  try {
    return run();
  } finally {
    remembered = null;
    rememberedRoots = null;
    rememberedAnimating = null;
    rememberedOwned = undefined;
    takeAsFlat(false);
    endStyles();
  }
}

/**
 * What find says of the animations, asked once while facts are remembered.
 * @param {() => boolean} find
 */
export function rememberAnimating(find) {
  return remembered === null ? find() : (rememberedAnimating ??= find());
}

/**
 * What find says of aria-owns, asked once while facts are remembered.
 * @param {() => Map<Element, Element>|null} find
 */
export function rememberOwned(find) {
  if (remembered === null) return find();
  if (rememberedOwned === undefined) rememberedOwned = find();
  return rememberedOwned;
}

/**
 * The facts of the parent in the flat tree, or null.
 * @param {Facts} facts
 */
export function parentOf(facts) {
  if (facts.up === undefined) {
    const parent = composedParent(facts.el);
    facts.up = parent === null ? null : factsOf(parent);
  }
  return facts.up;
}

const MOST_NESTED = 100;
let nested = 0;

/**
 * Settles one of the facts of an element, which may ask for the same of its parent. Where such questions lead far up, the fact is settled from the outside
 * in: the stack of a script is not as deep as a document may be.
 * @param {Facts} facts
 * @param {(facts: Facts) => boolean} isSettled
 * @param {(facts: Facts) => void} settleOne
 */
export function settle(facts, isSettled, settleOne) {
  if (nested > MOST_NESTED) {
    const open = [];
    for (let node = parentOf(facts); node !== null && !isSettled(node); node = parentOf(node)) open.push(node);
    for (let node = open.pop(); node !== undefined; node = open.pop()) settleOne(node);
  }
  nested++;
  settleOne(facts);
  nested--;
}

/**
 * What is known of the styles of the tree that the element is in.
 * @param {Facts} facts
 */
export function rootOf(facts) {
  return (facts.root ??= rootStylesOf(getRootNodeOf.call(facts.el)));
}

/** @param {Node} root */
export function rootStylesOf(root) {
  if (rememberedRoots === null) return new RootStyles(treeOf(root));
  let styles = rememberedRoots.get(root);
  if (styles === undefined) rememberedRoots.set(root, (styles = new RootStyles(treeOf(root))));
  return styles;
}

/**
 * What has styles and labels: an element that was taken out of the page has none of its own, and those of the document do not reach it.
 * @param {Node} root
 */
function treeOf(root) {
  return nodeTypeGet.call(root) === DOCUMENT || isShadowRoot(root) ? root : document;
}

/**
 * The value of one of the attributes in TELLING, by the internals where there is none, or null.
 * @param {Facts} facts
 * @param {string} name
 */
export function saidBy(facts, name) {
  if (facts.plain || (facts.tells & tellingOf(name)) === 0) return null;
  const value = getAttributeOf.call(facts.el, name);
  return value === null && facts.internals !== null ? (facts.internals[name] ?? null) : value;
}

/**
 * The attribute's value, or null.
 * @param {Facts} facts
 * @param {string} name
 */
export function attrOf(facts, name) {
  return facts.bare ? null : getAttributeOf.call(facts.el, name);
}

/**
 * The element's computed style; it is live, and valid while the op runs.
 * @param {Facts} facts
 */
export function computedOf(facts) {
  return (facts.style ??= styleOf(facts.el));
}

// Only these can have a shadow tree (DOM, "valid shadow host name"), and elements with a hyphen in their name.
export const HOST_TAGS = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'main',
  'nav',
  'p',
  'section',
  'span',
]);

/**
 * The element's shadow root, or null.
 * @param {Facts} facts
 */
export function shadowIn(facts) {
  return !isFlat && facts.html && (HOST_TAGS.has(facts.tag) || facts.tag.includes('-')) ? shadowOf(facts.el) : null;
}

/**
 * Whether no element is in it and nothing is slotted or shadowed, so that its text is that of the node.
 * @param {Facts} facts
 */
export function isLeaf(facts) {
  return (facts.leaf ??= firstElementGet.call(facts.el) === null && facts.tag !== 'slot' && shadowIn(facts) === null);
}

/** The children of an element in the flat tree, elements and texts, one after the other. */
export class ChildCursor {
  /** @param {Facts} facts */
  constructor(facts) {
    const shadow = shadowIn(facts);
    this.facts = facts;
    this.assigned = shadow === null && facts.tag === 'slot' && facts.html ? assignedNodesOf.call(facts.el) : NO_NODES;
    this.at = 0;
    this.root = shadow === null && this.assigned.length === 0 ? facts.root : undefined;
    this.node = this.assigned.length > 0 ? null : firstChildGet.call(shadow ?? facts.el);
  }

  /** @returns {Node|null} */
  next() {
    if (this.at < this.assigned.length) return this.assigned[this.at++];
    for (let { node } = this; node !== null; node = nextSiblingGet.call(node)) {
      const type = nodeTypeGet.call(node);
      if (type !== TEXT && type !== ELEMENT) continue;
      this.node = nextSiblingGet.call(node);
      return node;
    }
    return (this.node = null);
  }

  /**
   * The facts of a child that is an element.
   * @param {Node} node
   */
  factsOf(node) {
    const child = factsOf(/** @type {Element} */ (node));
    if (child.up === undefined) child.up = this.facts;
    if (child.root === undefined) child.root = this.root;
    return child;
  }
}

/** @type {Node[]} */
export const NO_NODES = [];
