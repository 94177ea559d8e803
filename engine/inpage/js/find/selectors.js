// Op selectors: how elements are found again. A selector is handed out only if it is looked for here, the way commands do it, and finds exactly
// that one element.

import { isConnected } from '../dom/access.js';
import { getterOf, nextElementGet, parentElementGet, queryAllOf, textContentGet } from '../dom/builtins.js';
import { inLandmark, nameTest } from './conditions.js';
import { attr, localName } from '../dom/dom.js';
import { factsOf, parentOf, remembering } from '../dom/facts.js';
import { withRole } from './find.js';
import { isVisible } from '../dom/geometry.js';
import { matchCSS } from './locate.js';
import { nameOf } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { roleOf, semanticRole } from '../ax/role.js';
import { elementsShowing, plain } from '../dom/text.js';
import { elementOf } from '../dom/tokens.js';

// Of an element that many things are like, a place among them says little on another day.
const NTH_AT_MOST = 200;
const ALTERNATIVES = 4;
const TEXT_AT_MOST = 80;
const LONGEST_PATH = 100; // a longer one would be of no use to anybody, and to try them all takes long
const PATH_AT_MOST = 5;

// Roles that say nothing by themselves.
const VAGUE_ROLES = new Set(['', 'generic', 'none', 'presentation', 'paragraph', 'statictext']);

// The words of selectors for the landmarks that summaries name.
/** @type {[string, string][]} */
const LANDMARK_WORDS = [
  ['main', 'main'],
  ['navigation', 'nav'],
  ['banner', 'header'],
  ['contentinfo', 'footer'],
  ['complementary', 'aside'],
];

// What authors give an element so that programs find it.
export const TEST_ATTRIBUTES = ['data-testid', 'data-test', 'data-test-id', 'data-cy', 'data-qa'];

// Generated ids and names, which differ with each load: long numbers, a colon, the prefixes of frameworks.
const MADE_UP = /\d{3,}|[:.]|^(ember|react|radix|headlessui|mui|mat-|cdk-|ext-gen|yui|:r)|[0-9a-f]{8,}/i;

/**
 * @typedef {Object} FoundAgain
 * @property {string} kind
 * @property {string} [role]
 * @property {string} [name]
 * @property {string} [nameMode]
 * @property {string} [text]
 * @property {string} [css]
 * @property {string} [withinLandmark]
 * @property {number} [nth]
 */

/**
 * The selectors of elements, the best first: null for an element that is gone.
 * @param {{tokens: number[]}} arg
 * @returns {{found: ({selectors: FoundAgain[], name: string, role: string, landmark: string}|null)[]}}
 */
ops.selectors = ({ tokens }) =>
  remembering(() => {
    const finder = new Finder();
    return {
      found: tokens.map((token) => {
        const el = elementOf(token);
        if (el === null || !isConnected(el)) return null;
        const landmark = finder.landmarkOf(el);
        return { selectors: finder.selectorsOf(el), name: nameOf(el), role: roleOf(el), landmark: landmark === null ? '' : landmark[1] };
      }),
    };
  });

/** Keeps what several elements of one call ask for: all that have a role, say. */
export class Finder {
  constructor() {
    /** @type {Map<string, Element[]>} */
    this.roles = new Map();
  }

  /** @param {Element} el @returns {FoundAgain[]} */
  selectorsOf(el) {
    const role = this.byRole(el);
    const all = [role, this.byText(el), ...this.byCSS(el)].filter((one) => one !== null);
    if (role !== null && role.nth !== undefined) {
      const css = itemCSS(el); // which item it is of says more than its place, which changes when items come and go
      if (css !== '') all.unshift({ kind: 'css', css });
    }
    if (all.length === 0) {
      const path = pathCSS(el, LONGEST_PATH); // of one that is like others in every way
      if (path !== '') all.push({ kind: 'css', css: path });
    }
    return all.slice(0, 1 + ALTERNATIVES);
  }

  /**
   * The nearest landmark around an element that summaries name.
   * @param {Element} el
   */
  landmarkOf(el) {
    for (let node = parentOf(factsOf(el)); node; node = parentOf(node)) {
      const role = semanticRole(node);
      const known = LANDMARK_WORDS.find((words) => words[0] === role);
      if (known !== undefined) return known;
    }
    return null;
  }

  /** @param {string} role */
  withRole(role) {
    let els = this.roles.get(role);
    if (els === undefined) this.roles.set(role, (els = withRole(role)));
    return els;
  }

  /**
   * @param {Element} el
   * @returns {FoundAgain|null}
   */
  byRole(el) {
    const role = roleOf(el);
    if (VAGUE_ROLES.has(role.toLowerCase())) return null;
    const name = plain(nameOf(el));
    const els = this.withRole(role);
    /** @type {FoundAgain} */
    const selector = { kind: 'role', role };
    let same = els;
    if (name !== '') {
      selector.name = name;
      selector.nameMode = 'exact';
      const test = nameTest({ name, exact: true });
      same = els.filter((one) => test === null || test(nameOf(one)));
    }
    return this.narrowed(selector, same, el);
  }

  /**
   * Says what tells an element from others that a selector finds, or null when nothing does.
   * @param {FoundAgain} selector
   * @param {Element[]} els
   * @param {Element} el
   */
  narrowed(selector, els, el) {
    if (els.length === 1 && els[0] === el) return selector;
    if (!els.includes(el)) return null;
    const landmark = this.landmarkOf(el);
    if (landmark !== null) {
      const near = els.filter(inLandmark({ role: landmark[0] }));
      if (near.length < els.length) {
        selector.withinLandmark = landmark[1];
        if (near.length === 1) return selector;
        els = near;
      }
    }
    const nth = els.indexOf(el);
    if (nth >= NTH_AT_MOST) return null;
    selector.nth = nth;
    return selector;
  }

  /**
   * @param {Element} el
   * @returns {FoundAgain|null}
   */
  byText(el) {
    if (isVisible(el) === false) return null;
    const text = plain(textContentGet.call(el) ?? '');
    if (text === '' || text.length > TEXT_AT_MOST) return null;
    const els = elementsShowing(document, text, false);
    return els.includes(el) ? this.narrowed({ kind: 'text', text }, els, el) : null;
  }

  /**
   * @param {Element} el
   * @returns {FoundAgain[]}
   */
  byCSS(el) {
    const found = [];
    for (const css of candidateCSS(el)) {
      if (isTheOne(css, el)) found.push({ kind: 'css', css });
      if (found.length === 2) return found;
    }
    if (found.length === 0) {
      const path = pathCSS(el, PATH_AT_MOST);
      if (path !== '') found.push({ kind: 'css', css: path });
    }
    return found;
  }
}

/**
 * Whether commands that are given this take just that element.
 * @param {string} css
 * @param {Element} el
 */
function isTheOne(css, el) {
  const matched = matchCSS(css);
  return !matched.error && matched.els.length === 1 && matched.els[0] === el;
}

/** @param {Element} el */
function* candidateCSS(el) {
  const tag = CSS.escape(localName(el));
  for (const name of TEST_ATTRIBUTES) {
    const value = attr(el, name);
    if (value) yield `[${name}=${quotedCSS(value)}]`;
  }
  const id = attr(el, 'id');
  if (id && !MADE_UP.test(id)) yield '#' + CSS.escape(id);
  const name = attr(el, 'name');
  if (name && !MADE_UP.test(name)) yield `${tag}[name=${quotedCSS(name)}]`;
  const label = attr(el, 'aria-label');
  if (label && label.length <= TEXT_AT_MOST) yield `${tag}[aria-label=${quotedCSS(label)}]`;
  const href = attr(el, 'href');
  if (href && href.length <= 200 && href !== '#' && !/^javascript:/i.test(href)) yield `${tag}[href=${quotedCSS(href)}]`;
  const placeholder = attr(el, 'placeholder');
  if (placeholder && placeholder.length <= TEXT_AT_MOST) yield `${tag}[placeholder=${quotedCSS(placeholder)}]`;
}

/** @param {string} value */
function quotedCSS(value) {
  return '"' + value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ').replace(/\r/g, '\\d ').replace(/\f/g, '\\c ') + '"';
}

/**
 * The shortest path to an element from one with an id, or by position. Empty: none that is short enough.
 * @param {Element} el
 * @param {number} most how many elements it may go through
 */
function pathCSS(el, most) {
  let path = '';
  for (let node = el, steps = 0; node !== null && steps < most; node = parentElementGet.call(node), steps++) {
    const id = attr(node, 'id');
    const here = node !== el && id && !MADE_UP.test(id) ? '#' + CSS.escape(id) : CSS.escape(localName(node)) + ofType(node);
    path = path === '' ? here : here + ' > ' + path;
    if (isTheOne(path, el)) return path;
  }
  return '';
}

const ITEM_WITHIN = 6;
const ITEM_TRIES = 12;
const TELLS_ITEMS_APART = 'a[href],[id],[name],' + TEST_ATTRIBUTES.map((name) => `[${name}]`).join(',');

/**
 * The path to an element from the item of a list that it is in, where something in the item is told from all others by what its author has given it.
 * Empty: there is no such thing.
 * @param {Element} el
 */
function itemCSS(el) {
  let path = '';
  let tries = 0;
  let item = el;
  for (let steps = 0; steps < ITEM_WITHIN; steps++) {
    const parent = parentElementGet.call(item);
    if (parent === null) return '';
    path = ' > ' + CSS.escape(localName(item)) + ofType(item) + path;
    item = parent;
    if (ofType(item) === '') continue;
    const tag = CSS.escape(localName(item));
    for (const css of candidateCSS(item)) if (isTheOne(css + path, el)) return css + path;
    for (const inner of queryAllOf.call(item, TELLS_ITEMS_APART)) {
      for (const css of inner === el ? [] : candidateCSS(inner)) {
        if (isTheOne(css, inner) && isTheOne(`${tag}:has(${css})${path}`, el)) return `${tag}:has(${css})${path}`;
        if (++tries > ITEM_TRIES) return '';
      }
    }
  }
  return '';
}

/**
 * Which of the siblings with its tag an element is, where there are several.
 * @param {Element} el
 */
function ofType(el) {
  const tag = localName(el);
  let nth = 1;
  let others = 0;
  for (let node = previousElementGet.call(el); node !== null; node = previousElementGet.call(node)) if (localName(node) === tag) nth++;
  for (let node = nextElementGet.call(el); node !== null && others === 0; node = nextElementGet.call(node))
    if (localName(node) === tag) others++;
  return nth === 1 && others === 0 ? '' : `:nth-of-type(${nth})`;
}

const previousElementGet = getterOf(Element.prototype, 'previousElementSibling');
