// The columns of a table: what they are called, by header cells, by what cells say of themselves, or by what is in them; and which cell of a row is in
// which column.

import { elementCountGet } from '../dom/builtins.js';
import { BUTTONLIKE, cellsOf } from './capabilitieslists.js';
import { seenText } from './capabilitiestexts.js';
import { camelCase, DAY, fieldWord, FIGURE, MONEY } from './capabilitieswords.js';
import { attr, queryAll } from '../dom/dom.js';
import { factsOf } from '../dom/facts.js';
import { statedNumber } from '../walk/partial.js';
import { semanticRole } from '../ax/role.js';

/** @import { List } from './capabilitieslists.js' */

// What pages say of a cell for narrow screens, where there is no header.
const SAID_BY_CELLS = ['data-label', 'data-title', 'data-th', 'data-colname', 'data-column', 'data-field', 'col-id', 'tabulator-field'];
const ACTIONS = /^actions?$|^aktion(en)?$|^acciones$|^azioni$|^acties$/i;
const SPAN_AT_MOST = 50;
const SAMPLES = 5;

/** @typedef {{column: number, cell: Element, text?: string}} Placed */

export class Columns {
  /** @param {List} list a table */
  constructor(list) {
    this.list = list;
    /** @type {Map<number, string>} the names of columns */
    this.names = new Map();
    /** @type {Set<string>} */
    this.taken = new Set();
    /** @type {Map<Element, Placed[]>|null} the cells of all rows, where some reach over several rows */
    this.reaching = null;
    const rows = list.headRows ?? [];
    this.headed = rows.length > 0;
    this.fromHeads(rows);
    this.fromCells();
  }

  /** @param {Element[][]} rows */
  fromHeads(rows) {
    /** @type {Map<number, string>[]} the header texts of each row, by column */
    const texts = rows.map(() => new Map());
    rows.forEach((cells, r) => {
      let at = 0;
      for (const cell of cells) {
        while (texts[r].has(at)) at++;
        at = columnOf(cell, at);
        const text = seenText(cell) || (attr(cell, 'aria-label') ?? '');
        const down = Math.min(rows.length - r, spanOf(cell, 'rowspan'));
        for (let i = 0; i < spanOf(cell, 'colspan'); i++) for (let d = 0; d < down; d++) texts[r + d].set(at + i, text);
        at += spanOf(cell, 'colspan');
      }
    });
    const last = texts[texts.length - 1];
    if (last === undefined) return;
    for (const [column, text] of last) {
      const said = [
        text,
        ...texts
          .slice(0, -1)
          .map((row) => row.get(column) ?? '')
          .reverse(),
      ].filter((one) => one !== '');
      if (said.length === 0) continue;
      if (!ACTIONS.test(said[0]))
        this.name(
          column,
          said[0],
          said.find((one) => one !== said[0]),
        );
      else this.names.set(column, '');
    }
  }

  /**
   * Gives a column its name: a word that is known, the text itself, or that with the header above it.
   * @param {number} column
   * @param {string} text
   * @param {string} [above]
   */
  name(column, text, above = '') {
    const word = /^(#|№)$/.test(text) ? 'number' : fieldWord(text, true);
    const own = camelCase(text);
    let name = [word, own, camelCase(above + ' ' + text)].find((one) => one !== '' && !this.taken.has(one)) ?? '';
    for (let i = 2; name === '' && own !== ''; i++) if (!this.taken.has(own + i)) name = own + i;
    if (name === '') return;
    this.names.set(column, name);
    this.taken.add(name);
  }

  /** Columns without a header cell: by what their cells say of themselves, else by what is in them. */
  fromCells() {
    const samples = this.list.items.slice(0, SAMPLES).map((item) => this.cells(item));
    const columns = new Set(samples.flat().map((placed) => placed.column));
    for (const column of [...columns].sort((a, b) => a - b)) {
      if (this.names.has(column)) continue;
      const cells = samples.map((row) => row.find((placed) => placed.column === column)).filter((placed) => placed !== undefined);
      const said = cells
        .map(({ cell }) => SAID_BY_CELLS.map((name) => attr(cell, name) ?? '').find((text) => text !== '') ?? '')
        .find(Boolean);
      const called = this.headed ? '' : cells.map(({ cell }) => calledByClass(cell)).find((word) => word !== '' && !this.taken.has(word));
      const texts = cells.map(({ cell }) => this.textOf(cell)).filter((text) => text !== '');
      if (texts.length === 0) this.names.set(column, '');
      else this.name(column, said || called || this.guess(column, texts, cells));
    }
  }

  /** @param {number} column @param {string[]} texts @param {Placed[]} cells */
  guess(column, texts, cells) {
    const all = (/** @type {(text: string) => boolean} */ is, /** @type {string} */ name) => !this.taken.has(name) && texts.every(is);
    if (cells.some(({ cell }) => semanticRole(factsOf(cell)) === 'rowheader') && !this.taken.has('name')) return 'name';
    if (!this.headed && all((text) => DAY.test(text), 'date')) return 'date';
    if (!this.headed && all((text) => text.length < 40 && MONEY.test(text), 'price')) return 'price';
    if (!this.headed && !this.taken.has('title') && texts.some((text) => !FIGURE.test(text))) return 'title';
    return 'column ' + (column + 1);
  }

  /**
   * The text of a cell without a header: without its buttons, and without its links where other columns have headers.
   * @param {Element} cell
   */
  textOf(cell) {
    if (elementCountGet.call(cell) === 0) return seenText(cell);
    const controls = Array.from(queryAll(cell, 'a, button, input, select, textarea, label, [role]')).filter((el) => {
      const role = semanticRole(factsOf(el));
      return BUTTONLIKE.has(role) || role === 'LabelText' || (role === 'link' && this.headed);
    });
    return seenText(cell, controls);
  }

  /**
   * The cells of a row with their columns. A cell that reaches over several rows is in each of them, as a person reads it.
   * @param {Element} item
   * @returns {Placed[]}
   */
  cells(item) {
    if (this.reaching === null && queryAll(this.list.el, 'td[rowspan], th[rowspan], [aria-rowspan]').length > 0) this.spread();
    return this.reaching?.get(item) ?? placed(this.rowOf(item), new Map());
  }

  /** @param {Element} item */
  rowOf(item) {
    const parts = this.list.parts?.get(item);
    return parts === undefined ? cellsOf(item) : parts.flatMap((part) => cellsOf(part));
  }

  spread() {
    this.reaching = new Map();
    /** @type {Map<number, {cell: Element, left: number}>} */
    const open = new Map();
    for (const item of this.list.items) this.reaching.set(item, placed(this.rowOf(item), open));
  }
}

/** The field for which the author has named a cell, or a part of it. @param {Element} cell */
function calledByClass(cell) {
  for (const el of [cell, ...Array.from(queryAll(cell, '[class]'))]) {
    const word = fieldWord((attr(el, 'class') ?? '').replace(/([a-z])([A-Z])/g, '$1 $2'));
    if (word !== '') return word;
  }
  return '';
}

/**
 * @param {Element[]} cells
 * @param {Map<number, {cell: Element, left: number}>} open cells of rows before, by column
 */
function placed(cells, open) {
  /** @type {Placed[]} */
  const row = [];
  for (const [column, above] of open) {
    row.push({ column, cell: above.cell });
    if (--above.left === 0) open.delete(column);
  }
  const occupied = new Set(row.map((one) => one.column));
  let at = 0;
  for (const cell of cells) {
    while (occupied.has(at)) at++;
    at = columnOf(cell, at);
    const rows = spanOf(cell, 'rowspan');
    for (let i = 0; i < spanOf(cell, 'colspan'); i++) {
      row.push({ column: at + i, cell });
      if (rows > 1) open.set(at + i, { cell, left: rows - 1 });
    }
    at += spanOf(cell, 'colspan');
  }
  return row.sort((a, b) => a.column - b.column);
}

/** @param {Element} cell @param {number} at where it is by the cells before it */
function columnOf(cell, at) {
  const stated = statedNumber(cell, 'aria-colindex');
  return stated > 0 ? stated - 1 : at;
}

/** @param {Element} cell @param {'colspan'|'rowspan'} name */
function spanOf(cell, name) {
  const span = parseInt(attr(cell, name) ?? attr(cell, 'aria-' + name) ?? '1', 10) || 1;
  return Math.max(1, Math.min(SPAN_AT_MOST, span));
}
