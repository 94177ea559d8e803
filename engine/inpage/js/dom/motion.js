// Whether an element is moving. Animations that the browser runs are asked for instead of watched, so that a page at rest costs no frame.

import { getRootNodeOf } from './builtins.js';
import { animationsIn, composedParent } from './dom.js';
import { centre, isInside, plainBox } from './geometry.js';

/**
 * @import { Box } from './geometry.js'
 * @import { Probed } from './until.js'
 */

// Properties that change how a thing looks and not where it is.
export const STILL_PROPERTIES =
  /color|^opacity|^filter|^backdrop|shadow|^visibility|^fill|^stroke|^background|^text-decoration|^caret|^cursor|^z-?index|^content-visibility|^outline|^display|^overlay/i;
// Properties that move other elements as well.
export const LAYOUT_PROPERTIES =
  /height|width|margin|padding|^(top|left|right|bottom|inset)|^flex|^grid|^font|^line-?height|^gap|^border.*width|^max|^min|^(block|inline)-?size/i;
const KEYFRAME_FIELDS = new Set(['offset', 'computedOffset', 'easing', 'composite']);

// An animation that goes on for longer than this is not waited for, nor is one that begins later.
export const SOON = 2000;

/**
 * What moves the element. passing: an animation of it, or of what it is in, that ends soon, so that the end can be waited for. endless:
 * one that does not. nearby: one of something else that may push it, or not.
 * @param {Element} el
 * @returns {'passing'|'endless'|'nearby'|null}
 */
export function motionOf(el) {
  /** @type {Set<'passing'|'endless'|'nearby'|null>} */
  const kinds = new Set();
  let scope = null;
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    const root = getRootNodeOf.call(node);
    if (root === scope) continue;
    scope = root;
    for (const animation of animationsIn(root)) kinds.add(kindOfMotion(animation, el));
  }
  if (kinds.has('passing')) return 'passing';
  if (kinds.has('endless')) return 'endless';
  return kinds.has('nearby') ? 'nearby' : null;
}

/**
 * @param {Animation} animation
 * @returns {number|null} how long an animation that runs, or begins soon, goes on in ms; null: it does neither
 */
export function leftToRun(animation) {
  const effect = /** @type {KeyframeEffect|null} */ (animation.effect);
  if (animation.playState !== 'running' || !effect?.target) return null;
  // Animations that follow scrolling stand still while nothing scrolls.
  if (animation.timeline !== null && !(animation.timeline instanceof DocumentTimeline)) return null;
  const { endTime, delay } = effect.getComputedTiming();
  const now = animation.currentTime ?? 0;
  return Number(delay) - Number(now) > SOON ? null : Number(endTime) - Number(now);
}

/**
 * Whether an animation is one of a view transition. While it runs, its pictures lie over all of the element that it is of, and take the input.
 * @param {KeyframeEffect} effect
 */
function isOfTransition(effect) {
  return effect.pseudoElement?.startsWith('::view-transition') === true;
}

// How long the pictures of a view transition stay at most when its animations have ended, in ms: the browser takes them away in the next frame.
const TRANSITION_ENDS = 100;

/**
 * @param {Animation} animation
 * @param {KeyframeEffect} effect
 */
function leftOfTransition(animation, effect) {
  if (animation.playState === 'paused') return Infinity;
  return Math.max(TRANSITION_ENDS, Number(effect.getComputedTiming().endTime) - Number(animation.currentTime ?? 0));
}

/**
 * How many ms the view transition of an element goes on: Infinity for one without an end; null: there is none.
 * @param {Element} el
 */
export function transitionOf(el) {
  let longest = null;
  for (const animation of animationsIn(getRootNodeOf.call(el))) {
    const effect = /** @type {KeyframeEffect|null} */ (animation.effect);
    if (effect?.target !== el || !isOfTransition(effect)) continue;
    longest = Math.max(longest ?? 0, leftOfTransition(animation, effect));
  }
  return longest;
}

/**
 * How many ms it takes until the animations that bring an element in, or what it is in, have ended; those without an end count as none.
 * @param {Element} el
 */
export function arrivalOf(el) {
  let longest = 0;
  let scope = null;
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
    const root = getRootNodeOf.call(node);
    if (root === scope) continue;
    scope = root;
    for (const animation of animationsIn(root)) {
      const effect = /** @type {KeyframeEffect|null} */ (animation.effect);
      if (!effect?.target || !isInside(el, effect.target)) continue;
      if (isOfTransition(effect)) {
        const rest = leftOfTransition(animation, effect);
        if (Number.isFinite(rest)) longest = Math.max(longest, rest);
        continue;
      }
      if (animation.playState !== 'running' || effect.pseudoElement !== null) continue;
      if (animation.timeline !== null && !(animation.timeline instanceof DocumentTimeline)) continue;
      const left = Number(effect.getComputedTiming().endTime) - Number(animation.currentTime ?? 0);
      if (Number.isFinite(left)) longest = Math.max(longest, left);
    }
  }
  return longest;
}

// What a failure is about that the end of an animation may cure.
const BROUGHT_IN = new Set(['target-hidden', 'target-outside', 'target-covered', 'target-unstable']);

/**
 * A failure about an element that an animation is about to bring in, with how long that takes.
 * @template {Probed} R
 * @param {R} result
 * @param {Element} el
 * @returns {R}
 */
export function comingIn(result, el) {
  if (result.error && BROUGHT_IN.has(result.error.code)) result.lasts = () => arrivalOf(el);
  return result;
}

/**
 * @param {Animation} animation
 * @param {Element} el
 * @returns {'passing'|'endless'|'nearby'|null}
 */
function kindOfMotion(animation, el) {
  const left = leftToRun(animation);
  if (left === null) return null;
  const { pseudoElement, target } = /** @type {KeyframeEffect} */ (animation.effect); // without one, nothing is left to run
  const names = propertiesOf(animation);
  if (pseudoElement === null && target !== null && isInside(el, target)) {
    if (!names.some((name) => !STILL_PROPERTIES.test(name))) return null;
    return left > SOON ? 'endless' : 'passing';
  }
  return names.some((name) => LAYOUT_PROPERTIES.test(name)) ? 'nearby' : null;
}

/** @param {Animation} animation */
export function propertiesOf(animation) {
  const { transitionProperty } = /** @type {CSSTransition} */ (animation);
  if (transitionProperty) return [transitionProperty];
  const names = new Set();
  for (const frame of /** @type {KeyframeEffect} */ (animation.effect).getKeyframes()) {
    for (const name of Object.keys(frame)) if (!KEYFRAME_FIELDS.has(name)) names.add(name);
  }
  return [...names];
}

/**
 * @param {DOMRect} b
 * @param {Box} a
 */
export function sameRect(a, b) {
  return Math.abs(a.x - b.x) < 0.5 && Math.abs(a.y - b.y) < 0.5 && Math.abs(a.width - b.width) < 0.5 && Math.abs(a.height - b.height) < 0.5;
}

/**
 * @param {DOMRect} b
 * @param {Box} a
 */
export function isSlow(a, b) {
  const from = centre(a);
  const to = centre(b);
  return Math.hypot(to.x - from.x, to.y - from.y) <= Math.min(b.width, b.height) / 4;
}

/**
 * @param {DOMRect} to
 * @param {Box} from
 */
export function motionFacts(from, to) {
  return { from: plainBox(from), to: plainBox(to) };
}
