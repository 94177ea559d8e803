// The collections of op capabilities: tables, lists, feeds, and siblings that are alike without saying so. Only what the walk shows counts.

import { elementCountGet, firstElementGet, nextElementGet, textContentGet } from './builtins.js';
import { FOLD, wordsOf } from './capabilities.js';
import { fieldNames } from './capabilitiesfields.js';
import { controlOfLine, isFieldLine } from './capabilitiesforms.js';
import { attr, children, composedParent, isElement, isHTMLElement, localName, queryAll } from './dom.js';
import { factsOf } from './facts.js';
import { accessibleName, tidy } from './name.js';
import { statedNumber } from './partial.js';
import { semanticRole } from './role.js';
import { rowCellsGet } from './table.js';
import { tokenOf } from './tokens.js';
import { placeOf, SEEN, veilOf } from './unseen.js';
import { ITEMS } from './kinds.js';

/** @import { Shown } from './capabilities.js' */

// Fewer siblings that are alike by chance are not a collection.
const ALIKE_AT_LEAST = 3;
const LISTS_AT_MOST = 100;

// Lists in these lead elsewhere, or are a control.
const NAVIGATING = new Set([
  'navigation',
  'menu',
  'menubar',
  'tablist',
  'toolbar',
  'listbox',
  'radiogroup',
  'tree',
  'contentinfo',
  'combobox',
]);
const TABLES = new Set(['table', 'grid', 'treegrid']);

// What is in these is a part of something, and no item by itself.
const NO_ITEMS = new Set([
  'td',
  'th',
  'dt',
  'dd',
  'option',
  'optgroup',
  'tr',
  'label',
  'input',
  'button',
  'select',
  'a',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'thead',
  'tbody',
  'tfoot',
  'ul',
  'ol',
  'menu',
  'table',
  'nav',
]);

/**
 * @typedef {Object} List
 * @property {Element} el
 * @property {'table'|'list'|'feed'|'alike'} kind
 * @property {Element[]} items
 * @property {Element[]} [heads] the header cells of a table
 */

/** @param {Shown} shown */
export function listsOf(shown) {
  /** @type {List[]} */
  const found = [];
  if (shown.top !== null) findLists(shown, shown.top, found);
  return found.map((list) => describedList(shown, list));
}

/** @param {Shown} shown @param {Element} el @param {List[]} found */
function findLists(shown, el, found) {
  const kids = shown.kids.get(el);
  if (kids === undefined || found.length === LISTS_AT_MOST) return;
  const facts = factsOf(el);
  const role = semanticRole(facts);
  if (NAVIGATING.has(role)) return;
  const list = listAt(shown, el, role, kids);
  if (list === null) {
    for (const kid of kids) findLists(shown, kid, found);
    return;
  }
  found.push(list);
  const items = new Set(list.items);
  if (list.kind !== 'table') for (const kid of kids) if (!items.has(kid)) findLists(shown, kid, found);
}

/**
 * @param {Shown} shown
 * @param {Element} el
 * @param {string} role
 * @param {Element[]} kids
 * @returns {List|null}
 */
export function listAt(shown, el, role, kids) {
  if (TABLES.has(role)) return tableAt(shown, el);
  if (role === 'list' || role === 'feed') {
    const items = kids.filter((kid) => ITEMS.has(semanticRole(factsOf(kid))));
    if (items.length >= (role === 'feed' ? 1 : 2) && saysSomething(shown, items))
      return { el, kind: role === 'feed' ? 'feed' : 'list', items };
    return null;
  }
  if (kids.length < ALIKE_AT_LEAST) return null;
  const items = alikeAmong(shown, kids);
  return items.length >= ALIKE_AT_LEAST && saysSomething(shown, items) && !holdsLongerLists(shown, items)
    ? { el, kind: 'alike', items }
    : null;
}

/**
 * @param {Shown} shown
 * @param {Element} el
 * @returns {List|null}
 */
function tableAt(shown, el) {
  const rows = rowsIn(shown, el, []);
  const items = [];
  /** @type {Element[]} */
  let heads = [];
  for (const row of rows) {
    const cells = cellsOf(row);
    const isHead = cells.length > 0 && cells.every((cell) => isHeadCell(cell));
    if (!isHead) items.push(row);
    else if (heads.length === 0 && items.length === 0) heads = cells;
  }
  return items.length > 0 || heads.length > 1 ? { el, kind: 'table', items, heads } : null;
}

/** @param {Shown} shown @param {Element} el @param {Element[]} rows */
function rowsIn(shown, el, rows) {
  for (const kid of shown.kids.get(el) ?? []) {
    const role = semanticRole(factsOf(kid));
    if (role === 'row') rows.push(kid);
    else if (!TABLES.has(role)) rowsIn(shown, kid, rows);
  }
  return rows;
}

const CELLS = new Set(['cell', 'gridcell', 'rowheader', 'columnheader']);

/**
 * The cells of a row, also of one that is made of other elements.
 * @param {Element} row
 * @returns {Element[]}
 */
export function cellsOf(row) {
  if (isHTMLElement(row, 'tr')) return Array.from(rowCellsGet.call(row));
  const cells = [];
  for (const node of children(row)) {
    if (!isElement(node)) continue;
    if (CELLS.has(semanticRole(factsOf(node)))) cells.push(node);
    else if (elementCountGet.call(node) > 0) cells.push(...cellsOf(node));
  }
  return cells;
}

/** @param {Element} cell */
function isHeadCell(cell) {
  return isHTMLElement(cell, 'th') ? attr(cell, 'scope') !== 'row' : semanticRole(factsOf(cell)) === 'columnheader';
}

/**
 * The largest set of siblings that look alike to their author: by tag and first class.
 * @param {Shown} shown
 * @param {Element[]} kids
 */
function alikeAmong(shown, kids) {
  const sets = new Map();
  for (const kid of kids) {
    const tag = localName(kid);
    if (NO_ITEMS.has(tag) && !(tag === 'a' && elementCountGet.call(kid) > 1)) continue;
    const role = attr(kid, 'role');
    if (role !== null && role !== 'listitem' && role !== 'article' && role !== 'group') continue;
    if (isLabelledField(shown, kid)) continue;
    const look = tag + '.' + tidy(attr(kid, 'class') ?? '').split(' ')[0];
    const set = sets.get(look);
    if (set === undefined) sets.set(look, [kid]);
    else set.push(kid);
  }
  let largest = [];
  for (const set of sets.values()) if (set.length > largest.length) largest = set;
  if (largest.length < ALIKE_AT_LEAST) return [];
  const shapes = largest.slice(0, 6).map((/** @type {Element} */ kid) => shapeOf(shown, kid));
  return shapes.filter((/** @type {Set<string>} */ shape) => isAlike(shape, shapes[0])).length * 2 > shapes.length ? largest : [];
}

/**
 * Whether nothing is in it but a field, with its label and what helps to fill it in: a part of a form.
 * @param {Shown} shown
 * @param {Element} el
 */
function isLabelledField(shown, el) {
  const inner = shown.in(el);
  return (
    inner.some((one) => isFieldLine(controlOfLine(factsOf(one)), semanticRole(factsOf(one)))) &&
    inner.every((one) => one === el || semanticRole(factsOf(one)) !== 'heading') &&
    queryAll(el, 'img, a[href] img').length === 0 &&
    !inner.some((one) => semanticRole(factsOf(one)) === 'link' && inner[0] === one)
  );
}

/**
 * The tags of what is in an element, and the roles of what can be acted on there.
 * @param {Shown} shown
 * @param {Element} el
 */
function shapeOf(shown, el) {
  const shape = new Set();
  for (let child = firstElementGet.call(el); child !== null; child = nextElementGet.call(child)) shape.add(localName(child));
  for (const inner of shown.in(el)) if (inner !== el) shape.add('=' + semanticRole(factsOf(inner)));
  return shape;
}

/** @param {Set<string>} a @param {Set<string>} b */
function isAlike(a, b) {
  let both = 0;
  for (const one of a) if (b.has(one)) both++;
  return 2 * both >= a.size + b.size - both;
}

/**
 * Whether the items are about something: more than a link with a word or two where pages lead elsewhere.
 * @param {Shown} shown
 * @param {Element[]} items
 */
function saysSomething(shown, items) {
  const some = items.slice(0, 5);
  return (
    some.filter((item) => {
      const inner = shown.in(item).filter((el) => el !== item);
      const text = tidy(textContentGet.call(item));
      const heads = inner.some((el) => semanticRole(factsOf(el)) === 'heading' || isHTMLElement(el, 'img'));
      return heads || inner.length > 1 || (text.length > 1 && !(inner.length === 1 && BUTTONLIKE.has(semanticRole(factsOf(inner[0])))));
    }).length *
      2 >
    some.length
  );
}

export const BUTTONLIKE = new Set(['button', 'menuitem', 'tab', 'checkbox', 'radio', 'switch', 'option']);

/**
 * Whether several of the items are lists themselves, and longer ones: columns of cards, say.
 * @param {Shown} shown
 * @param {Element[]} items
 */
function holdsLongerLists(shown, items) {
  let longer = 0;
  for (const item of items.slice(0, 4)) if (longestIn(shown, item, 3) > items.length) longer++;
  return (
    longer > 1 || items.slice(0, 4).some((item) => queryAll(item, 'table').length > 0 && rowsIn(shown, item, []).length > items.length)
  );
}

/** @param {Shown} shown @param {Element} el @param {number} depth */
function longestIn(shown, el, depth) {
  const kids = shown.kids.get(el);
  if (kids === undefined || depth === 0) return 0;
  const tags = new Map();
  for (const kid of kids) {
    const tag = localName(kid);
    if (!NO_ITEMS.has(tag)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  let longest = Math.max(0, ...tags.values());
  for (const kid of kids) longest = Math.max(longest, longestIn(shown, kid, depth - 1));
  return longest;
}

// So many items tell whether a list is hidden.
const UNSEEN_CHECKS = 5;

/** @param {Shown} shown @param {List} list */
function describedList(shown, list) {
  const { el, kind, items, heads = [] } = list;
  const facts = factsOf(el);
  const above = composedParent(el);
  return {
    token: tokenOf(el),
    kind,
    name: accessibleName(facts),
    words: wordsOf(el) + ' ' + (items.length > 0 ? wordsOf(items[0]) : '') + (above === null ? '' : ' ' + wordsOf(above)),
    count: items.length,
    total: totalOf(el, items),
    fields: fieldNames(list),
    heads: heads.map((cell) => tidy(textContentGet.call(cell)).slice(0, 40)),
    above: list.items.some((item) => isAboveFold(item)),
    unseen: items.length > 0 && items.slice(0, UNSEEN_CHECKS).every((item) => veilOf(factsOf(item)) !== SEEN),
    items: items
      .map(
        (item) =>
          tokenOf(item) +
          ':' +
          shown
            .in(item)
            .map((inner) => tokenOf(inner))
            .join(','),
      )
      .join(';'),
  };
}

/** @param {Element} el */
function isAboveFold(el) {
  const rect = placeOf(factsOf(el));
  return rect.y < innerHeight * FOLD && rect.y + rect.height > 0;
}

/**
 * How many items there are in all, where a list that holds only some of them tells; else 0.
 * @param {Element} el
 * @param {Element[]} items
 */
function totalOf(el, items) {
  const rows = statedNumber(el, 'aria-rowcount');
  if (rows > items.length) return rows;
  const size = items.length > 0 ? statedNumber(items[0], 'aria-setsize') : 0;
  return size > items.length ? size : 0;
}
