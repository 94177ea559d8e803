// Lists of options that are no <select>: which element opens one, where the list is, what its options are and which of them are chosen.

import { innerTextGet, matches } from '../dom/access.js';
import {
  clientHeightGet,
  closestOf,
  elementCountGet,
  nodeTypeGet,
  scrollHeightGet,
  styleOf,
  TEXT,
  textContentGet,
} from '../dom/builtins.js';
import {
  attr,
  bodyOf,
  byId,
  children,
  composedParent,
  deepQueryAll,
  getElementByIdIn,
  isElement,
  isHTMLElement,
  localName,
  shadowOf,
} from '../dom/dom.js';
import { textOf } from './edit.js';
import { isInside, isVisible, labelledControl, visibleLabels } from '../dom/geometry.js';
import { looseItems, looseList, opensLoose } from './menus.js';
import { nameOf } from '../ax/name.js';
import { roleOf } from '../ax/role.js';
import { queryEverywhere } from '../dom/shadow.js';
import { inputCheckedGet, isDisabled } from '../ax/state.js';
import { plain } from '../dom/text.js';
import { isRendered } from '../dom/visibility.js';

export const LIST_ROLES = new Set(['listbox', 'menu', 'menubar', 'radiogroup', 'tree']);
export const LISTS = '[role=listbox], [role=menu], [role=tree], [role=radiogroup], [role=grid]';
const OPTIONS =
  '[role=option], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=treeitem], [role=radio], input[type=radio]';
const CHOOSERS = `select, ${LISTS}, [role=combobox], [aria-haspopup]:not([aria-haspopup=false]):not([aria-haspopup=dialog]), [popovertarget]`;

/**
 * @param {Element} el
 * @returns {'list'|'popup'|null} list = it shows its options itself, popup = they come when it is opened
 */
export function chooserKind(el) {
  const role = roleOf(el);
  if (LIST_ROLES.has(role)) return 'list';
  if (role === 'combobox') return 'popup';
  const popup = attr(el, 'aria-haspopup');
  if (popup !== null && ['listbox', 'menu', 'true', 'tree', 'grid', ''].includes(popup)) return 'popup';
  if (role !== 'button') return null;
  return attr(el, 'popovertarget') !== null || (attr(el, 'aria-expanded') !== null && attr(el, 'aria-controls') !== null) ? 'popup' : null;
}

/**
 * What the element stands for as one of which options are chosen: itself, the control of its label, or the only one in it where it is a custom
 * element. One that an element merely contains is another thing.
 * @param {Element} el
 * @returns {Element|null}
 */
export function chooserOf(el) {
  if (localName(el) === 'select' || chooserKind(el) !== null) return el;
  const labelled = labelledControl(el);
  if (labelled && labelled !== el) return localName(labelled) === 'select' || chooserKind(labelled) !== null ? labelled : null;
  return localName(el).includes('-') ? chooserIn(el) : null;
}

/**
 * The only one in it of which options are chosen, or null.
 * @param {Element} el
 */
export function chooserIn(el) {
  if (localName(el) === 'input' || localName(el) === 'textarea') return null;
  const inner = deepQueryAll(shadowOf(el) ?? el, CHOOSERS).filter(
    (one) => isVisible(one) && (localName(one) === 'select' || chooserKind(one) !== null),
  );
  const outermost = inner.filter((one) => !inner.some((other) => other !== one && isInside(one, other)));
  return outermost.length === 1 ? outermost[0] : null;
}

/**
 * The list that an element opens: the one that it names, else one that was not to be seen before.
 * @param {Element} owner
 * @param {Set<Element>} before
 */
export function choiceList(owner, before) {
  for (const name of ['aria-controls', 'aria-owns', 'popovertarget']) {
    for (const id of (attr(owner, name) ?? '').split(/\s+/)) {
      const el = id === '' ? null : (byId(owner, id) ?? rootQuery(id));
      if (el && choicePopup(el, owner) && (LIST_ROLES.has(roleOf(el)) || shownOptions(el, owner).length > 0)) return el;
      if (el && !isRendered(el) && LIST_ROLES.has(roleOf(el))) return null; // it is that one, once it is open, whatever else appears
    }
  }
  const active = attr(owner, 'aria-activedescendant');
  const option = active ? (byId(owner, active) ?? rootQuery(active)) : null;
  const around = option && closestOf.call(option, LISTS);
  if (around && choicePopup(around, owner)) return around;
  const lists = queryEverywhere(LISTS).filter((el) => !before.has(el) && !isInside(owner, el) && choicePopup(el, owner) !== null);
  if (lists.length > 0) return lists.find((el) => shownOptions(el, owner).length > 0) ?? lists[0];
  const loose = queryEverywhere('[role=option], [role=menuitem]').find((el) => !before.has(el) && isVisible(el));
  if (loose) return composedParent(loose);
  return opensLoose(owner) ? looseList(owner, before) : null;
}

/**
 * An id in the document: an element in a shadow tree may name one that was moved out of it.
 * @param {string} id
 */
function rootQuery(id) {
  return getElementByIdIn(document, id);
}

/**
 * What can be seen of a list: itself, or for one that is there for assistive technology only, what it is in.
 * @param {Element} list
 * @param {Element} owner
 */
export function choicePopup(list, owner) {
  if (isVisible(list)) return list;
  if (!isRendered(list)) return null;
  for (let node = composedParent(list); node && node !== bodyOf() && !isInside(owner, node); node = composedParent(node))
    if (isVisible(node)) return node;
  return null;
}

/**
 * The options of a list that have a box, scrolled into view or not.
 * @param {Element} list
 * @param {Element} owner
 */
export function shownOptions(list, owner) {
  const own = [...deepQueryAll(list, OPTIONS), ...slotted(list), ...ownedBy(list)].filter(isShownOption);
  if (own.length === 0 && opensLoose(owner)) return looseItems(list);
  if (isVisible(list)) return own;
  // The list is for assistive technology, and the visible one is beside it.
  const popup = choicePopup(list, owner);
  const beside = popup ? deepQueryAll(popup, '[aria-selected]').filter((el) => !isInside(el, list) && isVisible(el)) : [];
  return beside.length > 0 ? beside : own;
}

/**
 * The options that a component is given from outside, and shows in its own list.
 * @param {Element} list
 */
function slotted(list) {
  const tops = deepQueryAll(list, 'slot').flatMap((slot) => children(slot).filter(isElement));
  const options = tops.flatMap((el) => (matches(el, OPTIONS) ? [el, ...deepQueryAll(el, OPTIONS)] : deepQueryAll(el, OPTIONS)));
  return [...new Set(options)];
}

/** @param {Element} list */
function ownedBy(list) {
  const ids = (attr(list, 'aria-owns') ?? '').split(/\s+/).filter((id) => id !== '');
  return ids.flatMap((id) => byId(list, id) ?? []).filter((el) => matches(el, OPTIONS));
}

/**
 * A radio button may be hidden behind its label.
 * @param {Element} el
 */
function isShownOption(el) {
  return isVisible(el) || (localName(el) === 'input' && visibleLabels(el).length > 0);
}

/** @param {HTMLOptionElement|Element} option */
export function isOptionOff(option) {
  return isDisabled(option) || (attr(option, 'data-disabled') !== null && attr(option, 'data-disabled') !== 'false');
}

/**
 * @param {HTMLOptionElement|Element} option
 * @returns {boolean|null} null: the option does not say
 */
export function isChosenOption(option) {
  if (localName(option) === 'input') return inputCheckedGet.call(option);
  for (const name of ['aria-checked', 'aria-selected']) {
    const value = attr(option, name);
    if (value === 'true' || value === 'false') return value === 'true';
  }
  const state = attr(option, 'data-state');
  return state === 'checked' || state === 'unchecked' ? state === 'checked' : null;
}

/**
 * What a page calls the option in its own scripts.
 * @param {HTMLOptionElement|Element} option
 */
export function valuesOfOption(option) {
  const values = [];
  for (const name of ['data-value', 'value', 'data-key', 'data-id']) if (attr(option, name) !== null) values.push(attr(option, name));
  return values;
}

/**
 * What people call the option: its name, its text, and of a text in several lines the first one.
 * @param {HTMLOptionElement|Element} option
 */
export function labelsOfOption(option) {
  const text = isHTMLElement(option) ? innerTextGet.call(option) : textContentGet.call(option);
  const first =
    text
      .split('\n')
      .map(plain)
      .find((/** @type {string} */ line) => line !== '') ?? '';
  return [...new Set([nameOf(option), plain(text), first, plain(attr(option, 'title') ?? '')].map(plain))].filter((one) => one !== '');
}

/**
 * The texts of the parts of an option: the name of a person beside the address, the plan beside its price.
 * @param {HTMLOptionElement|Element} option
 */
function partsOfOption(option) {
  const leaves = deepQueryAll(option, '*')
    .filter((el) => elementCountGet.call(el) === 0)
    .slice(0, 8);
  return leaves.map((el) => plain(textContentGet.call(el))).filter((text) => text !== '');
}

/**
 * The options that a wanted value means, best first: the same value, the same label, the same label in another case.
 * @param {Element[]} options @param {{text: string, by: string, other?: {text: string, by: string}}} wanted
 * @returns {Element[]}
 */
export function matchOptions(options, { text, by, other }) {
  if (by === 'index') {
    const at = options[Number(text)];
    return at ? [at] : [];
  }
  const label = plain(text);
  const lower = label.toLowerCase();
  /** @type {((option: Element) => boolean)[]} */
  const ways = [];
  if (by !== 'label') ways.push((option) => valuesOfOption(option).includes(text));
  if (by !== 'value') {
    ways.push(
      (option) => labelsOfOption(option)[0] === label,
      (option) => labelsOfOption(option).includes(label),
    );
    ways.push((option) => labelsOfOption(option).some((one) => one.toLowerCase() === lower));
    ways.push(
      (option) => partsOfOption(option)[0] === label,
      (option) => partsOfOption(option).includes(label),
    );
  }
  for (const way of ways) {
    const found = options.filter(way);
    if (found.length > 0) return found;
  }
  return other ? matchOptions(options, other) : [];
}

/**
 * @param {HTMLOptionElement|Element} option
 * @returns {{value: string, label: string, disabled?: true}}
 */
export function optionFacts(option) {
  const one = { value: valuesOfOption(option)[0] ?? labelsOfOption(option)[0] ?? '', label: labelsOfOption(option)[0] ?? '' };
  return isOptionOff(option) ? { ...one, disabled: true } : one;
}

/**
 * What scrolls the options.
 * @param {Element[]} options
 * @param {Element} popup
 */
export function scrollerOf(options, popup) {
  for (let node = /** @type {Element|null} */ (options[0] ?? popup); node; node = composedParent(node)) {
    const height = clientHeightGet.call(node);
    if (scrollHeightGet.call(node) > height + 1 && /auto|scroll|hidden/.test(styleOf(node).overflowY) && height > 0) return node;
    if (node === popup) return null;
  }
  return null;
}

const MOST_AROUND = 4;

/**
 * What the page shows as chosen: the text of the field, of what it is in, and hidden fields beside it. `list` is left out.
 * @param {Element} owner
 * @param {Element | null} list
 */
export function shownChoice(owner, list) {
  const own = textOf(owner) || plain(isHTMLElement(owner) ? innerTextGet.call(owner) : '');
  let box = owner;
  for (let n = 0; n < MOST_AROUND; n++) {
    const up = composedParent(box);
    if (!up || up === bodyOf() || ['form', 'fieldset', 'main', 'section', 'dialog', 'tr', 'ul', 'ol'].includes(localName(up))) break;
    if (
      deepQueryAll(up, CHOOSERS).some(
        (el) => el !== owner && !isInside(el, owner) && !(list && isInside(el, list)) && attr(el, 'aria-hidden') !== 'true',
      )
    )
      break;
    box = up;
  }
  /** @type {Set<string>} */
  const texts = new Set();
  /** @type {string[]} */
  const fields = [];
  collectShown(box, list, texts, fields);
  return { own: plain(own), texts, fields };
}

/**
 * Whether the field itself, or a part of its text, is this label: marks and arrows stand beside it. Some fields hold the list that they open, and show
 * none of its options.
 * @param {Element} owner
 * @param {string} label
 */
export function showsLabel(owner, label) {
  if (label === '') return false;
  if (plain(textOf(owner)) === label) return true;
  if (!isHTMLElement(owner)) return false;
  const shows = (/** @type {Element} */ el) => plain(textContentGet.call(el)) === label && isRendered(el) && !isInListOf(el, owner);
  return plain(innerTextGet.call(owner)) === label || deepQueryAll(owner, '*').some(shows);
}

/** @param {Element} el @param {Element} owner */
function isInListOf(el, owner) {
  const list = closestOf.call(el, LISTS);
  return list !== null && list !== owner && isInside(list, owner);
}

/**
 * @param {Element} box @param {Element|null} list @param {Set<string>} texts
 * @param {string[]} fields
 */
function collectShown(box, list, texts, fields) {
  const open = [box];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === list) continue;
    const tag = localName(node);
    if (tag === 'input' || tag === 'select') {
      fields.push(String(/** @type {HTMLInputElement} */ (node).value));
      continue;
    }
    const inner = children(node);
    const text = plain(textContentGet.call(node));
    if (text !== '' && text.length < 500 && !(list && isInside(list, node)) && isRendered(node)) {
      texts.add(text);
      // With several choices, each one is beside the control that removes it.
      if (inner.length > 1) for (const part of inner) if (nodeTypeGet.call(part) === TEXT) texts.add(plain(textContentGet.call(part)));
    }
    open.push(.../** @type {Element[]} */ (inner.filter(isElement).reverse()));
  }
}
