// The text that a person sees in a tree, as one string with a way back from each stretch to the element that it belongs to. `find text`
// and `wait` for text read it. Hidden content, scripts and titles are not in it, open shadow trees and slots are flattened, and what CSS
// puts on lines or in cells of their own is separated by a space.

import { nodeTypeGet, styleOf, TEXT, textContentGet } from './builtins.js';
import { Descent } from './descent.js';
import { attr, children, composedParent, elementRoot, isElement, localName, queryAll } from './dom.js';
import { isClippedOff } from './geometry.js';
import { queryEverywhere, shadowRoots } from './shadow.js';
import { isRendered } from './visibility.js';

/**
 * @typedef {Object} TextIndex
 * @property {string} text     whitespace collapsed, zero-width characters removed, before text-transform; it is there once all has been entered
 * @property {string[]} parts what it is made of: to look at the end of a text that grows, the browser would copy all of it
 * @property {number} size    how long it is so far
 * @property {boolean} spaced whether it ends with a space so far
 * @property {Element[]} els   the elements that were entered, in pre-order
 * @property {number[]} up     index of each one's parent, -1 at the top
 * @property {number[]} from   where its text begins
 * @property {number[]} to     and ends
 * @property {number[]} at     where each run of text begins
 * @property {number[]} owner  index of the element that the run belongs to
 * @property {number} limit   how much text is enough
 * @property {(el: Element) => boolean} skip  whether an element can be left out
 * @property {number[]} edges  where what is on lines or in cells of its own begins
 * @property {Descent} descent the elements that are being entered
 * @property {boolean[]} cased whether text-transform changes the run's case
 */

export const TEXTLESS = new Set([
  'script',
  'style',
  'title',
  'noscript',
  'template',
  'head',
  'textarea',
  'iframe',
  'object',
  'embed',
  'canvas',
  'video',
  'audio',
  'datalist',
  'desc',
  'metadata',
  'defs',
]);
const BUTTON_TYPES = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
  ['button', ''],
]);
const ZERO_WIDTH = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]+/g;
// Those, and the characters of icon fonts, which stand for pictures: snapshots leave them out of names and texts.
const INVISIBLE_CHARS = /(?:[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ue000-\uf8ff\ufeff]|[\udb80-\udbff][\udc00-\udfff])+/g;
const SPACES = /[\s\u00a0]+/g;

/**
 * Text as it is compared: whitespace collapsed and trimmed, zero-width characters removed, and those of icon fonts, unless there is nothing else.
 * @param {string} text
 */
export function plain(text) {
  const all = String(text);
  return collapsed(all.replace(INVISIBLE_CHARS, '')) || collapsed(all.replace(ZERO_WIDTH, ''));
}

/** @param {string} text */
function collapsed(text) {
  return text.replace(SPACES, ' ').trim();
}

/**
 * Lower case of the same length, so that positions keep their meaning ("İ".toLowerCase() has two code units).
 * @param {string} text
 */
export function lower(text) {
  const all = text.toLowerCase();
  if (all.length === text.length) return all;
  return Array.from({ length: text.length }, (_, i) => {
    const one = text[i].toLowerCase();
    return one.length === 1 ? one : text[i];
  }).join('');
}

// Stands for text that was left out since the needle cannot be in it.
const GAP = '\u0000';

/**
 * @param {Node} root
 * @param {{needle?: string, limit?: number}} [only] needle: leave out what cannot be a part of it; limit: stop after so much text
 * @returns {TextIndex}
 */
function indexText(root, { needle = '', limit = Infinity } = {}) {
  /** @type {TextIndex} */
  const index = {
    text: '',
    parts: [],
    size: 0,
    spaced: false,
    els: [],
    up: [],
    from: [],
    to: [],
    at: [],
    owner: [],
    edges: [],
    cased: [],
    descent: new Descent(),
    limit,
    skip: needle ? skipper(lower(needle)) : () => false,
  };
  const top = root === document ? elementRoot() : root;
  if (top) enterText(index, top, -1);
  index.descent.run();
  index.text = index.parts.join('');
  return index;
}

/**
 * Returns a test for elements that cannot contain any part of an occurrence of the needle: their raw text has none of its words, is not a
 * substring of it, and does not overlap its start or end. On a large page that excludes nearly every element, without computing styles.
 * @param {string} needle
 */
function skipper(needle) {
  const words = needle.split(' ');
  const squeezed = words.join('');
  const apart = elementsApart();
  return (/** @type {Element} */ el) => {
    if (apart.has(el)) return false;
    const raw = lower(textContentGet.call(el)).replace(INVISIBLE_CHARS, '').replace(SPACES, '');
    return raw !== '' && !words.some((word) => raw.includes(word)) && !squeezed.includes(raw) && !overlaps(raw, squeezed);
  };
}

/**
 * Whether the end of one is the beginning of the other.
 * @param {string} needle
 * @param {string} raw
 */
function overlaps(raw, needle) {
  for (let n = Math.min(raw.length, needle.length); n > 0; n--) {
    if (raw.endsWith(needle.slice(0, n)) || raw.startsWith(needle.slice(-n))) return true;
  }
  return false;
}

/** What shows text that is not in its textContent, or hides some that is: hosts, slots and buttons, with all that they are in. */
function elementsApart() {
  const apart = new Set();
  const add = (/** @type {Element} */ el) => {
    for (let node = /** @type {Element|null} */ (el); node && !apart.has(node); node = composedParent(node)) apart.add(node);
  };
  for (const root of shadowRoots()) {
    add(root.host);
    for (const el of queryAll(root, '*')) apart.add(el);
    for (const el of queryAll(root.host, '*')) apart.add(el);
  }
  for (const el of queryEverywhere('input[type=submit], input[type=reset], input[type=button]')) add(el);
  return apart;
}

/**
 * @param {Element} el @param {number} parent
 * @param {TextIndex} index
 */
function enterText(index, el, parent) {
  const tag = localName(el);
  if (TEXTLESS.has(tag) || index.size > index.limit) return;
  if (index.skip(el)) {
    if (isRendered(el)) append(index, GAP);
    return;
  }
  const style = styleOf(el);
  const display = style.display;
  if (display === 'none') return;
  // Inline blocks are things of their own (two buttons side by side), although nothing but their borders separates them.
  const apart = display !== 'inline' && display !== 'contents';
  if (apart) separate(index);
  const me = index.els.length;
  index.els.push(el);
  index.up.push(parent);
  index.from.push(index.size);
  index.to.push(0);
  index.descent.onLeave(() => {
    index.to[me] = index.size;
    if (apart) separate(index);
  });
  if (tag === 'br') space(index);
  else if (tag === 'input') addRun(index, me, style, buttonText(el));
  else if (tag === 'select') enterSelect(index, me, /** @type {HTMLSelectElement} */ (el), style);
  else if (style.contentVisibility !== 'hidden') enterContents(index, me, el, style);
}

/**
 * @param {Element} el @param {CSSStyleDeclaration} style
 * @param {TextIndex} index
 * @param {number} me
 */
function enterContents(index, me, el, style) {
  const closed = localName(el) === 'details' && !isOpen(el);
  index.descent.enter(children(el), (node) => {
    if (nodeTypeGet.call(node) === TEXT) {
      if (!closed) addRun(index, me, style, textContentGet.call(node));
    } else if (isElement(node) && (!closed || node === summaryOf(el))) {
      enterText(index, /** @type {Element} */ (node), me);
    }
  });
}

/**
 * A closed dropdown shows its chosen option only; a list box shows all.
 * @param {HTMLSelectElement} el
 * @param {CSSStyleDeclaration} style
 * @param {TextIndex} index
 * @param {number} me
 */
function enterSelect(index, me, el, style) {
  const list = el.multiple || el.size > 1;
  const options = list ? Array.from(el.options) : Array.from(el.selectedOptions);
  index.descent.enter(options, (option) => {
    separate(index);
    if (list) enterText(index, option, me);
    else addRun(index, me, style, option.label);
  });
}

/** @param {Element} input */
function buttonText(input) {
  const { type, value } = /** @type {HTMLInputElement} */ (input);
  const otherwise = BUTTON_TYPES.get(type);
  if (otherwise === undefined) return '';
  return attr(input, 'value') === null ? otherwise : value;
}

/** @param {Element} details */
export function summaryOf(details) {
  return children(details).find((child) => isElement(child) && localName(child) === 'summary') ?? null;
}

/** @param {Element} el */
export function isOpen(el) {
  return attr(el, 'open') !== null;
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {TextIndex} index
 * @param {number} me
 * @param {string} data
 */
function addRun(index, me, style, data) {
  if (style.visibility !== 'visible') return;
  let run = data.replace(INVISIBLE_CHARS, '').replace(SPACES, ' ');
  if (run.startsWith(' ') && (index.size === 0 || index.spaced)) run = run.slice(1);
  if (run === '') return;
  index.at.push(index.size);
  index.owner.push(me);
  index.cased.push(style.textTransform !== 'none');
  append(index, run);
}

/** @param {TextIndex} index */
function separate(index) {
  space(index);
  index.edges.push(index.size);
}

/** @param {TextIndex} index */
function space(index) {
  if (index.size > 0 && !index.spaced) append(index, ' ');
}

/** @param {TextIndex} index @param {string} text */
function append(index, text) {
  index.parts.push(text);
  index.size += text.length;
  index.spaced = text.endsWith(' ');
}

/**
 * Index of the run that holds position i.
 * @param {number} i
 * @param {TextIndex} index
 */
function runAt(index, i) {
  let low = 0;
  let high = index.at.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (index.at[middle] <= i) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The smallest element whose text covers the stretch from i to j.
 * @param {TextIndex} index
 * @param {number} i
 * @param {number} j
 */
function elementOver(index, i, j) {
  let n = index.owner[runAt(index, i)];
  while (index.to[n] < j && index.up[n] >= 0) n = index.up[n];
  return n;
}

/**
 * The places where needle (plain text) occurs. With `cased`, upper and lower case must agree, unless CSS changes the case of the text on
 * the screen: then what is in the document and what a person reads differ, and both count.
 * @param {TextIndex} index
 * @param {string} needle
 * @param {boolean} cased
 * @returns {[number, number][]}
 */
function occurrences(index, needle, cased) {
  const hay = lower(index.text);
  const want = lower(needle);
  /** @type {[number, number][]} */
  const found = [];
  if (want === '') return found;
  for (let i = hay.indexOf(want); i >= 0; i = hay.indexOf(want, i + want.length)) {
    const same = !cased || index.text.startsWith(needle, i);
    if (same || index.cased[runAt(index, i)]) found.push([i, i + want.length]);
  }
  return found;
}

/**
 * The smallest elements that show the text, in document order; those in which it only comes together from several boxes come last.
 * @param {boolean} exact the element's whole text, case-sensitive; else a part of it in any case
 * @param {Document} root
 * @param {string} text
 * @returns {Element[]}
 */
export function elementsShowing(root, text, exact) {
  const needle = plain(text);
  if (needle === '' || !mayShow(root, needle)) return [];
  const index = indexText(root, { needle });
  /** @type {Set<number>} */
  const whole = new Set();
  /** @type {Set<number>} */
  const across = new Set(); // where the text is on both sides of an edge, such as of two items of a list
  for (const [i, j] of occurrences(index, needle, exact)) {
    let n = elementOver(index, i, j);
    if (exact && index.text.slice(index.from[n], index.to[n]).trim().length !== j - i) continue;
    while (index.up[n] >= 0 && styleOf(index.els[n]).display === 'contents') n = index.up[n]; // it has no box, as a slot has none
    const crosses = index.edges.some((edge) => i < edge && edge < j);
    (crosses ? across : whole).add(n);
  }
  const found = [...whole, ...[...across].filter((n) => !whole.has(n))];
  const around = containersOf(index, found);
  return found.filter((n) => !around.has(n)).map((n) => index.els[n]);
}

/**
 * The elements around others of those found, which are smaller: a person who says the text means these. What is clipped to nothing is not meant.
 * @param {TextIndex} index
 * @param {number[]} found
 */
function containersOf(index, found) {
  const around = new Set();
  const all = new Set(found);
  for (const n of found) {
    const above = [];
    for (let up = index.up[n]; up >= 0; up = index.up[up]) if (all.has(up)) above.push(up);
    if (above.length > 0 && !isClippedOff(index.els[n])) for (const up of above) around.add(up);
  }
  return around;
}

/**
 * Whether the tree shows the text: case-sensitive, as people who wait for a text mean it.
 * @param {Node} root
 * @param {string} text
 * @returns {{shown: boolean, otherCase?: string}} otherCase = how it is written where only the case differs
 */
export function showsText(root, text) {
  const needle = plain(text);
  if (needle === '') return { shown: true };
  if (!mayShow(root, needle)) return { shown: false };
  const index = indexText(root, { needle });
  if (occurrences(index, needle, true).length > 0) return { shown: true };
  const other = occurrences(index, needle, false)[0];
  return other ? { shown: false, otherCase: index.text.slice(other[0], other[1]) } : { shown: false };
}

/**
 * A cheap look that can only err towards yes: the longest word of the needle is somewhere in the raw text. It keeps waiting for a text on a
 * page of 10,000 elements below a millisecond a look.
 * @param {Node} root
 * @param {string} needle
 */
function mayShow(root, needle) {
  const word = lower(needle.split(' ').reduce((a, b) => (b.length > a.length ? b : a), ''));
  const top = root === document ? elementRoot() : root;
  if (!top) return false;
  return (
    rawHas(top, word) ||
    shadowRoots().some((shadow) => rawHas(shadow, word)) ||
    queryEverywhere('input[type=submit], input[type=reset], input[type=button]').some((el) => lower(buttonText(el)).includes(word))
  );
}

/** @param {Node} node @param {string} word */
function rawHas(node, word) {
  const raw = textContentGet.call(node);
  if (lower(raw).includes(word)) return true;
  // Characters that the index takes out may stand inside the word.
  return raw.search(INVISIBLE_CHARS) >= 0 && lower(raw.replace(INVISIBLE_CHARS, '')).includes(word);
}

/**
 * The beginning of what the tree shows, for messages about what was seen instead.
 * @param {Node} root
 * @param {number} limit
 */
export function shownStart(root, limit) {
  const text = indexText(root, { limit }).text.trim();
  return text.length > limit ? text.slice(0, limit) + '…' : text;
}
