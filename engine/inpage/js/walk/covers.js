// What lies over a text: boxes with an opaque background, pictures, and what a style puts before or after the contents of an element. They are collected
// once a walk. A computed style decides which of them there are; what style sheets say only tells where there is none, so that the same is found while
// they are not read.

import { firstElementGet, getAttributeOf, hasAttributesOf, localNameGet, queryAllOf, styleOf, textContentGet } from '../dom/builtins.js';
import { ALL_BITS, GROUNDS, LEAVES, LIES_OVER, SINKS } from '../dom/declarations.js';
import { isShadowRoot, queryAll } from '../dom/dom.js';
import { computedOf, factsOf, parentOf, rootOf, rootStylesOf } from '../dom/facts.js';
import { styleBits } from '../dom/styles.js';
import { rendering, SHOWN } from '../dom/visibility.js';
import { CONTROLS } from './behind.js';
import { isColored, isOpaque, OPAQUE } from './ground.js';
import { placeOf } from './outofsight.js';
import { isSet } from './paintorder.js';
import { isOpaquePicture } from './pictures.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Box } from '../dom/geometry.js'
 */

/**
 * @typedef {Object} Cover
 * @property {Facts} facts   of the element, or of that whose pseudo-element it is
 * @property {''|'::before'|'::after'} pseudo
 * @property {CSSStyleDeclaration} style
 * @property {Box} box
 * @property {boolean} picture  whether it is one, of which is not known yet whether it is opaque
 */

// What is smaller covers no text.
const LEAST = 6;

// So many may be on a page.
const MOST_COVERS = 3000;

const PICTURES = 'img, video, canvas';

/**
 * Covers by the rows of the page that they are in, so that a text meets only those near it.
 */
class Covers {
  constructor() {
    /** @type {Cover[]} */
    this.tall = [];
    /** @type {Map<number, Cover[]>} */
    this.rows = new Map();
    this.count = 0;
    this.sinks = false; // whether something is put behind by its z-index
  }

  /** @param {Cover} cover */
  add(cover) {
    this.count++;
    const [first, last] = rowsOf(cover.box);
    if (last - first > TALL) this.tall.push(cover);
    else
      for (let row = first; row <= last; row++) {
        const there = this.rows.get(row);
        if (there === undefined) this.rows.set(row, [cover]);
        else there.push(cover);
      }
  }

  /**
   * Those that meet a box, maybe one more than once.
   * @param {Box} box
   * @param {Cover[]} found
   */
  meeting(box, found) {
    addMeeting(this.tall, box, found);
    if (this.rows.size === 0) return;
    const [first, last] = rowsOf(box);
    for (let row = first; row <= Math.min(last, first + TALL); row++) {
      const there = this.rows.get(row);
      if (there !== undefined) addMeeting(there, box, found);
    }
  }
}

const ROW = 64; // px
const TALL = 30; // rows

/** @param {Box} box */
function rowsOf(box) {
  return [Math.floor(box.y / ROW), Math.floor((box.y + box.height) / ROW)];
}

/** @param {Cover[]} covers @param {Box} box @param {Cover[]} found */
function addMeeting(covers, { x, y, width, height }, found) {
  for (const cover of covers) {
    const { box } = cover;
    if (x < box.x + box.width && y < box.y + box.height && x + width > box.x && y + height > box.y) found.push(cover);
  }
}

/** @type {Map<Node, Covers>} by the tree that they are in */
let collected = new Map();

/** @type {Map<Node, Covers>} with those in the flow, which only cover what is behind them */
let collectedAll = new Map();

/** Clears what the last walk collected. */
export function forgetCovers() {
  if (collected.size > 0) collected = new Map();
  if (collectedAll.size > 0) collectedAll = new Map();
}

/**
 * What may cover a text in this element: in its own tree, and in those that this is in.
 * @param {Facts} facts
 * @param {(facts: Facts) => boolean} isSunk whether it is behind something
 * @returns {Cover[]}
 */
export function coversAt(facts, isSunk) {
  /** @type {Cover[]} */
  let found = NO_COVERS;
  for (let root = rootOf(facts).node; ; root = rootOf(factsOf(root.host)).node) {
    let here = collected.get(root);
    if (here === undefined) collected.set(root, (here = coversIn(root, false)));
    if (here.sinks && isSunk(facts)) {
      here = collectedAll.get(root);
      if (here === undefined) collectedAll.set(root, (here = coversIn(root, true)));
    }
    if (here.count > 0) here.meeting(placeOf(facts), found === NO_COVERS ? (found = []) : found);
    if (!isShadowRoot(root)) return found;
  }
}

/** @type {Cover[]} */
const NO_COVERS = [];

/** @param {any} root @param {boolean} all */
function coversIn(root, all) {
  const covers = new Covers();
  const styles = rootStylesOf(root);
  const { index } = styles;
  const elements = queryAll(root, '*');
  for (let i = 0; i < elements.length && covers.count < MOST_COVERS; i++) {
    const el = elements[i];
    const tag = localNameGet.call(el);
    let bits = index.all | (index.tags.get(tag) ?? 0);
    if (tag.includes('-')) bits = styleBits(factsOf(el));
    else if (bits !== ALL_BITS && hasAttributesOf.call(el)) bits = styles.bitsOf(el, tag);
    if ((bits & (LIES_OVER | LEAVES)) !== 0 || (all && (bits & GROUNDS) !== 0)) addBoxes(el, tag, bits, all, covers);
  }
  for (const el of queryAll(root, PICTURES)) addCover(el, '', styleOf(el), true, covers);
  for (const el of queryAll(root, LAYERS)) addBoxes(el, '', ALL_BITS, all, covers);
  return covers;
}

// The browser's own style sheet takes them out of the flow.
const LAYERS = 'dialog[open], [popover]';

// The browser's own style sheet gives them a background.
const GROUNDED = new Set(['dialog', 'button', 'input', 'select', 'textarea', 'mark']);

/** @type {('::before'|'::after')[]} */
const PSEUDOS = ['::before', '::after'];

// What fills the page by ::before or ::after.
const WHOLE = new Set(['html', 'body']);

/**
 * What an element and its pseudo-elements may cover. Each question to a style takes time, and is asked only where the last answer leaves it open: what the
 * sheets say, if they are read, and whether the element is positioned.
 * @param {Element} el @param {string} tag @param {number} bits @param {boolean} all
 * @param {Covers} covers
 */
function addBoxes(el, tag, bits, all, covers) {
  const style = styleOf(el);
  const { position } = style;
  if ((bits & LIES_OVER) !== 0 && (position !== 'static' || WHOLE.has(tag))) for (const pseudo of PSEUDOS) addPseudo(el, pseudo, covers);
  const mayGround = (bits & GROUNDS) !== 0 || GROUNDED.has(tag);
  if (position === 'static') {
    if (mayGround && isColored(style) && (all || leavesPlace(style))) addCover(el, '', style, false, covers);
    return;
  }
  if ((bits & SINKS) !== 0) covers.sinks ||= Number(style.zIndex) < 0;
  if (mayGround && isOpaque(style)) addCover(el, '', style, false, covers);
  else if (position !== 'relative' && firstElementGet.call(el) !== null) addInner(el, covers);
}

const INNER = 4; // elements in a positioned one that may be what is seen of it

/** @param {Element} el @param {Covers} covers */
function addInner(el, covers) {
  let left = INNER;
  for (let inner = firstElementGet.call(el); inner !== null && left-- > 0; inner = firstElementGet.call(inner)) {
    const style = styleOf(inner);
    if (style.position !== 'static' || !isOpaque(style)) continue;
    addCover(inner, '', style, false, covers);
    return;
  }
}

/**
 * Whether a box that is not positioned may lie over what is not in it.
 * @param {CSSStyleDeclaration} style
 */
function leavesPlace(style) {
  return (
    isSet(style.transform) ||
    isSet(style.translate) ||
    isSet(style.scale) ||
    isSet(style.rotate) ||
    style.gridRowStart !== 'auto' ||
    style.gridColumnStart !== 'auto' ||
    style.marginTop.startsWith('-') ||
    style.marginLeft.startsWith('-') ||
    style.marginRight.startsWith('-') ||
    style.marginBottom.startsWith('-')
  );
}

/** @param {Element} el @param {'::before'|'::after'} pseudo @param {Covers} covers */
function addPseudo(el, pseudo, covers) {
  const style = styleOf(el, pseudo);
  if (style.content === 'none' || style.content === 'normal' || (style.position !== 'absolute' && style.position !== 'fixed')) return;
  if (isOpaque(style)) addCover(el, pseudo, style, false, covers);
}

/**
 * @param {Element} el
 * @param {''|'::before'|'::after'} pseudo
 * @param {CSSStyleDeclaration} style
 * @param {boolean} picture
 * @param {Covers} covers
 */
function addCover(el, pseudo, style, picture, covers) {
  const facts = factsOf(el);
  const box = pseudo === '' ? placeOf(facts) : boxOfPseudo(facts, style);
  if (box !== null && box.width >= LEAST && box.height >= LEAST) covers.add({ facts, pseudo, style, box, picture });
}

/**
 * Where a positioned pseudo-element is; null if that cannot be told by its style.
 * @param {Facts} facts
 * @param {CSSStyleDeclaration} style
 * @returns {Box|null}
 */
function boxOfPseudo(facts, style) {
  const [left, top, width, height] = [style.left, style.top, style.width, style.height].map(parseFloat);
  if (![left, top, width, height].every(Number.isFinite)) return null;
  const isWhole = style.boxSizing === 'border-box';
  const more = (/** @type {string[]} */ sides) =>
    isWhole ? 0 : sides.reduce((sum, side) => sum + sizeOf(style, `padding-${side}`) + sizeOf(style, `border-${side}-width`), 0);
  const box = { x: left, y: top, width: width + more(['left', 'right']), height: height + more(['top', 'bottom']) };
  box.x += sizeOf(style, 'margin-left');
  box.y += sizeOf(style, 'margin-top');
  if (style.transform !== 'none') {
    const matrix = new DOMMatrix(style.transform);
    box.x += matrix.e + (box.width * (1 - matrix.a)) / 2;
    box.y += matrix.f + (box.height * (1 - matrix.d)) / 2;
    box.width *= matrix.a;
    box.height *= matrix.d;
  }
  if (style.position === 'fixed') return box;
  for (let node = /** @type {Facts|null} */ (facts); node !== null; node = parentOf(node)) {
    const around = computedOf(node);
    if (around.position === 'static' && around.transform === 'none') continue;
    const rect = placeOf(node);
    box.x += rect.x + sizeOf(around, 'border-left-width');
    box.y += rect.y + sizeOf(around, 'border-top-width');
    return box;
  }
  box.x -= scrollX;
  box.y -= scrollY;
  return box;
}

/** @param {CSSStyleDeclaration} style @param {string} name */
function sizeOf(style, name) {
  return parseFloat(style.getPropertyValue(name)) || 0;
}

/**
 * Whether nothing is seen through it, and it is seen itself.
 * @param {Cover} cover
 */
export function isSolid({ facts, pseudo, style, picture }) {
  if (rendering(facts) !== SHOWN || style.visibility !== 'visible') return false;
  if (pseudo !== '' && (parseFloat(style.opacity) < OPAQUE || !isUncut(style))) return false;
  let clarity = 1;
  for (let node = /** @type {Facts|null} */ (facts); node !== null && node.tag !== 'body'; node = parentOf(node)) {
    const around = computedOf(node);
    clarity *= parseFloat(around.opacity);
    if (clarity < OPAQUE || !isUncut(around)) return false;
  }
  return !picture || isOpaque(style) || isOpaquePicture(facts.el);
}

/** @param {CSSStyleDeclaration} style */
function isUncut(style) {
  return (
    style.clipPath === 'none' && style.webkitMaskImage === 'none' && style.mixBlendMode === 'normal' && !style.filter.includes('opacity')
  );
}

// What a person reads or uses, besides text.
const CONTENT = `${CONTROLS}, iframe`;

/**
 * Whether a person sees something else in its place, such as a menu that is open, a dialog or a slide.
 * @param {Cover} cover
 */
export function showsContent({ facts, pseudo }) {
  if (pseudo !== '') return false;
  if (firstElementGet.call(facts.el) !== null && queryAllOf.call(facts.el, CONTENT).length > 0) return true;
  return /\S/.test(textContentGet.call(facts.el) ?? '') || getAttributeOf.call(facts.el, 'role') === 'dialog';
}
