// What a modal dialog keeps from being used: the rest of the document, which is inert and not in the tree, or which the dialog covers.

import { styleOf } from '../dom/builtins.js';
import { bodyOf, composedParent, queryAll } from '../dom/dom.js';
import { centre, hasArea, hitAt, isInside, isVisible, isWithin, overlap, rectOf, viewport } from '../dom/geometry.js';
import { holds, isInert } from '../dom/visibility.js';

/** @import { Box } from '../dom/geometry.js' */

/** What a person can use, by tag, role and attributes. */
export const CONTROLS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=radio], [role=tab], [role=menuitem], [contenteditable=true]';

/**
 * How many controls that have a box are outside of the element.
 * @param {Element} top
 */
export function controlsBehind(top) {
  let count = 0;
  for (const el of queryAll(document, CONTROLS)) if (!holds(top, el) && hasArea(rectOf(el))) count++;
  return count;
}

/**
 * How many controls in a part of the page can be seen and are inert.
 * @param {Document | Element} part
 * @param {Element | null} modal  what makes the rest inert
 */
export function inertIn(part, modal) {
  let count = 0;
  for (const el of queryAll(part, CONTROLS)) if (hasArea(rectOf(el)) && ((modal !== null && !holds(modal, el)) || isInert(el))) count++;
  return count;
}

const MOST_HIT = 12;

/**
 * The dialog that says by aria-modal that the rest cannot be used, if that is so: none of the controls in view that are outside of it can be hit. Else
 * null. (WAI-ARIA 1.2, 6.6.14: the attribute alone makes nothing inert.)
 */
export function coveringDialog() {
  if (queryAll(document, '[aria-modal=true]').length === 0) return null; // the browser searches for one attribute faster than for more
  const dialog = Array.from(
    queryAll(document, '[role=dialog][aria-modal=true], [role=alertdialog][aria-modal=true], dialog[open][aria-modal=true]'),
  )
    .reverse()
    .find(isVisible);
  if (dialog === undefined) return null;
  const covers = coversOutside(dialog, viewport());
  return covers !== null && covers.length > 0 ? dialog : null;
}

// So many controls in view are behind what is taken for a dialog by its place alone: a single link to skip to the content does not count.
const FEWEST_BEHIND = 2;

/**
 * What looks like a modal dialog without saying so: it lies in the middle of the screen, has controls, and itself or a backdrop covers the screen with all
 * the other controls. Else null.
 */
export function coveringLayer() {
  const screen = viewport();
  const { x, y } = centre(screen);
  const layer = layerOf(hitAt(x, y));
  if (layer === null || !Array.from(queryAll(layer, CONTROLS)).some(isVisible)) return null;
  const covers = coversOutside(layer, screen);
  if (covers === null || covers.length < FEWEST_BEHIND) return null;
  const isPart = (/** @type {Element} */ hit) => isInside(hit, layer) || fillsScreen(layerOf(hit), screen);
  return covers.every(isPart) && (fillsScreen(layer, screen) || !covers.some((hit) => isInside(hit, layer))) ? layer : null;
}

/**
 * The outermost thing around an element that is laid over the page.
 * @param {Element|null} hit
 */
function layerOf(hit) {
  let layer = null;
  for (let node = hit; node !== null && node !== bodyOf(); node = composedParent(node)) {
    const { position } = styleOf(node);
    if (position === 'fixed' || (position === 'absolute' && layer === null)) layer = node;
  }
  return layer;
}

/** @param {Element|null} layer @param {Box} screen */
function fillsScreen(layer, screen) {
  if (layer === null) return false;
  const part = overlap(rectOf(layer), screen);
  return part !== null && part.width >= 0.95 * screen.width && part.height >= 0.95 * screen.height;
}

/**
 * What covers the controls in view outside of a dialog, of the first ones; null if one of them can be hit.
 * @param {Element} dialog
 * @param {Box} screen
 */
function coversOutside(dialog, screen) {
  const covers = [];
  for (const el of queryAll(document, CONTROLS)) {
    if (holds(dialog, el) || !isVisible(el)) continue;
    const point = centre(rectOf(el));
    if (!isWithin(point, screen)) continue;
    const hit = hitAt(point.x, point.y);
    if (hit !== null && isInside(hit, el)) return null;
    if (hit !== null) covers.push(hit);
    if (covers.length === MOST_HIT) break;
  }
  return covers;
}
