// Which of two boxes is painted over the other one (CSS 2.2, appendix E).

import { matches } from '../dom/access.js';
import { hasAttributeOf, positionTo } from '../dom/builtins.js';
import { computedOf, parentOf } from '../dom/facts.js';
import { MODAL_DIALOG, OPEN_POPOVER } from '../dom/older.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Cover } from './covers.js'
 */

const FOLLOWING = 4; // Node.DOCUMENT_POSITION_FOLLOWING

// The layers within a stacking context that a z-index of 0 stands for.
const BLOCK = 0.1;
const FLOAT = 0.2;
const INLINE = 0.3;
const POSITIONED = 0.5;

/**
 * Where two elements part: the paths to both from the innermost element that both are in, from the outside in.
 * @typedef {{around: Facts, cover: Facts[], text: Facts[]}} Fork
 */

/**
 * @param {Facts} cover
 * @param {Facts} text
 * @returns {Fork|null}
 */
export function forkOf(cover, text) {
  const up = new Set();
  for (let node = /** @type {Facts|null} */ (cover); node !== null; node = parentOf(node)) up.add(node);
  const toText = [];
  for (let node = /** @type {Facts|null} */ (text); node !== null; node = parentOf(node)) {
    if (up.has(node)) {
      const toCover = [];
      for (let part = cover; part !== node; part = /** @type {Facts} */ (parentOf(part))) toCover.push(part);
      return { around: node, cover: toCover.reverse(), text: toText.reverse() };
    }
    toText.push(node);
  }
  return null;
}

/**
 * Whether the cover is painted after the text.
 * @param {Cover} cover
 * @param {Fork} fork
 */
export function isPaintedOver(cover, fork) {
  const { around } = fork;
  if (cover.pseudo === '' && fork.cover.length === 0) return isBelowGround(fork);
  const over = layerIn(fork.cover, around, cover);
  const under = fork.text.length === 0 ? INLINE : layerIn(fork.text, around, null);
  if (over !== under) return over > under;
  if (fork.cover.length === 0) return cover.pseudo === '::after';
  if (fork.text.length === 0) return false;
  return (positionTo.call(fork.text[0].el, fork.cover[0].el) & FOLLOWING) !== 0;
}

/**
 * Whether a text is below the background of an element that it is in: by a z-index below 0, which counts for the stacking context around that.
 * @param {Fork} fork
 */
function isBelowGround({ around, text }) {
  if (around.tag === 'html' || around.tag === 'body' || isContext(computedOf(around), around)) return false;
  return text.length > 0 && layerIn(text, around, null) < 0;
}

/**
 * @param {Facts[]} path
 * @param {Facts} around
 * @param {Cover|null} cover  of which it is the path; null for a text
 */
function layerIn(path, around, cover) {
  let layer = 0;
  let parent = around;
  for (const facts of path) {
    if (isInTopLayer(facts)) return Infinity;
    const style = computedOf(facts);
    if (isContext(style, parent)) return contextLayer(style, parent);
    if (style.position !== 'static') layer = POSITIONED;
    else if (layer < POSITIONED && isAtomic(style, parent)) layer = INLINE;
    else if (layer === 0 && style.float !== 'none') layer = FLOAT;
    parent = facts;
  }
  if (cover !== null && cover.pseudo !== '') return isContext(cover.style, parent) ? contextLayer(cover.style, parent) : POSITIONED;
  if (layer !== 0) return layer;
  return cover === null || cover.picture || path.at(-1)?.style?.display.startsWith('inline') ? INLINE : BLOCK;
}

/**
 * Whether it is a modal dialog or an open popover, which is painted over all else.
 * @param {Facts} facts
 */
export function isInTopLayer(facts) {
  return (facts.tag === 'dialog' || (!facts.bare && hasAttributeOf.call(facts.el, 'popover'))) && matches(facts.el, TOP);
}

const TOP = `${MODAL_DIALOG}, ${OPEN_POPOVER}`;

/** @param {CSSStyleDeclaration} style @param {Facts} parent */
function contextLayer(style, parent) {
  const z = style.zIndex === 'auto' || (style.position === 'static' && !isItem(parent)) ? 0 : Number(style.zIndex);
  return z === 0 ? POSITIONED : z > 0 ? z + 1 : z;
}

/** @param {CSSStyleDeclaration} style @param {Facts} parent */
function isAtomic(style, parent) {
  return /^inline-/.test(style.display) || isItem(parent);
}

/** @param {Facts} parent */
function isItem(parent) {
  return /flex|grid/.test(computedOf(parent).display);
}

const MADE_BY_CHANGE = /transform|opacity|filter|perspective|isolation|mask|clip-path|translate|rotate|scale|z-index/;

/**
 * Whether an element has a stacking context of its own.
 * @param {CSSStyleDeclaration} style
 * @param {Facts} parent
 */
function isContext(style, parent) {
  const { position } = style;
  if (position === 'fixed' || position === 'sticky') return true;
  if (style.zIndex !== 'auto' && (position !== 'static' || isItem(parent))) return true;
  return (
    style.opacity !== '1' ||
    style.isolation === 'isolate' ||
    style.mixBlendMode !== 'normal' ||
    /paint|layout|strict|content/.test(style.contain) ||
    MADE_BY_CHANGE.test(style.willChange) ||
    MADE_BY.some((name) => isSet(style[name]))
  );
}

/** @type {('transform'|'filter'|'perspective'|'clipPath'|'webkitMaskImage'|'translate'|'scale'|'rotate'|'backdropFilter')[]} */
const MADE_BY = ['transform', 'filter', 'perspective', 'clipPath', 'webkitMaskImage', 'translate', 'scale', 'rotate', 'backdropFilter'];

/** @param {string|undefined} value undefined in a browser that does not have the property */
export function isSet(value) {
  return value !== undefined && value !== 'none';
}
