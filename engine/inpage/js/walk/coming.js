// Text that is not visible yet, and that the page brings in: when it is scrolled to, when the control before it is pressed, or by itself. It is content,
// unlike text that nothing shows. All of it are guesses from what the page declares, so that such a text is marked and not taken as seen.

import { children, isElement, queryAll } from '../dom/dom.js';
import {
  getAttributeOf,
  localNameGet,
  matchesOfElement,
  parentNodeGet,
  previousElementGet,
  scrollHeightGet,
  scrollWidthGet,
} from '../dom/builtins.js';
import { FAINTEST } from '../dom/colors.js';
import { CLIPS, SHAPES, VEILS } from '../dom/declarations.js';
import { computedOf, factsOf, parentOf, settle } from '../dom/facts.js';
import { overlap } from '../dom/geometry.js';
import { styleBits } from '../dom/styles.js';
import { clipperOf, isOutside, isPastScreen, isTurnedAway, placeOf } from './outofsight.js';
import { LATER, PRESS, SCROLL } from './veils.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Box } from '../dom/geometry.js'
 */

const animationsOf = Element.prototype.getAnimations;

// An animation that begins later, or takes longer, brings nothing in that a person waits for.
const LONGEST_WAIT = 60_000;

// The smaller side of what a person sees something in, in px.
const LEAST_SIDE = 10;

/**
 * What brings in an element that has an opacity of 0, or is in one; '' if nothing does.
 * @param {Facts} facts
 * @returns {string}
 */
export function fadingIn(facts) {
  return fadeAround(facts) ?? '';
}

/**
 * The same; null if no opacity of 0 hides it.
 * @param {Facts} facts
 * @returns {string|null}
 */
function fadeAround(facts) {
  if (facts.fades === undefined) settle(facts, knowsFading, settleFading);
  return /** @type {string|null} */ (facts.fades);
}

/** @param {Facts} facts */
function knowsFading(facts) {
  return facts.fades !== undefined;
}

/** @param {Facts} facts */
function settleFading(facts) {
  const parent = parentOf(facts);
  const around = parent === null ? null : fadeAround(parent);
  const own = parseFloat(computedOf(facts).opacity) === 0 ? fadeOf(facts) : null;
  facts.fades = own === '' || around === '' ? '' : (around ?? own);
}

/**
 * What brings in an element with an opacity of 0.
 * @param {Facts} facts
 */
function fadeOf(facts) {
  if (facts.tag === 'html' || facts.tag === 'body') return LATER; // a page that is shown when it has loaded
  const animated = animationOf(facts.el);
  if (animated !== '') return animated;
  const style = computedOf(facts);
  const rect = placeOf(facts);
  const shows = isTransitioned(style, FADES);
  if (isSlide(facts, rect)) return LATER;
  if (isPastScreen(rect)) return shows || moves(style) ? SCROLL : '';
  return shows && style.position !== 'fixed' && fillsScreen(rect) ? LATER : '';
}

const FADES = /^(?:all|opacity)$/;

/**
 * Which kind of animation makes an element visible.
 * @param {Element} el
 */
function animationOf(el) {
  for (const animation of animationsOf.call(el)) {
    const effect = /** @type {KeyframeEffect} */ (animation.effect);
    if (effect === null || effect.pseudoElement !== null || !effect.getKeyframes().some((frame) => Number(frame.opacity ?? 0) >= FAINTEST))
      continue;
    if (animation.timeline !== null && !(animation.timeline instanceof DocumentTimeline)) return SCROLL;
    const { delay, duration, endTime } = effect.getComputedTiming();
    const past = Number(animation.currentTime ?? 0);
    const isEndless = !Number.isFinite(Number(endTime));
    const left = isEndless ? Math.max(0, Number(delay) - past) + Number(duration) : Number(endTime) - past;
    if (animation.playState === 'running' && left > 0 && left <= LONGEST_WAIT) return LATER;
  }
  return '';
}

/**
 * Whether a change of one of these properties takes time.
 * @param {CSSStyleDeclaration} style
 * @param {RegExp} names
 */
export function isTransitioned(style, names) {
  const times = style.transitionDuration.split(',');
  return style.transitionProperty.split(',').some((name, i) => names.test(name.trim()) && parseFloat(times[i % times.length]) > 0);
}

/**
 * Whether a script moves what it is about to show.
 * @param {CSSStyleDeclaration} style
 */
function moves({ transform, translate, scale, willChange }) {
  return transform !== 'none' || translate !== 'none' || scale !== 'none' || willChange.includes('opacity');
}

/** @param {Box} rect */
function fillsScreen({ width, height }) {
  return width >= 0.9 * innerWidth && height >= 0.9 * innerHeight;
}

/**
 * Whether another one of its kind is seen in its place: they take turns.
 * @param {Facts} facts
 * @param {Box} rect
 */
function isSlide(facts, rect) {
  return siblingsOf(facts).some((near) => {
    const { x, y } = placeOf(near);
    const isStacked = Math.abs(x - rect.x) <= 0.1 * rect.width && Math.abs(y - rect.y) <= 0.1 * rect.height;
    return isStacked && parseFloat(computedOf(near).opacity) >= FAINTEST;
  });
}

// So many siblings are looked at.
const MOST_SIBLINGS = 12;

/**
 * The siblings of the same tag that have a class in common with the element, and about its size.
 * @param {Facts} facts
 */
function siblingsOf(facts) {
  const parent = parentNodeGet.call(facts.el);
  const names = classesOf(facts.el);
  if (!isElement(parent) || names.length === 0) return [];
  const { width, height } = placeOf(facts);
  const siblings = [];
  for (const node of children(/** @type {Element} */ (parent))) {
    if (node === facts.el || !isElement(node) || localNameGet.call(node) !== facts.tag) continue;
    const near = factsOf(/** @type {Element} */ (node));
    if (!classesOf(near.el).some((name) => names.includes(name))) continue;
    const rect = placeOf(near);
    if (Math.abs(rect.width - width) <= 0.2 * width && Math.abs(rect.height - height) <= 0.5 * height) siblings.push(near);
    if (siblings.length === MOST_SIBLINGS) break;
  }
  return siblings;
}

/** @param {Element} el */
export function classesOf(el) {
  return (getAttributeOf.call(el, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
}

/**
 * What brings in an element that is out of its place: in a box that is closed, in a drawer beside the page, or in the row of a carousel.
 * @param {Facts} facts
 * @returns {string}
 */
export function openingTo(facts) {
  if (facts.opens === undefined) settle(facts, knowsOpening, settleOpening);
  return /** @type {string} */ (facts.opens);
}

/** @param {Facts} facts */
function knowsOpening(facts) {
  return facts.opens !== undefined;
}

/** @param {Facts} facts */
function settleOpening(facts) {
  facts.opens = '';
  if ((styleBits(facts) & (CLIPS | SHAPES)) !== 0 && (isClosedBox(facts) || isDrawer(facts))) facts.opens = PRESS;
  else if ((styleBits(facts) & VEILS) !== 0 && (isTurning(facts) || isUncovering(facts))) facts.opens = PRESS;
  else if (isTurned(facts)) facts.opens = LATER;
  else {
    const parent = parentOf(facts);
    if (parent !== null && parent.tag !== 'body') facts.opens = openingTo(parent);
  }
}

/**
 * Whether it is the back of a card that turns.
 * @param {Facts} facts
 */
function isTurning(facts) {
  if (!isTurnedAway(facts)) return false;
  for (let node = /** @type {Facts|null} */ (facts); node !== null && node.tag !== 'body'; node = parentOf(node))
    if (isTransitioned(computedOf(node), TURNS)) return true;
  return false;
}

const TURNS = /^(?:all|transform|rotate)$/;

/**
 * Whether its clip-path is about to change.
 * @param {Facts} facts
 */
function isUncovering(facts) {
  const style = computedOf(facts);
  return style.clipPath !== 'none' && isTransitioned(style, /^(?:all|clip-path)$/);
}

const GROWS = /^(?:all|(?:max-)?(?:height|width)|(?:max-)?(?:block|inline)-size|grid-template-(?:rows|columns))$/;
const SLIDES = /^(?:all|transform|translate|left|right|top|bottom|inset.*|margin.*)$/;

/**
 * Whether it is a box of no height, or width, that opens: it says so by a transition, or by the control before it.
 * @param {Facts} facts
 */
function isClosedBox(facts) {
  const { width, height } = placeOf(facts);
  const isFlat = height <= 1 && width >= LEAST_SIDE;
  const isThin = width <= 1 && height >= LEAST_SIDE;
  if (!isFlat && !isThin) return false;
  const style = computedOf(facts);
  if ((isFlat ? style.overflowY : style.overflowX) === 'visible') return false;
  if ((isFlat ? scrollHeightGet : scrollWidthGet).call(facts.el) <= 1) return false;
  const parent = parentOf(facts);
  return isTransitioned(style, GROWS) || (parent !== null && isTransitioned(computedOf(parent), GROWS)) || hasOpener(facts);
}

const OPENERS = '[aria-expanded="false"],summary,button,[role="button"],label';

/**
 * Whether there is a control before it, or one that says that it controls it.
 * @param {Facts} facts
 */
function hasOpener({ el, root }) {
  const id = getAttributeOf.call(el, 'id');
  if (id !== null && id !== '' && root !== undefined && opens(root.node, `[aria-controls~="${CSS.escape(id)}"]`)) return true;
  const before = previousElementGet.call(el);
  return before !== null && (matchesOfElement.call(before, OPENERS) || opens(before, OPENERS));
}

/** @param {Node} root @param {string} css */
function opens(root, css) {
  return queryAll(root, css).length > 0;
}

/**
 * Whether it is beside the page, and slides in.
 * @param {Facts} facts
 */
function isDrawer(facts) {
  const style = computedOf(facts);
  if (style.position !== 'fixed' && style.position !== 'absolute') return false;
  return isTransitioned(style, SLIDES) && isOutside(facts, placeOf(facts));
}

/**
 * Whether it is cut off where another one of its kind and size is seen: they take turns.
 * @param {Facts} facts
 */
function isTurned(facts) {
  const clipper = clipperOf(facts);
  if (clipper === null) return false;
  const view = placeOf(clipper);
  if (view.width < LEAST_SIDE || view.height < LEAST_SIDE || overlap(placeOf(facts), view) !== null) return false;
  const { y } = placeOf(facts);
  return siblingsOf(facts).some((near) => Math.abs(placeOf(near).y - y) <= 1 && overlap(placeOf(near), view) !== null);
}
