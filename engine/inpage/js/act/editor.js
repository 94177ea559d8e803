// Editors that keep their text in a model of their own and show a part of it, as Monaco, ACE and CodeMirror 5 do. What takes the keys is a
// hidden field, or an EditContext; it holds some of the text at most. Selecting there selects nothing in the model: that takes
// the keys of a person, and text goes in and comes out by the clipboard's events, which such editors serve from their model.

import { dispatchEventOf, innerTextGet, isConnected } from '../dom/access.js';
import { getterOf, styleOf, textContentGet } from '../dom/builtins.js';
import { composedParent, deepQueryAll, isHTMLElement, localName } from '../dom/dom.js';
import { after, editKind, holdsSecret, isEditableContent, selectContent, selectionNoticed, textOf } from './edit.js';
import { hasArea, rectOf } from '../dom/geometry.js';
import { ops } from '../dom/ops.js';
import { elementOf } from '../dom/tokens.js';
import { isShownBy, squeezed } from './typed.js';
import { fail, until } from '../dom/until.js';
import { isRendered } from '../dom/visibility.js';

const editContextGet =
  'editContext' in HTMLElement.prototype ? getterOf(HTMLElement.prototype, 'editContext') : () => /** @type {any} */ (null);
export const clipboardDataGet = getterOf(ClipboardEvent.prototype, 'clipboardData');
export const defaultPreventedGet = getterOf(Event.prototype, 'defaultPrevented');

const SEEN_FIELD = 20;

/** @param {Element} el */
export function hasEditContext(el) {
  return isHTMLElement(el) && editContextGet.call(el) !== null;
}

/**
 * Whether it takes the keys for an editor that draws its text on a canvas. Nothing in the page is that text: the EditContext has what the browser passed
 * on, of which the page may have made something else.
 * @param {Element} el
 */
export function drawsText(el) {
  if (!hasEditContext(el)) return false;
  return localName(el) === 'canvas' || (textContentGet.call(el).trim() === '' && deepQueryAll(el, 'canvas').length > 0);
}

/**
 * Whether it takes the keys for an editor that keeps the text elsewhere.
 * @param {Element} el
 */
export function standsForEditor(el) {
  if (hasEditContext(el)) return true;
  if (localName(el) !== 'textarea') return false;
  const own = rectOf(el);
  if (own.width < SEEN_FIELD || styleOf(el).opacity === '0') return true;
  const parent = composedParent(el);
  if (!parent) return false;
  const around = rectOf(parent);
  return around.width < SEEN_FIELD && styleOf(parent).overflowX !== 'visible';
}

/**
 * The box in which a person sees what the element stands for.
 * @param {Element} el
 */
export function seenBoxOf(el) {
  if (!standsForEditor(el) || !isRendered(el)) return el; // what is not drawn gets no keys
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) if (hasArea(rectOf(node))) return node;
  return el;
}

/**
 * What a person sees of the editor that the field stands for: the first box around it that has text and some size.
 * @param {Element} el
 */
export function seenOfEditor(el) {
  for (let node = composedParent(el); node; node = composedParent(node)) {
    const rect = rectOf(node);
    if (rect.width >= 60 && rect.height >= 14 && textContentGet.call(node).trim() !== '') return textContentGet.call(node);
  }
  return '';
}

/**
 * Gives an editor text as pasting does. `handled` says whether it took it: a field of the browser's own takes only what a person pastes.
 */
ops.paste = ({ token, text, wait = 0 }) => {
  const el = elementOf(token);
  if (!el || !isConnected(el)) return { handled: false };
  if (!clipboardEvent(el, 'paste', text).handled) return { handled: false };
  // Some ask around before they put it in.
  const result = until(wait, () => (isShownBy(el, text) ? {} : fail('value-not-kept')));
  return after(result, () => ({ handled: true }));
};

/**
 * What copying the selection of an editor would give. The clipboard is left alone. unread = the browser would copy it, and what it has selected is not
 * the editor's text.
 */
ops.copied = ({ token }) => {
  const el = elementOf(token);
  if (!el || !isConnected(el)) return { text: '', gone: true };
  const { handled, data } = clipboardEvent(el, 'copy', '');
  if (handled || !hasEditContext(el)) return { text: handled ? data : selectedIn(el), secret: holdsSecret(el) };
  const own = drawsText(el) ? '' : innerTextGet.call(el);
  return own.trim() === '' ? { text: '', unread: true } : { text: own, secret: holdsSecret(el) };
};

/** @param {Element} el @param {string} type @param {string} text */
function clipboardEvent(el, type, text) {
  const data = new DataTransfer();
  if (text !== '') data.setData('text/plain', text);
  const event = new ClipboardEvent(type, { clipboardData: data, bubbles: true, cancelable: true, composed: true });
  dispatchEventOf.call(el, event);
  return { handled: defaultPreventedGet.call(event), data: clipboardDataGet.call(event).getData('text/plain') };
}

/**
 * Whether it shows some stretch of the text and no other: of a long document, editors such as CodeMirror draw what is in view.
 * @param {Element} el
 * @param {string} text
 */
export function showsPart(el, text) {
  if (!isEditableContent(el) || !isConnected(el)) return false;
  const have = squeezed(textOf(el));
  return have !== '' && squeezed(text).includes(have);
}

/**
 * All that is in an editor, as it copies it; the caret goes to the end.
 * @param {Element} el
 */
export async function copiedWhole(el) {
  if (selectContent(el, 'contenteditable')) await selectionNoticed();
  const { handled, data } = clipboardEvent(el, 'copy', '');
  const whole = handled ? data : textOf(el);
  getSelection()?.collapseToEnd();
  await selectionNoticed();
  return whole;
}

/**
 * The selected text, if only the browser copies it.
 * @param {Element} el
 */
export function selectedIn(el) {
  if (editKind(el) !== 'text') return String(getSelection());
  const { selectionStart: from, selectionEnd: to } = /** @type {HTMLInputElement} */ (el);
  return from === null || to === null ? '' : /** @type {HTMLInputElement} */ (el).value.slice(from, to);
}
