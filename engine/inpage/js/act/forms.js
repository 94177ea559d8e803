// What belongs to a form: its fields, and the buttons that send it.

import { getterOf } from '../dom/builtins.js';
import { attr, isHTML, isHTMLElement, localName } from '../dom/dom.js';
import { inputType } from '../ax/role.js';

// A field that is in no form is taken to belong to the button that is near it: so many elements up.
export const STRAY_REACH = 4;
export const BUTTONS = 'button, input[type=submit i], input[type=button i], input[type=image i], [role=button]';

const GROUPS = new Set(['form', 'search', 'dialog', 'alertdialog']);

const inputFormGet = getterOf(HTMLInputElement.prototype, 'form');
const selectFormGet = getterOf(HTMLSelectElement.prototype, 'form');
const areaFormGet = getterOf(HTMLTextAreaElement.prototype, 'form');
const buttonFormGet = getterOf(HTMLButtonElement.prototype, 'form');
const buttonTypeGet = getterOf(HTMLButtonElement.prototype, 'type');

/** @param {Element} el */
export function isGroup(el) {
  if (isHTMLElement(el, 'form', 'search', 'fieldset', 'dialog')) return true;
  const role = attr(el, 'role');
  return role !== null && GROUPS.has(role.trim().toLowerCase());
}

/** @param {Element} el */
export function formOf(el) {
  if (!isHTML(el)) return null;
  switch (localName(el)) {
    case 'input':
      return inputFormGet.call(el);
    case 'select':
      return selectFormGet.call(el);
    case 'textarea':
      return areaFormGet.call(el);
    case 'button':
      return buttonFormGet.call(el);
  }
  return null;
}

/**
 * @param {Element} el
 * @returns {string} what a click on a button does to its form: submit, reset, or nothing by itself
 */
export function buttonKind(el) {
  if (isHTMLElement(el, 'button')) return buttonTypeGet.call(el);
  if (!isHTMLElement(el, 'input')) return '';
  const type = inputType(el);
  return type === 'image' ? 'submit' : type;
}
