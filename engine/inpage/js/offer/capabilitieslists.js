// The collections of op capabilities: tables, lists, feeds, and siblings that are alike without saying so. Only what the walk shows counts.

import { elementCountGet, firstElementGet, nextElementGet, textContentGet } from '../dom/builtins.js';
import { FOLD, wordsOf } from './capabilities.js';
import { columnsOf, fieldNames } from './capabilitiesfields.js';
import { controlOfLine, isFieldLine } from './capabilitiesforms.js';
import { sectionsOf } from './capabilitiessections.js';
import { totalOf } from './capabilitiestotals.js';
import { attr, children, composedParent, isElement, isHTMLElement, localName, queryAll } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { isInside } from '../dom/geometry.js';
import { ITEMS } from '../dom/kinds.js';
import { accessibleName, tidy } from '../ax/name.js';
import { statedNumber } from '../walk/partial.js';
import { semanticRole } from '../ax/role.js';
import { rowCellsGet } from '../ax/table.js';
import { tokenOf } from '../dom/tokens.js';
import { placeOf } from '../walk/outofsight.js';
import { veilOf } from '../walk/unseen.js';
import { SEEN } from '../walk/veils.js';

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
export const NO_ITEMS = new Set([
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
 * @property {Element[][]} [headRows] the header cells of a table, by rows
 * @property {boolean} [spread] the items are in several elements that hold nothing else
 * @property {Map<Element, Element[]>} [parts] the parts of a row that is made of several elements, by the first one
 */

/** @param {Shown} shown */
export function listsOf(shown) {
  /** @type {List[]} */
  const found = [];
  const open = shown.top === null ? [] : [shown.top];
  for (let el = open.pop(); el !== undefined && found.length < LISTS_AT_MOST; el = open.pop())
    open.push(...findList(shown, el, found).reverse());
  return found.map((list) => describedList(shown, list));
}

/**
 * Adds the list that an element is.
 * @param {Shown} shown
 * @param {Element} el
 * @param {List[]} found
 * @returns {Element[]} those in which there may be others, in order
 */
function findList(shown, el, found) {
  const kids = shown.kids.get(el);
  if (kids === undefined) return [];
  const role = semanticRole(factsOf(el));
  if (NAVIGATING.has(role)) return [];
  const list = listAt(shown, el, role, kids);
  if (list === null) return [...kids];
  found.push(list);
  const items = new Set(list.items);
  if (list.kind === 'table') return [];
  return kids.filter((kid) => !items.has(kid) && !(list.spread === true && list.items.some((item) => isInside(item, kid))));
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
    if (items.length < (role === 'feed' ? 1 : 2) || !saysSomething(shown, items) || sectionsOf(shown, items).are) return null;
    return { el, kind: role === 'feed' ? 'feed' : 'list', items };
  }
  if (kids.length < 2) return null;
  const items = alikeAmong(shown, kids, 2);
  if (items.length < 2 || !saysSomething(shown, items)) return null;
  const { are, cards } = sectionsOf(shown, items);
  if (are && cards.length < ALIKE_AT_LEAST) return null;
  if (are) return { el, kind: 'alike', items: cards, spread: true };
  return items.length >= ALIKE_AT_LEAST ? { el, kind: 'alike', items } : null;
}

/**
 * @param {Shown} shown
 * @param {Element} el
 * @returns {List|null}
 */
function tableAt(shown, el) {
  /** @type {Element[]} */
  const items = [];
  /** @type {Element[][]} */
  const headRows = [];
  /** @type {Map<Element, Element[]>} */
  const parts = new Map();
  /** @type {Map<number, Element>} rows by their stated number */
  const numbered = new Map();
  for (const row of rowsIn(shown, el)) {
    const cells = cellsOf(row);
    const number = statedNumber(row, 'aria-rowindex');
    const first = number === 0 ? undefined : numbered.get(number);
    if (cells.length > 0 && (cells.every((cell) => isHeadCell(cell)) || isHTMLElement(parentOf(row), 'thead'))) {
      if (items.length === 0) headRows.push(cells);
    } else if (first !== undefined) parts.set(first, [...(parts.get(first) ?? [first]), row]);
    else if (isItem(shown, row, cells, headRows)) {
      items.push(row);
      if (number > 0) numbered.set(number, row);
    }
  }
  return items.length > 0 || headRows.some((cells) => cells.length > 1) ? { el, kind: 'table', items, headRows, parts } : null;
}

/**
 * Whether a row of a table is one of its items: not an empty one that keeps room, a total below them, or a message over the whole width.
 * @param {Shown} shown
 * @param {Element} row
 * @param {Element[]} cells
 * @param {Element[][]} headRows
 */
function isItem(shown, row, cells, headRows) {
  if (shown.in(row).some((el) => el !== row && !CELLS.has(semanticRole(factsOf(el))))) return true;
  if (tidy(textContentGet.call(row)) === '' || isHTMLElement(parentOf(row), 'tfoot')) return false;
  return cells.length !== 1 || headRows.length === 0 || !(parseInt(attr(cells[0], 'colspan') ?? '1', 10) > 1);
}

/** @param {Element} el @returns {any} */
function parentOf(el) {
  return composedParent(el);
}

/** @param {Shown} shown @param {Element} el */
export function rowsIn(shown, el) {
  const rows = [];
  const open = [...(shown.kids.get(el) ?? [])].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const role = semanticRole(factsOf(node));
    if (role === 'row') rows.push(node);
    else if (!TABLES.has(role)) open.push(...[...(shown.kids.get(node) ?? [])].reverse());
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
  const open = children(row).reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isElement(node)) continue;
    if (CELLS.has(semanticRole(factsOf(/** @type {Element} */ (node))))) cells.push(/** @type {Element} */ (node));
    else if (isHTMLElement(node, 'tr')) cells.push(...rowCellsGet.call(node));
    else if (elementCountGet.call(node) > 0) open.push(...children(node).reverse());
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
 * @param {number} [least] how many of them are a set
 * @returns {Element[]}
 */
export function alikeAmong(shown, kids, least = ALIKE_AT_LEAST) {
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
  /** @type {Element[]} */
  let largest = [];
  for (const set of sets.values()) if (set.length > largest.length) largest = set;
  if (largest.length < least) return [];
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

// So many items tell whether a list is hidden.
const UNSEEN_CHECKS = 5;

/** @param {Shown} shown @param {List} list */
function describedList(shown, list) {
  const { el, kind, items } = list;
  const columns = columnsOf(list);
  const facts = factsOf(el);
  const above = composedParent(el);
  return {
    token: tokenOf(el),
    kind,
    name: accessibleName(facts),
    words: wordsOf(el) + ' ' + (items.length > 0 ? wordsOf(items[0]) : '') + (above === null ? '' : ' ' + wordsOf(above)),
    count: items.length,
    total: totalOf(list),
    fields: fieldNames(list, columns),
    heads: (list.headRows ?? []).slice(-1).flatMap((cells) => cells.map((cell) => tidy(textContentGet.call(cell)).slice(0, 40))),
    above: list.items.some((item) => isAboveFold(item)),
    unseen: items.length > 0 && items.slice(0, UNSEEN_CHECKS).every((item) => veilOf(factsOf(item)) !== SEEN),
    items: items
      .map(
        (item) =>
          tokenOf(item) +
          ':' +
          insideOf(shown, list, item)
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
 * The elements with lines in an item.
 * @param {Shown} shown
 * @param {List} list
 * @param {Element} item
 */
export function insideOf(shown, { parts }, item) {
  return (parts?.get(item) ?? [item]).flatMap((part) => shown.in(part));
}
