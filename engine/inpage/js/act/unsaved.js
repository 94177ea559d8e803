// Fields that differ from what was loaded: what was changed in a form that was not sent since.

import { closestOf, getterOf, localNameGet, matchesOfElement } from '../dom/builtins.js';
import { focusedElement, isHTMLElement } from '../dom/dom.js';
import { inputValueGet, textareaValueGet } from '../ax/native.js';
import { inputType } from '../ax/role.js';

/**
 * @import { Facts } from '../dom/facts.js'
 */

const input = HTMLInputElement.prototype;
const [defaultOf, isChecked, isDefaultChecked] = ['defaultValue', 'checked', 'defaultChecked'].map((name) => getterOf(input, name));
const areaDefaultOf = getterOf(HTMLTextAreaElement.prototype, 'defaultValue');
const optionsOf = getterOf(HTMLSelectElement.prototype, 'options');
const isMultiple = getterOf(HTMLSelectElement.prototype, 'multiple');
const fieldsOf = getterOf(HTMLFormElement.prototype, 'elements');

const BUTTONS = new Set(['button', 'submit', 'reset', 'image', 'hidden']);
const SEARCHES = 'input[type=search], search *, [role=search] *'; // they have nothing to save

// A person, or a key of ours, has changed the field and left it.
const CHANGED = CSS.supports('selector(:user-valid)') ? ':is(:user-valid, :user-invalid)' : ':not(*)';

/**
 * What fields held before an op changed them first. Frameworks write what a field holds to its attribute, too, so that it always seems to be as
 * loaded.
 * @type {WeakMap<Element, string>}
 */
const loaded = new WeakMap();
let isListening = false;

/**
 * Notes what a field holds, before an op changes it.
 * @param {Element} el
 */
export function noteLoaded(el) {
  const held = stateOf(el);
  if (held === null || loaded.has(el)) return;
  loaded.set(el, held.now);
  if (isListening) return;
  isListening = true;
  addEventListener('submit', noteSent, { capture: true, passive: true });
}

/**
 * What was sent is as good as loaded.
 * @param {Event} event
 */
function noteSent(event) {
  const form = /** @type {Node} */ (event.target);
  if (!isHTMLElement(form, 'form')) return;
  for (const el of fieldsOf.call(form)) {
    const held = stateOf(el);
    if (held !== null) loaded.set(el, held.now);
  }
}

/**
 * Whether the field was changed and not sent.
 * @param {Element} el
 * @param {string} tag
 */
export function isUnsaved(el, tag) {
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select') return false;
  const state = stateOf(el);
  if (state === null || (isRadio(el) && state.now === 'false')) return false; // of radio buttons the one that was chosen tells it
  const before = loaded.get(el);
  if (before !== undefined ? before === state.now : state.now === state.loaded || !isChanged(el)) return false;
  return closestOf.call(el, SEARCHES) === null;
}

/** @param {Element} el */
function isRadio(el) {
  return isHTMLElement(el, 'input') && inputType(el) === 'radio';
}

/** @param {Element} el */
function isChanged(el) {
  return matchesOfElement.call(el, CHANGED) || focusedElement() === el;
}

/**
 * What a field holds, and what it held when it was loaded; null for what holds nothing of its own.
 * @param {Element} el
 * @returns {{now: string, loaded: string}|null}
 */
function stateOf(el) {
  switch (localNameGet.call(el)) {
    case 'textarea':
      return { now: textareaValueGet.call(el), loaded: areaDefaultOf.call(el) };
    case 'select':
      return stateOfSelect(/** @type {HTMLSelectElement} */ (el));
    case 'input':
      break;
    default:
      return null;
  }
  const type = inputType(el);
  if (BUTTONS.has(type)) return null;
  if (type === 'checkbox' || type === 'radio') return { now: String(isChecked.call(el)), loaded: String(isDefaultChecked.call(el)) };
  return { now: inputValueGet.call(el), loaded: type === 'file' ? '' : defaultOf.call(el) };
}

/** @param {HTMLSelectElement} el */
function stateOfSelect(el) {
  const options = Array.from(/** @type {HTMLOptionsCollection} */ (optionsOf.call(el)));
  let chosen = options.filter((option) => option.defaultSelected);
  if (!isMultiple.call(el)) {
    const first = chosen.at(-1) ?? options.find((option) => !option.disabled);
    chosen = first === undefined ? [] : [first];
  }
  const indexes = (/** @type {HTMLOptionElement[]} */ some) => some.map((option) => option.index).join();
  return { now: indexes(options.filter((option) => option.selected)), loaded: indexes(chosen) };
}
