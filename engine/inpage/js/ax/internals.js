// What custom elements say of themselves by ElementInternals: a role, states and names that no attribute has, and that no script can read from
// outside. The walk and the ops that tell a state notice which elements may say something, the engine asks the browser's accessibility tree for
// the nodes of these only (engine/world/internals.go), and the answer is registered here, as the attributes that would say the same. From then on
// they are read like attributes. What an element has as an attribute comes first, as WAI-ARIA wants it.

import { getAttributeOf, matchesOfElement } from '../dom/builtins.js';
import { localName } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { Misses } from '../dom/misses.js';
import { tellNews } from '../dom/news.js';
import { ops } from '../dom/ops.js';
import { isQuiet } from './pierce.js';
import { semanticRole } from './role.js';
import { internalsOf, keepInternals } from '../dom/said.js';

/** @import { Said } from '../dom/said.js' */

const misses = new Misses(); // by tag

// More are not asked about at a time: each takes the browser some 0.7 ms.
const ASKED_AT_ONCE = 200;

/** @type {Set<Element>} whom to ask about next */
const wanted = new Set();
/** @type {Map<string, number>} how many of them have this tag, while nothing is known of it */
const wantedTags = new Map();

// The engine asks and then calls the same op again, for which what it registered just now holds. It holds for no later one: the states of an
// element change without a trace.
/** @type {Set<Element>} */
let confirmed = new Set();
/** @type {Set<Element>} those of them that the walk under way does not have to ask about */
let sure = new Set();
let awaited = false; // by an op that threw
let confirmedAt = -Infinity;
const CONFIRMED_AGE = 2000; // of an op that did not come again

/** Called when a walk begins. */
export function beginInternals() {
  sure = performance.now() < confirmedAt + CONFIRMED_AGE ? confirmed : new Set();
  confirmed = new Set();
  wanted.clear();
  wantedTags.clear();
}

/**
 * Called for custom elements that are shown.
 * @param {Element} el
 * @param {string} tag
 */
export function suspectInternals(el, tag) {
  if (wanted.size < ASKED_AT_ONCE && !sure.has(el) && mayTell(el, tag)) wanted.add(el);
}

/** @param {Element} el @param {string} tag */
function mayTell(el, tag) {
  if (misses.ended(tag)) return true;
  const asking = wantedTags.get(tag) ?? 0;
  if (misses.enough(tag, asking) || getAttributeOf.call(el, 'role') !== null || !matchesOfElement.call(el, ':defined')) return false;
  wantedTags.set(tag, asking + 1);
  return true;
}

/** @type {Element|null} the element of which what is registered is true now */
let trusted = null;

/**
 * Whether what is registered of the element is true now, and not only was when it was asked about.
 * @param {Element} el
 */
export function isTrusted(el) {
  return internalsOf(el) === null || trusted === el;
}

/**
 * Called by an op that tells or needs a state of the element, before it does anything: makes the engine ask, and begin again.
 * @param {Element} el
 */
export function needInternals(el) {
  const tag = localName(el);
  if (!tag.includes('-') || trusted === el) return;
  if (!confirmed.delete(el) && !isQuiet()) {
    wanted.clear();
    wantedTags.clear();
    if (!mayTell(el, tag)) return;
    wanted.add(el);
    awaited = true;
    throw 'unpierced'; // the engine knows it by this word
  }
  trusted = el;
  queueMicrotask(() => {
    trusted = null;
  });
}

/** Whether there are elements to be asked about. */
export function anyWanted() {
  return wanted.size > 0;
}

/** The elements to be asked about, which are forgotten with that. */
export function takeWanted() {
  const els = [...wanted];
  wanted.clear();
  wantedTags.clear();
  sure = new Set();
  return els;
}

/**
 * Takes what the browser says of elements.
 * @param {{told: (Said|null)[], els: Element[]}} answer told: null where the element has no meaning
 * @returns {number} of how many it is not what was known
 */
ops.internals = ({ told, els }) => {
  let news = 0;
  els.forEach((el, i) => {
    if (!el) return;
    const known = internalsOf(el);
    keepInternals(el, null); // what an element says of itself is not to count as an attribute of its
    const now = told[i] === null ? null : newsOf(el, told[i]);
    keepInternals(el, now);
    const tag = localName(el);
    if (now !== null) misses.end(tag);
    else misses.add(tag);
    if (JSON.stringify(known) !== JSON.stringify(now)) news++;
  });
  if (news > 0 || awaited) {
    confirmed = new Set(els);
    confirmedAt = performance.now();
  }
  awaited = false;
  if (news > 0) tellNews();
  return news;
};

// What has a description by one of these needs no other.
const DESCRIBING = ['aria-description', 'aria-describedby', 'title'];

/**
 * What the browser says of an element and its attributes do not, or null. What only follows from the attributes is not news.
 * @param {Element} el
 * @param {Said} told
 * @returns {Said|null}
 */
function newsOf(el, told) {
  /** @type {Said} */
  const news = {};
  const role = remembering(() => semanticRole(factsOf(el)));
  for (const [name, value] of Object.entries(told)) {
    if (getAttributeOf.call(el, name) !== null || (name === 'role' && value === role)) continue;
    if (name === 'aria-description' && DESCRIBING.some((other) => getAttributeOf.call(el, other) !== null)) continue;
    news[name] = value;
  }
  const says = news.role !== undefined || news['aria-label'] !== undefined || getAttributeOf.call(el, 'role') !== null;
  return says && Object.keys(news).length > 0 ? news : null;
}
