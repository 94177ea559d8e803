// What a person reads on the page although it is out of the accessibility tree: what is inert, outside of an open modal dialog, or aria-hidden. A
// search of the page tells it.

import { closestOf, styleOf } from '../dom/builtins.js';
import { attr, composedParent, isHTML } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { isClippedOff, isVisible, rectOf } from '../dom/geometry.js';
import { tidy } from '../ax/name.js';
import { elementsShowing, shownStart } from '../dom/text.js';
import { hasGround } from './ground.js';
import { veilOf } from './unseen.js';
import { SEEN } from './veils.js';
import { holds, isBarred, isHiddenForAX } from '../dom/visibility.js';

/** @import { Lines } from './lines.js' */

const MOST_TOLD = 10;
const MOST_TEXT = 200;

/**
 * Adds a line for each text that is seen, contains what is searched for, and has no line of its own: its value says what keeps it from that.
 * @param {Lines} walk
 * @param {string} text
 * @param {{scope: Element|null, modal: Element|null}} within
 */
export function tellShutOut(walk, text, { scope, modal }) {
  let told = 0;
  for (const el of elementsShowing(document, text, false)) {
    if ((scope !== null && !holds(scope, el)) || !isHiddenForAX(el) || !isSeen(el, modal)) continue;
    walk.push(0, 'shut out', '\t\t' + tidy(shownStart(el, MOST_TEXT)) + '\tvalue=' + barOf(el, modal), null);
    if (++told === MOST_TOLD) return;
  }
}

/**
 * Whether a person sees its text. What a modal dialog covers is not seen, except for popovers, which may be above it.
 * @param {Element} el
 * @param {Element|null} modal
 */
function isSeen(el, modal) {
  if (!isVisible(el) || isClippedOff(el) || veilOf(factsOf(el)) !== SEEN) return false;
  if (modal === null || holds(modal, el) || closestOf.call(el, ':popover-open') !== null || !hasGround(styleOf(modal))) return true;
  const box = rectOf(el);
  const over = rectOf(modal);
  return box.left < over.left || box.right > over.right || box.top < over.top || box.bottom > over.bottom;
}

/**
 * What keeps the element out of the tree: a modal dialog, inert, or aria-hidden.
 * @param {Element} el
 * @param {Element|null} modal
 */
function barOf(el, modal) {
  if (modal !== null && !holds(modal, el)) return 'modal';
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node))
    if ((attr(node, 'inert') !== null && isHTML(node)) || isBarred(node)) return 'inert';
  return 'aria-hidden';
}
