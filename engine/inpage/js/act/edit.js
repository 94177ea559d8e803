// Ops fill and value: prepare an edit and read its result. Text is typed by the browser (Input.insertText), not set from here;
// what takes no typed text (dates, colors, sliders) is set here as the browser's own picker would.

import { controlOf, dispatchEventOf, innerTextGet, isConnected, matches } from '../dom/access.js';
import { closestOf, firstChildGet, getterOf, nextSiblingGet, nodeTypeGet, styleOf, TEXT, textContentGet } from '../dom/builtins.js';
import {
  attr,
  composedParent,
  controlAround,
  deepQueryAll,
  focusedElement,
  isElement,
  isHTMLElement,
  localName,
  shadowOf,
} from '../dom/dom.js';
import { copiedWhole, hasEditContext, seenBoxOf, showsPart, standsForEditor } from './editor.js';
import { watchEffects, withEffects } from './effects.js';
import { everyElement } from '../find/find.js';
import { bringIntoView, kindHost, takeFocus } from './focus.js';
import { isVisible } from '../dom/geometry.js';
import { whyHidden } from './hidden.js';
import { afterHandlers, pathOf } from './landed.js';
import { located, withTarget } from '../find/locate.js';
import { nameOf } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { roleOf } from '../ax/role.js';
import { shownValueOf } from '../ax/state.js';
import { passwords } from '../ax/states.js';
import { plain } from '../dom/text.js';
import { elementOf, tokenOf } from '../dom/tokens.js';
import { beginTyping, endTyping } from './typing.js';
import { noteLoaded } from './unsaved.js';
import { fail, failFinal, until } from '../dom/until.js';

/**
 * @import { Found } from '../find/locate.js'
 * @import { FilledSaid, Looked } from '../ops.js'
 */

const TYPED_INPUTS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
// Input types whose value is not typed, with the format that they accept.
const PICKED_INPUTS = new Map([
  ['date', 'YYYY-MM-DD'],
  ['time', 'HH:MM'],
  ['datetime-local', 'YYYY-MM-DDTHH:MM'],
  ['month', 'YYYY-MM'],
  ['week', 'YYYY-Www'],
  ['color', '#rrggbb'],
  ['range', 'a number'],
]);
export const inputValue = /** @type {{get(): string, set(value: string): void}} */ (
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
);
const fieldTypeGet = getterOf(HTMLInputElement.prototype, 'type');
const isContentEditableGet = getterOf(HTMLElement.prototype, 'isContentEditable');

/**
 * @param {Element} el
 * @returns {'text'|'contenteditable'|'context'|'value'|null} how text gets into the element
 */
export function editKind(el) {
  const tag = localName(el);
  if (tag === 'textarea') return 'text';
  if (tag === 'input') {
    const type = fieldTypeGet.call(el);
    if (TYPED_INPUTS.has(type)) return 'text';
    return PICKED_INPUTS.has(type) ? 'value' : null;
  }
  if (isEditableContent(el)) return 'contenteditable';
  return hasEditContext(el) ? 'context' : null;
}

/** @param {Element} el */
export function isEditableContent(el) {
  return isHTMLElement(el) && isContentEditableGet.call(el);
}

/**
 * The element that takes the text: the target; the control of a label; the one visible editor inside a widget that stands for it (a
 * custom element, role=textbox around an input).
 * @param {Element} el
 */
export function editorOf(el) {
  if (editKind(el)) return el;
  const control = localName(el) === 'label' ? controlOf(el) : null;
  if (control) return control;
  const inner = deepQueryAll(shadowOf(el) ?? el, 'input, textarea, [contenteditable], [role="textbox"]').filter(
    (node) => editKind(node) && isVisible(seenBoxOf(node)),
  );
  if (inner.length !== 1) return el;
  // The box around an editor is taken for the editor; that around a field is not, since it may be anything.
  const stands = shadowOf(el) || TEXT_ROLES.has(roleOf(el)) || editKind(inner[0]) === 'contenteditable' || standsForEditor(inner[0]);
  return stands ? inner[0] : el;
}

const TEXT_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

ops.fill = (arg) => {
  let changed = false;
  const result = withTarget(arg, (found) => {
    const answer = prepareFill(found, arg);
    changed = !answer.error && answer.selected === true;
    if (!answer.error) delete answer.selected;
    return answer;
  });
  return after(result, (answer) => (changed ? selectionNoticed().then(() => answer) : answer));
};

/**
 * Calls next with a result that may have to be waited for.
 * @template R, S
 * @param {R|Promise<R>} result
 * @param {(result: R) => S|Promise<S>} next
 */
export function after(result, next) {
  return result instanceof Promise ? result.then(next) : next(result);
}

const NO_PASSWORD_FIELD = 'It is not a password field.';
const PART_OF_FIELD = 'It is a part of a field: type into it, or fill the whole field.';

const TYPED_NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)?$/i;

/** @param {Element} el */
export function isNumberField(el) {
  return localName(el) === 'input' && fieldTypeGet.call(el) === 'number';
}

/**
 * One look at the target and, when it is ready, the preparation. `selected` tells that the selection of the document was changed.
 * @param {Found} found
 * @param {{value: string|number, watch?: boolean, password?: boolean, keys?: boolean}} arg  `password`: only into a field that does not show it; `keys`:
 *   the last character may come as a key
 * @returns {Looked<FilledSaid & {selected?: boolean}>}
 */
function prepareFill(found, arg) {
  const el = editorOf(found.el);
  const kind = editKind(el);
  if (!kind) return failFinal('target-unsuitable', unsuitable(found, controlAround(el) === null ? 'It is not editable.' : PART_OF_FIELD));
  if (!isVisible(seenBoxOf(el))) return fail('target-hidden', () => ({ ...located(found), ...whyHidden(el), ...ofSecret(el) }));
  if (isNativeDisabled(el)) return fail('target-disabled', () => ({ ...located(found), ...ofSecret(el) }));
  if (refusesEdits(el)) return fail('target-readonly', () => ({ ...located(found), ...ofSecret(el) }));
  bringIntoView(seenBoxOf(el));
  noteLoaded(el);
  if (arg.watch) watchEffects(el);
  const unfocused = takeFocus(el);
  if (unfocused) return unfocused(found);
  // The focus may have changed the field.
  if (arg.password && !isPasswordField(el)) return failFinal('target-unsuitable', unsuitable(found, NO_PASSWORD_FIELD));
  if (kind === 'value') return { ...located(found), kind, ...pick(el, String(arg.value)) };
  if (isNumberField(el) && !TYPED_NUMBER.test(String(arg.value).trim())) {
    // Chrome drops what it cannot read, so that "1,5" would become 15.
    return { ...located(found), kind, done: true, refused: true, value: textOf(el), format: 'digits with a point, such as 1.5' };
  }
  if (standsForEditor(el)) return { ...located(found), done: false, kind: 'editor', into: tokenOf(el) };
  insertion?.end();
  insertion = new Insertion(el, arg.password === true);
  const selected = selectContent(el, kind);
  const keyed = arg.keys === true && kind !== 'context' && wantsKeys(el);
  if (keyed) beginTyping(kindHost(el), INSERTION_WITHIN); // a key that comes when the page has replaced the field is not for the page
  return { ...located(found), done: false, kind, secret: holdsSecret(el), selected, ...(keyed ? { keyed } : {}) };
}

const KEY_HANDLERS = '[onkeyup], [onkeydown], [onkeypress]';
const BUTTONS = 'button, input[type=submit], [role=button]';
const SHUT_BUTTONS = ':disabled, [aria-disabled=true]';

/**
 * Whether the page may look at the field when a key comes, and not when text does: it says so, the field filters or searches what the page shows, or
 * a button of the form or dialog is disabled, which what is listened to may enable.
 * @param {Element} el
 */
function wantsKeys(el) {
  if (closestOf.call(el, KEY_HANDLERS) || filters(el)) return true;
  for (let around = composedParent(el); around; around = composedParent(around)) {
    const isForm = localName(around) === 'form';
    const buttons = deepQueryAll(around, BUTTONS).filter((button) => isForm || closestOf.call(button, 'form') === null);
    if (isForm || buttons.length > 0) return buttons.some((button) => matches(button, SHUT_BUTTONS));
  }
  return false;
}

const IN_A_HEADER = 'th, thead, [role=columnheader]';
const FILTERS = /filter|search/i;

/** @param {Element} el */
function filters(el) {
  if (roleOf(el) === 'searchbox' || closestOf.call(el, IN_A_HEADER)) return true;
  return ['placeholder', 'name', 'id', 'class'].some((word) => FILTERS.test(attr(el, word) ?? '')) || FILTERS.test(nameOf(el));
}

/** @type {Insertion | null} */
let insertion = null;

export const INSERTION_WITHIN = 5000;

/**
 * Text that will be inserted from outside. Reading back waits for its events, since the field may hold the same text already. Editors
 * that do the edit themselves let only beforeinput through.
 */
class Insertion {
  /**
   * @param {Element} el
   * @param {boolean} password
   */
  constructor(el, password) {
    this.el = el;
    this.role = roleOf(el);
    this.name = nameOf(el);
    /** @type {(value?: unknown) => void} */
    let noticed = () => {};
    this.seen = new Promise((resolve) => {
      noticed = resolve;
    });
    this.met = false; // an event of it has come
    this.note = (/** @type {Event} */ event) => {
      if (password && !(pathOf(event).includes(el) && isPasswordField(el))) this.stop(event);
      if (!pathOf(event).includes(el)) return;
      this.met = true;
      this.end();
      afterHandlers(noticed);
    };
    addEventListener('beforeinput', this.note, { capture: true });
    addEventListener('input', this.note, { capture: true });
    this.timer = setTimeout(() => this.end(), INSERTION_WITHIN);
  }

  /**
   * The text is only for a field that does not show it, and the field may have changed since.
   * @param {Event} event
   */
  stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  end() {
    clearTimeout(this.timer);
    removeEventListener('beforeinput', this.note, { capture: true });
    removeEventListener('input', this.note, { capture: true });
  }
}

/** @param {Found} found @param {string} reason */
export function unsuitable(found, reason) {
  /** @type {Object<string, any>} */
  const facts = { ...located(found), reason };
  if (localName(found.el) === 'input') facts.type = fieldTypeGet.call(found.el);
  return facts;
}

/** @param {Element} el */
export function isNativeDisabled(el) {
  return matches(el, ':disabled');
}

/**
 * readonly does not apply to colors and sliders.
 * @param {Element} el
 */
export function refusesEdits(el) {
  const tag = localName(el);
  if (attr(el, 'readonly') === null || (tag !== 'input' && tag !== 'textarea')) return false;
  return tag === 'textarea' || !['color', 'range'].includes(fieldTypeGet.call(el));
}

/**
 * Selects everything that the typed text replaces.
 * @param {Element} el
 * @param {string} kind
 * @returns {boolean} whether editors will be told by selectionchange
 */
export function selectContent(el, kind) {
  if (kind === 'text') {
    /** @type {HTMLInputElement} */ (el).select();
    return false;
  }
  const selection = /** @type {Selection} */ (getSelection()); // only a document without a window has none
  const range = new Range();
  range.selectNodeContents(el);
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const same =
    before !== null &&
    before.startContainer === range.startContainer &&
    before.startOffset === range.startOffset &&
    before.endContainer === range.endContainer &&
    before.endOffset === range.endOffset;
  if (same) return false;
  selection.removeAllRanges();
  selection.addRange(range);
  return true;
}

// Editors that keep a selection of their own (Draft.js, Slate) take it over on selectionchange, which Chrome dispatches in a later task
// than the one that selects; typed text could arrive before it.
const NOTICED_WITHIN = 100;

/** Resolves when the page's editors have seen the new selection. */
export function selectionNoticed() {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      removeEventListener('selectionchange', end, { capture: true });
      afterHandlers(resolve);
    };
    const late = setTimeout(end, NOTICED_WITHIN);
    addEventListener('selectionchange', end, { capture: true });
  });
}

/**
 * Sets a value that is not typed. A value that the control does not accept leaves it as it was.
 * @param {Element} el
 * @param {string} value
 */
function pick(el, value) {
  const before = inputValue.get.call(el);
  const type = fieldTypeGet.call(el);
  inputValue.set.call(el, value);
  const now = inputValue.get.call(el);
  const limits = type === 'range' ? limitsOf(el, value) : null;
  if (limits !== null || refused(type, value, now)) {
    inputValue.set.call(el, before);
    return { done: true, refused: true, value: before, type, format: limits ?? PICKED_INPUTS.get(type) };
  }
  if (now !== before) announce(el);
  return { done: true, value: now, type };
}

/**
 * The range that a slider's value has to lie in, when it does not.
 * @param {Element} el
 * @param {string} value
 */
function limitsOf(el, value) {
  const [min, max] = [numberOr(attr(el, 'min'), 0), numberOr(attr(el, 'max'), 100)];
  const number = Number(value);
  return value.trim() !== '' && (number < min || number > Math.max(min, max)) ? `a number from ${min} to ${max}` : null;
}

/** @param {string | null} text @param {number} otherwise */
function numberOr(text, otherwise) {
  const number = parseFloat(text ?? '');
  return Number.isFinite(number) ? number : otherwise;
}

/**
 * The control turns what it cannot read into nothing, black or the middle of the range.
 * @param {string} type
 * @param {string} asked
 * @param {string} got
 */
function refused(type, asked, got) {
  if (type === 'color') return got !== asked.trim().toLowerCase();
  if (type === 'range') return asked.trim() === '' || !Number.isFinite(Number(asked));
  return got === '' && asked !== '';
}

/**
 * The events of a change that a person made.
 * @param {Element} el
 */
export function announce(el) {
  dispatchEventOf.call(el, new Event('input', { bubbles: true, composed: true }));
  dispatchEventOf.call(el, new Event('change', { bubbles: true }));
}

/**
 * `inserted` says that text is on its way to the field that fill prepared: it is read when it has arrived, or `wait` has passed. missed = the page had
 * replaced the field before any of it came.
 */
ops.value = (arg) =>
  withEffects(
    arg,
    after(readBack(arg), (result) => {
      endTyping();
      return result;
    }),
  );

/** @param {{token: number, expect: string, wait?: number, inserted?: boolean}} arg */
function readBack({ token, expect, wait = 0, inserted = false }) {
  const el = elementOf(token);
  if (!el) return fail('ref-stale', { candidates: [] });
  const editor = editorOf(el);
  if (expect === undefined) return { value: textOf(editor), secret: holdsSecret(editor), connected: isConnected(el) };
  const awaited = insertion?.el === editor ? insertion : null;
  const settle = () => {
    let seen = readNow(editor, awaited, String(expect));
    if (seen.kept) return seen;
    const look = () => {
      seen = readNow(editor, awaited, String(expect));
      return seen.kept ? seen : fail('value-not-kept');
    };
    const patiently = () => after(until(wait, look), () => seen); // what was seen last is the answer, kept or not
    if (!showsPart(editor, String(expect))) return patiently();
    return copiedWhole(editor).then((whole) => (plain(whole) === plain(expect) ? { ...seen, kept: true, value: whole } : patiently()));
  };
  if (!inserted || awaited === null) return settle();
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(true), wait);
    awaited.seen.then(() => {
      clearTimeout(late);
      resolve(false);
    });
  }).then((late) => {
    awaited.end();
    if (insertion === awaited) insertion = null;
    return late ? { ...readNow(editor, awaited, String(expect)), late } : settle();
  });
}

/**
 * What the field holds, or the one that replaced it: many pages render fields again with each input.
 * @param {Element} editor
 * @param {Insertion | null} awaited
 * @param {string} expect
 */
function readNow(editor, awaited, expect) {
  const now = isConnected(editor) ? editor : awaited && replacementField(awaited);
  const at = now ?? editor;
  const missed = now !== null && now !== editor && awaited !== null && !awaited.met;
  return {
    value: textOf(at),
    secret: holdsSecret(editor) || holdsSecret(at),
    kept: holdsText(at, expect),
    connected: now !== null,
    missed,
  };
}

/**
 * The field of the same role and name that stands for one that is gone; of several, the focused one.
 * @param {{el: Element, role: string, name: string}} arg
 */
export function replacementField({ el, role, name }) {
  const equals = everyElement(localName(el)).filter((other) => roleOf(other) === role && nameOf(other) === name && isVisible(other));
  if (equals.length === 1) return equals[0];
  const focused = focusedElement();
  return equals.find((other) => other === focused) ?? null;
}

// What has a value of its own in the DOM, which is not what a person reads of it (an option's text, a slider's wording).
const VALUED = new Set(['input', 'textarea', 'select', 'button', 'option', 'output', 'progress', 'meter', 'data']);

/** @param {Element} el */
export function hasText(el) {
  return isEditableContent(el) || VALUED.has(localName(el)) || shownValueOf(el) !== '';
}

/**
 * The text of a control or of editable content.
 * @param {Element} el
 */
export function textOf(el) {
  if (isEditableContent(el))
    return innerTextGet
      .call(el)
      .replace(/\u00a0/g, ' ')
      .replace(/\n$/, '');
  return VALUED.has(localName(el)) ? String(/** @type {HTMLInputElement} */ (el).value) : shownValueOf(el);
}

/**
 * Whether it holds the text, as far as its kind can: no line breaks in one line, free line breaks in rich text.
 * @param {Element} el
 * @param {string} text
 */
function holdsText(el, text) {
  const have = textOf(el);
  if (have === text) return true;
  const tag = localName(el);
  if (tag === 'input') {
    const line = text.replace(/\r\n|\r|\n/g, ' ');
    if (have === line || have === text.replace(/[\r\n]/g, '')) return true;
    return ['email', 'url'].includes(fieldTypeGet.call(el)) && have === text.trim();
  }
  if (tag === 'textarea') return have === text.replace(/\r\n?/g, '\n');
  return isEditableContent(el) && (plain(have) === plain(text) || (text === '' && plain(editedText(el)) === ''));
}

/**
 * The text of editable content without parts that cannot be edited, such as placeholders that editors draw in themselves.
 * @param {Node} node
 */
function editedText(node) {
  let text = '';
  for (let child = firstChildGet.call(node); child; child = nextSiblingGet.call(child)) {
    if (nodeTypeGet.call(child) === TEXT) text += textContentGet.call(child).replace(/[\ufeff\u200b]/g, '');
    else if (isElement(child) && attr(child, 'contenteditable') !== 'false') text += editedText(child);
  }
  return text;
}

/** @param {Element} el */
export function isPasswordField(el) {
  return localName(el) === 'input' && fieldTypeGet.call(el) === 'password';
}

const SECRET_KINDS = new Set(['current-password', 'new-password', 'one-time-code', 'cc-number', 'cc-csc']);

/**
 * Marks a field that takes no text now: no reply may contain the text that was meant for it.
 * @param {Element} el
 */
export function ofSecret(el) {
  return holdsSecret(el) ? { secret: true } : {};
}

/**
 * Whether no reply may contain the value of the field.
 * @param {Element} el
 */
export function holdsSecret(el) {
  if (isPasswordField(el)) passwords.add(el);
  if (passwords.has(el)) return true;
  if (
    (attr(el, 'autocomplete') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .some((word) => SECRET_KINDS.has(word))
  )
    return true;
  const drawn = styleOf(el).webkitTextSecurity; // nothing, once it is out of the page
  if (drawn !== 'none' && drawn !== '') passwords.add(el);
  return passwords.has(el);
}
