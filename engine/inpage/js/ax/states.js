// The states of an element as the walk writes them: key=value fields in a fixed order.

import { baseURIGet, closestOf, getterOf, matchesOfElement, queryAllOf } from '../dom/builtins.js';
import { attr, composedParent } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { CASES } from '../dom/declarations.js';
import { attrOf, computedOf, parentOf, saidBy } from '../dom/facts.js';
import { isEditableHost, isFocusable } from './focusable.js';
import { isIncluded } from './included.js';
import { tidy } from './name.js';
import { isAtomicTextField, isTextField, optionSelectedGet, placeholderOf, textFieldValue } from './native.js';
import { OPEN, OPEN_POPOVER } from '../dom/older.js';
import { propertyFields } from './properties.js';
import { isListBox, semanticRole, summaryRole, typeOf } from './role.js';
import {
  boxedFacts,
  CHECKABLE,
  CHECKABLE_BY_ARIA,
  checkedOfFacts,
  isPartOfDisabled,
  isSelfDisabled,
  nativeChecked,
  token,
  triState,
  valueOfFacts,
} from './state.js';
import { isGrid, TABLE_ROLES } from './table.js';
import { styleBits } from '../dom/styles.js';
import { holds, isTrue } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

const anchorHrefGet = getterOf(HTMLAnchorElement.prototype, 'href');
const areaHrefGet = getterOf(HTMLAreaElement.prototype, 'href');

const EXPANDABLE = new Set([
  'application',
  'button',
  'checkbox',
  'combobox',
  'gridcell',
  'link',
  'menuitem',
  'row',
  'rowheader',
  'columnheader',
  'tab',
  'treeitem',
  'menuitemcheckbox',
  'menuitemradio',
  'switch',
  'listitem',
  'DisclosureTriangle',
  'DisclosureTriangleGrouped',
]);
const REQUIRABLE = new Set([
  'checkbox',
  'combobox',
  'gridcell',
  'columnheader',
  'rowheader',
  'listbox',
  'radiogroup',
  'spinbutton',
  'textbox',
  'searchbox',
  'tree',
  'treegrid',
  'switch',
  'radio',
]);
const READONLY_BY_ARIA = new Set([
  'checkbox',
  'ColorWell',
  'combobox',
  'Date',
  'DateTime',
  'InputTime',
  'grid',
  'treegrid',
  'listbox',
  'menuitemcheckbox',
  'menuitemradio',
  'button',
  'radio',
  'radiogroup',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'textbox',
  'gridcell',
  'columnheader',
  'rowheader',
]);
const CELL_ROLES = new Set(['gridcell', 'columnheader', 'rowheader']);
const SELECTABLE = new Set(['option', 'tab', 'treeitem', 'gridcell', 'row', 'columnheader', 'rowheader', 'cell']);
const STATEFUL_TAGS = new Set([
  'input',
  'select',
  'textarea',
  'button',
  'summary',
  'option',
  'a',
  'area',
  'meter',
  'progress',
  'li',
  'iframe',
]);

/**
 * The fields from level to placeholder, each with a TAB before it.
 * @param {Facts} facts
 * @param {string} role
 * @param {{level: number, disabled: boolean, focused: Element|null, name: string, urls: boolean}} around
 */
export function stateFields(facts, role, around) {
  let out = '';
  if (around.level > 0) out += '\tlevel=' + around.level;
  const boxed = boxedFacts(facts);
  if (boxed.plain && !STATEFUL_TAGS.has(boxed.tag)) {
    if (isReadonly(facts, role)) out += '\treadonly=true';
    if (around.focused === facts.el) out += '\tfocused=true';
    return out + propertyFields(boxed, role, around.name);
  }
  const checked = CHECKABLE.has(role) || CHECKABLE_BY_ARIA.has(role) ? checkedOfFacts(boxed) : null;
  if (checked !== null) out += '\tchecked=' + checked;
  const expanded = expandedOf(facts, role);
  if (expanded !== null) out += '\texpanded=' + expanded;
  if (SELECTABLE.has(role) && isSelected(facts, role, around)) out += '\tselected=true';
  const disabled = isSelfDisabled(boxed) || (around.disabled && (facts.tag === 'option' || isFocusable(facts))) || isPartOfDisabled(facts);
  if (disabled) out += '\tdisabled=true';
  if (isRequired(boxed, role)) out += '\trequired=true';
  if (role === 'button') {
    const pressed = pressedOf(facts);
    if (pressed !== null) out += '\tpressed=' + pressed;
  }
  if (!disabled && isReadonly(facts, role)) out += '\treadonly=true';
  if (isInvalid(facts, role)) out += '\tinvalid=true';
  if (around.focused === facts.el) out += '\tfocused=true';
  if (role === 'link') {
    const url = around.urls ? urlOf(facts) : '';
    if (url !== '') out += '\turl=' + escaped(url);
  }
  return out + valueFields(facts, around.name) + propertyFields(boxed, role, around.name);
}

/**
 * @param {Facts} facts
 * @returns {'true'|'false'|'mixed'|null} null: it is not a toggle button
 */
export function pressedOf(facts) {
  const pressed = token(facts, 'aria-pressed');
  return pressed === null ? null : (nativeChecked(facts) ?? triState(pressed, true));
}

/** @param {Facts} facts @param {string} name */
function valueFields(facts, name) {
  let out = '';
  if (isSecret(facts)) return out;
  const value = valueOfFacts(facts);
  if (value !== '') out += '\tvalue=' + escaped(value);
  if (isTextField(facts)) {
    const placeholder = placeholderOf(facts);
    if (placeholder && tidy(placeholder) !== name) out += '\tplaceholder=' + escaped(placeholder);
  }
  return out;
}

/** @type {WeakSet<Element>} fields that were seen as password fields: a page may show what is in them meanwhile */
export const passwords = new WeakSet();

/**
 * A password, also while the page shows it: then it has been seen as a password before.
 * @param {Facts} facts
 */
export function isSecret(facts) {
  if (!facts.html || facts.tag !== 'input') return false;
  if (typeOf(facts) === 'password' || isMasked(facts)) passwords.add(facts.el);
  return passwords.has(facts.el);
}

/**
 * Whether a style shows the value as dots.
 * @param {Facts} facts
 */
function isMasked(facts) {
  return (styleBits(facts) & CASES) !== 0 && computedOf(facts).webkitTextSecurity !== 'none';
}

/** @type {Object<string, string>} */
const ESCAPES = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** @param {string} value */
export function escaped(value) {
  return value.replace(/[\\\t\n\r]/g, (c) => ESCAPES[c]);
}

/**
 * @param {Facts} facts
 * @param {string} role
 * @returns {'true'|'false'|null}
 */
export function expandedOf(facts, role) {
  if (!EXPANDABLE.has(role) || isPlainGridCell(facts, role)) return null;
  if (facts.html) {
    if (facts.tag === 'select' && role === 'combobox' && !isListBox(facts.el))
      return matchesOfElement.call(facts.el, OPEN) ? 'true' : 'false';
    if (facts.tag === 'summary' && summaryRole(facts) !== 'generic') {
      const details = /** @type {Element} */ (composedParent(facts.el)); // by its role
      return attr(details, 'open') === null ? 'false' : 'true';
    }
    const popover = popoverOf(facts);
    if (popover) return matchesOfElement.call(popover, OPEN_POPOVER) ? 'true' : 'false';
  }
  const value = token(facts, 'aria-expanded');
  return value === null ? null : value === 'false' ? 'false' : 'true';
}

/**
 * The popover that a button opens, unless the button is in it.
 * @param {Facts} facts
 */
function popoverOf(facts) {
  if (facts.bare || (facts.tag !== 'button' && facts.tag !== 'input')) return null;
  const el = /** @type {HTMLButtonElement} */ (facts.el);
  const popover = el.popoverTargetElement ?? popoverByCommand(facts);
  if (!popover) return null;
  if ((el.form && el.type === 'submit') || matchesOfElement.call(el, ':disabled')) return null; // it submits, or does nothing
  return holds(popover, el) ? null : popover;
}

/** @param {Facts} facts */
function popoverByCommand(facts) {
  const command = attrOf(facts, 'command');
  return command !== null && command.endsWith('-popover')
    ? /** @type {HTMLButtonElement & {commandForElement?: Element|null}} */ (facts.el).commandForElement
    : null;
}

/** @param {Facts} facts @param {string} role @param {{focused: Element|null, disabled: boolean}} around */
export function isSelected(facts, role, around) {
  if ((role === 'row' || role === 'columnheader' || role === 'rowheader' || role === 'cell') && !isInGridTable(facts)) return false;
  const aria = token(facts, 'aria-selected');
  if (aria !== null) return aria !== 'false';
  if (facts.tag === 'option' && facts.html)
    return optionSelectedGet.call(facts.el) && !around.disabled && !matchesOfElement.call(facts.el, ':disabled');
  return around.focused === facts.el && followsFocus(facts, role);
}

/** @param {Facts} facts @returns {boolean} */
export function isInGridTable(facts) {
  for (let node = parentOf(facts); node; node = parentOf(node)) {
    const role = semanticRole(node);
    if (TABLE_ROLES.has(role)) return isGrid(role);
  }
  return false;
}

/** @type {Object<string, string>} */
const CONTAINERS = { option: '[role=listbox]', tab: '[role=tablist]', treeitem: '[role=tree]' };

/**
 * In a container of single choice that says nothing about selection, what has the focus is selected (WAI-ARIA 1.2, aria-selected).
 * @param {Facts} facts
 * @param {string} role
 */
function followsFocus(facts, role) {
  if (!CONTAINERS[role]) return false;
  const container = closestOf.call(facts.el, CONTAINERS[role]);
  if (!container || isTrue(attr(container, 'aria-multiselectable'))) return false;
  return queryAllOf.call(container, '[aria-selected],[aria-checked]').length === 0;
}

/** @param {Facts} facts @param {string} role */
function isRequired(facts, role) {
  if (
    facts.html &&
    (facts.tag === 'input' || facts.tag === 'select' || facts.tag === 'textarea') &&
    attrOf(facts, 'required') !== null &&
    matchesOfElement.call(facts.el, ':required')
  )
    return true;
  return REQUIRABLE.has(role) && isTrue(saidBy(facts, 'aria-required')) && !isPlainGridCell(facts, role);
}

/**
 * Chrome lets a td that a grid makes a gridcell be neither expanded nor required, unless it says its role.
 * @param {Facts} facts
 * @param {string} role
 */
function isPlainGridCell(facts, role) {
  return role === 'gridcell' && explicitRole(facts) === '';
}

/** @param {Facts} facts @param {string} role */
function isReadonly(facts, role) {
  if (facts.plain && CELL_ROLES.has(role)) return isInReadonlyGrid(facts);
  if (isAtomicTextField(facts) && attrOf(facts, 'readonly') !== null) return true;
  if (isEditableHost(facts) || !READONLY_BY_ARIA.has(role)) return false;
  const aria = token(facts, 'aria-readonly');
  if (aria !== null) return aria !== 'false';
  return CELL_ROLES.has(role) && isInReadonlyGrid(facts);
}

/**
 * Cells are read-only with their grid (core-aam, aria-readonly); Chrome looks no further than at the grid around their row.
 * @param {Facts} facts
 */
function isInReadonlyGrid(facts) {
  const row = includedParent(facts);
  if (row === null || semanticRole(row) !== 'row') return false;
  const grid = includedParent(row);
  return grid !== null && isGrid(semanticRole(grid)) && isTrue(saidBy(grid, 'aria-readonly'));
}

/**
 * The nearest ancestor in a table that is not only a wrapper.
 * @param {Facts} facts
 */
function includedParent(facts) {
  for (let node = parentOf(facts); node; node = parentOf(node)) {
    const role = semanticRole(node);
    if (role !== 'generic' && role !== 'none' && (role !== 'rowgroup' || isIncluded(node, role))) return node;
  }
  return null;
}

/**
 * Whether the value is not valid. An empty required field is not called so: it already says that it is required.
 * @param {Facts} facts
 * @param {string} role
 */
function isInvalid(facts, role) {
  const aria = token(facts, 'aria-invalid');
  if (aria !== null) {
    if (aria === 'spelling' || aria === 'grammar') return role === 'textbox';
    return aria !== 'false';
  }
  if (!facts.html || (facts.tag !== 'input' && facts.tag !== 'select' && facts.tag !== 'textarea')) return false;
  if (!matchesOfElement.call(facts.el, ':invalid')) return false;
  return !(isAtomicTextField(facts) && isRequired(facts, role) && textFieldValue(facts) === '');
}

/**
 * Where a link leads, absolute.
 * @param {Facts} facts
 */
export function urlOf(facts) {
  if (facts.html) {
    if (facts.tag === 'a') return anchorHrefGet.call(facts.el);
    return facts.tag === 'area' ? areaHrefGet.call(facts.el) : '';
  }
  const href = attrOf(facts, 'href') ?? attrOf(facts, 'xlink:href');
  if (href === null) return '';
  try {
    return new URL(href, baseURIGet.call(document)).href;
  } catch {
    return '';
  }
}
