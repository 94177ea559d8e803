// Text under something opaque. What lies over it for a while, as an open menu, a dialog, a slide or a loader does, leaves it content that comes later.

import { scrollingElement } from '../dom/access.js';
import { containsOf, scrollHeightGet } from '../dom/builtins.js';
import { SINKS } from '../dom/declarations.js';
import { computedOf, parentOf, settle } from '../dom/facts.js';
import { contentsRectOf, hasArea, overlap } from '../dom/geometry.js';
import { styleBits } from '../dom/styles.js';
import { rendering, SHOWN } from '../dom/visibility.js';
import { canScroll } from '../act/scroll.js';
import { classesOf, isTransitioned } from './coming.js';
import { coversAt, isSolid, showsContent } from './covers.js';
import { placeOf } from './outofsight.js';
import { forkOf, isInTopLayer, isPaintedOver } from './paintorder.js';
import { COVERED, LATER, PRESS, SEEN } from './veils.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Box } from '../dom/geometry.js'
 * @import { Cover } from './covers.js'
 * @import { Fork } from './paintorder.js'
 */

// So many pairs of a text and what meets it are looked at in a walk.
const MOST_CHECKS = 3000;

// How much of a text is under its cover: what looks out is not enough to read.
const MOST_OF_IT = 0.92;

let checks = 0;

/** Clears what the last walk counted. */
export function forgetChecks() {
  checks = 0;
}

/**
 * Why a text in the element is not seen, by what lies over it; SEEN if nothing does.
 * @param {Facts} facts
 */
export function coverVeil(facts) {
  return (facts.over ??= computeCover(facts));
}

/** @param {Facts} facts */
function computeCover(facts) {
  if (rendering(facts) !== SHOWN) return SEEN;
  /** @type {Box|null} */
  let words = null;
  for (const cover of coversAt(facts, isSunk)) {
    if (cover.pseudo === '' && containsOf.call(cover.facts.el, facts.el) && !isSunk(facts)) continue; // that is what most texts are on
    if (++checks > MOST_CHECKS) return SEEN;
    words ??= wordsOf(facts);
    if (!hidesBox(cover.box, words)) continue;
    const fork = forkOf(cover.facts, facts);
    if (fork !== null && isPaintedOver(cover, fork) && isSolid(cover) && staysOver(cover, fork, words)) return kindOf(cover, fork);
  }
  return SEEN;
}

/**
 * The box of the words in an element, or of what stands for them, as a frame does.
 * @param {Facts} facts
 */
function wordsOf(facts) {
  const words = contentsRectOf(facts.el);
  return hasArea(words) ? words : placeOf(facts);
}

/**
 * Whether a z-index below 0 puts it, or what it is in, behind something.
 * @param {Facts} facts
 * @returns {boolean}
 */
function isSunk(facts) {
  if (facts.sunk === undefined) settle(facts, knowsDepth, settleDepth);
  return /** @type {boolean} */ (facts.sunk);
}

/** @param {Facts} facts */
function knowsDepth(facts) {
  return facts.sunk !== undefined;
}

/** @param {Facts} facts */
function settleDepth(facts) {
  const parent = parentOf(facts);
  facts.sunk = ((styleBits(facts) & SINKS) !== 0 && Number(computedOf(facts).zIndex) < 0) || (parent !== null && isSunk(parent));
}

/** @param {Box} cover @param {Box} words */
function hidesBox(cover, words) {
  const both = overlap(cover, words);
  return both !== null && both.width * both.height >= MOST_OF_IT * words.width * words.height;
}

/**
 * Whether scrolling leaves the cover over the text.
 * @param {Cover} cover
 * @param {Fork} fork
 * @param {Box} words
 */
function staysOver(cover, fork, words) {
  const { box } = cover;
  const ways = { cover: [...fork.cover], text: fork.text };
  if (cover.pseudo === '' && fork.cover.length === 0) return true; // the text is in it
  if (ways.cover.some(isSticky) || ways.text.some(isSticky) || cover.style.position === 'sticky') return false;
  const [coverFixed, textFixed] = [ways.cover.some(isFixedItself) || cover.style.position === 'fixed', ways.text.some(isFixedItself)];
  // What scrolls one of them alone brings the text out, unless all of that is covered.
  for (const part of ways.text) if (part !== ways.text.at(-1) && canScroll(part.el, 1, 1) && !hidesBox(box, placeOf(part))) return false;
  for (const part of ways.cover) if (part !== cover.facts && canScroll(part.el, 1, 1)) return false;
  if (coverFixed === textFixed) return true;
  const page = scrollingElement();
  const most = page === null ? 0 : Math.max(0, scrollHeightGet.call(page) - innerHeight);
  if (most === 0) return true;
  if (coverFixed) {
    // The positions of the page at which a part of the text is in view above the cover, or below it.
    const [top, bottom] = [words.y + scrollY, words.y + words.height + scrollY];
    const above = box.y > 0 && Math.max(0, top - box.y + 1) < Math.min(most, bottom);
    const below = box.y + box.height < innerHeight && Math.max(0, top - innerHeight) < Math.min(most, bottom - box.y - box.height - 1);
    return !above && !below;
  }
  const [top, bottom] = [box.y + scrollY, box.y + box.height + scrollY];
  return top <= words.y && bottom - most >= words.y + words.height;
}

/** @param {Facts} facts */
function isFixedItself(facts) {
  return computedOf(facts).position === 'fixed';
}

/** @param {Facts} facts */
function isSticky(facts) {
  return computedOf(facts).position === 'sticky';
}

const MOVES =
  /^(?:all|opacity|visibility|transform|translate|scale|rotate|left|right|top|bottom|inset.*|(?:max-)?(?:width|height)|clip-path|margin.*)$/;

/**
 * What a cover does next: it goes by itself, or when it is used, or it stays.
 * @param {Cover} cover
 * @param {Fork} fork
 */
function kindOf(cover, fork) {
  const { box, style } = cover;
  if (cover.pseudo === '' && fork.cover.length === 0) return COVERED; // the text is in it
  if (fork.cover.some(isInTopLayer)) return LATER; // it can be closed
  const isPage = box.width >= 0.9 * innerWidth && box.height >= 0.9 * innerHeight;
  if (isPage && style.position === 'fixed') return LATER;
  if (isTransitioned(style, MOVES) || fork.cover.some((part) => isTransitioned(computedOf(part), MOVES))) return PRESS;
  if (style.animationName !== 'none' || isPeer(fork) || showsContent(cover)) return LATER;
  return COVERED;
}

/**
 * Whether both are in elements of one kind, which take turns.
 * @param {Fork} fork
 */
function isPeer({ cover, text }) {
  if (cover.length === 0 || text.length === 0 || cover[0].tag !== text[0].tag) return false;
  const names = classesOf(text[0].el);
  return classesOf(cover[0].el).some((name) => names.includes(name));
}
