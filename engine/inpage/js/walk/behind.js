// What a modal dialog keeps from being used: the rest of the document, which is inert and not in the tree, or which the dialog covers.

import { queryAll } from '../dom/dom.js';
import { centre, hasArea, hitAt, isInside, isVisible, isWithin, rectOf, viewport } from '../dom/geometry.js';
import { holds, isInert } from '../dom/visibility.js';

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
  const screen = viewport();
  let left = MOST_HIT;
  for (const el of queryAll(document, CONTROLS)) {
    if (holds(dialog, el) || !isVisible(el)) continue;
    const point = centre(rectOf(el));
    if (!isWithin(point, screen)) continue;
    const hit = hitAt(point.x, point.y);
    if (hit !== null && isInside(hit, el)) return null;
    if (--left === 0) break;
  }
  return left === MOST_HIT ? null : dialog;
}
