// States and values of elements (core-aam section 6.6, html-aam section 4 on attributes).

import { controlOf, innerTextGet } from '../dom/access.js';
import { getterOf, matchesOfElement, queryAllOf } from '../dom/builtins.js';
import { cased } from '../dom/casing.js';
import { boxBehind } from './clickable.js';
import { textOfContents } from './content.js';
import { attr, controlAround } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { attrOf, factsOf, parentOf, remembering, saidBy } from '../dom/facts.js';
import { isFocusable } from './focusable.js';
import { isTrusted } from './internals.js';
import { nameOfFacts, tidy } from './name.js';
import {
  childWithTag,
  inputValueGet,
  isTextField,
  meterValueGet,
  optionLabelGet,
  progressValueGet,
  selectOptionsGet,
  textareaValueGet,
} from './native.js';
import { boundsOf, NO_BOUNDS } from './properties.js';
import { isListBox, isRichOption, isRichSelect, selectMultipleGet, semanticRole, typeOf } from './role.js';
import { isTrue } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

export const inputCheckedGet = getterOf(HTMLInputElement.prototype, 'checked');
const inputIndeterminateGet = getterOf(HTMLInputElement.prototype, 'indeterminate');
const valueAsNumberGet = getterOf(HTMLInputElement.prototype, 'valueAsNumber');
export const inputFilesGet = getterOf(HTMLInputElement.prototype, 'files');

export const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
export const CHECKABLE_BY_ARIA = new Set(['option', 'treeitem']);
const MIXABLE = new Set(['checkbox', 'menuitemcheckbox', 'option', 'treeitem']);

/**
 * @param {Element} el
 * @returns {'true'|'false'|'mixed'|null} null: it cannot be checked, or the browser was not asked whether it is. A label, and what stands for a hidden
 *     box, has the state of the control.
 */
export function checkedOf(el) {
  const control = controlOf(el) ?? el;
  return isTrusted(control) ? remembering(() => checkedOfFacts(boxedFacts(factsOf(control)))) : null;
}

/** @param {Facts} facts */
export function boxedFacts(facts) {
  const box = boxBehind(facts);
  return box === null ? facts : factsOf(box);
}

/**
 * The state of a control that is checked natively, which no attribute changes; else null.
 * @param {Facts} facts
 */
export function nativeChecked(facts) {
  if (!facts.html || facts.tag !== 'input') return null;
  const type = typeOf(facts);
  if (type !== 'checkbox' && type !== 'radio') return null;
  if (type === 'checkbox' && inputIndeterminateGet.call(facts.el)) return 'mixed';
  return inputCheckedGet.call(facts.el) ? 'true' : 'false';
}

/** @param {Facts} facts */
export function checkedOfFacts(facts) {
  const native = nativeChecked(facts);
  if (native !== null) return native;
  const role = semanticRole(facts);
  if (!CHECKABLE.has(role) && !(CHECKABLE_BY_ARIA.has(role) && token(facts, 'aria-checked') !== null)) return null;
  return triState(token(facts, 'aria-checked'), MIXABLE.has(role));
}

/**
 * An ARIA attribute whose empty value and "undefined" mean that it is absent.
 * @param {Facts} facts
 * @param {string} name
 */
export function token(facts, name) {
  const value = saidBy(facts, name);
  if (value === null || value === '' || value.toLowerCase() === 'undefined') return null;
  return value.toLowerCase();
}

/** @param {string | null|string} value @param {boolean} mixable */
export function triState(value, mixable) {
  if (value === null || value === 'false') return 'false';
  if (value === 'mixed') return mixable ? 'mixed' : 'false';
  return 'true';
}

/**
 * Whether the element is disabled: natively, by its fieldset, or by aria-disabled of itself or of what it is in.
 * @param {Element} el
 */
export function isDisabled(el) {
  return remembering(() => {
    const facts = boxedFacts(factsOf(el));
    if (!isTrusted(facts.el)) return matchesOfElement.call(facts.el, ':disabled'); // what its class says may be old
    if (isSelfDisabled(facts)) return true;
    return isPartOfDisabled(facts) || (isFocusable(facts) && isInDisabled(parentOf(facts)));
  });
}

/**
 * Whether it is a part of a control of the browser's own that is disabled.
 * @param {Facts} facts
 */
export function isPartOfDisabled(facts) {
  const control = controlAround(facts.el);
  return control !== null && attr(control, 'disabled') !== null; // by its fieldset, only the control itself is
}

/** @param {Facts} facts */
export function isSelfDisabled(facts) {
  if (facts.plain && !DISABLEABLE.has(facts.tag)) return false;
  // Chrome does not call a fieldset disabled, only what is in it.
  return (facts.tag !== 'fieldset' && matchesOfElement.call(facts.el, ':disabled')) || isTrue(saidBy(facts, 'aria-disabled'));
}

const DISABLEABLE = new Set(['button', 'input', 'select', 'textarea', 'option']);

/**
 * Whether a focusable element in it is disabled along with it.
 * @param {Facts | null} facts
 */
function isInDisabled(facts) {
  for (let node = facts; node; node = parentOf(node)) {
    const aria = token(node, 'aria-disabled');
    if (aria !== null) return aria !== 'false';
    if (isSelfDisabled(node)) return true;
  }
  return false;
}

/**
 * The value of a control as a person reads it: the text in a field, the chosen option, the number of a slider.
 * @param {Element} el
 */
export function shownValueOf(el) {
  return remembering(() => valueOfFacts(factsOf(el)));
}

/** @param {Facts} facts */
export function valueOfFacts(facts) {
  const { el, tag } = facts;
  if (facts.html) {
    switch (tag) {
      case 'textarea':
        return textareaValueGet.call(el);
      case 'select':
        return isListBox(el) ? '' : shownOption(facts);
      case 'input':
        return inputShownValue(facts);
      case 'meter':
        return rangeValue(facts);
      case 'progress':
        return rangeValue(facts);
    }
  }
  if (facts.plain) return '';
  if (isTextField(facts)) return innerTextGet.call(el);
  const role = semanticRole(facts);
  if (RANGES.has(role) || (role === 'separator' && isFocusable(facts))) return rangeValue(facts);
  if (role === 'combobox' && isFocusable(facts)) return tidy(textOfContents(facts, { visited: new Set(), root: null }));
  return '';
}

/**
 * What is written in a select that is one line.
 * @param {Facts} facts
 */
function shownOption(facts) {
  const chosen = selectOptionsGet.call(facts.el);
  if (chosen.length !== 1 && selectMultipleGet.call(facts.el)) return `${chosen.length} selected`;
  const option = chosen[0];
  const button = childWithTag(facts.el, 'button'); // it stands for the box, and may repeat the option
  if (button !== null && isRichSelect(facts.el) && queryAllOf.call(button, 'selectedcontent').length === 0) {
    return tidy(textOfContents(factsOf(button), { visited: new Set(), root: null }));
  }
  if (option && isRichOption(factsOf(option))) return nameOfFacts(factsOf(option));
  return option ? (attr(option, 'aria-label') ?? cased(tidy(optionLabelGet.call(option)), facts)) : '';
}

/** @param {Facts} facts */
function inputShownValue(facts) {
  switch (typeOf(facts)) {
    case 'button':
    case 'submit':
    case 'reset':
    case 'image':
    case 'checkbox':
    case 'radio':
    case 'hidden':
      return '';
    case 'file':
      return fileStatus(facts);
  }
  const value = inputValueGet.call(facts.el);
  return value !== '' || facts.plain || !RANGES.has(semanticRole(facts)) ? value : (saidBy(facts, 'aria-valuenow') ?? '');
}

/**
 * What the browser writes beside the button of a file input.
 * @param {Facts} facts
 */
export function fileStatus(facts) {
  const files = inputFilesGet.call(facts.el);
  if (!files || files.length === 0) return 'No file chosen';
  return files.length === 1 ? files[0].name : `${files.length} files`;
}

const RANGES = new Set(['slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter']);

/**
 * The number of a range, or "" when it has none (WAI-ARIA 1.2, section 8.3 on missing values: only roles by attribute have others).
 * @param {Facts} facts
 */
export function rangeValue(facts) {
  const { el } = facts;
  const now = saidBy(facts, 'aria-valuenow');
  if (now !== null) {
    const { min, max } = facts.tag === 'progress' ? NO_BOUNDS : boundsOf(facts, semanticRole(facts));
    return String(clamp(parseFloat(now) || 0, min, max));
  }
  if (facts.html && facts.tag === 'input') {
    const value = valueAsNumberGet.call(el);
    return Number.isFinite(value) ? String(value) : '';
  }
  if (facts.html && facts.tag === 'meter') return String(meterValueGet.call(el));
  if (facts.html && facts.tag === 'progress') return attrOf(facts, 'value') === null ? '' : String(progressValueGet.call(el));
  const role = explicitRole(facts);
  const { min, max } = boundsOf(facts, role);
  switch (role) {
    case 'slider':
    case 'scrollbar':
      return String(((min ?? 0) + (max ?? 100)) / 2);
    case 'meter':
      return String(min);
    case 'spinbutton':
      return '0';
    case 'separator':
      return '50';
    default:
      return '';
  }
}

/** @param {Facts} facts @param {string} name */
export function bound(facts, name) {
  const value = saidBy(facts, name);
  return value === null ? null : parseFloat(value) || 0;
}

/** @param {number} value @param {number | null} min @param {number | null} max */
function clamp(value, min, max) {
  if (min !== null && value < min) return min;
  return max !== null && value > max ? max : value;
}
