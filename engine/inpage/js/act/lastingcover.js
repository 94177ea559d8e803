// Which covers stay: dialogs, banners and panels that wait for a person. Those of a page at work, and what comes and goes by itself, are waited for.

import { closestOf } from '../dom/builtins.js';
import { attr, composedParent, deepQueryAll } from '../dom/dom.js';
import { isVisible } from '../dom/geometry.js';
import { shownStart } from '../dom/text.js';
import { AT_WORK_WORDS, DOTS } from './atwork.js';
import { sinceLastAction } from './before.js';
import { layerOver } from './cover.js';

const USED = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link]';
const PASSES = '[role=alert], [role=status], [role=log], [role=tooltip], [aria-live=polite], [aria-live=assertive]';
const NAMED_PASSING = /toast|snack|notif|flash|load|spin|progress|busy|splash|skeleton/i;
const AT_WORK = 'progress, [role=progressbar], [aria-busy=true], [class*=spin], [class*=load], [class*=progress]';
const AT_WORK_TEXT = new RegExp(`^${AT_WORK_WORDS}|${DOTS}$`, 'i');

// How long after an action, or the start of the document, a cover may still close by itself, in ms: a dialog closes when the server has answered.
const SETTLED_AFTER = 2000;

/**
 * Whether what lies over an element is there to stay until a person acts.
 * @param {Element | null | undefined} hit
 * @param {Element} el
 */
export function isLastingCover(hit, el) {
  if (!hit || sinceLastAction() < SETTLED_AFTER) return false;
  const layer = layerOver(hit, el);
  if (layer === null || closestOf.call(hit, PASSES) !== null || closestOf.call(layer, PASSES) !== null) return false;
  for (let node = /** @type {Element|null} */ (hit); node !== null; node = node === layer ? null : composedParent(node))
    if (NAMED_PASSING.test(`${attr(node, 'class') ?? ''} ${attr(node, 'id') ?? ''}`)) return false;
  if (NAMED_PASSING.test(`${attr(layer, 'class') ?? ''} ${attr(layer, 'id') ?? ''}`)) return false;
  const isUsed = deepQueryAll(layer, USED).some(isVisible);
  return isUsed && !deepQueryAll(layer, AT_WORK).some(isVisible) && !AT_WORK_TEXT.test(shownStart(layer, 60));
}
