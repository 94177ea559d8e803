// Lists and tables of which only a part is in the document: what the page says of their size, or how much room is kept for the rest.

import {
  elementCountGet,
  firstElementGet,
  getAttributeOf,
  localNameGet,
  nextElementGet,
  queryAllOf,
  styleOf,
  textContentGet,
} from '../dom/builtins.js';
import { rectOf } from '../dom/geometry.js';
import { tidy } from '../ax/name.js';

/** Roles of what may have more items than there are elements. */
export const LISTS = new Set(['table', 'grid', 'treegrid', 'list', 'listbox', 'feed']);

const FEWEST = 3; // items from which on the room for the rest is measured
const MOST_NESTED = 3; // elements around the items, within the list
const MOST_MEASURED = 200; // items

/**
 * How many items there are of how many, in words, or ''. A number that the page does not state is "about".
 * @param {Element} el
 * @param {string} role
 */
export function partOf(el, role) {
  if (role !== '') {
    const isTable = role !== 'list' && role !== 'listbox' && role !== 'feed';
    const stated = isTable ? statedRows(el) : statedItems(el);
    if (stated !== '') return stated;
  }
  return keptRoom(el);
}

/**
 * WAI-ARIA 1.2, 6.6: aria-rowcount counts all rows, those that are not in the document too; -1 means that the number is not known.
 * @param {Element} el
 */
function statedRows(el) {
  const total = statedNumber(el, 'aria-rowcount');
  if (total === 0) return '';
  const rows = queryAllOf.call(el, 'tr, [role=row]').length;
  return total > rows ? `${rows} of ${total} rows` : '';
}

/**
 * The same of aria-setsize, which each item states.
 * @param {Element} el
 */
function statedItems(el) {
  const items = queryAllOf.call(el, '[aria-setsize]');
  if (items.length === 0) return '';
  const total = statedNumber(items[0], 'aria-setsize');
  return total > items.length ? `${items.length} of ${total} items` : '';
}

/**
 * How many items a list says to have, 0 if it does not.
 * @param {Element} el
 */
export function statedTotal(el) {
  const item = queryAllOf.call(el, '[aria-setsize]')[0];
  return statedNumber(el, 'aria-rowcount') || (item === undefined ? 0 : statedNumber(item, 'aria-setsize'));
}

/**
 * @param {Element} el
 * @param {string} name of an attribute
 * @returns {number} 0 if it does not state a positive number
 */
export function statedNumber(el, name) {
  const n = Number(getAttributeOf.call(el, name) ?? '');
  return Number.isInteger(n) && n > 0 ? n : 0;
}

/**
 * A virtual list keeps the room of all its items, and has elements only for those in view: these fill less than half of the room, and are
 * placed in it one by one, or by padding or an empty element before or behind them.
 * @param {Element} el
 */
function keptRoom(el) {
  const list = itemsIn(el);
  if (list === null) return '';
  const room = rectOf(list);
  /** @type {Element[]} */
  const items = [];
  let spacers = 0;
  for (let item = firstElementGet.call(list); item !== null && items.length < MOST_MEASURED; item = nextElementGet.call(item)) {
    if (elementCountGet.call(item) === 0 && tidy(textContentGet.call(item) ?? '') === '') spacers += rectOf(item).height;
    else items.push(item);
  }
  if (items.length < FEWEST) return '';
  const first = rectOf(items[0]);
  let top = first.top;
  let bottom = first.bottom;
  let isColumn = first.height > 0;
  for (const item of items) {
    const box = rectOf(item);
    isColumn &&= Math.abs(box.left - first.left) <= 1 && localNameGet.call(item) === localNameGet.call(items[0]);
    top = Math.min(top, box.top);
    bottom = Math.max(bottom, box.bottom);
  }
  const span = bottom - top;
  if (!isColumn || span <= 0 || room.height < 2 * span) return '';
  const style = styleOf(list);
  const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  const isPlaced = styleOf(items[0]).position === 'absolute' && styleOf(items[items.length - 1]).position === 'absolute';
  if (!isPlaced && padding < span && spacers < span) return '';
  return `${items.length} of about ${Math.round((room.height * items.length) / span)} items`;
}

/**
 * The element with the items: the list, or the only element in it.
 * @param {Element} el
 * @returns {Element|null}
 */
function itemsIn(el) {
  let list = el;
  for (let i = 0; i < MOST_NESTED; i++) {
    const count = elementCountGet.call(list);
    if (count >= FEWEST) return list;
    if (count !== 1) return null;
    list = /** @type {Element} */ (firstElementGet.call(list));
  }
  return null;
}
