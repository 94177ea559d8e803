// Op rows: the items of a collection with their fields. A list that holds only what is in view is scrolled, one view at a time, by the engine.

import { isConnected, scrollingElement } from '../dom/access.js';
import { clientHeightGet, nextElementGet, previousElementGet, scrollHeightGet, textContentGet } from '../dom/builtins.js';
import { Shown } from './capabilities.js';
import { columnsOf, fieldNames, fieldsOf } from './capabilitiesfields.js';
import { insideOf, listAt } from './capabilitieslists.js';
import { statedColumns, statedOf, totalOf } from './capabilitiestotals.js';
import { attr, composedParent } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { rectOf } from '../dom/geometry.js';
import { named } from '../find/locate.js';
import { tidy } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { atRest, scrollPosition, scrollToOf } from '../act/rest.js';
import { semanticRole } from '../ax/role.js';
import { canScroll, edgesOf } from '../act/scroll.js';
import { elementOf, tokenOf } from '../dom/tokens.js';
import { fail, until } from '../dom/until.js';
import { Walk } from '../walk/walk.js';

/** @import { List } from './capabilitieslists.js' */

/**
 * @typedef {Object} RowsArg
 * @property {number} token
 * @property {number} [limit]     how many items at most
 * @property {'on'|'end'|number} [to] scroll first: by what the list holds now, to its end, or to a place
 * @property {number} [patience]  then wait for other contents, so many ms
 */

ops.rows = (/** @type {RowsArg} */ arg) => {
  const el = elementOf(arg.token);
  if (el === null || !isConnected(el)) return fail('ref-stale', { why: 'gone' });
  return arg.to === undefined ? read(el, arg) : scrolled(el, arg);
};

/** @param {Element} el @param {RowsArg} arg */
async function scrolled(el, { to, patience = 0, ...arg }) {
  const found = remembering(() => listOf(el));
  if (found === null || found.list.items.length === 0) return read(el, arg);
  const box = boxOf(found.list);
  const before = textContentGet.call(el);
  const top = typeof to === 'number' ? to : to === 'end' ? scrollHeightGet.call(box) : scrollPosition(box).y + stepOf(found.list, box);
  scrollToOf.call(box, { top, behavior: 'instant' });
  await atRest([box]);
  if (patience > 0) await until(patience, () => (textContentGet.call(el) === before ? fail('timeout') : {}));
  return read(el, arg);
}

/** @param {Element} el */
function listOf(el) {
  const walk = new Walk({ interactive: true });
  walk.run();
  const shown = new Shown(walk);
  const list = listAt(shown, el, semanticRole(factsOf(el)), shown.kids.get(el) ?? []);
  return list === null ? null : { shown, list };
}

/** @param {Element} el @param {{limit?: number}} arg */
function read(el, { limit = Infinity }) {
  return remembering(() => {
    const found = listOf(el);
    if (found === null) return fail('target-unsuitable', { ...named(el) });
    const { shown, list } = found;
    const columns = columnsOf(list);
    const box = list.items.length > 0 ? boxOf(list) : null;
    const rows = list.items.slice(0, limit).map((item) => ({
      token: tokenOf(item),
      fields: Object.fromEntries(fieldsOf(list, columns, item)),
      in: insideOf(shown, list, item).map((inner) => tokenOf(inner)),
      ...placeIn(box, item),
    }));
    return {
      rows,
      count: list.items.length,
      stated: statedOf(list),
      total: Math.max(totalOf(list), list.items.length),
      fields: fieldNames(list, columns),
      columnsLeft: columns === null ? 0 : Math.max(0, statedColumns(list) - columns.names.size),
      ...(box === null ? {} : viewOf(list, box)),
    };
  });
}

// By what lists number items, from 0 or 1, for themselves.
const NUMBERS = ['aria-rowindex', 'aria-posinset', 'data-index', 'data-row-index', 'row-index', 'data-item-index', 'data-rowindex'];

/**
 * Where an item is in what its box scrolls, and its number if the list gives it one.
 * @param {Element|null} box
 * @param {Element} item
 */
function placeIn(box, item) {
  const rect = rectOf(item);
  const from = box === null || box === scrollingElement() ? { left: 0, top: 0 } : rectOf(box);
  const at = box === null ? { x: 0, y: 0 } : scrollPosition(box);
  const number = NUMBERS.map((name) => attr(item, name)).find((text) => text !== null && /^\d+$/.test(text));
  return {
    number: number === undefined || number === null ? -1 : Number(number),
    top: Math.round(rect.top - from.top + at.y),
    left: Math.round(rect.left - from.left + at.x),
    height: Math.round(rect.height),
  };
}

/** What scrolls the items down: the nearest box around them that does, else the page. @param {List} list */
function boxOf(list) {
  for (let node = composedParent(list.items[0]); node !== null; node = composedParent(node))
    if (node !== scrollingElement() && canScroll(node, 0, 1)) return node;
  return scrollingElement();
}

/**
 * How far a view goes on: until the last item that the list holds is the first that is seen.
 * @param {List} list
 * @param {Element} box
 */
function stepOf(list, box) {
  const top = box === scrollingElement() ? 0 : rectOf(box).top;
  const last = rectOf(endsOf(list.items).last);
  return Math.max(clientHeightGet.call(box) / 2, last.top - top - last.height);
}

/**
 * How the list is scrolled, and whether room is kept in front of or behind what it holds.
 * @param {List} list
 * @param {Element} box
 */
function viewOf(list, box) {
  const { bottom } = edgesOf(box);
  return { at: scrollPosition(box).y, ended: bottom || !canScroll(box, 0, 1), keeps: keepsRoom(list, box) };
}

/**
 * The items that are placed first and last: some lists put them into the document in another order.
 * @param {Element[]} items
 */
function endsOf(items) {
  let [first, last] = [items[0], items[0]];
  for (const item of items) {
    if (rectOf(item).top < rectOf(first).top) first = item;
    if (rectOf(item).bottom > rectOf(last).bottom) last = item;
  }
  return { first, last };
}

const ROOMS = 4; // elements around the items

/**
 * A list of which only a part is in the document keeps the room of the rest: a container that is higher than what is in it.
 * @param {List} list
 * @param {Element} box
 */
function keepsRoom({ items }, box) {
  const ends = endsOf(items);
  const first = rectOf(ends.first);
  const last = rectOf(ends.last);
  const least = Math.max(60, 1.5 * Math.max(first.height, last.height));
  let [head, tail] = [ends.first, ends.last];
  for (let i = 0; i < ROOMS; i++) {
    const around = composedParent(tail);
    if (around === null || around === box || around !== composedParent(head)) return false;
    if (isFollowed(tail) || isPreceded(head)) return false;
    const room = rectOf(around);
    if (room.bottom - last.bottom > least || first.top - room.top > least) return true;
    [head, tail] = [around, around];
  }
  return false;
}

/** @param {Element} el */
function isFollowed(el) {
  for (let next = nextElementGet.call(el); next !== null; next = nextElementGet.call(next))
    if (tidy(textContentGet.call(next)) !== '') return true;
  return false;
}

/** @param {Element} el */
function isPreceded(el) {
  for (let before = previousElementGet.call(el); before !== null; before = previousElementGet.call(before))
    if (tidy(textContentGet.call(before)) !== '') return true;
  return false;
}
