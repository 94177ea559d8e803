// Style sheets, read once: which elements their rules may match, by the class, tag or id that these select, and what the rules may do there.

import { DOCUMENT, getterOf, nodeTypeGet } from './builtins.js';
import { isShadowRoot } from './dom.js';

export const BEFORE = 1; // ::before with content
export const AFTER = 2;
export const POINTS = 4; // cursor
export const CASES = 8; // text-transform, -webkit-text-security
export const REPLACES = 16; // content of the element itself, which is an image
export const LOCKS = 32; // content-visibility
export const BARS = 64; // interactivity
export const VEILS = 128; // what may keep text from being seen: clip, clip-path, text-indent, almost no opacity, filters
export const SHAPES = 256; // what may take an element out of sight: sizes, places, transforms
export const COLORS = 512; // color, background
export const CLIPS = 2048; // overflow that is hidden
export const HIDES = 1024; // display, visibility, opacity, content-visibility, animations
export const ALL_BITS = HIDES | CLIPS | BEFORE | AFTER | POINTS | CASES | REPLACES | LOCKS | BARS | VEILS | SHAPES | COLORS;

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
export const documentSheetsGet = getterOf(Document.prototype, 'styleSheets');
export const documentAdoptedGet = getterOf(Document.prototype, 'adoptedStyleSheets');
const shadowSheetsGet = getterOf(ShadowRoot.prototype, 'styleSheets');
const shadowAdoptedGet = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');

/** @param {StyleIndex} index */
export function setsCase(index) {
  if (index.all & CASES || index.host & CASES || index.slotted & CASES) return true;
  for (const map of [index.classes, index.tags, index.ids]) for (const bits of map.values()) if (bits & CASES) return true;
  return index.others.some(([, bits]) => bits & CASES);
}

/** @type {CSSStyleSheet[]} */
export const NO_SHEETS = [];
export const NO_ELEMENTS = new Set();
/** @type {Element[]} */
export const NO_LABELS = [];

/** @param {Node} root */
export function sheetsOf(root) {
  if (nodeTypeGet.call(root) === DOCUMENT) return [...documentSheetsGet.call(root), ...documentAdoptedGet.call(root)];
  return isShadowRoot(root) ? [...shadowSheetsGet.call(root), ...shadowAdoptedGet.call(root)] : NO_SHEETS;
}

/** @returns {StyleIndex} */
function emptyIndex() {
  return { all: 0, classes: new Map(), tags: new Map(), ids: new Map(), others: [], host: 0, slotted: 0 };
}

/** @param {StyleIndex[]} indexes */
export function mergedIndex(indexes) {
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
export function sheetIndex(sheet) {
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
  const { clip, clipPath, textIndent, opacity, filter } = style;
  if ((clip !== '' && clip !== 'auto') || (clipPath !== '' && clipPath !== 'none')) return true;
  if (/^0\.0[0-2]|e-|var|calc/.test(opacity) || /opacity|var/.test(filter)) return true; // see FAINTEST; an opacity of 0 hides
  return textIndent !== '' && /^-|^\d{3}|%$|v[wh]$|calc|var/.test(textIndent);
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
