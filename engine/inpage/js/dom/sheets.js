// Style sheets, read once: which elements their rules may match, by the class, tag or id that these select, and what the rules may do there.

import { DOCUMENT, getterOf, nodeTypeGet } from './builtins.js';
import { AFTER, ALL_BITS, BEFORE, CASES, effectsOf, LIES, LIES_OVER, OF_ELEMENTS } from './declarations.js';
import { isShadowRoot } from './dom.js';

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

/** @param {Node} root */
export function sheetsOf(root) {
  if (nodeTypeGet.call(root) === DOCUMENT) return [...documentSheetsGet.call(root), ...documentAdoptedGet.call(root)];
  return isShadowRoot(root) ? [...shadowSheetsGet.call(root), ...shadowAdoptedGet.call(root)] : NO_SHEETS;
}

/** @returns {StyleIndex} */
function emptyIndex() {
  return { all: 0, classes: new Map(), tags: new Map(), ids: new Map(), others: [], host: 0, slotted: 0 };
}

/** What is known of sheets that are not read: their rules may match anything. */
export const UNREAD = Object.freeze({ ...emptyIndex(), all: ALL_BITS, host: ALL_BITS, slotted: ALL_BITS });

/**
 * What is known of each sheet, and how many rules reading the others would begin with. Null: one of them cannot be read, so that it is of no use to
 * read the others.
 * @param {CSSStyleSheet[]} sheets
 * @returns {{parts: (StyleIndex|undefined)[], unread: number}|null}
 */
export function readSoFar(sheets) {
  const parts = [];
  let unread = 0;
  for (const sheet of sheets) {
    const rules = rulesOf(sheet);
    if (rules === null) return null;
    const known = knownIndex(sheet, rules);
    parts.push(known);
    if (known === undefined) unread += rules.length;
  }
  return { parts, unread };
}

/** @type {WeakMap<StyleIndex, {parts: StyleIndex[], whole: StyleIndex}>} by the first part */
const mergedBefore = new WeakMap();

/**
 * What the rules of sheets may do.
 * @param {CSSStyleSheet[]} sheets
 * @param {(StyleIndex|undefined)[]} known what was read of each
 * @returns {StyleIndex}
 */
export function indexOf(sheets, known) {
  const parts = sheets.map((sheet, i) => known[i] ?? sheetIndex(sheet));
  if (parts.length === 0) return emptyIndex();
  if (parts.length === 1) return parts[0];
  const before = mergedBefore.get(parts[0]);
  if (before?.parts.length === parts.length && parts.every((part, i) => part === before.parts[i])) return before.whole;
  const whole = mergedIndex(parts);
  mergedBefore.set(parts[0], { parts, whole });
  return whole;
}

/**
 * @param {StyleIndex[]} indexes
 * @returns {StyleIndex}
 */
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
 * The rules of a sheet; null for one of another origin, which cannot be read.
 * @param {CSSStyleSheet} sheet
 * @returns {CSSRuleList|null}
 */
function rulesOf(sheet) {
  try {
    return cssRulesGet.call(sheet);
  } catch {
    return null;
  }
}

/**
 * What was read of a sheet, unless it was changed: its number of rules and their ends tell that.
 * @param {CSSStyleSheet} sheet
 * @param {CSSRuleList} rules its own
 */
function knownIndex(sheet, rules) {
  const known = knownSheets.get(sheet);
  const count = rules.length;
  return known?.count === count && known.first === rules[0] && known.last === rules[count - 1] ? known.index : undefined;
}

/**
 * Reads a sheet once.
 * @param {CSSStyleSheet} sheet
 * @returns {StyleIndex}
 */
function sheetIndex(sheet) {
  const rules = rulesOf(sheet);
  if (rules === null) return UNREAD;
  const known = knownIndex(sheet, rules);
  if (known !== undefined) return known;
  const index = emptyIndex();
  readRules(rules, [], index);
  knownSheets.set(sheet, { count: rules.length, first: rules[0], last: rules[rules.length - 1], index });
  return index;
}

/**
 * Reads rules. What a rule has is read once, since the browser creates it again each time.
 * @param {CSSRuleList} rules
 * @param {string[]} parents the selectors of the rule around nested rules
 * @param {StyleIndex} index
 */
function readRules(rules, parents, index) {
  const count = rules.length;
  for (let i = 0; i < count; i++) {
    const rule = /** @type {any} */ (rules[i]);
    if (rule instanceof CSSStyleRule) readStyleRule(rule, parents, index);
    else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null) Object.assign(index, mergedIndex([index, sheetIndex(rule.styleSheet)]));
    } else if (rule.cssRules !== undefined) readRules(rule.cssRules, parents, index);
    else if (rule.style !== undefined && parents.length > 0) addSelectors(parents, effectsOf(rule.style), index); // behind nested rules
  }
}

/** @param {CSSStyleRule} rule @param {string[]} parents @param {StyleIndex} index */
function readStyleRule(rule, parents, index) {
  const bits = effectsOf(rule.style);
  /** @type {CSSRuleList|undefined} */
  const inner = rule.cssRules; // Chrome 112 is the first with nested rules
  const holdsRules = inner !== undefined && inner.length > 0;
  if (bits === 0 && !holdsRules) return;
  const selectors = nested(rule.selectorText, parents);
  addSelectors(selectors, bits, index);
  if (holdsRules) readRules(inner, selectors, index);
}

/** @param {string[]} selectors @param {number} bits @param {StyleIndex} index */
function addSelectors(selectors, bits, index) {
  if (bits !== 0) for (const selector of selectors) addSelector(selector, bits, index);
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
    bits = (bits & (pseudo[1].toLowerCase() === 'before' ? BEFORE : AFTER)) | ((bits & LIES) === 0 ? 0 : LIES_OVER);
    selector = selector.replace(PSEUDO, '');
  } else bits &= OF_ELEMENTS;
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
