// Shadow trees that no script can ask for: those behind closed roots, and the browser's own inside of controls. The walk and the lookups
// notice which elements may have one, the engine asks the browser about these (engine/world/pierce.go), and what it finds is registered here.
// From then on a closed root is read like an open one. The browser's own trees are read for the parts that people use, such as the day of
// a date: selectors, text and names do not look into them.
//
// Never read the property `mode` of a root of the browser's own: it ends the renderer.

import { firstChildGet, firstElementGet, matchesOfElement, shadowRootGet, styleOf } from '../dom/builtins.js';
import { isHTML, localName, shadowOf } from '../dom/dom.js';
import { attrOf, computedOf, factsOf, HOST_TAGS, parentOf, remembering, shadowIn } from '../dom/facts.js';
import { getRect } from '../dom/geometry.js';
import { anyWanted, takeWanted } from './internals.js';
import { Misses } from '../dom/misses.js';
import { tellNews } from '../dom/news.js';
import { ops } from '../dom/ops.js';
import { typeOf } from './role.js';
import { keepClosed, keepParts } from '../dom/roots.js';
import { queryEverywhere, ROOTS_AGE } from '../dom/shadow.js';
import { ABSENT, checkVisibilityOf, rendering } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

/** @type {WeakMap<Element, number>} the elements that the browser was asked about, and what they looked like then */
const asked = new WeakMap();
const misses = new Misses(); // by how elements look and their name
/** @type {[WeakRef<Element>, number][]} the last of them */
let lastAsked = [];

// What asked holds, besides the size of elements that seem to be empty.
const DEFINED = -1;
const UNDEFINED = -2;
const UNSLOTTED = -3;
const CONTROL = -4;

// More than that are not asked about at a time: each takes the browser about 0.1 ms.
const ASKED_AT_ONCE = 500;

/** @type {Map<Element, number>} whom to ask about next: those that surely show what cannot be seen */
let suspects = new Map();
/** @type {Map<Element, number>} and those that only might */
let maybes = new Map();

export const CONTROLS_WITH_PARTS =
  'input[type=date i],input[type=time i],input[type=datetime-local i],input[type=month i],input[type=week i],video[controls],audio[controls]';
const DATE_TYPES = new Set(['date', 'time', 'datetime-local', 'month', 'week']);

/**
 * Whether the control consists of parts that people use one by one.
 * @param {Facts} facts
 */
export function hasParts(facts) {
  if (facts.bare) return false;
  if (facts.tag === 'input') return DATE_TYPES.has(typeOf(facts));
  return (facts.tag === 'video' || facts.tag === 'audio') && attrOf(facts, 'controls') !== null;
}

/** @param {string} tag */
export function isControlTag(tag) {
  return tag === 'input' || tag === 'video' || tag === 'audio';
}

export function suspectNobody() {
  if (suspects.size > 0) suspects = new Map();
  if (maybes.size > 0) maybes = new Map();
}

/** @param {Element} el */
export function suspectControl(el) {
  if (asked.get(el) !== CONTROL) suspects.set(el, CONTROL);
}

/**
 * Called for an element that may be a host and has no known root.
 * @param {Element} el
 * @param {string} tag
 */
export function suspectHost(el, tag) {
  if (tag.includes('-') && suspectCustom(el, tag)) return;
  if (firstChildGet.call(el) === null) suspectEmpty(el);
}

/**
 * @param {Element} el
 * @param {string} tag
 * @returns {boolean} whether no more needs to be known
 */
function suspectCustom(el, tag) {
  const before = asked.get(el);
  if (before === DEFINED) return true;
  const looks = matchesOfElement.call(el, ':defined') ? DEFINED : UNDEFINED;
  if (before === looks) return true;
  if (misses.enough(looks + tag)) return false;
  maybes.set(el, looks);
  return true;
}

/**
 * An element without children takes room only where its style says so, or where something in it does.
 * @param {Element} el
 */
function suspectEmpty(el) {
  const box = getRect.call(el);
  if (box.width === 0 || box.height === 0) return;
  const size = Math.round(box.width) * 65536 + Math.round(box.height);
  if (asked.get(el) === size) return;
  const style = styleOf(el);
  if (box.height > edges(style, 'Top', 'Bottom') && box.width > edges(style, 'Left', 'Right')) suspects.set(el, size);
}

/** @param {CSSStyleDeclaration} style @param {string} one @param {string} other */
function edges(style, one, other) {
  let sum = 0.5;
  const sides = /** @type {Object<string, any>} */ (style);
  for (const side of [one, other]) sum += parseFloat(sides['padding' + side]) + parseFloat(sides['border' + side + 'Width']);
  return sum;
}

/**
 * Called for an element that is not rendered: where nothing hides it, it is not slotted into the tree of what it is in.
 * @param {Facts} facts
 */
export function suspectAround(facts) {
  for (let node = facts; ; ) {
    if (computedOf(node).display === 'none') return;
    const parent = parentOf(node);
    if (parent === null || !parent.html) return;
    if (rendering(parent) !== ABSENT) {
      if (
        mayHost(parent.tag) &&
        shadowIn(parent) === null &&
        computedOf(parent).contentVisibility !== 'hidden' &&
        asked.get(parent.el) !== UNSLOTTED
      ) {
        suspects.set(parent.el, UNSLOTTED);
      }
      return;
    }
    node = parent;
  }
}

/** @param {string} tag */
export function mayHost(tag) {
  return HOST_TAGS.has(tag) || tag.includes('-');
}

let searchedAt = -Infinity;
let quiet = 0; // ops that go on with what is known

/** Whether the op under way must go on with what is known. */
export function isQuiet() {
  return quiet > 0;
}

/**
 * Called when something is not there: makes the engine look into what may hide it, and begin again.
 * @param {boolean} [parts] also into the parts of controls
 */
export function searchHidden(parts = false) {
  if (quiet > 0 || performance.now() < searchedAt + ROOTS_AGE) return;
  suspectNobody();
  remembering(() => {
    for (const el of queryEverywhere('*')) {
      const tag = localName(el);
      if (!mayHost(tag) || !isHTML(el) || shadowOf(el) !== null) continue;
      suspectHost(el, tag);
      const first = firstElementGet.call(el);
      if (first !== null && !checkVisibilityOf.call(first)) suspectAround(factsOf(first));
    }
    if (parts) for (const el of queryEverywhere(CONTROLS_WITH_PARTS)) suspectControl(el);
  });
  searchedAt = performance.now();
  if (suspects.size + maybes.size > 0) throw 'unpierced'; // the engine knows it by this word
}

/** @param {string} op @returns {(arg: any) => any} */
const named = (op) => /** @type {any} */ (ops)[op];

/** Runs an op with what is known: a page that makes new elements all the time is not asked for ever what they hide. */
ops.quietly = ({ op, arg }) => {
  quiet++;
  let result;
  try {
    result = named(op)(arg);
  } finally {
    if (!(result instanceof Promise)) quiet--;
  }
  return result instanceof Promise ? result.finally(() => quiet--) : result;
};

/** Runs an op that walks. The result comes in an array when there are elements to be asked about: on most pages there are none. */
ops.walking = ({ op, arg }) => {
  const result = named(op)(arg);
  return suspects.size + maybes.size > 0 || anyWanted() ? [result] : result;
};

/**
 * The elements that the browser must be asked about, as an array for a handle; 0 for none. Those whose roots are asked for come first, then null,
 * then those whose internals are.
 */
ops.suspects = () => {
  const telling = takeWanted();
  if (suspects.size + maybes.size + telling.length === 0) return 0;
  const next = [...suspects, ...maybes].slice(0, ASKED_AT_ONCE);
  suspectNobody();
  for (const [el, looks] of next) {
    asked.set(el, looks);
    missed(el, looks, 1);
  }
  lastAsked = next.map(([el, looks]) => [new WeakRef(el), looks]);
  return [...next.map(([el]) => el), null, ...telling];
};

/** @param {Element} el @param {number} looks @param {number} by */
function missed(el, looks, by) {
  if (looks !== DEFINED && looks !== UNDEFINED) return;
  misses.add(looks + localName(el), by);
}

/** Called when the browser was not asked after all. */
ops.unask = () => {
  for (const [ref, looks] of lastAsked) {
    const el = ref.deref();
    if (!el) continue;
    asked.delete(el);
    missed(el, looks, -1);
  }
  lastAsked = [];
  searchedAt = -Infinity;
};

/** @returns {number} how many roots were not known before */
ops.pierce = (roots) => {
  let found = 0;
  for (const root of roots) if (root && registerRoot(root)) found++;
  if (found > 0) {
    searchedAt = -Infinity;
    tellNews();
  }
  return found;
};

/** @param {ShadowRoot} root */
export function registerRoot(root) {
  const { host } = root;
  if (!host || shadowRootGet.call(host) !== null) return false;
  const tag = localName(host);
  if (mayHost(tag)) {
    if (!keepClosed(host, root)) return false;
    for (const looks of [DEFINED, UNDEFINED]) misses.end(looks + tag);
    return true;
  }
  return matchesOfElement.call(host, CONTROLS_WITH_PARTS) && keepParts(host, root);
}
