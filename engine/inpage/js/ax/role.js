// Roles, as Chrome's accessibility tree spells them: the role attribute (core-aam, WAI-ARIA 1.2 section 5.3 and 7.1 on conflicts), else the
// element's own by html-aam, svg-aam and mathml-aam. "generic" stands for none.

import {
  closestOf,
  ELEMENT,
  firstElementGet,
  getterOf,
  matchesOfElement,
  MATH_NS,
  namespaceGet,
  nodeTypeGet,
  parentNodeGet,
  queryAllOf,
  styleOf,
  SVG_NS,
} from '../dom/builtins.js';
import { boxBehind } from './clickable.js';
import { attr, composedParent, localName } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { attrOf, factsOf, parentOf, remembering, saidBy } from '../dom/facts.js';
import { isIncluded } from './included.js';
import { isListening } from './listening.js';
import { labellingElements } from './name.js';
import { symbolTitle } from './native.js';
import { MODAL_DIALOG } from '../dom/older.js';
import { cellRole, rowGroupRole, rowRole, tableRole } from './table.js';
import { checkVisibilityOf, optionOwner, WITH_VISIBILITY } from '../dom/visibility.js';

/**
 * @import { Facts } from '../dom/facts.js'
 */

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
    const role = semanticRole(box === null ? facts : factsOf(box));
    // html-aam 3.5: an image with an empty alt, and nothing else to tell, is presentational.
    return role === 'image' && facts.html && !isIncluded(facts, role) ? 'none' : role;
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
export function isLink(el) {
  return attr(el, 'href') !== null || attr(el, 'xlink:href') !== null;
}

/** @param {Element} el */
export function inputType(el) {
  return inputTypeGet.call(el);
}

/**
 * The type of an input, remembered.
 * @param {Facts} facts
 * @returns {string}
 */
export function typeOf(facts) {
  return (facts.type ??= inputType(facts.el));
}

/** @param {Facts} facts */
function inputRole(facts) {
  const type = typeOf(facts);
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
export function itemRole(facts) {
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
