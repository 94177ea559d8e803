// The forms of op capabilities: fields that are sent together, by their form, else by what holds them.

import { closestOf, ELEMENT, nodeTypeGet, previousSiblingGet, TEXT, textContentGet } from '../dom/builtins.js';
import { wordsOf } from './capabilities.js';
import { boxBehind } from '../ax/clickable.js';
import { attr, bodyOf, composedParent, controlAround, isHTMLElement, queryAll } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { buttonKind, BUTTONS, formOf, isGroup, STRAY_REACH } from '../act/forms.js';
import { accessibleName, nameOfFacts, tidy } from '../ax/name.js';
import { BUTTON_INPUTS } from '../ax/native.js';
import { inputType, semanticRole } from '../ax/role.js';
import { isEditable } from '../ax/table.js';
import { tokenOf } from '../dom/tokens.js';
import { isNamedUnseen } from '../walk/nameveil.js';
import { rendering, SHOWN } from '../dom/visibility.js';

/**
 * @import { Shown } from './capabilities.js'
 * @import { Facts } from '../dom/facts.js'
 */

export const FIELD_ROLES = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'spinbutton',
  'slider',
  'switch',
  'listbox',
  'Date',
  'DateTime',
  'InputTime',
  'ColorWell',
]);
const WRITTEN_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

/** @param {Shown} shown */
export function formsOf(shown) {
  const groups = new Groups();
  const buttons = [];
  for (const [el, facts] of shown.els) {
    const role = semanticRole(facts);
    const control = controlOfLine(facts);
    if (controlAround(el) !== null) continue; // a part of a date
    if (isFieldLine(control, role)) groups.add(el, control, role);
    else if (role === 'button') buttons.push(el);
  }
  for (const el of buttons) groups.addButton(el);
  return groups.all();
}

/**
 * The control that a line stands for: that of a label when the control itself is hidden.
 * @param {Facts} facts
 */
export function controlOfLine(facts) {
  const box = boxBehind(facts);
  return box === null ? facts.el : box;
}

/** @param {Element} control @param {string} role */
export function isFieldLine(control, role) {
  if (FIELD_ROLES.has(role) || isHTMLElement(control, 'textarea', 'select')) return true;
  return isHTMLElement(control, 'input') && !BUTTON_INPUTS.has(inputType(control)) && inputType(control) !== 'image';
}

class Groups {
  constructor() {
    /** @type {Map<Element, {el: Element, fields: any[], buttons: any[]}>} */
    this.byEl = new Map();
    /** @type {Map<Element, Element|null>} what groups the fields in an element */
    this.around = new Map();
  }

  /** @param {Element} el @param {Element} control @param {string} role */
  add(el, control, role) {
    const group = this.groupOf(control) ?? this.strayGroup(control, role);
    if (group === null) return;
    let entry = this.byEl.get(group);
    if (entry === undefined) this.byEl.set(group, (entry = { el: group, fields: [], buttons: [] }));
    entry.fields.push(describedField(el, control, role));
  }

  /** @param {Element} el */
  addButton(el) {
    const group = this.groupOf(el) ?? this.holderOf(el);
    const entry = group === null ? undefined : this.byEl.get(group);
    if (entry === undefined) return;
    const kind = buttonKind(el);
    const method = attr(el, 'formmethod');
    entry.buttons.push([tokenOf(el), kind, method === null ? '' : method.toLowerCase()]);
  }

  /**
   * The form of a control, else what holds fields together around it, or null.
   * @param {Element} el
   */
  groupOf(el) {
    const form = formOf(el);
    if (form) return form;
    return this.groupAround(el);
  }

  /**
   * @param {Element} el
   * @returns {Element|null}
   */
  groupAround(el) {
    const passed = [];
    let found = /** @type {Element|null} */ (null);
    for (let node = composedParent(el); node !== null; node = composedParent(node)) {
      const known = this.around.get(node);
      found = known === undefined && isGroup(node) ? node : (known ?? null);
      if (known !== undefined) break;
      passed.push(node);
      if (found !== null) break;
    }
    for (const node of passed) this.around.set(node, found);
    return found;
  }

  /**
   * For a field outside of a group: the container that holds it and a button. Check boxes in rows do not make a form.
   * @param {Element} el
   * @param {string} role
   */
  strayGroup(el, role) {
    if (isHTMLElement(el, 'select')) return el; // a choice that takes effect by itself
    if (!WRITTEN_ROLES.has(role) && !isHTMLElement(el, 'textarea')) return null;
    let node = composedParent(el);
    for (let i = 0; node !== null && i < STRAY_REACH && node !== bodyOf(); i++, node = composedParent(node)) {
      if (this.byEl.has(node) || queryAll(node, BUTTONS).length > 0) return node;
    }
    return el;
  }

  /**
   * The stray group around a button.
   * @param {Element} el
   */
  holderOf(el) {
    let node = composedParent(el);
    for (let i = 0; node !== null && i < STRAY_REACH + 2; i++, node = composedParent(node)) if (this.byEl.has(node)) return node;
    return null;
  }

  all() {
    return [...this.byEl.values()].map(({ el, fields, buttons }) => {
      const isForm = isHTMLElement(el, 'form');
      return {
        token: tokenOf(el),
        kind: isForm ? 'form' : semanticRole(factsOf(el)),
        name: accessibleName(factsOf(el)) || legendOf(el),
        method: isForm ? (attr(el, 'method') ?? 'get').toLowerCase() : '',
        words: wordsOf(el) + (isForm ? ' ' + actionPath(attr(el, 'action') ?? '') : ''),
        fields,
        buttons,
      };
    });
  }
}

/**
 * @param {Element} el
 * @param {Element} control
 * @param {string} role
 * @returns {[number, string, string, string, number, string]} token, name, type, autocomplete, 1 if hidden, what else may be its label
 */
function describedField(el, control, role) {
  const facts = factsOf(el);
  return [
    tokenOf(el),
    (attr(control, 'name') ?? '').slice(0, 80),
    fieldType(control, role),
    (attr(control, 'autocomplete') ?? '').toLowerCase().slice(0, 60),
    isNamedUnseen(facts, role) ? 1 : 0,
    role === 'radio' ? legendAround(control) : nameOfFacts(facts) === '' ? labelBeside(control) : '',
  ];
}

/** @param {Element} control @param {string} role */
function fieldType(control, role) {
  if (isHTMLElement(control, 'input')) return inputType(control);
  if (isHTMLElement(control, 'select')) return 'select';
  if (isHTMLElement(control, 'textarea')) return 'textarea';
  if (role === 'textbox' && isEditable(control)) return 'editable';
  return role.toLowerCase();
}

/**
 * For a field without a name: the text before it, which many pages mean to be its label.
 * @param {Element} control
 */
function labelBeside(control) {
  for (let node = /** @type {Element|null} */ (control), i = 0; node !== null && i < 3; node = composedParent(node), i++) {
    for (let before = previousSiblingGet.call(node); before !== null; before = previousSiblingGet.call(before)) {
      const text = tidy(textContentGet.call(before) ?? '');
      if (nodeTypeGet.call(before) === TEXT && text !== '') return text.slice(0, 80);
      if (nodeTypeGet.call(before) !== ELEMENT) continue;
      const facts = factsOf(before);
      if (text === '' || text.length > 80 || rendering(facts) !== SHOWN || queryAll(before, 'input, select, textarea, button').length > 0)
        return '';
      return text;
    }
  }
  return '';
}

/** @param {Element} el */
function legendOf(el) {
  /** @type {ArrayLike<Element>} */
  const legends = isHTMLElement(el, 'form', 'fieldset') ? queryAll(el, 'legend') : [];
  return legends.length !== 1 ? '' : tidy(textContentGet.call(legends[0])).slice(0, 80);
}

/**
 * What the radio buttons around one choose.
 * @param {Element} control
 */
function legendAround(control) {
  const set = closestOf.call(control, 'fieldset');
  return set === null ? '' : legendOf(set);
}

/**
 * The path of an address, without parts that identify a person.
 * @param {string} url
 */
function actionPath(url) {
  return url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .slice(0, 80);
}
