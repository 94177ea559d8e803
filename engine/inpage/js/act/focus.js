// Ops focus and active: giving the focus, and seeing who has it.

import { controlOf, isConnected, matches } from '../dom/access.js';
import { styleOf } from '../dom/builtins.js';
import { blame, DIALOGS, keptFromFocus } from './cover.js';
import { bodyOf, composedParent, describe, focusedElement, focusedPart, isHTMLElement, localName, queryAll } from '../dom/dom.js';
import { after, editKind, editorOf, holdsSecret, isEditableContent, isNativeDisabled, ofSecret, refusesEdits, unsuitable } from './edit.js';
import { seenBoxOf, standsForEditor } from './editor.js';
import { watchEffects, withEffects } from './effects.js';
import { factsOf } from '../dom/facts.js';
import { isFocusable } from '../ax/focusable.js';
import { boxOf, isInside, isVisible, viewport, visiblePart } from '../dom/geometry.js';
import { whyHidden } from './hidden.js';
import { pathOf } from './landed.js';
import { locate, located, named, withTarget } from '../find/locate.js';
import { nameOf } from '../ax/name.js';
import { OPEN } from '../dom/older.js';
import { ops } from '../dom/ops.js';
import { showAt } from './points.js';
import { roleOf } from '../ax/role.js';
import { tokenOf } from '../dom/tokens.js';
import { caretMoved, movesSeen, watchMoves } from './typed.js';
import { beginTyping, editingHost } from './typing.js';
import { fail } from '../dom/until.js';
import { isRendered } from '../dom/visibility.js';

/**
 * @import { Found } from '../find/locate.js'
 * @import { FocusResultSaid, Looked } from '../ops.js'
 * @import { Failure, Probed } from '../dom/until.js'
 */

const focusHTML = HTMLElement.prototype.focus;

/** @param {Element} el */
export function bringIntoView(el) {
  const box = boxOf(el);
  if (!box) return false;
  const { part } = visiblePart(el, box);
  const { width, height } = viewport();
  if (part && (part.width >= box.width - 1 || part.width >= width - 1) && (part.height >= box.height - 1 || part.height >= height - 1))
    return false;
  return showAt(el, 'center');
}

/**
 * Focuses it and looks whether that took.
 * @param {Element} el
 * @returns {null | ((found: Found) => Failure)} the failure, when it did not
 */
export function takeFocus(el) {
  const host = kindHost(el);
  focusOn(host);
  const active = typingTarget();
  if (active && (isInside(active, host) || (isInside(host, active) && isEditableContent(active)))) return null;
  return (found) =>
    keptFromFocus(found, el, active) ??
    fail('target-unsuitable', () => ({
      ...unsuitable(found, 'It does not take the focus.'),
      ...(active ? blame('focused', active) : {}),
    }));
}

/** @param {Element} el */
function focusAny(el) {
  const focusable = /** @type {Element & {focus?: (options: FocusOptions) => void}} */ (el);
  focusable.focus?.({ preventScroll: true });
}

/** @param {Element} el */
export function focusOn(el) {
  if (isHTMLElement(el)) focusHTML.call(el, { preventScroll: true });
  else focusAny(el); // SVG and MathML have it, other XML has not
}

/**
 * What is focused for the element: for a part of editable content its editing host.
 * @param {Element} el
 */
export function kindHost(el) {
  if (editKind(el) !== 'contenteditable') return el;
  let host = el;
  for (let node = composedParent(el); node && isEditableContent(node); node = composedParent(node)) host = node;
  return host;
}

/** The focused element, or the body where typing goes there; null when typing goes nowhere. */
export function typingTarget() {
  const el = focusedElement();
  if (el) return el;
  const body = bodyOf();
  return body && isEditableContent(body) ? body : null;
}

ops.focus = (arg) => {
  let replaced = 0;
  /**
   * @param {Found} found
   * @returns {Looked<FocusResultSaid>}
   */
  const focus = (found) => {
    const el =
      localName(found.el) === 'label' ? (controlOf(found.el) ?? found.el) : arg.typing === undefined ? found.el : editorOf(found.el);
    if (!isVisible(seenBoxOf(el)) && !isFocusedUnseen(el)) {
      return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el), ...ofSecret(el) }));
    }
    if (isNativeDisabled(el)) return fail('target-disabled', () => ({ ...located(found), ...ofSecret(el) }));
    bringIntoView(seenBoxOf(el));
    if (arg.watch) watchEffects(el);
    watchMoves();
    const dialogs = dialogsNow();
    const got = getsFocus(el);
    if (!isConnected(el) && ++replaced <= REPLACED) {
      const again = locate(arg.target);
      return again.error ? again : focus(again);
    }
    return takenBy(found, el, dialogs) ?? focused(found, el, got, arg);
  };
  return withEffects(arg, withTarget(arg, focus));
};

/** The dialogs that there are. One that opens when the element gets the focus is not in its way. */
function dialogsNow() {
  return new Set(queryAll(document, DIALOGS));
}

/**
 * The failure that a dialog which was open keeps the focus, or that the element is inert; null where it has the focus, or may pass it on.
 * @param {Found} found
 * @param {Element} el
 * @param {Set<Element>} dialogs
 */
function takenBy(found, el, dialogs) {
  const active = typingTarget();
  if (active !== null && (isInside(active, el) || isInside(focusedPart() ?? active, el))) return null;
  return keptFromFocus(found, el, active, dialogs);
}

// How often what has replaced an element that got the focus gets it in its place.
const REPLACED = 1;

/**
 * The state after an element was focused.
 * @param {Found} found
 * @param {Element} el
 * @param {boolean} got whether it got the focus, if only for a moment
 * @param {{caretAtEnd?: boolean, typing?: number}} arg
 */
function focused(found, el, got, arg) {
  caretMoved();
  const active = typingTarget();
  const stays = active !== null && (isInside(active, el) || isInside(focusedPart() ?? active, el));
  const focused = stays || got;
  if (active && focused && arg.caretAtEnd) putCaret(active);
  /** @type {Object<string, any>} */
  const answer = { ...located(found), focused, editable: active !== null && takesKeys(active) };
  if (active && focused && arg.typing !== undefined) Object.assign(answer, typingAt(active, arg.typing));
  if (focused && !stays) answer.passed = active ? { ...named(active), tag: localName(active) } : { token: 0 };
  if (!isConnected(el)) answer.replaced = true;
  if (!focused && active) answer.on = describe(active);
  return answer;
}

/**
 * Whether keys reach it although it has no size, as the field under a drawn select.
 * @param {Element} el
 */
function isFocusedUnseen(el) {
  return isRendered(el) && styleOf(el).visibility === 'visible' && styleOf(el).display !== 'contents' && isFocusable(factsOf(el));
}

/**
 * Focuses it, and tells whether it got the focus, which a page may pass on at once.
 * @param {Element} el
 */
function getsFocus(el) {
  let got = false;
  const note = (/** @type {Event} */ event) => {
    got ||= event.isTrusted && pathOf(event).includes(el);
  };
  addEventListener('focus', note, { capture: true });
  focusOn(el);
  removeEventListener('focus', note, { capture: true });
  return got;
}

/**
 * Puts the caret at a place in a field, or behind the text that is there, as a click behind it would: focus alone puts it in front.
 * @param {Element} el
 * @param {number} [at]
 */
export function putCaret(el, at) {
  const kind = editKind(el);
  if (kind === 'text') {
    try {
      const field = /** @type {HTMLInputElement} */ (el);
      const end = at ?? field.value.length;
      field.setSelectionRange(end, end);
    } catch {
      // The kinds of input that tell no selection (email, number) have their caret moved by selecting and collapsing.
      /** @type {HTMLInputElement} */ (el).select();
      getSelection()?.collapseToEnd();
    }
  } else if (kind === 'contenteditable') {
    const selection = getSelection();
    selection?.selectAllChildren(el);
    selection?.collapseToEnd();
  }
}

/** What has the focus. `watch` begins to watch as the op watch does. `typing` says that keys will be sent to it, for so many ms. */
ops.active = ({ typing: within, watch = false }) => {
  watchMoves();
  if (watch) watchEffects();
  return after(watch ? movesSeen() : null, () => activeNow(within));
};

/** @param {number} [within] */
function activeNow(within) {
  const el = typingTarget();
  if (!el) return { tag: '', role: '', name: '', editable: false, token: 0 };
  const answer = {
    tag: localName(el),
    role: roleOf(el),
    name: nameOf(el),
    token: tokenOf(el),
    editable: takesText(el),
    keys: takesKeys(el),
  };
  return within === undefined ? answer : { ...answer, ...typingAt(el, within) };
}

/**
 * Begins to watch what typing does, where it edits something.
 * @param {Element} el
 * @param {number} within
 */
function typingAt(el, within) {
  if (!takesKeys(el)) return ofSecret(el);
  beginTyping(editingHost(el) ?? el, within);
  return { editor: standsForEditor(el), secret: holdsSecret(el), picker: editKind(el) === 'value' && matches(el, OPEN) };
}

/**
 * Whether typing changes it; dates are typed too, part by part.
 * @param {Element} el
 */
export function takesKeys(el) {
  return editKind(el) !== null && !isNativeDisabled(el) && !refusesEdits(el);
}

/**
 * Whether text that is inserted while it has the focus ends up in it.
 * @param {Element} el
 */
export function takesText(el) {
  return editKind(el) !== 'value' && takesKeys(el);
}
