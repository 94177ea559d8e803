// Widgets that libraries draw over a hidden native select: some of them follow a choice in that select, others do not.

import { innerTextGet } from '../dom/access.js';
import { nextElementGet, previousElementGet, styleOf } from '../dom/builtins.js';
import { isHTMLElement } from '../dom/dom.js';
import { after } from './edit.js';
import { isClippedOff, isVisible, rectOf } from '../dom/geometry.js';
import { plain } from '../dom/text.js';
import { fail, until } from '../dom/until.js';

// What is drawn for a select is about a line high, unless it shows several choices; a page that takes longer to draw than this says nothing.
const DRAWN_HEIGHT = 200;
const DRAWN_WITHIN = 300;

/** @type {{el: Element, shown: string}|null} what was drawn when something was last chosen under it */
let before = null;

/**
 * Whether something else is drawn in its place.
 * @param {Element} el
 */
export function isUnderWidget(el) {
  const { width, height } = rectOf(el);
  return width <= 1 || height <= 1 || styleOf(el).opacity === '0' || isClippedOff(el);
}

/**
 * What is right beside the element, where a widget for it is drawn.
 * @param {Element} el
 */
export function drawnFor(el) {
  return [nextElementGet.call(el), previousElementGet.call(el)].filter((one) => one !== null);
}

/** @param {Element} el */
function textDrawnFor(el) {
  const boxes = drawnFor(el).filter((one) => isHTMLElement(one) && isVisible(one) && rectOf(one).height <= DRAWN_HEIGHT);
  return plain(boxes.map((one) => innerTextGet.call(one)).join(' '));
}

/**
 * Keeps what is drawn, before another option is chosen; only where that shows what is chosen now.
 * @param {HTMLSelectElement} el
 */
export function noteDrawn(el) {
  before = null;
  if (!isUnderWidget(el)) return;
  const shown = textDrawnFor(el);
  const labels = [...el.selectedOptions].map((option) => plain(option.text));
  if (labels.some((label) => label !== '' && shown.includes(label))) before = { el, shown };
}

/**
 * Adds to an answer what is still drawn for a select, when that is what was drawn before another option was chosen.
 * @template {Object<string, any>} R
 * @param {HTMLSelectElement} el
 * @param {R} answer
 * @returns {R | Promise<R>}
 */
export function withDrawn(el, answer) {
  const was = before?.el === el ? before.shown : null;
  before = null;
  if (was === null) return answer;
  const result = until(DRAWN_WITHIN, () => (textDrawnFor(el) === was ? fail('value-not-kept') : answer));
  return after(result, (drawn) => (drawn.error ? { ...answer, drawn: was } : answer));
}
