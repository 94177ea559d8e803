// The rows of tables that Chrome takes for layout, which a person sees as rows all the same.

import { localNameGet, parentElementGet, queryAllOf } from '../dom/builtins.js';
import { rowCellsGet } from '../ax/table.js';
import { factsOf } from '../dom/facts.js';
import { hasOwnText } from '../ax/included.js';
import { rendering, SHOWN } from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

const FEWEST_CELLS = 2;
const FEWEST_ROWS = 2;
const MOST_COMPARED = 8;

/**
 * Whether it is a row of cells among rows of as many cells, and none of them has a table or a headline of its own: these lay out a page.
 * @param {Facts} facts
 * @param {Map<Element, boolean>} known of the tables that were looked at
 */
export function isSeenRow(facts, known) {
  if (!facts.html || facts.tag !== 'tr' || rowCellsGet.call(facts.el).length < FEWEST_CELLS) return false;
  let table = parentElementGet.call(facts.el);
  while (table !== null && localNameGet.call(table) !== 'table') table = parentElementGet.call(table);
  if (table === null) return false;
  let rows = known.get(table);
  if (rows === undefined) known.set(table, (rows = hasRows(table)));
  return rows;
}

/** @param {Element} table */
function hasRows(table) {
  if (queryAllOf.call(table, 'table,h1,h2,h3,main,nav,form').length > 0) return false;
  const rows = Array.from(queryAllOf.call(table, 'tr')).slice(0, MOST_COMPARED);
  const shown = rows.filter((row) => rendering(factsOf(row)) === SHOWN);
  const counts = new Map();
  for (const row of shown) {
    const cells = Array.from(/** @type {HTMLCollection} */ (rowCellsGet.call(row)));
    if (cells.length >= FEWEST_CELLS && cells.some(hasWords)) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return Array.from(counts.values()).some((count) => count >= FEWEST_ROWS);
}

/** @param {Element} cell */
function hasWords(cell) {
  return hasOwnText(cell) || Array.from(queryAllOf.call(cell, '*')).some(hasOwnText);
}
