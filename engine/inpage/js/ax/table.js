// Tables: the roles of their parts, which depend on where they stand, and whether a table holds data or only does layout.

import {
  ELEMENT,
  firstChildGet,
  getterOf,
  localNameGet,
  nextElementGet,
  nextSiblingGet,
  nodeTypeGet,
  previousElementGet,
  previousSiblingGet,
  styleOf,
} from '../dom/builtins.js';
import { attr, children, isElement, isHTMLElement, localName } from '../dom/dom.js';
import { attrOf, computedOf, parentOf, saidBy } from '../dom/facts.js';
import { getRect } from '../dom/geometry.js';
import { semanticRole } from './role.js';

/** @import { Facts } from '../dom/facts.js' */

export const NEUTRAL_IN_TABLE = new Set(['group', 'generic', 'rowgroup']);
export const TABLE_ROLES = new Set(['table', 'grid', 'treegrid', 'LayoutTable']);

const tableRowsGet = getterOf(HTMLTableElement.prototype, 'rows');
export const tableCaptionGet = getterOf(HTMLTableElement.prototype, 'caption');
export const rowCellsGet = getterOf(HTMLTableRowElement.prototype, 'cells');

const headGet = getterOf(HTMLTableElement.prototype, 'tHead');
const footGet = getterOf(HTMLTableElement.prototype, 'tFoot');

/**
 * The children of a table in the order in which they are drawn, where that is not the one of the document: its caption and its head come first and its foot last
 * (CSS 2.2, 17.2), and so they do in Chrome's tree. Else null.
 * @param {Facts} facts
 * @returns {Node[]|null}
 */
export function drawnOrder(facts) {
  if (facts.tag !== 'table' || !facts.html) return null;
  const head = sectionOf(headGet.call(facts.el), 'table-header-group');
  const foot = sectionOf(footGet.call(facts.el), 'table-footer-group');
  if ((head === null || !hasRows(head, previousElementGet)) && (foot === null || !hasRows(foot, nextElementGet))) return null;
  const rest = children(facts.el).filter((node) => node !== head && node !== foot);
  const captions = rest.filter(isCaption);
  const others = rest.filter((node) => !isCaption(node));
  return [...captions, ...(head === null ? [] : [head]), ...others, ...(foot === null ? [] : [foot])];
}

/** @param {Node} node */
function isCaption(node) {
  return nodeTypeGet.call(node) === ELEMENT && localNameGet.call(node) === 'caption';
}

/**
 * @param {Element|null} section
 * @param {string} display
 */
function sectionOf(section, display) {
  return section !== null && styleOf(section).display === display ? section : null;
}

/**
 * Whether there are sections or rows on one side of a section.
 * @param {Element} section
 * @param {{call(el: Element): Element|null}} step
 */
function hasRows(section, step) {
  for (let el = step.call(section); el !== null; el = step.call(el)) if (localName(el)[0] === 't') return true;
  return false;
}

/** @param {Facts} facts */
export function tableRole(facts) {
  return isDataTable(facts) ? 'table' : 'LayoutTable';
}

/** @param {Facts} facts */
export function rowGroupRole(facts) {
  const table = tableAround(facts);
  return table !== null && semanticRole(table) !== 'LayoutTable' && TABLE_ROLES.has(semanticRole(table)) ? 'rowgroup' : 'generic';
}

/** @param {Facts} facts */
export function rowRole(facts) {
  const table = tableAround(facts);
  if (table === null || !TABLE_ROLES.has(semanticRole(table))) return 'generic';
  return semanticRole(table) === 'LayoutTable' ? 'LayoutTableRow' : 'row';
}

/** @param {Facts} facts */
export function cellRole(facts) {
  const row = tableAround(facts);
  if (row === null) return 'generic';
  const kind = semanticRole(row);
  if (kind === 'LayoutTableRow') return 'LayoutTableCell';
  if (kind !== 'row') return 'generic';
  const table = tableAround(row);
  if (table === null || !TABLE_ROLES.has(semanticRole(table))) return 'generic';
  if (facts.tag !== 'th') return isGrid(semanticRole(table)) ? 'gridcell' : 'cell';
  const scope = (attrOf(facts, 'scope') ?? '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  return headerRole(facts.el, row.el);
}

/** @param {string} role */
export function isGrid(role) {
  return role === 'grid' || role === 'treegrid';
}

/**
 * The nearest ancestor that means something in a table.
 * @param {Facts} facts
 */
function tableAround(facts) {
  let node = parentOf(facts);
  while (node !== null && NEUTRAL_IN_TABLE.has(semanticRole(node))) node = parentOf(node);
  return node;
}

/**
 * The role of a th without scope, by its neighbors (html-aam leaves that to browsers).
 * @param {Element} cell
 * @param {Element} row
 */
function headerRole(cell, row) {
  // Chrome takes the neighboring nodes, be they white space.
  const before = previousSiblingGet.call(cell);
  const after = nextSiblingGet.call(cell);
  if (!before && !after) return 'columnheader';
  if (isHeader(before) && isHeader(after)) return 'columnheader';
  if (isFilled(before) || isFilled(after)) return 'rowheader';
  const cells = row.children;
  const last = cells.length - 1;
  const evidence = [cells[0], cells[last], cells[1], cells[last - 1]];
  return evidence.some(isFilled) ? 'rowheader' : 'columnheader';
}

/** @param {Node} node */
function isHeader(node) {
  return node !== null && isElement(node) && localName(node) === 'th';
}

/** @param {Node} node */
function isFilled(node) {
  return Boolean(node) && isElement(node) && localName(node) === 'td' && firstChildGet.call(node) !== null;
}

/**
 * Chrome's guess whether a table holds data (AXNodeObject::IsDataTable).
 * @param {Facts} facts
 */
function isDataTable(facts) {
  const { el } = facts;
  if (saidBy(facts, 'role') !== null || isEditable(el)) return true;
  if (attrOf(facts, 'summary') || attrOf(facts, 'rules')) return true;
  for (const child of el.children) {
    const tag = localName(child);
    if (tag === 'thead' || tag === 'tfoot' || tag === 'caption' || tag === 'colgroup' || tag === 'col') return true;
  }
  const rows = tableRowsGet.call(el);
  if (rows.length >= 20 || computedOf(facts).display === 'contents') return true;
  if (rows.length === 0) return false;
  if (rows.length === 1 && rowCellsGet.call(rows[0]).length === 1) return false;
  return looksLikeData(facts, rows);
}

/**
 * Data is framed, or has cells or rows of different colors.
 * @param {Facts} facts
 * @param {Element[]} rows
 */
function looksLikeData(facts, rows) {
  const style = computedOf(facts);
  const spaced = !/(^| )0px/.test(style.borderSpacing);
  const ground = style.backgroundColor;
  const borders = { any: 0, top: 0, bottom: 0, left: 0, right: 0 };
  let valid = 0;
  let colored = 0;
  const rowColors = [];
  for (let i = 0; i < rows.length; i++) {
    for (const cell of rowCellsGet.call(rows[i])) {
      if (localName(cell) === 'th' || ['headers', 'abbr', 'axis', 'scope'].some((name) => attr(cell, name))) return true;
      const box = getRect.call(cell);
      if (box.width < 1 || box.height < 1) continue;
      valid++;
      const look = styleOf(cell);
      if (look.emptyCells === 'hide') return true;
      countBorders(look, borders);
      const color = look.backgroundColor;
      if (spaced && color !== ground && !isClear(color)) colored++;
      if (borders.any >= 10 || colored >= 10) return true;
      if (i < 5 && i === rowColors.length) rowColors.push(styleOf(rows[i]).backgroundColor);
    }
  }
  if (valid <= 1) return false;
  const needed = Math.floor(valid / 2);
  if (Object.values(borders).some((count) => count >= needed) || colored >= needed) return true;
  return isStriped(rowColors);
}

/**
 * @param {CSSStyleDeclaration} look
 * @param {{any: number, top: number, bottom: number, left: number, right: number}} borders
 */
function countBorders(look, borders) {
  const [top, bottom, left, right] = [look.borderTopWidth, look.borderBottomWidth, look.borderLeftWidth, look.borderRightWidth].map(
    (width) => parseFloat(width) > 0,
  );
  if ((top && bottom) || (left && right)) borders.any++;
  if (top) borders.top++;
  if (bottom) borders.bottom++;
  if (left) borders.left++;
  if (right) borders.right++;
}

/** @param {string} color */
function isClear(color) {
  return /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
}

/** @param {string[]} colors */
function isStriped(colors) {
  return colors.length > 2 && colors.every((color, i) => (color === colors[0]) === (i % 2 === 0));
}

const contentEditableGet = getterOf(HTMLElement.prototype, 'isContentEditable');

/** @param {Element} el */
export function isEditable(el) {
  return isHTMLElement(el) && contentEditableGet.call(el);
}
