// What lies over a control for a moment only: it is on its way out, or the control is on its way to another place. What is read of the page now is
// acted on later.

import { composedParent } from '../dom/dom.js';
import { FAINTEST } from '../dom/colors.js';
import { isInside } from '../dom/geometry.js';
import { leftToRun, propertiesOf, STILL_PROPERTIES } from '../dom/motion.js';

const animationsOf = Element.prototype.getAnimations;

// How long the animation goes on at most, in ms: as long as what comes with an action is waited for, and a little more.
const SOON_OVER = 1000;

// Where things are moved to when they are taken out of sight: by their own size, or by that of the screen.
const OUT = /translate(?:X|Y|3d)?\([^)]*-?\d{3,}(?:\.\d+)?(?:%|v[wh])/;
const SHRUNK = /scale(?:X|Y|3d)?\(0(?:\.0\d*)?[,)]/;

/**
 * Whether a cover is there for a moment only.
 * @param {Element} hit what lies over the element
 * @param {Element} el
 */
export function passesBy(hit, el) {
  for (let node = /** @type {Element|null} */ (hit); node !== null && !isInside(el, node); node = composedParent(node))
    if (running(node).some(takesAway)) return true;
  for (let node = /** @type {Element|null} */ (el); node !== null && !isInside(hit, node); node = composedParent(node))
    if (running(node).some((one) => propertiesOf(one).some((name) => !STILL_PROPERTIES.test(name)))) return true;
  return false;
}

/** @param {Element} el */
function running(el) {
  return animationsOf.call(el).filter((one) => {
    const left = leftToRun(one);
    return left !== null && left / Math.max(Math.abs(one.playbackRate), 1) <= SOON_OVER;
  });
}

/** @param {Animation} animation */
function takesAway(animation) {
  const effect = /** @type {KeyframeEffect} */ (animation.effect);
  if (effect.pseudoElement !== null) return false;
  const frames = effect.getKeyframes();
  const { direction, iterations } = effect.getComputedTiming();
  const isBackward = direction === 'reverse' || ((direction === 'alternate') === (Number(iterations) % 2 === 0) && direction !== 'normal');
  /** @type {any} */
  const last = frames[isBackward ? 0 : frames.length - 1];
  if (last === undefined) return false;
  return (
    Number(last.opacity ?? 1) < FAINTEST ||
    last.visibility === 'hidden' ||
    last.display === 'none' ||
    last.scale === '0' ||
    OUT.test(last.transform ?? '') ||
    OUT.test(`translate(${last.translate ?? ''})`) ||
    SHRUNK.test(last.transform ?? '')
  );
}
