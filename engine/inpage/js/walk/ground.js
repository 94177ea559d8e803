// What a text is painted on, and whether its color tells it from that.

import { matches } from '../dom/access.js';
import { getterOf, queryAllOf, styleOf } from '../dom/builtins.js';
import { blendsIn, FAINTEST, gradientColors, painted, parseColor } from '../dom/colors.js';
import { COLORS } from '../dom/declarations.js';
import { attr, children, elementRoot, isElement, queryAll } from '../dom/dom.js';
import { computedOf, parentOf, settle } from '../dom/facts.js';
import { boxOf, overlap, rectOf } from '../dom/geometry.js';
import { styleBits } from '../dom/styles.js';
import { placeOf } from './outofsight.js';
import { SAME_COLOR, SEEN, TRANSPARENT } from './veils.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Box } from '../dom/geometry.js'
 */

// Chrome's own style sheet gives them legible colors.
const COLORED = new Set(['a', 'button', 'input', 'select', 'textarea', 'mark', 'dialog']);

// How often a walk may check what is painted behind a text. Only text that seems to have the color of its background needs that.
const PAINT_CHECKS = 100;
let paintChecks = 0;

/** @type {number[]|null} while a walk runs: the color of the canvas */
let canvas = null;

/** Clears what the last walk cached. */
export function forgetGround() {
  paintChecks = 0;
  canvas = null;
}

/**
 * Whether the text has no color, or that of its background.
 * @param {Facts} facts
 */
export function colorVeil(facts) {
  const veil = paintOf(facts);
  if (veil !== SAME_COLOR) return veil;
  if (++paintChecks > PAINT_CHECKS) return SEEN;
  const rect = boxOf(facts.el);
  return rect === null || isMixed(facts, rect) || isPaintedBehind(facts, rect) ? SEEN : SAME_COLOR;
}

/**
 * Whether a text in a drawing has the color of what is behind it.
 * @param {Facts} facts
 * @param {CSSStyleDeclaration} style
 */
export function fillVeil(facts, { fill, stroke }) {
  const color = parseColor(fill);
  const ground = color === null || stroke !== 'none' ? null : groundOf(facts);
  if (color === null || ground === null || !blendsIn(color, ground) || ++paintChecks > PAINT_CHECKS) return SEEN;
  const rect = boxOf(facts.el);
  return rect === null || isMixed(facts, rect) || isPaintedBehind(facts, rect) ? SEEN : SAME_COLOR;
}

/**
 * The same by colors alone, whatever else is painted there. Elements that set neither color inherit the result.
 * @param {Facts} facts
 * @returns {string}
 */
function paintOf(facts) {
  if (facts.paint === undefined) settle(facts, hasPaint, settlePaint);
  return /** @type {string} */ (facts.paint);
}

/** @param {Facts} facts */
function hasPaint(facts) {
  return facts.paint !== undefined;
}

/** @param {Facts} facts */
function settlePaint(facts) {
  if ((styleBits(facts) & COLORS) !== 0) facts.paint = comparePaint(facts);
  else if (COLORED.has(facts.tag)) facts.paint = SEEN;
  else {
    const parent = parentOf(facts);
    facts.paint = parent === null ? SEEN : paintOf(parent);
  }
}

/** @param {Facts} facts */
function comparePaint(facts) {
  const style = computedOf(facts);
  const color = parseColor(style.webkitTextFillColor);
  if (color === null) return SEEN;
  if (color[3] < FAINTEST) return style.textShadow === 'none' && !isOutlined(style, null) ? throughVeil(facts) : SEEN;
  const ground = groundOf(facts);
  if (ground === null || !blendsIn(color, ground) || style.textShadow !== 'none') return SEEN;
  return isOutlined(style, ground) ? SEEN : SAME_COLOR;
}

/**
 * Whether the letters have an outline that can be seen.
 * @param {CSSStyleDeclaration} style
 * @param {number[]|null} ground what they are painted on, if that is known
 */
function isOutlined(style, ground) {
  if (parseFloat(style.webkitTextStrokeWidth) <= 0) return false;
  const color = parseColor(style.webkitTextStrokeColor);
  return color === null || (color[3] >= FAINTEST && (ground === null || !blendsIn(color, ground)));
}

/**
 * Whether the background of the element, or of one that it is in, is seen through its text.
 * @param {Facts} facts
 */
export function paintsThrough(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) if (isPaintedThrough(computedOf(node))) return true;
  return false;
}

/**
 * Whether a text without a color shows a background, and one that can be told from what is behind it.
 * @param {Facts} facts
 */
function throughVeil(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) {
    const style = computedOf(node);
    if (!isPaintedThrough(style)) continue;
    const colors = style.backgroundImage === 'none' ? [parseColor(style.backgroundColor) ?? BLACK] : gradientColors(style.backgroundImage);
    if (colors === null) return SEEN;
    if (colors.every((color) => color[3] < FAINTEST)) return TRANSPARENT;
    const parent = parentOf(node);
    const behind = parent === null ? canvasColor() : groundOf(parent);
    return behind !== null && colors.every((color) => blendsIn(color, behind)) ? SAME_COLOR : SEEN;
  }
  return TRANSPARENT;
}

const BLACK = [0, 0, 0, 1];

/** @param {CSSStyleDeclaration} style */
export function isPaintedThrough(style) {
  return style.backgroundClip.includes('text') && hasGround(style);
}

/**
 * The background color of the element's text, or null if it is an image or unknown.
 * @param {Facts} facts
 * @returns {number[]|null}
 */
export function groundOf(facts) {
  if (facts.ground === undefined) settle(facts, knowsGround, settleGround);
  return /** @type {number[]|null} */ (facts.ground);
}

/** @param {Facts} facts */
function knowsGround(facts) {
  return facts.ground !== undefined;
}

/** @param {Facts} facts */
function settleGround(facts) {
  const own = hasOwnGround(facts) ? ownGround(facts) : undefined;
  if (own !== undefined) facts.ground = own;
  else {
    const parent = parentOf(facts);
    facts.ground = parent === null ? canvasColor() : groundOf(parent);
  }
}

/** @param {Facts} facts */
function hasOwnGround(facts) {
  return (styleBits(facts) & COLORS) !== 0 || (COLORED.has(facts.tag) && facts.tag !== 'a');
}

/**
 * undefined: it has none, so that what is below shows.
 * @param {Facts} facts
 */
function ownGround(facts) {
  const style = computedOf(facts);
  const color = parseColor(style.backgroundColor);
  if (color === null) return null;
  if (style.backgroundClip.includes('text')) return undefined; // it is in the letters only
  if (style.backgroundImage !== 'none') return gradientGround(facts, style, color);
  if (color[3] === 0) return undefined;
  return color[3] === 1 ? color : onGround(facts, color);
}

/** @param {Facts} facts */
function hasOpaqueGround(facts) {
  return hasOwnGround(facts) && isOpaque(computedOf(facts));
}

/**
 * Whether a background lets nothing through, as far as that is known: a picture may.
 * @param {CSSStyleDeclaration} style
 */
export function isOpaque(style) {
  if (!isColored(style)) {
    const { backgroundImage } = style;
    if (backgroundImage === 'none' || !gradientColors(backgroundImage)?.every((color) => color[3] >= OPAQUE)) return false;
  }
  return !style.backgroundClip.includes('text');
}

/**
 * The same by its color alone.
 * @param {CSSStyleDeclaration} style
 */
export function isColored({ backgroundColor }) {
  return backgroundColor !== 'rgba(0, 0, 0, 0)' && (parseColor(backgroundColor)?.[3] ?? 0) >= OPAQUE;
}

/** So much of a color leaves nothing of a text below it. */
export const OPAQUE = 0.95;

/**
 * A color that lets what is behind the element through, on that; null where that is not known.
 * @param {Facts} facts
 * @param {number[]} color
 */
function onGround(facts, color) {
  if (color[3] === 1) return color;
  const parent = parentOf(facts);
  const behind = parent === null ? canvasColor() : groundOf(parent);
  return behind === null ? null : painted(color, behind);
}

// The most that the colors of a gradient may differ in a part, to 255, to be one ground.
const SAME_STOPS = 24;

/**
 * The one color of a gradient whose colors a person can hardly tell from each other, or null.
 * @param {Facts} facts
 * @param {CSSStyleDeclaration} style
 * @param {number[]} color below it
 */
function gradientGround(facts, { backgroundImage, backgroundRepeat, backgroundSize }, color) {
  const stops = gradientColors(backgroundImage);
  // A small part of the box may have a picture that is painted by gradients.
  if (stops === null || backgroundSize !== 'auto' || backgroundRepeat !== 'repeat') return null;
  const below = stops.every((stop) => stop[3] === 1) ? color : onGround(facts, color);
  if (below === null) return null;
  const shown = stops.map((stop) => painted(stop, below));
  const isOne = shown.every((stop) => stop.every((part, i) => Math.abs(part - shown[0][i]) <= SAME_STOPS));
  return isOne ? shown[0] : null;
}

/** The color of the canvas, which is white unless the document says that it may be dark. */
function canvasColor() {
  if (canvas !== null) return canvas;
  const root = elementRoot();
  if (root === null || (styleOf(root).colorScheme === 'normal' && !hasScheme())) canvas = WHITE;
  else canvas = parseColor(systemColor(root)) ?? WHITE;
  return canvas;
}

const WHITE = [255, 255, 255, 1];

function hasScheme() {
  for (const meta of queryAll(document, 'meta[name="color-scheme" i]')) if (attr(meta, 'content') !== null) return true;
  return false;
}

const sheetsGet = getterOf(Document.prototype, 'adoptedStyleSheets');
const sheetsSet = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')?.set;

/**
 * The color of the canvas as the browser resolves it, which is a matter of style sheets, metadata and what the user prefers. A rule for it is in
 * the document for as long as it takes to ask. It is one of a pseudo-element that the root does not show, so that no other style is computed again.
 * @param {Element} root
 */
function systemColor(root) {
  const sheets = sheetsGet.call(document);
  if (sheetsSet === undefined || sheets === undefined) return '';
  const asking = new CSSStyleSheet();
  asking.replaceSync(':root::backdrop { color: Canvas !important }');
  const before = Array.from(sheets); // the list itself is live
  sheetsSet.call(document, [...before, asking]);
  try {
    return styleOf(root, '::backdrop').color;
  } finally {
    sheetsSet.call(document, before);
  }
}

export const PAINTING = 'img, video, canvas, svg, iframe, picture, object, embed';

const MIXING = /invert|brightness|contrast|hue-rotate|sepia|url\(/;

/**
 * Whether the text or its background have other colors on the screen than their styles say: a filter or a blend mode changes the text and not what is behind it,
 * or a shadow or the picture of a border fills the box.
 * @param {Facts} facts
 * @param {Box} rect of the text
 */
function isMixed(facts, rect) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) {
    const style = computedOf(node);
    if (isFilled(style, placeOf(node), rect)) return true;
    if (hasOpaqueGround(node)) return false; // a filter of it changes both
    if (style.mixBlendMode !== 'normal' || MIXING.test(style.filter) || style.backdropFilter !== 'none') return true;
  }
  return false;
}

/**
 * Whether a style paints over the background of a box where a text is: by a border picture, or by an inset shadow.
 * @param {CSSStyleDeclaration} style
 * @param {Box} box
 * @param {Box} rect of the text
 */
function isFilled(style, box, rect) {
  if (style.borderImageSource !== 'none' && style.borderImageSlice.includes('fill')) return true;
  if (!style.boxShadow.includes('inset')) return false;
  return style.boxShadow.split(/,(?![^(]*\))/).some((shadow) => {
    const sizes = /(-?[\d.]+)px (-?[\d.]+)px [\d.]+px (-?[\d.]+)px inset/.exec(shadow);
    if (sizes === null || (parseColor(shadow.slice(0, sizes.index).trim())?.[3] ?? 1) < FAINTEST) return false;
    const [x, y, spread] = sizes.slice(1).map(Number);
    const hole = { x: box.x + x + spread, y: box.y + y + spread, width: box.width - 2 * spread, height: box.height - 2 * spread };
    const bare = hole.width > 0 && hole.height > 0 ? overlap(hole, rect) : null;
    return bare === null || bare.width * bare.height < 0.5 * rect.width * rect.height;
  });
}

/**
 * Whether something other than an ancestor of the text, such as an image, is painted behind it.
 * @param {Facts} facts
 * @param {DOMRect} rect
 */
function isPaintedBehind(facts, rect) {
  let child = facts.el;
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) {
    if (hasPaintedPseudo(node.el)) return true;
    let looked = 0;
    for (const near of children(node.el)) {
      if (near === child || !isElement(near) || ++looked > 50) continue;
      if (paintsAt(near, rect)) return true;
    }
    child = node.el;
    if (hasOpaqueGround(node)) return false;
  }
  return false;
}

/** @param {Element} el @param {Box} rect */
function paintsAt(el, rect) {
  if (overlap(rectOf(el), rect) === null) return false;
  if (matches(el, PAINTING) || hasGround(styleOf(el)) || isDrawnShape(el)) return true;
  for (const inner of Array.from(queryAllOf.call(el, PAINTING)).slice(0, 20)) if (overlap(rectOf(inner), rect) !== null) return true;
  return false;
}

/**
 * Whether it is a shape of a drawing that is filled.
 * @param {Element} el
 */
function isDrawnShape(el) {
  return el instanceof SVGElement && (matches(el, 'use, image') || (matches(el, SHAPES_DRAWN) && styleOf(el).fill !== 'none'));
}

const SHAPES_DRAWN = 'rect, path, circle, ellipse, polygon';

/** @param {Element} el */
function hasPaintedPseudo(el) {
  for (const pseudo of ['::before', '::after']) {
    const style = styleOf(el, pseudo);
    if (style.content !== 'none' && style.content !== 'normal' && hasGround(style)) return true;
  }
  return false;
}

/** @param {CSSStyleDeclaration} style */
export function hasGround(style) {
  return style.backgroundImage !== 'none' || (parseColor(style.backgroundColor)?.[3] ?? 1) > 0;
}
