// Tables: the roles of their parts, which depend on where they stand, and whether a table holds data or only does layout.

const NEUTRAL_IN_TABLE = new Set(['group', 'generic', 'rowgroup']);
const TABLE_ROLES = new Set(['table', 'grid', 'treegrid', 'LayoutTable']);

const tableRowsGet = getterOf(HTMLTableElement.prototype, 'rows');
const tableCaptionGet = getterOf(HTMLTableElement.prototype, 'caption');
const rowCellsGet = getterOf(HTMLTableRowElement.prototype, 'cells');

function tableRole(facts) {
  return isDataTable(facts) ? 'table' : 'LayoutTable';
}

function rowGroupRole(facts) {
  const table = tableAround(facts);
  return table !== null && semanticRole(table) !== 'LayoutTable' && TABLE_ROLES.has(semanticRole(table)) ? 'rowgroup' : 'generic';
}

function rowRole(facts) {
  const table = tableAround(facts);
  if (table === null || !TABLE_ROLES.has(semanticRole(table))) return 'generic';
  return semanticRole(table) === 'LayoutTable' ? 'LayoutTableRow' : 'row';
}

function cellRole(facts) {
  const row = tableAround(facts);
  const kind = row === null ? '' : semanticRole(row);
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

function isGrid(role) {
  return role === 'grid' || role === 'treegrid';
}

/** The nearest ancestor that means something in a table. */
function tableAround(facts) {
  let node = parentOf(facts);
  while (node !== null && NEUTRAL_IN_TABLE.has(semanticRole(node))) node = parentOf(node);
  return node;
}

/** The role of a th without scope, by its neighbours (html-aam leaves that to browsers). */
function headerRole(cell, row) {
  // Chrome takes the neighbouring nodes, be they white space.
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

function isHeader(node) {
  return node !== null && isElement(node) && localName(node) === 'th';
}

function isFilled(node) {
  return Boolean(node) && isElement(node) && localName(node) === 'td' && firstChildGet.call(node) !== null;
}

/** Chrome's guess whether a table holds data (AXNodeObject::IsDataTable). */
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

/** Data is framed, or has cells or rows of different colours. */
function looksLikeData(facts, rows) {
  const style = computedOf(facts);
  const spaced = !/(^| )0px/.test(style.borderSpacing);
  const ground = style.backgroundColor;
  const borders = { any: 0, top: 0, bottom: 0, left: 0, right: 0 };
  let valid = 0;
  let coloured = 0;
  const rowColours = [];
  for (let i = 0; i < rows.length; i++) {
    for (const cell of rowCellsGet.call(rows[i])) {
      if (localName(cell) === 'th' || ['headers', 'abbr', 'axis', 'scope'].some((name) => attr(cell, name))) return true;
      const box = getRect.call(cell);
      if (box.width < 1 || box.height < 1) continue;
      valid++;
      const look = styleOf(cell);
      if (look.emptyCells === 'hide') return true;
      countBorders(look, borders);
      const colour = look.backgroundColor;
      if (spaced && colour !== ground && !isClear(colour)) coloured++;
      if (borders.any >= 10 || coloured >= 10) return true;
      if (i < 5 && i === rowColours.length) rowColours.push(styleOf(rows[i]).backgroundColor);
    }
  }
  if (valid <= 1) return false;
  const needed = Math.floor(valid / 2);
  if (Object.values(borders).some((count) => count >= needed) || coloured >= needed) return true;
  return isStriped(rowColours);
}

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

function isClear(colour) {
  return /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}

function isStriped(colours) {
  return colours.length > 2 && colours.every((colour, i) => (colour === colours[0]) === (i % 2 === 0));
}

const contentEditableGet = getterOf(HTMLElement.prototype, 'isContentEditable');

function isEditable(el) {
  return isHTMLElement(el) && contentEditableGet.call(el);
}
