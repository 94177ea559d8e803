// Ops submitter and submitted: what a person uses to send a form, and whether it was sent.

import { controlOf } from '../dom/access.js';
import { getRootNodeOf, hasAttributeOf } from '../dom/builtins.js';
import { attr, bodyOf, composedParent, isHTMLElement, localName, queryAll } from '../dom/dom.js';
import { editKind, unsuitable } from './edit.js';
import { remembering } from '../dom/facts.js';
import { buttonKind, BUTTONS, formOf, isGroup, STRAY_REACH } from './forms.js';
import { isInside, isVisible } from '../dom/geometry.js';
import { located, named, withTarget } from '../find/locate.js';
import { nameOf } from '../ax/name.js';
import { validationMessageOf } from './sending.js';
import { ops } from '../dom/ops.js';
import { isDisabled } from '../ax/state.js';
import { failFinal } from '../dom/until.js';

/** @import { Target } from '../find/locate.js' */

/** The listener for the form to send. A later one takes its place. @type {{stop: () => void, sent: boolean, whenSent: (() => void)|null}|null} */
let sending = null;

const SENDING_FOR = 20_000;

/**
 * Finds what submits a form, or the form that a field is in: its control, else the field in which Enter does it. From then on it is noted whether a
 * form of the document is sent.
 * @param {{target: Target, patience?: number}} arg
 */
ops.submitter = (arg) =>
  withTarget(arg, (found) =>
    remembering(() => {
      const { el } = found;
      const form = formAround(el);
      const beside = submitsItself(el) ? el : form === null ? null : submitControl(form);
      const control = beside !== null && isHTMLElement(form, 'form') !== true && beside !== el && isOther(el, beside) ? null : beside;
      /** @type {Object<string, any>} */
      const answer = { ...located(found), real: form !== null && isHTMLElement(form, 'form') };
      if (control !== null) answer.control = named(control);
      else {
        const field = fieldForEnter(el, form);
        if (field === null) return failFinal('target-unsuitable', unsuitable(found, 'Nothing in it submits.'));
        answer.field = named(field);
      }
      if (answer.real) {
        const bypass = control !== null && hasAttributeOf.call(control, 'formnovalidate');
        if (!bypass && !hasAttributeOf.call(form, 'novalidate')) answer.invalid = invalidIn(form);
        listenForSubmit();
      }
      return answer;
    }),
  );

/** Whether a form was sent since submitter ran; waits so many ms for one that a script holds back for a moment. */
ops.submitted = ({ wait = 0 }) => {
  const watch = sending;
  if (watch === null || watch.sent || !(wait > 0)) return { sent: watch?.sent === true };
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ sent: false }), wait);
    watch.whenSent = () => {
      clearTimeout(timer);
      resolve({ sent: true });
    };
  });
};

function listenForSubmit() {
  sending?.stop();
  const watch = { sent: false, whenSent: /** @type {(() => void)|null} */ (null), stop: () => {} };
  const note = () => {
    watch.sent = true;
    watch.whenSent?.();
  };
  const timer = setTimeout(() => watch.stop(), SENDING_FOR);
  watch.stop = () => {
    removeEventListener('submit', note, true);
    clearTimeout(timer);
  };
  addEventListener('submit', note, true);
  sending = watch;
}

/**
 * @param {Element} el
 * @returns {boolean} whether the element is the control of a form that submits it
 */
function submitsItself(el) {
  return buttonKind(el) === 'submit' && formOf(el) !== null;
}

/**
 * The form that an element is or belongs to, else what holds fields together around it, or null.
 * @param {Element} el
 */
function formAround(el) {
  if (isHTMLElement(el, 'form') || isGroup(el)) return el;
  const own = formOf(el) ?? (isHTMLElement(el, 'label') ? formAroundControl(el) : null);
  if (own !== null) return own;
  for (let node = composedParent(el); node !== null; node = composedParent(node)) if (isHTMLElement(node, 'form')) return node;
  for (let node = composedParent(el); node !== null; node = composedParent(node)) if (isGroup(node)) return node;
  let node = composedParent(el);
  if (queryAll(el, BUTTONS).length > 0) return el; // what holds fields and a button, as summaries have it
  for (let i = 0; node !== null && i < STRAY_REACH && node !== bodyOf(); i++, node = composedParent(node))
    if (queryAll(node, BUTTONS).length > 0) return node;
  return null;
}

/** @param {Element} label */
function formAroundControl(label) {
  const control = controlOf(label);
  return control === null || control === undefined ? null : formOf(control);
}

/**
 * The first control that submits, as Enter in a field would use it; without one the only button there is.
 * @param {HTMLFormElement} form
 */
function submitControl(form) {
  const isForm = isHTMLElement(form, 'form');
  const all = isForm ? queryAll(getRootNodeOf.call(form), BUTTONS) : queryAll(form, BUTTONS);
  const mine = Array.from(all).filter((el) => (isForm ? formOf(el) === form || (formOf(el) === null && isInside(el, form)) : true));
  const usable = mine.filter((el) => isVisible(el) && !isDisabled(el) && buttonKind(el) !== 'reset');
  const submits = usable.find((el) => buttonKind(el) === 'submit' && formOf(el) !== null);
  if (submits !== undefined) return submits;
  const waiting = mine.filter((el) => isVisible(el) && buttonKind(el) === 'submit' && formOf(el) !== null);
  if (waiting.length > 0) return waiting[0]; // disabled as yet; a click waits for it
  return usable.length === 1 ? usable[0] : null;
}

/**
 * The field that takes Enter: the one that was named, else the first of the form.
 * @param {Element} el
 * @param {HTMLFormElement} form
 */
function fieldForEnter(el, form) {
  if (takesEnter(el)) return el;
  if (form === null) return null;
  return Array.from(queryAll(form, 'input, [contenteditable], [role=textbox], [role=searchbox], [role=combobox]')).find(takesEnter) ?? null;
}

/** @param {Element} el */
function takesEnter(el) {
  return editKind(el) !== null && localName(el) !== 'textarea' && isVisible(el) && !isDisabled(el);
}

// Words of buttons that send a search.
const SEARCHES = /\b(search|find|go|ok|filter|apply|start|suchen?|finden|los|anwenden|buscar|rechercher|cerca|zoek|zoeken|pesquisar)\b/i;

/**
 * Whether a button beside a search field without a form does something else: next to what filters a table there is often one that exports it.
 * @param {Element} el
 * @param {Element} button
 */
function isOther(el, button) {
  const searches = (localName(el) === 'input' && attr(el, 'type') === 'search') || attr(el, 'role') === 'searchbox';
  const name = nameOf(button);
  return searches && takesEnter(el) && /\p{L}/u.test(name) && !SEARCHES.test(name);
}

const INVALID_TOLD = 5;

/**
 * What keeps the browser from sending the form: fields by name, with the browser's words for what is wrong.
 * @param {HTMLFormElement} form
 */
function invalidIn(form) {
  const told = [];
  for (const el of queryAll(getRootNodeOf.call(form), 'input:invalid, select:invalid, textarea:invalid')) {
    if (formOf(el) !== form) continue;
    told.push({ name: nameOf(el) || (attr(el, 'name') ?? ''), why: validationMessageOf(el) });
    if (told.length === INVALID_TOLD) break;
  }
  return told;
}
