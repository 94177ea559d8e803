// What a document leaves of the elements that walks have shown when it goes: if the same page is loaded again, refs to them can heal, see inherit.js. The
// engine gets it by a function that it has put into this world; nothing of it can be seen in the page.

import { isConnected } from '../dom/access.js';
import { composedParent, elementRoot } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { documentID } from '../dom/ops.js';
import { nameOf } from '../ax/name.js';
import { roleOf } from '../ax/role.js';
import { known, tokens } from '../dom/tokens.js';
import { everyElement } from './find.js';
import { queryEverywhere } from '../dom/shadow.js';
import { countedHash, eachText, groupHash, groupOf, ownHash, textHash } from './likeness.js';
import { placeAt } from './place.js';
import { locateRef, routeNow, wasThere } from './refs.js';

/**
 * @import { Known } from '../dom/tokens.js'
 * @import { Place } from './place.js'
 */

/**
 * What is left of one element: its token, the hash of its place, that of itself, that of its group, the number of its list, and bits, see below.
 * @typedef {number[]} LeftElement
 * @typedef {{url: string, texts: number[][], counted: number[], elements: LeftElement[]}} Left  texts = what the page says, by lists, the first being
 *   what is in none; counted = that of the first without numbers
 */

export const IN_ITEM = 1; // it is in a row or entry
export const IN_SERIES = 2; // others are equal, and only their groups tell them apart
export const TWIN = 4; // nothing tells it from an equal one

// The next page waits until this one has told what it leaves: about 25 µs for each element that has a ref.
const MOST = 300;
const MOST_AROUND = 4000; // elements of the page
const MOST_TEXTS = 8000;

/** Called for the first walk: a page that is not looked at goes as fast as it would. */
export function leaveWord() {
  addEventListener('pagehide', () => {
    const tell = /** @type {any} */ (globalThis)['__skuaLeft' + documentID];
    if (typeof tell !== 'function') return;
    const left = whatIsLeft();
    if (left !== null) tell(JSON.stringify(left));
  });
}

/** @returns {Left|null} null for a page of which walks have shown nothing, or that is too large */
function whatIsLeft() {
  const entries = [...known.values()].filter((entry) => entry.view !== null);
  if (entries.length === 0 || entries.length > MOST || queryEverywhere('*').length > MOST_AROUND) return null;
  return remembering(() => {
    const walk = Math.max(...entries.map((entry) => entry.view?.whole.walk ?? 0));
    const counts = (/** @type {Element} */ el) => wasThere(el, walk);
    const lists = new Map();
    const elements = elementsLeft(entries, counts, lists);
    const texts = elements.length === 0 ? null : textsLeft(counts, lists);
    return texts === null ? null : { url: routeNow(), ...texts, elements };
  });
}

/**
 * @param {Known[]} entries
 * @param {(el: Element) => boolean} counts
 * @param {Map<Element|null, number>} lists filled in
 */
function elementsLeft(entries, counts, lists) {
  const groups = new Map();
  /** @type {Map<string, LeftElement[]>} */
  const equals = new Map();
  const describe = (/** @type {Element} */ el, /** @type {string} */ role, /** @type {string} */ name) => {
    const { group, item } = groupOf(factsOf(el));
    if (group !== null && !groups.has(group.el)) groups.set(group.el, groupHash(group.el, counts));
    const list = item && group !== null ? composedParent(group.el) : null;
    if (!lists.has(list)) lists.set(list, lists.size);
    /** @type {LeftElement} */
    const left = [
      0,
      placeAt(factsOf(el)).hash,
      ownHash(el),
      group === null ? 0 : groups.get(group.el),
      lists.get(list) ?? 0,
      item ? IN_ITEM : 0,
    ];
    const key = [role, name, left[1], left[2]].join('\n');
    equals.set(key, [...(equals.get(key) ?? []), left]);
    return left;
  };
  lists.set(null, 0);
  const told = [];
  const tags = new Set();
  const names = new Set();
  for (const entry of entries) {
    const el = entry.ref.deref();
    if (el === undefined || !isConnected(el) || locateRef({ token: entry.token, role: entry.role, name: entry.name }).error) continue;
    const left = describe(el, entry.role, entry.name);
    left[0] = entry.token;
    told.push(left);
    tags.add(entry.tag);
    names.add(entry.role + '\n' + entry.name);
  }
  for (const el of everyElement('*')) {
    if (!tags.has(factsOf(el).tag) || (tokens.get(el)?.view ?? null) !== null) continue;
    const role = roleOf(el);
    const name = nameOf(el);
    if (names.has(role + '\n' + name)) describe(el, role, name);
  }
  for (const alike of equals.values()) markEquals(alike);
  return told;
}

/** @param {LeftElement[]} alike elements of the same role, name and place */
function markEquals(alike) {
  if (alike.length === 1) return;
  for (const left of alike) {
    const twins = alike.filter((other) => other[3] === left[3]);
    left[5] |= IN_SERIES | (left[3] === 0 || twins.length > 1 ? TWIN : 0);
  }
}

/**
 * @param {(el: Element) => boolean} counts
 * @param {Map<Element|null, number>} lists
 */
function textsLeft(counts, lists) {
  /** @type {Set<number>[]} */
  const texts = [...lists.keys()].map(() => new Set());
  const counted = new Set();
  const inList = new Map();
  let left = MOST_TEXTS;
  const listOf = (/** @type {Element|null} */ el) => {
    const passed = [];
    let list = 0;
    for (let node = el; node !== null; node = composedParent(node)) {
      const found = inList.get(node) ?? lists.get(node);
      if (found !== undefined) {
        list = found;
        break;
      }
      passed.push(node);
    }
    for (const node of passed) inList.set(node, list);
    return list;
  };
  const visit = (/** @type {string} */ text, /** @type {Element} */ el) => {
    if (!counts(el)) return;
    left--;
    const list = listOf(composedParent(el));
    texts[list].add(textHash(text));
    if (list === 0) counted.add(countedHash(text));
  };
  const root = elementRoot();
  if (root === null || !eachText(root, visit) || left < 0) return null;
  return { texts: texts.map((set) => [...set]), counted: [...counted] };
}
