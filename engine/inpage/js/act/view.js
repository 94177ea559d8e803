// Op scrollIntoView: an element is in view when a person sees it, not when its box is within the window.

import { isConnected } from '../dom/access.js';
import { blame } from './cover.js';
import { bringIntoView } from './focus.js';
import { boxOf, centre, hitAt, isInside, isVisible, plainBox, rectOf, viewport, visiblePart } from '../dom/geometry.js';
import { whyHidden } from './hidden.js';
import { located, withTarget } from '../find/locate.js';
import { sameRect } from '../dom/motion.js';
import { ops } from '../dom/ops.js';
import { showAt, sticks } from './points.js';
import { atRest, scrollChain } from './rest.js';
import { fail } from '../dom/until.js';

ops.scrollIntoView = async (arg) => {
  const found = await withTarget(arg, (one) =>
    isVisible(one.el) ? one : fail('target-hidden', () => ({ ...located(one), ...whyHidden(one.el) })),
  );
  if (found.error) return found;
  const { el } = found;
  const moved = await bringToSight(el);
  const { part, clippedBy } = visiblePart(el, boxOf(el) ?? rectOf(el));
  if (!part) {
    return fail('target-outside', {
      ...located(found),
      box: plainBox(rectOf(el)),
      viewport: plainBox(viewport()),
      ...(clippedBy ? blame('clippedBy', clippedBy) : {}),
    });
  }
  return { ...located(found), ...centre(part), moved, covered: coveredBySticky(el) !== null };
};

// Content that is laid out only when it comes near the screen, and what loads then, pushes the element away again.
const SIGHT_TRIES = 4;

/** @param {Element} el */
async function bringToSight(el) {
  let moved = false;
  for (let i = 0; i < SIGHT_TRIES; i++) {
    const before = rectOf(el);
    if (!bringIntoView(el) && !uncover(el)) break;
    moved = moved || !sameRect(before, rectOf(el));
    await atRest(scrollChain(el));
    if (!isConnected(el) || !isVisible(el)) break;
  }
  return moved;
}

/**
 * Brings it out from below a header that stays where it is.
 * @param {Element} el
 */
function uncover(el) {
  if (!coveredBySticky(el)) return false;
  for (const block of /** @type {const} */ (['center', 'end', 'start'])) if (showAt(el, block) && !coveredBySticky(el)) return true;
  return false;
}

/**
 * What keeps its place over the middle of the element's upper or lower edge while the page scrolls, or null.
 * @param {Element} el
 */
function coveredBySticky(el) {
  const box = boxOf(el);
  const part = box && visiblePart(el, box).part;
  if (!part) return null;
  const x = part.x + part.width / 2;
  for (const y of [part.y + Math.min(4, part.height / 2), part.y + part.height - Math.min(4, part.height / 2)]) {
    const hit = hitAt(x, y);
    if (hit && !isInside(hit, el) && !isInside(el, hit) && sticks(hit)) return hit;
  }
  return null;
}
