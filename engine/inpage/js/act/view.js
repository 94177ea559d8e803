// Op scrollIntoView: an element is in view when a person sees it, not when its box is within the window.

import { isConnected } from '../dom/access.js';
import { blame } from './cover.js';
import { bringIntoView } from './focus.js';
import { bringOut, keepsPlace } from './frozen.js';
import { boxOf, centre, hitAt, isInside, isVisible, plainBox, rectOf, viewport, visiblePart } from '../dom/geometry.js';
import { whyHidden } from './hidden.js';
import { located, withTarget } from '../find/locate.js';
import { sameRect } from '../dom/motion.js';
import { ops } from '../dom/ops.js';
import { sticks } from './points.js';
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
  return { ...located(found), ...centre(part), moved, covered: coverOf(el) !== null };
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
 * Brings it out from below a header, row or column that stays where it is.
 * @param {Element} el
 */
function uncover(el) {
  if (!coverOf(el)) return false;
  return bringOut(
    el,
    () => boxOf(el) ?? rectOf(el),
    () => {
      const by = coverOf(el);
      return { free: by === null && isInView(el), by };
    },
  );
}

/** @param {Element} el */
function isInView(el) {
  return visiblePart(el, boxOf(el) ?? rectOf(el)).part !== null;
}

const EDGE = 4;

/**
 * What keeps its place over the middle of one of the element's edges while what it is in scrolls, or null. Beside the element counts only what a
 * scroll sideways would change.
 * @param {Element} el
 */
function coverOf(el) {
  const box = boxOf(el);
  const part = box && visiblePart(el, box).part;
  if (!part) return null;
  const { x, y, width, height } = part;
  const across = Math.min(EDGE, width / 2);
  const down = Math.min(EDGE, height / 2);
  for (const at of [
    { x: x + width / 2, y: y + down },
    { x: x + width / 2, y: y + height - down },
  ]) {
    const by = coverAt(el, at);
    if (by && (sticks(by) || keepsPlace(by, el, 'y'))) return by;
  }
  for (const at of [
    { x: x + across, y: y + height / 2 },
    { x: x + width - across, y: y + height / 2 },
  ]) {
    const by = coverAt(el, at);
    if (by && keepsPlace(by, el, 'x')) return by;
  }
  return null;
}

/**
 * @param {Element} el
 * @param {{x: number, y: number}} at
 */
function coverAt(el, { x, y }) {
  const hit = hitAt(x, y);
  return hit && !isInside(hit, el) && !isInside(el, hit) ? hit : null;
}
