// The properties that few elements have, as the walk writes them after the states: what ARIA says besides states, and what the browser says
// of its own controls in its place (WAI-ARIA 1.2 section 6.6 and 5.2.7 on implicit values, html-aam section 4).

import { getterOf, matchesOfElement } from '../dom/builtins.js';
import { descriptionOfFacts, isDescribed } from './description.js';
import { byId, controlAround } from '../dom/dom.js';
import { attrOf, computedOf, saidBy, TELLS_ACTIVE, TELLS_BUSY, TELLS_CURRENT, TELLS_POPUP } from '../dom/facts.js';
import { isFocusable } from './focusable.js';
import { tidy } from './name.js';
import { selectOptionsGet } from './native.js';
import { MODAL_DIALOG } from '../dom/older.js';
import { isListBox, selectMultipleGet, typeOf } from './role.js';
import { bound, token, valueOfFacts } from './state.js';
import { escaped } from './states.js';
import { tokenOf } from '../dom/tokens.js';
import { isHiddenForAX, isTrue } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

// What a role has without saying so, as bits.
const RANGED = 1; // a number between two bounds
const ORIENTED = 2; // it may say which way it lies; some lie one way unless they say otherwise
const MULTIPLE = 4; // several of its items can be selected
const POPPING = 8; // it opens something
const MODAL = 16; // it may keep everything else from being used
const ANNOTATED = 32; // what is in it describes it

/** @type {Object<string, number>} */
const ROLE_PROPERTIES = {
  __proto__: /** @type {any} */ (null),
  slider: RANGED | ORIENTED,
  spinbutton: RANGED,
  scrollbar: RANGED | ORIENTED,
  progressbar: RANGED,
  meter: RANGED,
  separator: RANGED | ORIENTED,
  listbox: ORIENTED | MULTIPLE,
  tree: ORIENTED | MULTIPLE,
  treegrid: ORIENTED | MULTIPLE,
  grid: MULTIPLE,
  tablist: ORIENTED | MULTIPLE,
  menu: ORIENTED,
  menubar: ORIENTED,
  toolbar: ORIENTED,
  radiogroup: ORIENTED,
  combobox: ORIENTED | POPPING,
  dialog: MODAL,
  alertdialog: MODAL,
  Ruby: ANNOTATED,
};

/** @type {Object<string, string>} */
const LYING = {
  __proto__: /** @type {any} */ (null),
  slider: 'horizontal',
  scrollbar: 'vertical',
  separator: 'horizontal',
  listbox: 'vertical',
  tree: 'vertical',
  menu: 'vertical',
  menubar: 'horizontal',
  tablist: 'horizontal',
  toolbar: 'horizontal',
};

/**
 * The fields from description to active, each with a TAB before it.
 * @param {Facts} facts
 * @param {string} role
 * @param {string} name
 */
export function propertyFields(facts, role, name) {
  const has = ROLE_PROPERTIES[role] ?? 0;
  const described = isDescribed(facts) || (has & ANNOTATED) !== 0;
  if (has === 0 && facts.plain && !described) return '';
  const { tells } = facts;
  let out = '';
  if (described) {
    const description = descriptionOfFacts(facts, role, name);
    if (description !== '') out += '\tdescription=' + escaped(description);
  }
  if ((tells & TELLS_CURRENT) !== 0) out += field('current', currentOf(facts));
  if ((tells & TELLS_POPUP) !== 0 || (has & POPPING) !== 0) out += field('haspopup', popupOf(facts, role));
  if ((has & ORIENTED) !== 0) out += field('orientation', orientationOf(facts, role));
  if ((has & RANGED) !== 0) out += rangeFields(facts, role);
  if ((tells & TELLS_BUSY) !== 0 && isTrue(saidBy(facts, 'aria-busy'))) out += '\tbusy=true';
  if ((has & MULTIPLE) !== 0 && isMultiselectable(facts)) out += '\tmultiselectable=true';
  if ((has & MODAL) !== 0 && isModal(facts)) out += '\tmodal=true';
  if ((tells & TELLS_ACTIVE) !== 0 || isShownList(facts)) {
    const active = activeDescendant(facts);
    if (active !== null) out += '\tactive=' + tokenOf(active);
  }
  return out;
}

/** @param {string} key @param {string} value */
function field(key, value) {
  return value === '' ? '' : '\t' + key + '=' + value;
}

const CURRENTS = new Set(['page', 'step', 'location', 'date', 'time']);

/**
 * aria-current: any other word than those means "true".
 * @param {Facts} facts
 */
function currentOf(facts) {
  const value = token(facts, 'aria-current');
  if (value === null || value === 'false') return '';
  return CURRENTS.has(value) ? value : 'true';
}

const POPUPS = new Set(['menu', 'listbox', 'tree', 'grid', 'dialog']);

/**
 * What the element opens: aria-haspopup, else what its role implies.
 * @param {Facts} facts
 * @param {string} role
 */
function popupOf(facts, role) {
  const value = token(facts, 'aria-haspopup');
  if (value === 'true') return 'menu';
  if (value !== null && POPUPS.has(value)) return value;
  if (role !== 'combobox') return '';
  return facts.tag === 'select' && facts.html && !isListBox(facts.el) ? 'menu' : 'listbox';
}

/**
 * Sliders of the browser's own lie as they are drawn.
 * @param {Facts} facts
 * @param {string} role
 */
function orientationOf(facts, role) {
  if (isNativeRange(facts)) {
    const vertical = !computedOf(facts).writingMode.startsWith('horizontal') || computedOf(facts).appearance === 'slider-vertical';
    return vertical ? 'vertical' : 'horizontal';
  }
  const value = token(facts, 'aria-orientation');
  return value === 'vertical' || value === 'horizontal' ? value : (LYING[role] ?? '');
}

/** @param {Facts} facts */
function isNativeRange(facts) {
  return facts.tag === 'input' && facts.html && typeOf(facts) === 'range';
}

/** @param {Facts} facts */
function isMultiselectable(facts) {
  if (facts.tag === 'select' && facts.html) return selectMultipleGet.call(facts.el);
  return isTrue(saidBy(facts, 'aria-multiselectable'));
}

/**
 * Whether a dialog is modal: it says so, or the browser keeps everything else inert.
 * @param {Facts} facts
 */
function isModal(facts) {
  if (isTrue(saidBy(facts, 'aria-modal'))) return true;
  return facts.tag === 'dialog' && facts.html && matchesOfElement.call(facts.el, MODAL_DIALOG);
}

/**
 * The bounds of a range, and its value in words where these say something else than the number.
 * @param {Facts} facts
 * @param {string} role
 */
function rangeFields(facts, role) {
  if (role === 'separator' && (facts.plain || !isFocusable(facts))) return '';
  const { min, max } = boundsOf(facts, role);
  let out = '';
  if (min !== null) out += '\tvaluemin=' + min;
  if (max !== null) out += '\tvaluemax=' + max;
  const text = tidy(saidBy(facts, 'aria-valuetext') ?? '');
  const value = valueOfFacts(facts);
  const same = text === value || (controlAround(facts.el) !== null && Number(text) === Number(value)); // the month 02
  if (text !== '' && !same) out += '\tvaluetext=' + escaped(text);
  return out;
}

/**
 * The bounds by ARIA, by the markup, else those that the role implies. Null: it has none.
 * @param {Facts} facts
 * @param {string} role
 * @returns {{min: number|null, max: number|null}}
 */
export function boundsOf(facts, role) {
  const said = facts.plain ? NO_BOUNDS : { min: bound(facts, 'aria-valuemin'), max: bound(facts, 'aria-valuemax') };
  if (said.min !== null && said.max !== null) return said;
  const own = (facts.html && nativeBounds(facts)) || (role === 'spinbutton' ? NO_BOUNDS : PERCENT);
  return { min: said.min ?? own.min, max: said.max ?? own.max };
}

export const NO_BOUNDS = Object.freeze({ min: null, max: null });
const PERCENT = Object.freeze({ min: 0, max: 100 });

const meterMinGet = getterOf(HTMLMeterElement.prototype, 'min');
const meterMaxGet = getterOf(HTMLMeterElement.prototype, 'max');
const progressMaxGet = getterOf(HTMLProgressElement.prototype, 'max');

/**
 * The bounds of a control of the browser's own, or null.
 * @param {Facts} facts
 */
function nativeBounds(facts) {
  const { el } = facts;
  switch (facts.tag) {
    case 'meter':
      return { min: meterMinGet.call(el), max: meterMaxGet.call(el) };
    case 'progress':
      return { min: 0, max: progressMaxGet.call(el) };
    case 'input':
      break;
    default:
      return null;
  }
  const type = typeOf(facts);
  const min = numberIn(facts, 'min');
  const max = numberIn(facts, 'max');
  if (type === 'number') return { min, max };
  return type === 'range' ? { min: min ?? 0, max: Math.max(max ?? 100, min ?? 0) } : null;
}

const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number in an attribute of a control (HTML, "rules for parsing floating-point number values" in their strict form), or null.
 * @param {Facts} facts
 * @param {string} name
 */
function numberIn(facts, name) {
  const value = attrOf(facts, name);
  return value !== null && NUMBER.test(value) ? Number(value) : null;
}

/** @param {Facts} facts */
function isShownList(facts) {
  return facts.tag === 'select' && facts.html && isListBox(facts.el);
}

/**
 * The element that the keyboard acts on while the focus is here: aria-activedescendant; of a select that shows its list, the chosen option.
 * Of several options Chrome means the one that was chosen first in time; which one that was cannot be seen from here.
 * @param {Facts} facts
 * @returns {Element|null}
 */
function activeDescendant(facts) {
  if (isShownList(facts)) return selectOptionsGet.call(facts.el)[0] ?? null;
  const id = saidBy(facts, 'aria-activedescendant');
  if (id === null) return null;
  const el = id === '' ? facts.el.ariaActiveDescendantElement : byId(facts.el, id);
  return el && !isHiddenForAX(el) ? el : null;
}
