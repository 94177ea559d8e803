// Op opened: until what an action has opened is there. Dialogs and menus fade in, and some libraries lay a backdrop over the page before the dialog
// that belongs on it.

import { bodyGet, documentElementGet, firstElementGet, parentElementGet, shadowRootGet, styleOf, textContentGet } from '../dom/builtins.js';
import { animationsIn } from '../dom/dom.js';
import { centre, elementAt, rectOf, viewport } from '../dom/geometry.js';
import { leftToRun, propertiesOf, STILL_PROPERTIES } from '../dom/motion.js';
import { ops } from '../dom/ops.js';
import { shadowRoots } from '../dom/shadow.js';

/** How long animations are waited for, in ms: those that end by then. */
const ANIMATED = 400;

/** How long a backdrop is waited for that has nothing on it, in ms. */
const BARE = 500;

/** How often a backdrop is looked at, in ms. */
const LOOK = 40;

/** Properties by which things come and go, without moving. */
const COMING = /^(opacity|visibility|display|overlay|content-visibility|filter)$/i;

ops.opened = async () => {
  const began = performance.now();
  let bare = 0; // how long a backdrop has had nothing on it
  for (;;) {
    const animated = animatedFor();
    if (animated > 0 && performance.now() - began < 2 * ANIMATED + BARE) {
      await pause(animated);
      continue;
    }
    if (bare >= BARE || !isBareBackdrop()) return null;
    await pause(LOOK);
    bare += LOOK;
  }
};

/** How many ms it takes until the animations have ended that bring something in, or move it, and whose end is near; 0: there is none. */
function animatedFor() {
  let longest = 0;
  for (const root of [document, ...shadowRoots()]) {
    for (const animation of animationsIn(root)) {
      const left = leftToRun(animation);
      if (left === null || left > ANIMATED || left <= longest) continue;
      if (propertiesOf(animation).some((name) => COMING.test(name) || !STILL_PROPERTIES.test(name))) longest = left;
    }
  }
  return longest;
}

/** Whether the page is covered by an element that has nothing in it. */
function isBareBackdrop() {
  const screen = viewport();
  const { x, y } = centre(screen);
  const el = elementAt(x, y);
  if (!el || el === bodyGet.call(document) || el === documentElementGet.call(document) || !parentElementGet.call(el)) return false;
  const box = rectOf(el);
  if (box.width < screen.width * 0.95 || box.height < screen.height * 0.95) return false;
  if (styleOf(el).position !== 'fixed') return false;
  return firstElementGet.call(el) === null && shadowRootGet.call(el) === null && (textContentGet.call(el) ?? '').trim() === '';
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(1, ms)));
}
