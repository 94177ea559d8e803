// Text that is in the tree but invisible on the page: injected instructions hide like that, and so does text for screen readers only. Text that
// becomes visible by scrolling, opening or hovering does not count.

import { parseColor, blendsIn, FAINTEST } from '../dom/colors.js';
import {
  clientHeightGet,
  clientWidthGet,
  containsOf,
  getterOf,
  namespaceGet,
  scrollHeightGet,
  scrollWidthGet,
  styleOf,
  SVG_NS,
  textContentGet,
} from '../dom/builtins.js';
import { CLIPS, LOCKS, SHAPES, VEILS } from '../dom/declarations.js';
import { computedOf, parentOf, settle, TELLS_HIDDEN } from '../dom/facts.js';
import { generatedAfter, generatedBefore, mayGenerate } from '../dom/generated.js';
import { boxOf, contentsRectOf, hasArea, leavesNothing } from '../dom/geometry.js';
import { fadingIn, openingTo } from './coming.js';
import { coverVeil, forgetChecks } from './covered.js';
import { forgetCovers } from './covers.js';
import { colorVeil, fillVeil, forgetGround, groundOf, hasGround, isPaintedThrough, paintsThrough } from './ground.js';
import {
  beginsOutside,
  bringerOf,
  clipsByItself,
  cutterOf,
  forgetPage,
  isCutOut,
  isFixed,
  isOnScreen,
  isOutside,
  isRow,
  placeOf,
} from './outofsight.js';
import { isSet } from './paintorder.js';
import { styleBits } from '../dom/styles.js';
import { ABSENT, isLockedIn, rendering, SHOWN } from '../dom/visibility.js';
import { hasOwnText } from '../ax/included.js';
import { CLIPPED, PART, PRESS, SEEN, TINY, TRANSPARENT, UNREACHED } from './veils.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Generated } from '../dom/generated.js'
 * @import { Box } from '../dom/geometry.js'
 */

const zoomGet = getterOf(Element.prototype, 'currentCSSZoom');
const styleMapOf = Element.prototype.computedStyleMap;
const SMALLEST = 2; // px: print too small to read
const SIZES = ['width', 'height', 'max-width', 'max-height'];
const HEAPED = -0.4; // letter-spacing of the font's size: most letters are half as wide as high

// What these show is not where their text is, or is drawn by the browser.
const DRAWN_BY_BROWSER = new Set(['option', 'optgroup', 'area', 'br', 'iframe', 'frame', 'canvas']);

/** Clears what the last walk cached. */
export function beginLooking() {
  forgetCovers();
  forgetChecks();
  forgetGround();
  forgetPage();
}

/**
 * Why the text in the element is not visible; SEEN if it may be.
 * @param {Facts} facts
 */
export function veilOf(facts) {
  return (facts.veil ??= computeVeil(facts));
}

/**
 * The same of a text, which may also lie under something.
 * @param {Facts} facts
 */
export function textVeilOf(facts) {
  return veilOf(facts) || coverVeil(facts);
}

/** @param {Facts} facts */
function computeVeil(facts) {
  if (!facts.html) return isDrawnText(facts) ? drawnVeil(facts) : SEEN;
  if (DRAWN_BY_BROWSER.has(facts.tag)) return SEEN;
  const shown = rendering(facts);
  if (shown === SHOWN && isFaint(facts)) return fadingIn(facts) || TRANSPARENT;
  if (isSkipping(facts)) return TINY;
  // What is not rendered has a line where another element shows it, as a select does its options.
  const veil = shown !== ABSENT && isShaped(facts) ? shapeVeil(facts) : SEEN;
  return (veil === SEEN ? SEEN : openingTo(facts) || veil) || colorVeil(facts) || generatedVeil(facts);
}

/** @param {Facts} facts */
function isDrawnText(facts) {
  return namespaceGet.call(facts.el) === SVG_NS && DRAWN_TEXTS.has(facts.tag);
}

const DRAWN_TEXTS = new Set(['text', 'tspan', 'textPath']);

/**
 * The same of a text in a drawing, which has no color but a fill and an outline, and is cut off at the edge of the drawing.
 * @param {Facts} facts
 */
function drawnVeil(facts) {
  if (rendering(facts) !== SHOWN) return SEEN;
  if (isFaint(facts)) return fadingIn(facts) || TRANSPARENT;
  if (clarityInDrawing(facts) < FAINTEST) return TRANSPARENT;
  const style = computedOf(facts);
  if (parseFloat(style.fontSize) <= SMALLEST && (zoomGet.call(facts.el) ?? 1) <= 1 && placeOf(facts).height <= SMALLEST) return TINY;
  if (isUnpainted(style.fill, style.fillOpacity) && (isUnpainted(style.stroke, style.strokeOpacity) || parseFloat(style.strokeWidth) === 0))
    return TRANSPARENT;
  return placeVeil(facts, placeOf(facts)) || (isCutOut(facts) ? CLIPPED : SEEN) || fillVeil(facts, style);
}

/**
 * How much opacities in a drawing leave, which may be attributes.
 * @param {Facts} facts
 */
function clarityInDrawing(facts) {
  let clarity = 1;
  for (let node = /** @type {Facts|null} */ (facts); node !== null && !node.html; node = parentOf(node))
    clarity *= parseFloat(computedOf(node).opacity);
  return clarity;
}

/** @param {string} paint @param {string} opacity */
function isUnpainted(paint, opacity) {
  return paint === 'none' || parseFloat(opacity) < FAINTEST || (parseColor(paint)?.[3] ?? 1) < FAINTEST;
}

/**
 * Why the contents of a frame are not seen on this page.
 * @param {Facts} facts
 */
export function frameVeil(facts) {
  if (rendering(facts) !== SHOWN) return SEEN;
  if (isFaint(facts)) return fadingIn(facts) || TRANSPARENT;
  const place = placeOf(facts);
  if (clientWidthGet.call(facts.el) <= SMALLEST || clientHeightGet.call(facts.el) <= SMALLEST) return TINY;
  const veil = placeVeil(facts, place) || (isCutOut(facts) ? CLIPPED : SEEN);
  return (veil === SEEN ? SEEN : openingTo(facts) || veil) || coverVeil(facts);
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
  if (isMovedOut(facts, style) || leavesNothing(style)) return true;
  const color = parseColor(style.webkitTextFillColor);
  if (color === null || style.textShadow !== 'none') return false;
  if (color[3] >= FAINTEST) {
    const ground = hasGround(style) ? parseColor(style.backgroundColor) : groundOf(facts);
    if (style.backgroundImage !== 'none' || ground === null || ground[3] !== 1 || !blendsIn(color, ground)) return false;
  }
  return !isPaintedThrough(style) && !paintsThrough(facts);
}

/**
 * Whether a pseudo-element is placed far outside of the page, or has no size. Its box cannot be asked for.
 * @param {Facts} facts
 * @param {CSSStyleDeclaration} style
 */
function isMovedOut(facts, style) {
  if (parseFloat(style.textIndent) <= -FAR_OUT) return true;
  const isCut = style.overflowX !== 'visible' || style.overflowY !== 'visible';
  if (isCut && style.display !== 'inline' && (parseFloat(style.width) <= 1 || parseFloat(style.height) <= 1)) return true;
  const { x, y } = placeOf(facts);
  const matrix = isSet(style.transform) ? new DOMMatrix(style.transform) : null;
  const [left, top] = style.position === 'static' ? ['0', '0'] : [style.left, style.top];
  const out = (/** @type {string} */ at, /** @type {string} */ margin, /** @type {number} */ moved) =>
    (parseFloat(at) || 0) + (parseFloat(margin) || 0) + moved;
  return (
    x + scrollX + out(left, style.marginLeft, matrix?.e ?? 0) <= -FAR_OUT ||
    y + scrollY + out(top, style.marginTop, matrix?.f ?? 0) <= -FAR_OUT
  );
}

const FAR_OUT = 500; // px: words that CSS adds are not longer

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
  return clarityIn(facts) < FAINTEST;
}

/**
 * How much of it all styles around leave: .1 in .1 is as good as nothing.
 * @param {Facts} facts
 * @returns {number}
 */
function clarityIn(facts) {
  if (facts.clarity === undefined) settle(facts, hasClarity, settleClarity);
  return /** @type {number} */ (facts.clarity);
}

/** @param {Facts} facts */
function hasClarity(facts) {
  return facts.clarity !== undefined;
}

/** @param {Facts} facts */
function settleClarity(facts) {
  const parent = parentOf(facts);
  const own = (styleBits(facts) & VEILS) === 0 ? 1 : clarityOf(computedOf(facts));
  facts.clarity = own * (parent === null ? 1 : clarityIn(parent));
}

/**
 * How much its own style leaves of it.
 * @param {CSSStyleDeclaration} style
 */
function clarityOf(style) {
  const filtered = /opacity\(([\d.]+)\)/.exec(style.filter);
  return parseFloat(style.opacity) * (filtered === null ? 1 : Number(filtered[1]));
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
  const veil = veilOf(facts);
  return veil === CLIPPED || veil === PRESS || (veil === TINY && box !== null && isCutToPixel(facts, box));
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
    const isOut = isOutside(facts, rect);
    const cutter = isOut ? null : cutterOf(facts, rect);
    if (!isOut && cutter === null) return SEEN;
    const scroller = bringerOf(facts, rect);
    if (scroller === null) return isOut ? UNREACHED : CLIPPED;
    if (cutter !== null && cutter !== scroller && containsOf.call(scroller.el, cutter.el)) return CLIPPED; // scrolling moves both
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
  if (rect.x >= innerWidth) return false; // the indent may bring it back
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
  if (/\S/.test(textContentGet.call(facts.el)) || isFlattened(facts)) return false;
  for (let node = /** @type {Facts|null} */ (facts); node !== null && !hasArea(placeOf(node)); node = parentOf(node))
    if (isSizedAway(node)) return false;
  return true;
}

/**
 * Whether a scale takes the size from an element. What turns, as a spinner without a size of its own does, is as large as before.
 * @param {Facts} facts
 */
function isFlattened(facts) {
  for (let node = /** @type {Facts|null} */ (facts); node; node = parentOf(node)) {
    if ((styleBits(node) & SHAPES) === 0) continue;
    const { transform, scale } = computedOf(node);
    if (isSet(scale)) return true;
    if (!isSet(transform)) continue;
    const { is2D, a, b, c, d } = new DOMMatrix(transform);
    if (!is2D || Math.abs(a * d - b * c) < LEAST_SCALE) return true;
  }
  return false;
}

const LEAST_SCALE = 0.01; // of an area

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
  const size = parseFloat(computedOf(facts).fontSize) * (zoomGet.call(facts.el) ?? 1);
  return size <= SMALLEST && hasOwnText(facts.el) && !isScaled(facts);
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
