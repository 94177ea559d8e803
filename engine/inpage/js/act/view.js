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
import { atRest, goOn, scrollChain, standStill } from './rest.js';
import { fail } from '../dom/until.js';

ops.scrollIntoView = async (arg) => {
  const found = await withTarget(arg, (one) =>
    isVisible(one.el) ? one : fail('target-hidden', () => ({ ...located(one), ...whyHidden(one.el) })),
  );
  if (found.error) return found;
  const { el } = found;
  let moved = bringNearer(el);
  if (moved !== null && arg.later && sightOf(el)) {
    goOn((last) => staysInSight(el, last).then(() => (sightOf(el) ? null : { outside: true })));
  } else {
    standStill();
    if (moved !== null && (await staysInSight(el))) moved = true;
  }
  const part = sightOf(el);
  if (!part) {
    const { clippedBy } = visiblePart(el, boxOf(el) ?? rectOf(el));
    return fail('target-outside', {
      ...located(found),
      box: plainBox(rectOf(el)),
      viewport: plainBox(viewport()),
      ...(clippedBy ? blame('clippedBy', clippedBy) : {}),
    });
  }
  return { ...located(found), ...centre(part), moved: moved ?? false, covered: coverOf(el) !== null };
};

/**
 * What of it a person sees, or null.
 * @param {Element} el
 */
function sightOf(el) {
  return visiblePart(el, boxOf(el) ?? rectOf(el)).part;
}

// Content that is laid out only when it comes near the screen, and what loads then, pushes the element away again.
const SIGHT_TRIES = 3; // after the first

/**
 * Brings it into view once, and says whether it moved by that; null where there was nothing to do.
 * @param {Element} el
 */
function bringNearer(el) {
  const before = rectOf(el);
  if (!bringIntoView(el) && !uncover(el)) return null;
  return !sameRect(before, rectOf(el));
}

/**
 * Waits for what comes with the scroll, and brings the element back when that pushed it away. Whether it moved it then.
 * @param {Element} el
 * @param {() => boolean} [last]  whether no other scroll has taken its place
 */
async function staysInSight(el, last = () => true) {
  let moved = false;
  await atRest(scrollChain(el));
  for (let i = 0; i < SIGHT_TRIES && last() && isConnected(el) && isVisible(el); i++) {
    const nearer = bringNearer(el);
    if (nearer === null) break;
    moved ||= nearer;
    await atRest(scrollChain(el));
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
      return { free: by === null && sightOf(el) !== null, by };
    },
  );
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
