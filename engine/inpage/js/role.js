// Roles, as Chrome's accessibility tree spells them: the role attribute (core-aam, WAI-ARIA 1.2 section 5.3 and 7.1 on conflicts), else the
// element's own by html-aam, svg-aam and mathml-aam. "generic" stands for none.

import {
  closestOf,
  ELEMENT,
  firstElementGet,
  getRootNodeOf,
  getterOf,
  matchesOfElement,
  MATH_NS,
  namespaceGet,
  nodeTypeGet,
  parentNodeGet,
  queryAllOf,
  styleOf,
  SVG_NS,
} from './builtins.js';
import { boxBehind } from './clickable.js';
import { attr, composedParent, localName, queryAll } from './dom.js';
import { attrOf, factsOf, parentOf, remembering, saidBy } from './facts.js';
import { isListening } from './listening.js';
import { labellingElements } from './name.js';
import { symbolTitle } from './native.js';
import { MODAL_DIALOG } from './older.js';
import { isInGridTable } from './states.js';
import { cellRole, rowGroupRole, rowRole, tableRole } from './table.js';
import { checkVisibilityOf, optionOwner, WITH_VISIBILITY } from './visibility.js';

/** @import { Facts } from './facts.js' */

// The spelling of the ARIA roles that Chrome calls otherwise.
/** @type {Object<string, string>} */
const ARIA_ALIASES = { img: 'image', presentation: 'none', directory: 'list' };

const ARIA_ROLES = new Set([
  'alert',
  'alertdialog',
  'application',
  'article',
  'banner',
  'blockquote',
  'button',
  'caption',
  'cell',
  'checkbox',
  'code',
  'columnheader',
  'combobox',
  'comment',
  'complementary',
  'contentinfo',
  'definition',
  'deletion',
  'dialog',
  'directory',
  'document',
  'emphasis',
  'feed',
  'figure',
  'form',
  'generic',
  'grid',
  'gridcell',
  'group',
  'heading',
  'image',
  'img',
  'insertion',
  'link',
  'list',
  'listbox',
  'listitem',
  'log',
  'main',
  'mark',
  'marquee',
  'math',
  'menu',
  'menubar',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'navigation',
  'none',
  'note',
  'option',
  'paragraph',
  'presentation',
  'progressbar',
  'radio',
  'radiogroup',
  'region',
  'row',
  'rowgroup',
  'rowheader',
  'scrollbar',
  'search',
  'searchbox',
  'sectionfooter',
  'sectionheader',
  'separator',
  'slider',
  'spinbutton',
  'status',
  'strong',
  'subscript',
  'suggestion',
  'superscript',
  'switch',
  'tab',
  'table',
  'tablist',
  'tabpanel',
  'term',
  'textbox',
  'time',
  'timer',
  'toolbar',
  'tooltip',
  'tree',
  'treegrid',
  'treeitem',
  'doc-abstract',
  'doc-acknowledgments',
  'doc-afterword',
  'doc-appendix',
  'doc-backlink',
  'doc-biblioentry',
  'doc-bibliography',
  'doc-biblioref',
  'doc-chapter',
  'doc-colophon',
  'doc-conclusion',
  'doc-cover',
  'doc-credit',
  'doc-credits',
  'doc-dedication',
  'doc-endnote',
  'doc-endnotes',
  'doc-epigraph',
  'doc-epilogue',
  'doc-errata',
  'doc-example',
  'doc-footnote',
  'doc-foreword',
  'doc-glossary',
  'doc-glossref',
  'doc-index',
  'doc-introduction',
  'doc-noteref',
  'doc-notice',
  'doc-pagebreak',
  'doc-pagefooter',
  'doc-pageheader',
  'doc-pagelist',
  'doc-part',
  'doc-preface',
  'doc-prologue',
  'doc-pullquote',
  'doc-qna',
  'doc-subtitle',
  'doc-tip',
  'doc-toc',
  'graphics-document',
  'graphics-object',
  'graphics-symbol',
]);

// html-aam, section 3.5. A function decides where it depends on attributes or on relatives.
/** @type {Object<string, string | ((facts: Facts) => string)>} */
const HTML_ROLES = {
  __proto__: /** @type {any} */ (null),
  a: linkRole,
  area: linkRole,
  abbr: 'Abbr',
  address: 'group',
  article: 'article',
  aside: asideRole,
  audio: 'Audio',
  blockquote: 'blockquote',
  button: 'button',
  canvas: 'Canvas',
  caption: 'caption',
  code: 'code',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dir: 'list',
  dl: 'DescriptionList',
  dt: 'term',
  em: 'emphasis',
  embed: 'EmbeddedObject',
  fieldset: 'group',
  figcaption: 'Figcaption',
  figure: 'figure',
  footer: (facts) => (isInSection(facts, true) ? 'sectionfooter' : 'contentinfo'),
  form: 'form',
  frame: 'Iframe',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  header: (facts) => (isInSection(facts, true) ? 'sectionheader' : 'banner'),
  hgroup: 'group',
  hr: 'separator',
  iframe: 'Iframe',
  img: 'image',
  input: inputRole,
  ins: 'insertion',
  label: 'LabelText',
  legend: 'Legend',
  li: listItemRole,
  main: 'main',
  mark: 'mark',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  object: objectRole,
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  rp: 'RubyAnnotation',
  rt: 'RubyAnnotation',
  ruby: 'Ruby',
  s: 'deletion',
  search: 'search',
  section: (facts) => (isNamedByAuthor(facts) ? 'region' : 'generic'),
  select: (facts) => (isListBox(facts.el) ? 'listbox' : 'combobox'),
  strong: 'strong',
  sub: 'subscript',
  summary: summaryRole,
  sup: 'superscript',
  table: tableRole,
  tbody: rowGroupRole,
  td: cellRole,
  textarea: 'textbox',
  tfoot: rowGroupRole,
  th: cellRole,
  thead: rowGroupRole,
  time: 'time',
  tr: rowRole,
  ul: 'list',
  video: 'Video',
};

/** @type {Object<string, string>} */
const INPUT_ROLES = {
  __proto__: /** @type {any} */ (null),
  button: 'button',
  checkbox: 'checkbox',
  color: 'ColorWell',
  date: 'Date',
  'datetime-local': 'DateTime',
  file: 'button',
  image: 'button',
  month: 'DateTime',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  time: 'InputTime',
  week: 'DateTime',
};

// svg-aam, section 5. Shapes get a node only where they have a title, a description or ARIA.
/** @type {Object<string, string | ((facts: Facts) => string)>} */
const SVG_ROLES = {
  __proto__: /** @type {any} */ (null),
  a: (facts) => (isLink(facts.el) ? 'link' : closestOf.call(facts.el, 'text') ? 'generic' : 'group'),
  circle: 'graphics-symbol',
  ellipse: 'graphics-symbol',
  foreignObject: 'group',
  g: 'group',
  image: 'image',
  line: 'graphics-symbol',
  path: 'graphics-symbol',
  polygon: 'graphics-symbol',
  polyline: 'graphics-symbol',
  rect: 'graphics-symbol',
  svg: svgRole,
  use: (facts) => (symbolTitle(facts.el) === null ? 'graphics-object' : 'group'),
};

export const inputTypeGet = getterOf(HTMLInputElement.prototype, 'type');
export const inputListGet = getterOf(HTMLInputElement.prototype, 'list');
export const selectMultipleGet = getterOf(HTMLSelectElement.prototype, 'multiple');
const selectSizeGet = getterOf(HTMLSelectElement.prototype, 'size');

/**
 * The element's role; "generic" when it has none of its own. A label that stands for a hidden box to check has the role of that.
 * @param {Element} el
 */
export function roleOf(el) {
  return remembering(() => {
    const facts = factsOf(el);
    const box = boxBehind(facts);
    return box === null ? semanticRole(facts) : semanticRole(factsOf(box));
  });
}

/**
 * The role that the element has in Chrome's tree.
 * @param {Facts} facts
 * @returns {string}
 */
export function semanticRole(facts) {
  return (facts.role ??= explicitRole(facts) || nativeRole(facts));
}

/**
 * The role by attribute, or "". The first word that names a role which is allowed here wins.
 * @param {Facts} facts
 * @returns {string}
 */
export function explicitRole(facts) {
  return facts.plain ? '' : (facts.said ??= roleByAttribute(facts));
}

/** @param {Facts} facts @returns {string} */
function roleByAttribute(facts) {
  const value = saidBy(facts, 'role');
  if (value === null || value === '') return '';
  for (const word of value.toLowerCase().split(/\s+/)) {
    if (!ARIA_ROLES.has(word)) continue;
    const role = ARIA_ALIASES[word] ?? word;
    if ((role === 'form' || role === 'region') && !isNamedByAuthor(facts) && saidBy(facts, 'aria-roledescription') === null) continue;
    if (isOrphan(facts, role)) continue;
    if (inConflict(facts, role)) return '';
    if (role === 'listitem') return itemRole(facts);
    return role === 'cell' && isInGridTable(facts) ? 'gridcell' : role;
  }
  return '';
}

/**
 * Whether the element's own role is kept although it asks for another one.
 * @param {Facts} facts
 * @param {string} role
 */
function inConflict(facts, role) {
  // WAI-ARIA 1.2, 7.1: what can be focused or has a global ARIA attribute is not presentational.
  return role === 'none' && (isFrame(facts) || isFocusable(facts) || hasGlobalARIA(facts));
}

const GLOBAL_ARIA = [
  'atomic',
  'braillelabel',
  'brailleroledescription',
  'busy',
  'controls',
  'current',
  'describedby',
  'description',
  'details',
  'flowto',
  'keyshortcuts',
  'label',
  'labelledby',
  'live',
  'owns',
  'relevant',
  'roledescription',
]
  .map((name) => `[aria-${name}]`)
  .join();

/** @param {Facts} facts */
function hasGlobalARIA(facts) {
  return !facts.plain && matchesOfElement.call(facts.el, GLOBAL_ARIA);
}

// The containers without which Chrome does not believe these roles.
/** @type {Object<string, {tags: string[], roles: string[], through: string[]}>} */
const REQUIRED_PARENTS = {
  __proto__: /** @type {any} */ (null),
  listitem: { tags: ['ul', 'ol', 'menu'], roles: ['list', 'directory', 'group'], through: [] },
  option: { tags: ['select'], roles: ['listbox', 'group'], through: [] },
  treeitem: { tags: [], roles: ['tree', 'group'], through: ['treeitem'] },
};

/**
 * Elements without semantics of their own may stand between an item and its container.
 * @param {Facts} facts
 * @param {string} role
 */
function isOrphan(facts, role) {
  const required = REQUIRED_PARENTS[role];
  if (!required) return false;
  const owner = attrOf(facts, 'id') === null ? null : ownerOf(facts);
  if (owner && required.roles.includes(semanticRole(owner))) return false;
  for (let node = parentOf(facts); node; node = parentOf(node)) {
    if (node.html && required.tags.includes(node.tag)) return false;
    const own = firstWord(node);
    if (required.roles.includes(own)) return false;
    if (own === 'none' || own === 'presentation' || required.through.includes(own)) continue;
    if (own !== '' && own !== 'generic') return true;
    if (!isWrapper(node)) return true;
  }
  return true;
}

/**
 * What owns the element by aria-owns, or null.
 * @param {Facts} facts
 */
function ownerOf(facts) {
  const id = attrOf(facts, 'id');
  if (id === null) return null;
  const owner = queryAll(getRootNodeOf.call(facts.el), `[aria-owns~="${CSS.escape(id)}"]`)[0];
  return owner ? factsOf(owner) : null;
}

/** @param {Facts} facts */
function firstWord(facts) {
  const value = saidBy(facts, 'role');
  return value === null
    ? ''
    : (value
        .toLowerCase()
        .split(/\s+/)
        .find((word) => ARIA_ROLES.has(word)) ?? '');
}

const WRAPPERS = new Set(['div', 'span', 'slot']);

/** @param {Facts} facts */
function isWrapper(facts) {
  return facts.html && (WRAPPERS.has(facts.tag) || facts.tag.includes('-'));
}

/** @param {Facts} facts */
function nativeRole(facts) {
  if (facts.html) {
    const role = HTML_ROLES[facts.tag];
    if (typeof role === 'string') return role;
    return role === undefined ? plainRole(facts) : role(facts);
  }
  const space = namespaceGet.call(facts.el);
  if (space === SVG_NS) {
    const role = SVG_ROLES[facts.tag] ?? 'generic';
    return typeof role === 'string' ? role : role(facts);
  }
  return space === MATH_NS && facts.tag === 'math' ? 'MathMLMath' : 'generic';
}

/**
 * The role of an element that says nothing by its tag: what makes a popup or can be dragged is at least a group.
 * @param {Facts} facts
 */
function plainRole(facts) {
  if (facts.plain) return 'generic';
  return matchesOfElement.call(facts.el, '[popover],[autofocus],[draggable]') && saidBy(facts, 'role') === null ? 'group' : 'generic';
}

const objectWindowGet = getterOf(HTMLObjectElement.prototype, 'contentWindow');

/**
 * Chrome calls an object PluginObject also when it holds a document, which is then read like that of an iframe.
 * @param {Facts} facts
 */
export function objectRole(facts) {
  return objectWindowGet.call(facts.el) === null ? 'PluginObject' : 'Iframe';
}

/** @param {Facts} facts */
function linkRole(facts) {
  return isLink(facts.el) || saidBy(facts, 'onclick') !== null || isListening(facts.el) ? 'link' : 'generic';
}

/**
 * Whether an element that can be a link is one.
 * @param {Element} el
 */
function isLink(el) {
  return attr(el, 'href') !== null || attr(el, 'xlink:href') !== null;
}

/** @param {Element} el */
export function inputType(el) {
  return inputTypeGet.call(el);
}

/** @param {Facts} facts */
function inputRole(facts) {
  const type = inputType(facts.el);
  if (type !== 'color' && type !== 'range' && inputListGet.call(facts.el)) return 'combobox';
  return INPUT_ROLES[type] ?? 'textbox';
}

/**
 * Whether a select shows a list rather than a box that opens one. One for several choices does so unless it says that one line is enough.
 * @param {Element} select
 */
export function isListBox(select) {
  const size = selectSizeGet.call(select);
  return size > 1 || (size !== 1 && selectMultipleGet.call(select));
}

/**
 * Whether the page draws the select, so that all of an option is shown and not only its text.
 * @param {Element | null} select
 */
export function isRichSelect(select) {
  return select !== null && styleOf(select).appearance === 'base-select';
}

/** @param {Facts} facts */
export function isRichOption(facts) {
  return facts.tag === 'option' && firstElementGet.call(facts.el) !== null && isRichSelect(optionOwner(facts.el));
}

/** @param {Facts} facts */
export function summaryRole(facts) {
  const parent = parentOf(facts);
  if (parent === null || !parent.html || parent.tag !== 'details') return 'generic';
  return attrOf(parent, 'name') ? 'DisclosureTriangleGrouped' : 'DisclosureTriangle';
}

/**
 * The role of an item of a list: the items of a list of endnotes or sources are such (dpub-aam).
 * @param {Facts} facts
 */
function itemRole(facts) {
  const list = meaningAround(facts);
  if (list === null || semanticRole(list) !== 'list') return 'listitem';
  const around = meaningAround(list);
  switch (around === null ? '' : semanticRole(around)) {
    case 'doc-endnotes':
      return 'doc-endnote';
    case 'doc-bibliography':
      return 'doc-biblioentry';
    default:
      return 'listitem';
  }
}

/**
 * The nearest ancestor that means something.
 * @param {Facts} facts
 */
function meaningAround(facts) {
  let node = parentOf(facts);
  while (node !== null && (semanticRole(node) === 'generic' || semanticRole(node) === 'none')) node = parentOf(node);
  return node;
}

/**
 * html-aam: an item of a list with another explicit role is not a list item.
 * @param {Facts} facts
 */
function listItemRole(facts) {
  const parent = parentOf(facts);
  if (parent !== null && parent.html && (parent.tag === 'ul' || parent.tag === 'ol' || parent.tag === 'menu')) {
    const role = saidBy(parent, 'role');
    if (role !== null && role !== '' && role !== 'list' && role !== 'directory') return 'none';
  }
  return itemRole(facts);
}

const SECTION_ROLES = new Set(['article', 'complementary', 'navigation']);

/**
 * Whether the element is in sectioning content, where header, footer and aside are not landmarks of the page (html-aam, 3.5).
 * @param {Facts} facts
 * @param {boolean} main
 */
function isInSection(facts, main) {
  for (let node = parentOf(facts); node; node = parentOf(node)) {
    if (node.html && node.tag === 'section' && !explicitRole(node)) return true;
    if (!node.html || (node.plain && !SECTION_TAGS.has(node.tag))) continue;
    if (node.tag === 'dialog' && matchesOfElement.call(node.el, MODAL_DIALOG)) return false; // it is in the top layer
    const role = semanticRole(node);
    if (SECTION_ROLES.has(role) || (main && role === 'main')) return true;
  }
  return false;
}

const SECTION_TAGS = new Set(['article', 'aside', 'nav', 'main', 'dialog']);

/** @param {Facts} facts */
function asideRole(facts) {
  return isInSection(facts, false) && !isNamedByAuthor(facts) ? 'generic' : 'complementary';
}

/**
 * Whether aria-labelledby, aria-label or title say a name.
 * @param {Facts} facts
 */
export function isNamedByAuthor(facts) {
  if (facts.plain) return false;
  const label = saidBy(facts, 'aria-label');
  if (label !== null && label.trim() !== '') return true;
  return saidBy(facts, 'title') !== null || labellingElements(facts).length > 0;
}

/**
 * A drawing without accessible content is an image (svg-aam issue 12); one inside another is a group.
 * @param {Facts} facts
 */
function svgRole(facts) {
  const parent = parentNodeGet.call(facts.el);
  if (parent && nodeTypeGet.call(parent) === ELEMENT && namespaceGet.call(parent) === SVG_NS && localName(parent) !== 'foreignObject')
    return 'group';
  return hasAccessibleContent(facts.el) ? 'SvgRoot' : 'image';
}

const SVG_CONTENT =
  'text, foreignObject, a, [role]:not([role=none]):not([role=presentation]), [aria-label], [aria-labelledby], [tabindex], [title]';

/** @param {Element} svg */
function hasAccessibleContent(svg) {
  for (const el of queryAllOf.call(svg, SVG_CONTENT)) if (isDrawn(el)) return true;
  for (const el of queryAllOf.call(svg, 'use')) if (symbolTitle(el) !== null) return true;
  for (const el of queryAllOf.call(svg, 'title, desc')) {
    const parent = composedParent(el);
    if (parent !== svg && parent && isDrawn(parent)) return true;
  }
  return false;
}

/** @param {Element} el */
function isDrawn(el) {
  return checkVisibilityOf.call(el, WITH_VISIBILITY) && closestOf.call(el, 'symbol, defs, clipPath, mask, pattern, marker') === null;
}

/** @param {Facts} facts */
export function isFrame(facts) {
  return facts.html && (facts.tag === 'iframe' || facts.tag === 'frame');
}

/**
 * Whether the element can get the focus, by click or by script at least.
 * @param {Facts} facts
 */
export function isFocusable(facts) {
  const index = saidBy(facts, 'tabindex');
  if (index !== null && /^\s*[+-]?\d/.test(index)) return !matchesOfElement.call(facts.el, ':disabled');
  switch (facts.tag) {
    case 'a':
    case 'area':
      return isLink(facts.el);
    case 'button':
    case 'input':
    case 'select':
    case 'textarea':
      return !matchesOfElement.call(facts.el, ':disabled');
    case 'summary':
      return summaryRole(facts) !== 'generic'; // whatever role it asks for
    case 'iframe':
    case 'dialog':
      return true;
    case 'audio':
    case 'video':
      return attrOf(facts, 'controls') !== null;
  }
  return isEditableHost(facts);
}

/**
 * Whether the element makes its contents editable.
 * @param {Facts} facts
 */
export function isEditableHost(facts) {
  const value = saidBy(facts, 'contenteditable');
  return value !== null && facts.html && ['', 'true', 'plaintext-only'].includes(value.toLowerCase());
}
