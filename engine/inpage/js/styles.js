// The effects of style sheets that a walk needs for every element: a pointer cursor, text before and after, letter case, colors. Computing each
// element's style costs more than the rest of a walk, so the rules are read instead. They are indexed by the class, tag or id that they select; only
// elements with one of these get their style computed.

import { labelControlGet } from './access.js';
import {
  assignedSlotGet,
  DOCUMENT,
  ELEMENT,
  getAttributeOf,
  getterOf,
  hasAttributeOf,
  localNameGet,
  matchesOfElement,
  nodeTypeGet,
  shadowRootGet,
} from './builtins.js';
import { isHTMLElement, isShadowRoot, queryAll } from './dom.js';
import { computedOf, parentOf, rememberAnimating, rootOf, rootStylesOf, shadowIn } from './facts.js';

/** @import { Facts } from './facts.js' */

export const BEFORE = 1; // ::before with content
export const AFTER = 2;
export const POINTS = 4; // cursor
const CASES = 8; // text-transform, -webkit-text-security
export const REPLACES = 16; // content of the element itself, which is an image
export const LOCKS = 32; // content-visibility
export const BARS = 64; // interactivity
export const VEILS = 128; // what may keep text from being seen: clip, clip-path, text-indent
export const SHAPES = 256; // what may take an element out of sight: sizes, places, transforms
export const COLORS = 512; // color, background
export const CLIPS = 2048; // overflow that is hidden
export const HIDES = 1024; // display, visibility, opacity, content-visibility, animations
const ALL_BITS = HIDES | CLIPS | BEFORE | AFTER | POINTS | CASES | REPLACES | LOCKS | BARS | VEILS | SHAPES | COLORS;

/**
 * Which elements rules may match, as bits by what the elements have.
 * @typedef {Object} StyleIndex
 * @property {number} all                    bits of rules that may match anything
 * @property {Map<string, number>} classes
 * @property {Map<string, number>} tags
 * @property {Map<string, number>} ids
 * @property {[string, number][]} others selectors that need to be tried
 * @property {number} host                   bits for the host of the shadow tree
 * @property {number} slotted                bits for what is slotted into it
 */

/** @type {WeakMap<CSSStyleSheet, {count: number, first: CSSRule|undefined, last: CSSRule|undefined, index: StyleIndex}>} */
let knownSheets = new WeakMap();

/** What was read of style sheets counts no more: a script may have rewritten a rule in place. */
export function forgetSheets() {
  knownSheets = new WeakMap();
}

const cssRulesGet = getterOf(CSSStyleSheet.prototype, 'cssRules');
const documentSheetsGet = getterOf(Document.prototype, 'styleSheets');
const documentAdoptedGet = getterOf(Document.prototype, 'adoptedStyleSheets');
const shadowSheetsGet = getterOf(ShadowRoot.prototype, 'styleSheets');
const shadowAdoptedGet = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');

// Attributes by which an element may have such a style of its own, and the properties that matter there.
const STYLED = '[style],[cursor],[part],[bgcolor],font[color],body[text]';
const TELLING_STYLE = new RegExp(
  [
    'display',
    'visibility',
    'opacity',
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
let casedShadows = false;

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
    /** @type {Set<Element>|undefined} */
    this.special = sheets === NO_SHEETS ? NO_ELEMENTS : undefined;
  }

  /** Whether something in the tree may change the case of letters. Who asks for a few elements only has to look at them. */
  mayCase() {
    if (this.cased === undefined && ++this.asked > ASKED_SINGLY) this.cased = queryAll(this.node, CASED).length > 0;
    return this.cased ?? true;
  }

  /**
   * Whether the element may have a style of its own that matters.
   * @param {Element} el
   */
  isSpecial(el) {
    if (this.special === undefined) {
      if (++this.asked <= ASKED_SINGLY) return matchesOfElement.call(el, STYLED) && tellsByItself(el);
      this.special = new Set([...queryAll(this.node, STYLED)].filter(tellsByItself));
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
  return document.getAnimations().some((animation) => !(animation instanceof CSSAnimation) && !(animation instanceof CSSTransition));
}

/** @param {StyleIndex} index */
function setsCase(index) {
  if (index.all & CASES || index.host & CASES || index.slotted & CASES) return true;
  for (const map of [index.classes, index.tags, index.ids]) for (const bits of map.values()) if (bits & CASES) return true;
  return index.others.some(([, bits]) => bits & CASES);
}

/** @type {CSSStyleSheet[]} */
const NO_SHEETS = [];
const NO_ELEMENTS = new Set();
/** @type {Element[]} */
const NO_LABELS = [];

/** @param {Node} root */
function sheetsOf(root) {
  if (nodeTypeGet.call(root) === DOCUMENT) return [...documentSheetsGet.call(root), ...documentAdoptedGet.call(root)];
  return isShadowRoot(root) ? [...shadowSheetsGet.call(root), ...shadowAdoptedGet.call(root)] : NO_SHEETS;
}

/** @returns {StyleIndex} */
function emptyIndex() {
  return { all: 0, classes: new Map(), tags: new Map(), ids: new Map(), others: [], host: 0, slotted: 0 };
}

/** @param {StyleIndex[]} indexes */
function mergedIndex(indexes) {
  const whole = emptyIndex();
  for (const index of indexes) {
    whole.all |= index.all;
    whole.host |= index.host;
    whole.slotted |= index.slotted;
    for (const kind of /** @type {const} */ (['classes', 'tags', 'ids']))
      for (const [key, bits] of index[kind]) addBits(whole[kind], key, bits);
    whole.others.push(...index.others);
  }
  return whole;
}

/**
 * @param {string} key @param {number} bits
 * @param {Map<string, number>} map
 */
function addBits(map, key, bits) {
  map.set(key, (map.get(key) ?? 0) | bits);
}

/**
 * Reads a sheet once; its number of rules and their ends tell whether it was changed. Sheets of other origins cannot be read.
 * @param {CSSStyleSheet} sheet
 */
function sheetIndex(sheet) {
  let rules;
  try {
    rules = cssRulesGet.call(sheet);
  } catch {
    return { ...emptyIndex(), all: ALL_BITS };
  }
  const count = rules.length;
  const known = knownSheets.get(sheet);
  if (known && known.count === count && known.first === rules[0] && known.last === rules[count - 1]) return known.index;
  const index = emptyIndex();
  readRules(rules, [], index);
  knownSheets.set(sheet, { count, first: rules[0], last: rules[count - 1], index });
  return index;
}

/**
 * @param {Iterable<any>} rules @param {string[]} parents the selectors of the rule around nested rules
 * @param {StyleIndex} index
 */
function readRules(rules, parents, index) {
  for (const rule of rules) {
    if (rule.style && (rule.selectorText !== undefined || parents.length > 0)) readRule(rule, parents, index);
    else if (rule instanceof CSSImportRule && rule.styleSheet) Object.assign(index, mergedIndex([index, sheetIndex(rule.styleSheet)]));
    if (rule.cssRules && rule.cssRules.length > 0) {
      readRules(rule.cssRules, rule.selectorText === undefined ? parents : nested(rule.selectorText, parents), index);
    }
  }
}

/**
 * @param {string[]} parents
 * @param {CSSRule & {style: CSSStyleDeclaration, selectorText?: string, cssRules?: CSSRuleList, styleSheet?: CSSStyleSheet|null}} rule
 * @param {StyleIndex} index
 */
function readRule(rule, parents, index) {
  const { style } = rule;
  const { content, cursor } = style;
  let bits = 0;
  if (content !== '' && content !== 'none' && content !== 'normal' && content !== '""') bits = BEFORE | AFTER;
  if (cursor !== '' && /pointer|var\(|url\(/.test(cursor)) bits |= POINTS;
  if (/url\(|image\(/.test(content)) bits |= REPLACES;
  if (style.contentVisibility === 'hidden') bits |= LOCKS;
  if (style.interactivity) bits |= BARS;
  if (style.textTransform !== '' || style.webkitTextSecurity !== '') bits |= CASES;
  if (style.color !== '' || style.backgroundColor !== '' || style.backgroundImage !== '' || style.webkitTextFillColor !== '')
    bits |= COLORS;
  if (mayHide(style)) bits |= HIDES;
  if (mayVeil(style)) bits |= VEILS;
  if (/hidden|clip|var/.test(style.overflowX + style.overflowY)) bits |= CLIPS;
  if (mayShape(style)) bits |= SHAPES;
  if (bits === 0) return;
  for (const selector of rule.selectorText === undefined ? parents : nested(rule.selectorText, parents)) addSelector(selector, bits, index);
}

/**
 * Scripts also change rules in place, without an event: a rule that shows an element now may hide it the next time.
 * @param {CSSStyleDeclaration} style
 */
function mayHide(style) {
  const { display } = style;
  if (display === 'none' || display.includes('var(') || (display !== '' && style.length === 1)) return true;
  return (
    style.visibility !== '' || style.opacity !== '' || style.contentVisibility !== '' || style.animationName !== '' || style.all !== ''
  );
}

/** @param {CSSStyleDeclaration} style */
function mayVeil(style) {
  const { clip, clipPath, textIndent } = style;
  if ((clip !== '' && clip !== 'auto') || (clipPath !== '' && clipPath !== 'none')) return true;
  return textIndent !== '' && /^-|calc|var/.test(textIndent);
}

const SMALL = /^-?0?(\.[0-2]\d*)?(px|em|rem|%|vh|vw|pt)?$|^[12](\.\d+)?px$|var|calc/; // 2px at most
const FAR = /^-\d{2}|var|calc|[0-9](v[wh]|%)$/;

/** @param {CSSStyleDeclaration} style */
function mayShape(style) {
  const { width, height, maxWidth, maxHeight, fontSize, transform, scale, rotate, translate, zoom, position } = style;
  for (const size of [width, height, maxWidth, maxHeight, fontSize]) if (size !== '' && SMALL.test(size)) return true;
  if (position === 'fixed' || zoom !== '') return true;
  for (const change of [transform, scale, rotate, translate]) if (change !== '' && change !== 'none') return true;
  for (const side of [style.left, style.top, style.right, style.bottom, style.marginLeft, style.marginTop, style.marginRight]) {
    if (side !== '' && FAR.test(side)) return true;
  }
  return false;
}

/**
 * The selectors of a nested rule with those around it put in.
 * @param {string} text
 * @param {string[]} parents
 */
function nested(text, parents) {
  const own = splitSelectors(text);
  if (parents.length === 0) return own;
  return own.flatMap((selector) =>
    parents.map((parent) => (selector.includes('&') ? selector.replaceAll('&', parent) : parent + ' ' + selector)),
  );
}

/**
 * The parts of a selector list.
 * @param {string} text
 */
function splitSelectors(text) {
  if (!text.includes(',')) return [text];
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim());
}

const PSEUDO = /::?(before|after)(?![\w-])/i;
const SUBJECT = /(?:\\.|[^\s>+~\\])*$/; // the last compound of a selector without parentheses
const CLASS_OR_ID = /([.#])((?:\\.|[\w-]|[\u0080-\uffff])+)/;
const TAG = /^(?:\*\|)?([\w-]+)/;

/**
 * Sorts a selector by what its subject, the last compound, asks for.
 * @param {string} selector
 * @param {number} bits
 * @param {StyleIndex} index
 */
function addSelector(selector, bits, index) {
  const pseudo = PSEUDO.exec(selector);
  if (pseudo !== null) {
    // Whatever else the rule says of the pseudo-element is read together with its content.
    bits &= pseudo[1].toLowerCase() === 'before' ? BEFORE : AFTER;
    selector = selector.replace(PSEUDO, '');
  } else bits &= HIDES | CLIPS | POINTS | CASES | REPLACES | LOCKS | BARS | VEILS | SHAPES | COLORS;
  if (bits === 0 || /::(?!slotted|part)/.test(selector)) return;
  const plain = selector.replace(/\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)/g, (all) => (all[0] === '[' ? '[]' : '()'));
  const subject = SUBJECT.exec(plain)?.[0] ?? '';
  if (subject.includes('::slotted')) index.slotted |= bits;
  else if (subject.startsWith(':host')) index.host |= bits;
  else if (!subject.includes('::part')) addSubject(subject, selector, bits, index);
}

/**
 * @param {string} subject @param {string} selector @param {number} bits
 * @param {StyleIndex} index
 */
function addSubject(subject, selector, bits, index) {
  const named = subject.replace(/(?<!\\):[\w-]+/g, ''); // pseudo-classes only say when
  const key = CLASS_OR_ID.exec(named);
  const tag = TAG.exec(named);
  if (key !== null) addBits(key[1] === '.' ? index.classes : index.ids, unescaped(key[2]), bits);
  else if (tag !== null) addBits(index.tags, tag[1].toLowerCase(), bits);
  else if (named.includes('[]') && !/:host|:scope|&/.test(selector)) index.others.push([selector, bits]);
  else index.all |= bits;
}

/** @param {string} name */
export function unescaped(name) {
  if (!name.includes('\\')) return name;
  return name.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : char));
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

/**
 * Text in the case in which it is shown.
 * @param {string} text
 * @param {Facts} facts
 */
export function cased(text, facts) {
  switch (caseOf(facts)) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    case 'disc':
      return text.replace(/./gsu, '•');
    case 'circle':
      return text.replace(/./gsu, '◦');
    case 'square':
      return text.replace(/./gsu, '■');
    default:
      return text;
  }
}

// Chrome's own style sheet keeps these from inheriting text-transform.
const CASELESS = new Set(['input', 'textarea', 'select', 'button']);

/**
 * text-transform, or the shape of the dots in which text is hidden.
 * @param {CSSStyleDeclaration} style
 */
function shownCase(style) {
  const { webkitTextSecurity } = style;
  return webkitTextSecurity === 'none' ? style.textTransform : webkitTextSecurity;
}

/**
 * The text-transform of an element, which is inherited.
 * @param {Facts} facts
 * @returns {string}
 */
function caseOf(facts) {
  if (facts.casing === undefined) {
    const root = rootOf(facts);
    // What is slotted inherits from the shadow tree that it is shown in.
    const slotted = facts.up === undefined ? assignedSlotGet.call(facts.el) !== null : facts.up?.tag === 'slot';
    const isPlain = !casedShadows && !slotted && !root.mayCase();
    if (isPlain && nodeTypeGet.call(root.node) === DOCUMENT) return (facts.casing = 'none');
    const parent = parentOf(facts);
    if (styleBits(facts) & CASES) facts.casing = shownCase(computedOf(facts));
    else facts.casing = parent === null || CASELESS.has(facts.tag) ? 'none' : caseOf(parent);
  }
  return facts.casing;
}
