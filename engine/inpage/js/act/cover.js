// What lies over an element, and what takes it away.

import { matches } from '../dom/access.js';
import { styleOf } from '../dom/builtins.js';
import { attr, composedParent, deepQueryAll, describe, localName } from '../dom/dom.js';
import { ofSecret } from './edit.js';
import { centre, hitAt, isInside, isVisible, overlap, plainBox, rectOf, viewport } from '../dom/geometry.js';
import { located, named } from '../find/locate.js';
import { nameOf } from '../ax/name.js';
import { MODAL_DIALOG } from '../dom/older.js';
import { transitionOf } from '../dom/motion.js';
import { coversMost } from './points.js';
import { roleOf } from '../ax/role.js';
import { tokenOf } from '../dom/tokens.js';
import { fail } from '../dom/until.js';
import { holds, isInert, modalElement } from '../dom/visibility.js';

/** @import { Found } from '../find/locate.js' */

/**
 * An element that is in the way, as facts of an error: what it is, and the token under which the caller can name it.
 * @template {string} K
 * @param {K} key
 * @param {Element} el
 * @returns {{[P in K | `${K}Role` | `${K}Name`]: string} & {[P in `${K}Token`]: number}}
 */
export function blame(key, el) {
  return /** @type {any} */ ({ [key]: describe(el), [key + 'Role']: roleOf(el), [key + 'Name']: nameOf(el), [key + 'Token']: tokenOf(el) });
}

/**
 * What lies over the element, and how to get rid of it where it says so itself. over = the whole dialog or banner that hit is a part of.
 * @param {Element | null | undefined} hit
 * @param {Element} el
 */
export function coverFacts(hit, el) {
  const modal = modalOver(el);
  hit ??= modal;
  if (!hit) return { by: null, box: plainBox(rectOf(el)) };
  /** @type {Object<string, any>} */
  const facts = blame('by', hit);
  if (attr(hit, 'id') === null) {
    const around = ancestorWithID(hit);
    if (around) facts.byInside = describe(around);
  }
  if (isInside(el, hit)) facts.ancestor = true;
  if (modal || isInert(el)) facts.inert = true;
  if (styleOf(el).pointerEvents === 'none') facts.pointerEvents = 'none';
  const transition = transitionOf(hit);
  if (transition !== null) {
    facts.viewTransition = true;
    if (Number.isFinite(transition)) facts.endsIn = Math.round(transition);
    return facts;
  }
  const banner = facts.ancestor ? null : bannerOver(hit, el);
  const dialog = modal ?? (facts.ancestor && !facts.inert ? null : dialogOver(hit));
  const over = dialog ?? banner;
  if (over) Object.assign(facts, blame('over', over));
  const dismiss = (banner && dismissIn(banner)) ?? (dialog && dismissIn(dialog));
  if (dismiss) facts.dismiss = named(dismiss);
  else if (dialog && matches(dialog, MODAL_DIALOG)) facts.escape = true;
  return facts;
}

/**
 * The whole dialog or banner that lies over an element with the part of it that was hit, or null.
 * @param {Element} hit
 * @param {Element} el
 */
export function layerOver(hit, el) {
  return modalOver(el) ?? (isInside(el, hit) ? null : (dialogOver(hit) ?? bannerOver(hit, el)));
}

/**
 * What keeps the element from the focus, as a failure: that it is inert, or that a dialog, which has taken the focus instead, is open. Or null.
 * @param {Found} found
 * @param {Element} el
 * @param {Element|null} active what has the focus
 * @param {Set<Element>} [dialogs] those that were there before, where others do not count
 */
export function keptFromFocus(found, el, active, dialogs) {
  const around = active && dialogAround(active, el);
  const dialog = modalOver(el) ?? (around && (!dialogs || dialogs.has(around)) ? around : null);
  if (!dialog && !isInert(el)) return null;
  return fail('target-covered', () => {
    const { x, y } = centre(rectOf(el));
    return { ...located(found), ...ofSecret(el), ...coverFacts(dialog ?? hitAt(x, y), el), unfocusable: true };
  });
}

/**
 * The dialog that the focus is in, and the element is not.
 * @param {Element} active
 * @param {Element} el
 */
function dialogAround(active, el) {
  for (let node = /** @type {Element|null} */ (active); node; node = composedParent(node)) {
    if (isInside(el, node)) return null;
    if (isDialog(node)) return node;
  }
  return null;
}

/**
 * The modal dialog that makes the element inert, or null.
 * @param {Element} el
 */
function modalOver(el) {
  const modal = modalElement();
  return modal && !holds(modal, el) ? modal : null;
}

/** @param {Element} el */
function ancestorWithID(el) {
  for (let node = composedParent(el); node; node = composedParent(node)) if (attr(node, 'id')) return node;
  return null;
}

/** What may be an open dialog. */
export const DIALOGS = 'dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]';

/** @param {Element} el */
function isDialog(el) {
  return localName(el) === 'dialog' || /dialog$/.test(roleOf(el));
}

/**
 * The outermost thing around hit, and not around el, that is laid over the page: a dialog, or what is placed by itself. Or null.
 * @param {Element} hit
 * @param {Element} el
 */
function bannerOver(hit, el) {
  let box = null;
  for (let node = /** @type {Element|null} */ (hit); node && !isInside(el, node); node = composedParent(node)) {
    const { position } = styleOf(node);
    if (isDialog(node) || position === 'fixed' || position === 'sticky' || position === 'absolute') box = node;
  }
  return box;
}

/**
 * The dialog that hit is a part of, or the backdrop of: many dialogs dim the page with an element beside them.
 * @param {Element} hit
 */
function dialogOver(hit) {
  for (let node = /** @type {Element|null} */ (hit); node; node = composedParent(node)) if (isDialog(node)) return node;
  if (!coversScreen(hit)) return null;
  const open = deepQueryAll(document, DIALOGS).filter(isVisible);
  return open.at(-1) ?? null;
}

/**
 * Whether it lies over most of the screen.
 * @param {Element} el
 */
function coversScreen(el) {
  const part = overlap(rectOf(el), viewport());
  return part !== null && coversMost(part);
}

// What ends a thing without a choice, and what makes one.
const CLOSES = /\b(close|dismiss|no thanks|not now|cancel|skip|reject|decline|later)\b|^[×✕✖╳x]$/i;
const AGREES = /\b(accept|agree|allow|got it|ok|okay|continue|understood)\b/i;

/**
 * The button in a dialog or banner that closes it, or null.
 * @param {Element} box
 */
function dismissIn(box) {
  const buttons = deepQueryAll(box, 'button, a[href], input, [role=button]').filter(isVisible);
  return buttons.find((el) => CLOSES.test(nameOf(el))) ?? buttons.find((el) => AGREES.test(nameOf(el))) ?? null;
}
