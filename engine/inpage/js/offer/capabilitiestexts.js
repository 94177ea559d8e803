// The texts of an item's parts as a person sees them: what is struck through apart from what counts, and without what is there for screen readers only.

import { elementCountGet, nodeTypeGet, TEXT, textContentGet } from '../dom/builtins.js';
import { BEFORE, BESIDE, isFigure, MONEY } from './capabilitieswords.js';
import { textDataGet, textOfContents } from '../ax/content.js';
import { Descent } from '../dom/descent.js';
import { children, composedParent, isElement, queryAll } from '../dom/dom.js';
import { computedOf, factsOf } from '../dom/facts.js';
import { hasOwnText } from '../ax/included.js';
import { tidy } from '../ax/name.js';
import { veilOf } from '../walk/unseen.js';
import { PART, SEEN, UNREACHED } from '../walk/veils.js';
import { hidesByARIA, rendering, SHOWN } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

// Fonts of icons have their pictures at these characters.
const GLYPHS = /[\uE000-\uF8FF]|[\u{F0000}-\u{10FFFD}]/gu;

const LONGEST = 500;
const PARTS_AT_MOST = 60;

/**
 * @param {Element} el
 * @param {Element[]} [without] parts of it that are told elsewhere
 */
export function seenText(el, without = []) {
  const visited = new Set(without);
  if (elementCountGet.call(el) > 0 && !isVeiled(factsOf(el)))
    for (const part of Array.from(queryAll(el, '*')).slice(0, PARTS_AT_MOST)) if (isUnseenPart(part)) visited.add(part);
  return shortened(textOfContents(factsOf(el), { visited, root: null }));
}

/** @param {string} text */
export function shortened(text) {
  return tidy(text.replace(GLYPHS, ' ')).slice(0, LONGEST);
}

/**
 * Whether the part cannot be seen, and no drawing beside it stands for it.
 * @param {Element} el
 */
export function isUnseenPart(el) {
  const facts = factsOf(el);
  if (rendering(facts) !== SHOWN) return true;
  if (!isVeiled(facts)) return false;
  const around = composedParent(el);
  return around === null || !children(around).some((node) => isElement(node) && node !== el && hidesByARIA(node) && isDrawn(node));
}

/**
 * Whether it is not seen wherever the page is scrolled to. What its box has scrolled out of the page's own beginning is.
 * @param {Facts} facts
 */
export function isVeiled(facts) {
  const veil = veilOf(facts);
  return veil !== SEEN && veil !== PART && veil !== UNREACHED;
}

/** @param {Element} el */
function isDrawn(el) {
  return rendering(factsOf(el)) === SHOWN && tidy(textContentGet.call(el)) !== '';
}

/**
 * The parts of an element with a text of its own that are a field by themselves: the price in a title.
 * @param {Element} el
 * @returns {Element[]}
 */
export function figuresIn(el) {
  if (elementCountGet.call(el) === 0 || !hasOwnText(el)) return [];
  return children(el)
    .filter((node) => isElement(node))
    .filter((part) => isFigure(tidy(textContentGet.call(part))));
}

const STRIKING = new Set(['del', 's', 'strike']);

/** @param {Facts} facts */
function isStruck(facts) {
  return STRIKING.has(facts.tag) || computedOf(facts).textDecorationLine.includes('line-through');
}

/**
 * A sum that counts and the one before it, which is struck through or said to be of before; null where there is no such.
 * @param {Element} el
 * @param {boolean} [inStruck] whether what it is in is struck through
 * @returns {{now: string, old: string}|null}
 */
export function pricesIn(el, inStruck = false) {
  const text = textContentGet.call(el);
  if (text.length > 400 || !MONEY.test(text)) return null;
  const told = { now: '', old: '' };
  addPrices(el, inStruck || isStruck(factsOf(el)), told);
  const now = shortened(told.now);
  const old = shortened(told.old);
  if (!MONEY.test(old)) return null;
  return { now: MONEY.test(now) ? onlySum(now) : '', old: onlySum(old) };
}

/** A price without the words around it, where it is one. @param {string} text */
function onlySum(text) {
  return oneSum(text) && BESIDE.test(text) ? (MONEY.exec(text)?.[0] ?? text).replace(/[.,\s]+$/, '') : text;
}

/** @param {Element} el @param {boolean} struck @param {{now: string, old: string}} told */
function addPrices(el, struck, told) {
  const descent = new Descent();
  const enter = (/** @type {Element} */ inner, /** @type {boolean} */ isOld) => {
    const text = textContentGet.call(inner);
    const old = isOld || (BEFORE.test(tidy(text)) && oneSum(text));
    descent.enter(children(inner), (node) => {
      if (nodeTypeGet.call(node) === TEXT) told[old ? 'old' : 'now'] += textDataGet.call(node);
      if (!isElement(node) || isUnseenPart(node) || hidesByARIA(/** @type {Element} */ (node))) return;
      descent.onLeave(() => (told.now += ' '));
      enter(/** @type {Element} */ (node), old || isStruck(factsOf(/** @type {Element} */ (node))));
    });
  };
  enter(el, struck);
  descent.run();
}

const SUMS = new RegExp(MONEY.source, 'g');

/** @param {string} text */
function oneSum(text) {
  return (text.match(SUMS) ?? []).length === 1;
}
