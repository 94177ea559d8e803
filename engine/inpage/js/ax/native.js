// Names that the markup gives (accname 1.2, step 2E): labels, alt, legend, caption, title elements, placeholders, button values; and the
// values of controls that stand inside a label (step 2C).

import { innerTextGet } from '../dom/access.js';
import {
  assignedNodesOf,
  containsOf,
  ELEMENT,
  firstChildGet,
  getterOf,
  localNameGet,
  matchesOfElement,
  namespaceGet,
  nextSiblingGet,
  nodeTypeGet,
  queryAllOf,
  SVG_NS,
  textContentGet,
} from '../dom/builtins.js';
import { cased } from '../dom/casing.js';
import { textOfContents } from './content.js';
import { attr, byId, isElement, localName } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { attrOf, factsOf, rootOf, saidBy } from '../dom/facts.js';
import { isEditableHost, isFocusable } from './focusable.js';
import { replacedText } from '../dom/generated.js';
import { ownedElements } from './order.js';
import { isHiddenForName, nameOfFacts, textAlternative, titleOf } from './name.js';
import { isRichOption, semanticRole, typeOf } from './role.js';
import { fileStatus, rangeValue } from './state.js';
import { tableCaptionGet } from './table.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Naming } from './name.js'
 */

export const inputValueGet = getterOf(HTMLInputElement.prototype, 'value');
export const textareaValueGet = getterOf(HTMLTextAreaElement.prototype, 'value');
export const optionLabelGet = getterOf(HTMLOptionElement.prototype, 'label');
export const optionSelectedGet = getterOf(HTMLOptionElement.prototype, 'selected');
export const selectOptionsGet = getterOf(HTMLSelectElement.prototype, 'selectedOptions');
export const meterValueGet = getterOf(HTMLMeterElement.prototype, 'value');
export const progressValueGet = getterOf(HTMLProgressElement.prototype, 'value');

/** @type {Object<string, string>} */
const BUTTON_LABELS = { submit: 'Submit', reset: 'Reset' };
export const BUTTON_INPUTS = new Set(['button', 'submit', 'reset']);
const TEXT_INPUTS = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number']);

/**
 * @param {Facts} facts
 * @param {Naming} naming
 * @returns {string|null} null: the markup says nothing
 */
export function nativeName(facts, naming) {
  if (!facts.html) return namespaceGet.call(facts.el) === SVG_NS ? svgTitle(facts) : null;
  switch (facts.tag) {
    case 'option':
      return isRichOption(facts) ? attrOf(facts, 'label') : optionLabelGet.call(facts.el);
    case 'optgroup':
      return attrOf(facts, 'label');
    case 'input':
    case 'select':
    case 'textarea':
    case 'button':
    case 'meter':
    case 'progress':
    case 'output':
      return labelNames(facts, naming) || controlName(facts);
    case 'fieldset':
      return relatedText(childWithTag(facts.el, 'legend'), naming);
    case 'figure':
      return relatedText(childWithTag(facts.el, 'figcaption'), naming);
    case 'img':
      return replacedText(facts) ?? attrOf(facts, 'alt');
    case 'area':
      return attrOf(facts, 'alt');
    case 'table':
      return relatedText(tableCaptionGet.call(facts.el), naming) ?? attrOf(facts, 'summary');
  }
  if (facts.tag.includes('-')) return labelNames(facts, naming); // form-associated
  if (isTextField(facts)) return saidBy(facts, 'aria-placeholder');
  return null;
}

/**
 * html-aam 4.1.1: the texts of the label elements. Null: there are none.
 * @param {Facts} facts
 * @param {Naming} naming
 */
function labelNames(facts, naming) {
  let named = false;
  const texts = [];
  for (const label of rootOf(facts).labelsOf(facts.el)) {
    if (naming.visited.has(label)) continue;
    named = true;
    const labelFacts = factsOf(label);
    const text = isHiddenForName(labelFacts, null) ? '' : textAlternative(labelFacts, { visited: naming.visited, root: null }, true);
    naming.visited.add(label);
    if (text !== '') texts.push(text);
  }
  const text = texts.join(' ');
  return !named ? null : text.trim() === '' ? '' : text;
}

/**
 * html-aam 4.1.2 to 4.1.6: what the attributes of a control say.
 * @param {Facts} facts
 */
function controlName(facts) {
  if (facts.tag === 'textarea') return titleOf(facts) || placeholderOf(facts);
  if (facts.tag !== 'input') return null;
  const type = typeOf(facts);
  if (BUTTON_INPUTS.has(type)) return attrOf(facts, 'value');
  switch (type) {
    case 'image':
      return attrOf(facts, 'alt') || (attrOf(facts, 'value') ?? (titleOf(facts) || 'Submit'));
    case 'file':
      return titleOf(facts) || (attrOf(facts, 'multiple') === null ? 'Choose File' : 'Choose Files');
  }
  return TEXT_INPUTS.has(type) ? titleOf(facts) || placeholderOf(facts) : null;
}

/** @param {Facts} facts */
export function placeholderOf(facts) {
  return attrOf(facts, 'placeholder') || saidBy(facts, 'aria-placeholder');
}

/**
 * The text on a button that has no value: it is in the browser's own shadow tree, in the browser's language.
 * @param {Facts} facts
 */
export function buttonLabel(facts) {
  if (facts.tag !== 'input' || attrOf(facts, 'value') !== null) return '';
  return cased(BUTTON_LABELS[/** @type {string} */ (typeOf(facts))] ?? '', facts);
}

/**
 * svg-aam 8.1: the first title child; for links, xlink:title.
 * @param {Facts} facts
 */
function svgTitle(facts) {
  const title = childWithTag(facts.el, 'title') ?? (facts.tag === 'use' ? symbolTitle(facts.el) : null);
  if (title !== null) return textContentGet.call(title);
  return facts.tag === 'a' ? attrOf(facts, 'xlink:title') : null;
}

/**
 * The title of the symbol that a use element draws, or null.
 * @param {Element} use
 */
export function symbolTitle(use) {
  const symbol = usedElement(use);
  return symbol !== null && localName(symbol) === 'symbol' ? childWithTag(symbol, 'title') : null;
}

/**
 * What a use element draws, or null.
 * @param {Element} use
 */
export function usedElement(use) {
  const href = attr(use, 'href') ?? attr(use, 'xlink:href');
  return href !== null && href.startsWith('#') ? byId(use, href.slice(1)) : null;
}

/** @param {Element} el @param {string} tag */
export function childWithTag(el, tag) {
  for (let node = firstChildGet.call(el); node; node = nextSiblingGet.call(node)) {
    if (nodeTypeGet.call(node) === ELEMENT && localNameGet.call(node) === tag) return node;
  }
  return null;
}

/** @param {Element} el @param {Naming} naming */
function relatedText(el, naming) {
  if (!el || naming.visited.has(el)) return null;
  return textAlternative(factsOf(el), { visited: naming.visited, root: null }, true);
}

/**
 * Whether the element is a field for text, native or by ARIA.
 * @param {Facts} facts
 */
export function isTextField(facts) {
  if (isAtomicTextField(facts)) return true;
  if (facts.plain) return false;
  if (isEditableHost(facts)) return true;
  const role = saidBy(facts, 'role');
  return role !== null && ['textbox', 'searchbox'].includes(explicitRole(facts));
}

/** @param {Facts} facts */
export function isAtomicTextField(facts) {
  return facts.html && (facts.tag === 'textarea' || (facts.tag === 'input' && TEXT_INPUTS.has(typeOf(facts))));
}

/**
 * 2C: the value of a control inside of a label, or null when the element is named like any other.
 * @param {Facts} facts
 * @param {Naming} naming
 */
export function embeddedValue(facts, naming) {
  if (isTextField(facts)) {
    const value = textFieldValue(facts);
    return value === '' && isAtomicTextField(facts) ? null : value;
  }
  if (facts.html && facts.tag === 'input' && typeOf(facts) === 'file' && labelNames(facts, naming) === null) {
    return controlName(facts) + ': ' + fileStatus(facts);
  }
  if (facts.plain && facts.tag !== 'select' && facts.tag !== 'meter' && facts.tag !== 'progress' && facts.tag !== 'input') return null;
  const role = semanticRole(facts);
  switch (role) {
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'progressbar':
    case 'meter':
    case 'separator': {
      if (role === 'separator' && !isFocusable(facts)) return null;
      const text = saidBy(facts, 'aria-valuetext') ?? rangeValue(facts);
      return text === '' ? null : text;
    }
    case 'combobox':
    case 'listbox':
      return chosenNames(facts, naming);
  }
  return null;
}

/** @param {Facts} facts */
export function textFieldValue(facts) {
  if (facts.tag === 'textarea' && facts.html) return textareaValueGet.call(facts.el);
  if (facts.tag === 'input' && facts.html) {
    const value = inputValueGet.call(facts.el);
    return typeOf(facts) === 'password' ? '•'.repeat(value.length) : value;
  }
  return innerTextGet.call(facts.el);
}

/**
 * The names of the chosen options of a combobox or listbox.
 * @param {Facts} facts
 * @param {Naming} naming
 */
function chosenNames(facts, naming) {
  if (facts.tag === 'select' && facts.html) return namesOnce(selectOptionsGet.call(facts.el), naming);
  if (facts.tag === 'input') return inputValueGet.call(facts.el) || null;
  const chosen = chosenOptions(facts.el, []);
  if (chosen.length > 0) return namesOnce(chosen, naming);
  return semanticRole(facts) === 'combobox' && isFocusable(facts) ? textOfContents(facts, naming) : '';
}

const CHOSEN = '[role=option][aria-selected=true]';

/**
 * The chosen options in an element, in what is slotted into it, and in what it owns, as a combobox does with its list.
 * @param {Element} el
 * @param {Element[]} chosen
 */
function chosenOptions(el, chosen) {
  for (const option of queryAllOf.call(el, CHOSEN)) chosen.push(option);
  for (const slot of queryAllOf.call(el, 'slot')) {
    for (const node of assignedNodesOf.call(slot)) {
      if (!isElement(node)) continue;
      if (matchesOfElement.call(node, CHOSEN)) chosen.push(node);
      chosenOptions(node, chosen);
    }
  }
  for (const [node, owner] of ownedElements() ?? []) {
    if (owner !== el && !containsOf.call(el, owner)) continue;
    if (matchesOfElement.call(node, CHOSEN) && !chosen.includes(node)) chosen.push(node);
    if (!containsOf.call(el, node)) chosenOptions(node, chosen);
  }
  return chosen;
}

/**
 * The names of options, each of them only once in a name.
 * @param {Element[]} options
 * @param {Naming} naming
 */
function namesOnce(options, naming) {
  const names = [];
  for (const option of options) {
    if (naming.visited.has(option)) continue;
    naming.visited.add(option);
    names.push(nameOfFacts(factsOf(option)));
  }
  return names.join(' ');
}
