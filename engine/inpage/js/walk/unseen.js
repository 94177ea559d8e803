// Text that is in the tree but invisible on the page: injected instructions hide like that, and so does text for screen readers only. Text that
// becomes visible by scrolling, opening or hovering does not count.

import { matches } from '../dom/access.js';
import { blendsIn, FAINTEST, parseColor } from '../dom/colors.js';
import { clientHeightGet, clientWidthGet, queryAllOf, scrollHeightGet, scrollWidthGet, styleOf, textContentGet } from '../dom/builtins.js';
import { CLIPS, COLORS, LOCKS, SHAPES, VEILS } from '../dom/declarations.js';
import { children, elementRoot, isElement } from '../dom/dom.js';
import { computedOf, parentOf, settle, TELLS_HIDDEN } from '../dom/facts.js';
import { generatedAfter, generatedBefore, mayGenerate } from '../dom/generated.js';
import { boxOf, contentsRectOf, hasArea, overlap, rectOf } from '../dom/geometry.js';
import {
  beginsOutside,
  bringerOf,
  clipsByItself,
  forgetPage,
  isClipped,
  isCutOut,
  isFixed,
  isOnScreen,
  isOutside,
  isRow,
  placeOf,
} from './outofsight.js';
import { styleBits } from '../dom/styles.js';
import { ABSENT, isLockedIn, rendering, SHOWN } from '../dom/visibility.js';
import { hasOwnText } from '../ax/included.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Generated } from '../dom/generated.js'
 * @import { Box } from '../dom/geometry.js'
 */

export const SEEN = '';
const TRANSPARENT = 'transparent';
const TINY = 'size';
export const UNREACHED = 'outside'; // where scrolling does not lead
const CLIPPED = 'clipped';
const SAME_COLOR = 'color'; // that of its background
export const PART = 'part'; // some of it can be seen

const styleMapOf = Element.prototype.computedStyleMap;
const SMALLEST = 2; // px: print too small to read
const SIZES = ['width', 'height', 'max-width', 'max-height'];
const HEAPED = -0.4; // letter-spacing of the font's size: most letters are half as wide as high

// What these show is not where their text is, or is drawn by the browser.
const DRAWN_BY_BROWSER = new Set(['option', 'optgroup', 'area', 'br', 'iframe', 'frame', 'canvas']);

// Chrome's own style sheet gives them legible colors.
const COLORED = new Set(['a', 'button', 'input', 'select', 'textarea', 'mark', 'dialog']);

// How often a walk may check what is painted behind a text. Only text that seems to have the color of its background needs that.
const PAINT_CHECKS = 100;
let paintChecks = 0;

/** Clears what the last walk cached. */
export function beginLooking() {
  paintChecks = 0;
  forgetPage();
}

/**
 * Why the text in the element is not visible; SEEN if it may be.
 * @param {Facts} facts
 */
export function veilOf(facts) {
  return (facts.veil ??= computeVeil(facts));
}

/** @param {Facts} facts */
function computeVeil(facts) {
  if (!facts.html || DRAWN_BY_BROWSER.has(facts.tag)) return SEEN;
  const shown = rendering(facts);
  if (shown === SHOWN && isFaint(facts)) return TRANSPARENT;
  if (isSkipping(facts)) return TINY;
  // What is not rendered has a line where another element shows it, as a select does its options.
  return (shown !== ABSENT && isShaped(facts) ? shapeVeil(facts) : SEEN) || colorVeil(facts) || generatedVeil(facts);
}

/**
 * Whether the contents of the element are there to be found only.
 * @param {Facts} facts
 */
function isSkipping(facts) {
  return ((styleBits(facts) & LOCKS) !== 0 || (facts.tells & TELLS_HIDDEN) !== 0) && isLockedIn(facts);
}

/**
 * Words that CSS puts before or after the contents, which their own style hides.
 * @param {Facts} facts
 */
function generatedVeil(facts) {
  if (!mayGenerate(facts) || rendering(facts) !== SHOWN) return SEEN;
  if (hidesWords(facts, '::before', generatedBefore(facts)) || hidesWords(facts, '::after', generatedAfter(facts))) return PART;
  return SEEN;
}

const WORDS = /\p{L}{2}/u; // icon fonts draw with other characters

/** @param {Facts} facts @param {string} pseudo @param {Generated|null} generated */
function hidesWords(facts, pseudo, generated) {
  if (generated === null || generated.picture || !WORDS.test(generated.text)) return false;
  const style = styleOf(facts.el, pseudo);
  if (parseFloat(style.opacity) < FAINTEST || parseFloat(style.fontSize) <= SMALLEST) return true;
  const color = parseColor(style.webkitTextFillColor);
  if (color === null || style.textShadow !== 'none') return false;
  if (color[3] >= FAINTEST) {
    const ground = hasGround(style) ? parseColor(style.backgroundColor) : groundOf(facts);
    if (style.backgroundImage !== 'none' || ground === null || ground[3] !== 1 || !blendsIn(color, ground)) return false;
  }
  return !isPaintedThrough(style) && !paintsThrough(facts);
}

/**
 * Whether a style of the element, or of what it is in, may take its text out of sight. On most pages few have such.
 * @param {Facts} facts
 * @returns {boolean}
 */
function isShaped(facts) {
  if (facts.shaped === undefined) settle(facts, hasShape, settleShape);
  return /** @type {boolean} */ (facts.shaped);
}

/** @param {Facts} facts */
function hasShape(facts) {
  return facts.shaped !== undefined;
}

/** @param {Facts} facts */
function settleShape(facts) {
  const bits = styleBits(facts);
  if ((bits & (VEILS | SHAPES)) !== 0 || clipsByItself(facts)) facts.shaped = true;
  else if ((bits & CLIPS) !== 0 && !isRow(facts) && overflows(facts.el)) facts.shaped = true;
  else {
    const parent = parentOf(facts);
    facts.shaped = parent !== null && isShaped(parent);
  }
}

/**
 * Whether an opacity or a filter leaves nothing of it that can be seen, or almost nothing.
 * @param {Facts} facts
 */
function isFaint(facts) {
  return facts.faint || (isShaped(facts) && isFaded(facts));
}

/**
 * The same where the opacity is not 0: by its own style, or by that of what it is in.
 * @param {Facts} facts
 * @returns {boolean}
 */
function isFaded(facts) {
  if (facts.faded === undefined) settle(facts, hasFade, settleFade);
  return /** @type {boolean} */ (facts.faded);
}

/** @param {Facts} facts */
function hasFade(facts) {
  return facts.faded !== undefined;
}

/** @param {Facts} facts */
function settleFade(facts) {
  const parent = parentOf(facts);
  facts.faded = ((styleBits(facts) & VEILS) !== 0 && isAlmostClear(computedOf(facts))) || (parent !== null && isFaded(parent));
}

/** @param {CSSStyleDeclaration} style */
function isAlmostClear(style) {
  const filtered = /opacity\(([\d.]+)\)/.exec(style.filter);
  return parseFloat(style.opacity) * (filtered === null ? 1 : Number(filtered[1])) < FAINTEST;
}

/**
 * Whether there is more in the element than fits; most of what hides its overflow has none.
 * @param {Element} el
 */
function overflows(el) {
  return scrollHeightGet.call(el) > clientHeightGet.call(el) || scrollWidthGet.call(el) > clientWidthGet.call(el);
}

/**
 * @param {Facts} facts
 * @returns {string}
 */
function shapeVeil(facts) {
  while (computedOf(facts).display === 'contents') {
    // It has no box, like a slot: its text is laid out in its parent's.
    const parent = parentOf(facts);
    if (parent === null || !isShaped(parent)) return SEEN;
    facts = parent;
  }
  const own = placeOf(facts);
  const box = hasArea(own) ? own : boxOf(facts.el);
  if (box === null ? !isMerelyEmpty(facts) : isCutToPixel(facts, box)) return TINY;
  if (isTinyPrint(facts) || isHeaped(facts)) return TINY;
  const rect = box ?? own;
  if (box === null && rect.x === 0 && rect.y === 0) return SEEN; // it has no place either
  if (isIndented(facts, rect) || isPushedOut(facts, rect)) return UNREACHED;
  return placeVeil(facts, rect) || (isCutOut(facts) ? CLIPPED : SEEN);
}

/**
 * Whether the text in the element is cut to a pixel or by its clip, as labels are that are there to be heard.
 * @param {Facts} facts
 */
export function isCutAway(facts) {
  const box = boxOf(facts.el);
  return veilOf(facts) === CLIPPED || (veilOf(facts) === TINY && box !== null && isCutToPixel(facts, box));
}

/** @param {Facts} facts @param {Box} box */
function isCutToPixel(facts, box) {
  return (box.width <= 1 || box.height <= 1) && hidesRest(facts);
}

/**
 * Why a box is out of sight, unless something that scrolls brings it in.
 * @param {Facts} facts
 * @param {DOMRect} rect
 * @returns {string}
 */
function placeVeil(facts, rect) {
  for (;;) {
    const veil = isOutside(facts, rect) ? UNREACHED : isClipped(facts, rect) ? CLIPPED : SEEN;
    if (veil === SEEN) return SEEN;
    const scroller = bringerOf(facts, rect);
    if (scroller === null) return veil;
    facts = scroller;
    rect = placeOf(scroller);
  }
}

/**
 * Image replacement: the text is moved out of the box that shows the image.
 * @param {Facts} facts
 * @param {DOMRect} rect
 */
function isIndented(facts, rect) {
  if ((styleBits(facts) & VEILS) === 0 || !isOnScreen(rect)) return false;
  const { textIndent, overflowX } = computedOf(facts);
  const indent = parseFloat(textIndent) * (textIndent.endsWith('%') ? rect.width / 100 : 1);
  return indent <= -99 || (indent > 0 && indent >= rect.width && overflowX !== 'visible');
}

/**
 * A box may begin far outside of the page, with its text, and reach into it.
 * @param {Facts} facts
 * @param {DOMRect} rect
 */
function isPushedOut(facts, rect) {
  return beginsOutside(rect) && hasOwnText(facts.el) && isOutside(facts, contentsRectOf(facts.el));
}

/**
 * Whether the box is on the screen, or comes there when something is scrolled, whatever the text in it looks like.
 * @param {Facts} facts
 */
export function isBoxSeen(facts) {
  const rect = placeOf(facts);
  if (rendering(facts) !== SHOWN || isFaint(facts) || rect.width <= 1 || rect.height <= 1) return false;
  if (!isOnScreen(rect) && isFixed(facts) && bringerOf(facts, rect) === null) return false;
  return !isCutOut(facts) && placeVeil(facts, rect) === SEEN;
}

/**
 * Text flows out of a box that is too small, unless that is clipped or scaled.
 * @param {Facts} facts
 */
function hidesRest(facts) {
  const style = computedOf(facts);
  return style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.display === 'inline' || isScaled(facts);
}

/**
 * Whether an element without a size has none because no text is in it, and not because a style takes the room from it.
 * @param {Facts} facts
 */
function isMerelyEmpty(facts) {
  if (/\S/.test(textContentGet.call(facts.el)) || isScaled(facts)) return false;
  for (let node = /** @type {Facts|null} */ (facts); node !== null && !hasArea(placeOf(node)); node = parentOf(node))
    if (isSizedAway(node)) return false;
  return true;
}

/** @param {Facts} facts */
function isSizedAway({ el }) {
  const styles = styleMapOf.call(el); // which has sizes as they are set, and not what they come to
  return SIZES.some((name) => {
    const size = /** @type {any} */ (styles.get(name));
    return size?.unit !== undefined && size.unit !== 'percent' && size.value <= SMALLEST;
  });
}

/** @param {Facts} facts */
function isTinyPrint(facts) {
  return parseFloat(computedOf(facts).fontSize) <= SMALLEST && hasOwnText(facts.el) && !isScaled(facts);
}

/**
 * Whether the letters of the text lie upon each other.
 * @param {Facts} facts
 */
function isHeaped(facts) {
  const { letterSpacing } = computedOf(facts);
  if (!letterSpacing.startsWith('-')) return false; // to ask for the size of the font, too, costs as much again
  return parseFloat(letterSpacing) <= HEAPED * parseFloat(computedOf(facts).fontSize) && hasOwnText(facts.el);
}

/** @param {Facts} facts */
function isScaled(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) {
    if ((styleBits(node) & SHAPES) === 0) continue;
    const { transform, scale, rotate } = computedOf(node);
    if (transform !== 'none' || scale !== 'none' || rotate !== 'none') return true;
  }
  return false;
}

/**
 * Whether the text has no color, or that of its background.
 * @param {Facts} facts
 */
function colorVeil(facts) {
  const veil = paintOf(facts);
  if (veil !== SAME_COLOR) return veil;
  if (++paintChecks > PAINT_CHECKS) return SEEN;
  const rect = boxOf(facts.el);
  return rect === null || isPaintedBehind(facts, rect) ? SEEN : SAME_COLOR;
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
  if (color[3] < FAINTEST) return style.textShadow === 'none' && !paintsThrough(facts) ? TRANSPARENT : SEEN;
  const ground = groundOf(facts);
  return ground !== null && blendsIn(color, ground) && style.textShadow === 'none' ? SAME_COLOR : SEEN;
}

/**
 * Whether the background of the element, or of one that it is in, is seen through its text.
 * @param {Facts} facts
 */
function paintsThrough(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) if (isPaintedThrough(computedOf(node))) return true;
  return false;
}

/** @param {CSSStyleDeclaration} style */
function isPaintedThrough(style) {
  return style.backgroundClip.includes('text') && hasGround(style);
}

/**
 * The background color of the element's text, or null if it is an image or unknown.
 * @param {Facts} facts
 * @returns {number[]|null}
 */
function groundOf(facts) {
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
  if (style.backgroundImage !== 'none') return null;
  const color = parseColor(style.backgroundColor);
  if (color === null) return null;
  if (color[3] === 0) return undefined;
  return color[3] === 1 ? color : null;
}

function canvasColor() {
  const dark = styleOf(elementRoot()).colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches;
  return dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
}

export const PAINTING = 'img, video, canvas, svg, iframe, picture, object, embed';

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
    if (hasOwnGround(node) && ownGround(node) !== undefined) return false;
  }
  return false;
}

/** @param {Element} el @param {Box} rect */
function paintsAt(el, rect) {
  if (overlap(rectOf(el), rect) === null) return false;
  if (matches(el, PAINTING) || hasGround(styleOf(el))) return true;
  for (const inner of Array.from(queryAllOf.call(el, PAINTING)).slice(0, 20)) if (overlap(rectOf(inner), rect) !== null) return true;
  return false;
}

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
