// Accessible names by accname 1.2 (steps 2A to 2I), html-aam section 4 and svg-aam section 8.1, as Chrome computes them: where the
// specifications leave room, the way of Chrome is taken, for its tree is the one that people test with. Where the two differ, docs/agreement.md
// says so.

import { innerTextGet, labelControlGet } from '../dom/access.js';
import { queryAllOf, textContentGet } from '../dom/builtins.js';
import { boxBehind, hintsOf } from './clickable.js';
import { leafText, textOfContents } from './content.js';
import { explicitRole } from './explicitrole.js';
import { attr, byId, composedParent, isHTML, localName } from '../dom/dom.js';
import { attrOf, computedOf, factsOf, isLeaf, parentOf, remembering, rootOf, saidBy } from '../dom/facts.js';
import { isFocusable } from './focusable.js';
import { embeddedValue, isTextField, nativeName } from './native.js';
import { semanticRole } from './role.js';
import { boxedFacts } from './state.js';
import { isGrid, NEUTRAL_IN_TABLE } from './table.js';
import {
  checkVisibilityOf,
  hidesByARIA,
  INVISIBLE,
  isHiddenByARIA,
  isLocked,
  isRendered,
  isShutOff,
  rendering,
  SHOWN,
} from '../dom/visibility.js';

/** @import { Facts } from '../dom/facts.js' */

// Where a text came from decides whether a space separates it from its neighbors.
export const FROM_NOTHING = 0;
export const FROM_CONTENTS = 1;
export const FROM_ELSEWHERE = 2; // an attribute, another element, a value
export let textFrom = FROM_NOTHING;

/** @param {number} from */
export function setTextFrom(from) {
  textFrom = from;
}

// Chrome looks at no more than so many descendants for one name.
export const NAME_LIMIT = 100;

// An element without a name that reacts to clicks is called by the beginning of its text.
const LABEL_LIMIT = 100;

/**
 * The accessible name, whitespace collapsed. What can be clicked and has no name is called by its text.
 * @param {Element} el
 */
export function nameOf(el) {
  return remembering(() => nameOfFacts(factsOf(el)));
}

/** @param {Facts} facts */
export function nameOfFacts(facts) {
  if (facts.name !== undefined) return facts.name;
  const text = alternativeOf(boxedFacts(facts));
  const name = tidy(text);
  if (name !== text && OTHER_SPACE.test(text)) facts.exact = flat(text);
  return (facts.name = name || substituteName(facts));
}

/**
 * The name as the page has it, where that is not the one that is read and compared: with spaces that a flat string keeps, such as those that
 * break no line. Else "".
 * @param {Facts} facts
 */
export function exactName(facts) {
  return facts.exact ?? '';
}

/** @param {Facts} facts */
export function accessibleName(facts) {
  return tidy(alternativeOf(facts));
}

/** @param {Facts} facts */
function alternativeOf(facts) {
  if (facts.plain && (NAMED_BY_MARKUP.has(facts.tag) ? isPlainlyNamed(facts) : !isLabelled(facts))) {
    if (!supportsContents(facts, false)) return '';
    if (facts.html && isLeaf(facts)) return leafText(facts, false);
  }
  return textAlternative(facts, { visited: new Set(), root: null }, false);
}

/**
 * Whether it is a link or a button, and no label names it: its contents do then.
 * @param {Facts} facts
 */
function isPlainlyNamed(facts) {
  if (!facts.html) return false;
  return facts.tag === 'a' || (facts.tag === 'button' && rootOf(facts).labelsOf(facts.el).length === 0);
}

/**
 * Whether a label says the name of an element that has no markup of its own: a custom element that belongs to a form.
 * @param {Facts} facts
 */
export function isLabelled(facts) {
  return facts.html && facts.tag.includes('-') && rootOf(facts).labelsOf(facts.el).length > 0;
}

// Elements that get names by other attributes or from other elements.
const NAMED_BY_MARKUP = new Set([
  'figure',
  'img',
  'area',
  'optgroup',
  'input',
  'select',
  'textarea',
  'button',
  'meter',
  'progress',
  'output',
  'fieldset',
  'table',
  'svg',
  'option',
  'g',
  'path',
  'circle',
  'rect',
  'ellipse',
  'line',
  'polygon',
  'polyline',
  'image',
  'use',
  'text',
  'a',
]);

const SPACE_CODE = 32;
const LAST_PLAIN = 126; // of ASCII
const SHORT = 64;

/**
 * Whether a character of a text is one of ASCII that shows: that is found faster than by a pattern.
 * @param {string} text
 * @param {number} at
 */
export function isPlainSign(text, at) {
  const code = text.charCodeAt(at);
  return code > SPACE_CODE && code <= LAST_PLAIN;
}

/**
 * Whether a text has only characters of ASCII, and single spaces between them: for short texts that is found faster than by a pattern.
 * @param {string} text
 */
function isPlainlyTidy(text) {
  if (text.length > SHORT) return false;
  let before = SPACE_CODE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < SPACE_CODE || code > LAST_PLAIN || (code === SPACE_CODE && before === SPACE_CODE)) return false;
    before = code;
  }
  return before !== SPACE_CODE;
}

// What joiners (U+200C, U+200D) belong to: letters of scripts that are written with them, and emoji that are made of several.
const JOINED =
  '[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Mong}' +
  '\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}]';
const ZERO_WIDTH = new RegExp(`[\\u200b\\u2060\\ufeff\\u00ad]|(?<!${JOINED})[\\u200c\\u200d]|[\\u200c\\u200d](?!${JOINED})`, 'gu');
const NEEDS_TIDYING = /^\s|\s$|\s\s|[^\S ]|[\u200b-\u200d\u2060\ufeff\u00ad]/;

/**
 * Whitespace collapsed and trimmed, zero-width characters taken out, except for joiners where a word or an emoji has them.
 * @param {string} text
 */
export function tidy(text) {
  if (text === '' || isPlainlyTidy(text) || !NEEDS_TIDYING.test(text)) return text;
  return text.replace(ZERO_WIDTH, '').replace(/\s+/g, ' ').trim();
}

// White space that accname 1.2 (section 4.3.1, flat string) does not collapse.
const OTHER_SPACE = /[^\S \t\n\f\r]/;

/**
 * A flat string: the same, except for white space that is not collapsed there.
 * @param {string} text
 */
function flat(text) {
  return text
    .replace(ZERO_WIDTH, '')
    .replace(/[ \t\n\f\r]+/g, ' ')
    .replace(/^ | $/g, '');
}

/**
 * The element that aria-labelledby refers to, while its text is taken.
 * @typedef {Object} ReferredRoot
 * @property {Element} el
 * @property {boolean} hidden  which does not matter then, nor for what is in it
 * @property {boolean} empty   its contents have no text
 */

/**
 * @typedef {Object} Naming
 * @property {Set<Element>} visited
 * @property {ReferredRoot|null} root
 */

/**
 * The text alternative of an element.
 * @param {Facts} facts
 * @param {Naming} naming
 * @param {boolean} recursive  whether it is part of the name of something else
 * @returns {string}
 */
export function textAlternative(facts, naming, recursive) {
  const { el, tag } = facts;
  const { visited, root } = naming;
  textFrom = FROM_CONTENTS;
  if (tag === 'br' && facts.html) return '\n';
  // 1: such a role has no name, but it is text in the name of something else.
  if (!recursive && root === null && NAMELESS.has(semanticRole(facts)) && !isFocusable(facts)) return '';
  const seen = visited.has(el);
  // 2C: the value of a control that is embedded in a label.
  if (recursive && !seen) {
    const value = embeddedValue(facts, naming);
    if (value !== null) {
      textFrom = FROM_ELSEWHERE;
      return value;
    }
  }
  visited.add(el);
  if (tag === 'slot' && facts.html) return recursive ? textOfContents(facts, naming) : '';
  // 2A: what is hidden has no text, unless aria-labelledby refers to it.
  if (recursive && isHiddenForName(facts, root)) return '';
  const authored = facts.plain ? '' : authoredName(facts, naming, seen);
  if (authored !== '') {
    textFrom = FROM_ELSEWHERE;
    return authored;
  }
  // 2E
  const native = nativeName(facts, naming);
  if (native) {
    textFrom = tag === 'option' ? FROM_CONTENTS : FROM_ELSEWHERE;
    return native;
  }
  // 2F
  if (takesContents(facts, root, recursive)) {
    const text = textOfContents(facts, naming);
    textFrom = FROM_CONTENTS;
    if (text !== '' && (recursive || !isBlank(text))) return text;
  }
  // 2I
  const title = facts.plain ? '' : tooltip(facts, root, recursive);
  textFrom = title === '' ? FROM_NOTHING : FROM_ELSEWHERE;
  return title;
}

/**
 * 2B and 2D: aria-labelledby, which is not followed twice in a row, and aria-label.
 * @param {Facts} facts
 * @param {Naming} naming
 * @param {boolean} seen
 */
function authoredName(facts, naming, seen) {
  if (naming.root === null && !seen) {
    const texts = [];
    for (const el of labellingElements(facts)) {
      const text = textAlternative(factsOf(el), { visited: naming.visited, root: referredRoot(el) }, true);
      if (text !== '') texts.push(text);
    }
    const text = texts.join(' ');
    if (text.trim() !== '') return text;
  }
  const label = saidBy(facts, 'aria-label');
  return label !== null && !isBlank(label) ? label : '';
}

/**
 * Chrome counts other white space than that of HTML as a text.
 * @param {string} text
 */
function isBlank(text) {
  if (text.charCodeAt(0) > SPACE_CODE) return false; // most texts
  return !/[^ \t\n\f\r]/.test(text);
}

/**
 * @param {Element} el
 * @returns {ReferredRoot}
 */
export function referredRoot(el) {
  const hidden = !isRendered(el) || isInHiddenByARIA(el);
  return { el, hidden, empty: isLocked(el) || (!hidden && isInInert(el)) };
}

/**
 * Whether the element is in contents that are skipped (content-visibility: hidden, a closed details): Chrome takes no text from there.
 * @param {Element} el
 */
function isSkipped(el) {
  if (checkVisibilityOf.call(el)) return false;
  for (let node = composedParent(el), inner = el; node; inner = node, node = composedParent(node)) {
    if (localName(node) === 'details' ? attr(node, 'open') === null && localName(inner) !== 'summary' : isLocked(node)) return true;
  }
  return false;
}

/** @param {Element} el */
function isInHiddenByARIA(el) {
  for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) if (hidesByARIA(node)) return true;
  return false;
}

/**
 * Chrome takes no text from what is inert.
 * @param {Element} el
 */
function isInInert(el) {
  for (let node = /** @type {Facts|null} */ (factsOf(el)); node; node = parentOf(node)) if (isShutOff(node)) return true;
  return false;
}

/**
 * The elements that aria-labelledby refers to, by id or set by script.
 * @param {Facts} facts
 */
export function labellingElements(facts) {
  const value = saidBy(facts, 'aria-labelledby') ?? saidBy(facts, 'aria-labeledby');
  if (value === null) return [];
  return value.trim() === '' ? (facts.el.ariaLabelledByElements ?? []) : elementsById(facts.el, value);
}

/**
 * The elements with these ids, in the order of the list.
 * @param {Element} el
 * @param {string} ids
 */
export function elementsById(el, ids) {
  const found = [];
  for (const id of ids.trim().split(/\s+/)) {
    const other = byId(el, id);
    if (other && !isSkipped(other)) found.push(other);
  }
  return found;
}

/**
 * 2F: whether the contents name the element.
 * @param {Facts} facts
 * @param {ReferredRoot|null} root
 * @param {boolean} recursive
 */
function takesContents(facts, root, recursive) {
  if (facts.tag === 'select' && facts.html) return false;
  if (root === null && !supportsContents(facts, recursive)) return false;
  return !isTextField(facts) || (root !== null && root.el === facts.el);
}

// Roles that are named by their contents (WAI-ARIA 1.2, section 5.2.8.6), and some of Chrome's own.
export const NAMED_BY_CONTENTS = new Set([
  'button',
  'cell',
  'checkbox',
  'columnheader',
  'gridcell',
  'heading',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'rowheader',
  'switch',
  'tab',
  'tooltip',
  'treeitem',
  'term',
  'math',
  'DisclosureTriangle',
  'DisclosureTriangleGrouped',
  'LayoutTableCell',
  'doc-backlink',
  'doc-biblioref',
  'doc-glossref',
  'doc-noteref',
  'doc-subtitle',
  'graphics-object',
]);

// Roles whose contents become part of the name of what they are in (accname 1.2, step 2H). Chrome takes fewer. Not widgets and tables, whose
// lines follow, and not what a whole card is made of, such as an article: a link around one is called by its heading (walk/inferred.js).
const PASSED_ON = new Set([
  'alert',
  'blockquote',
  'form',
  'generic',
  'log',
  'marquee',
  'note',
  'search',
  'status',
  'timer',
  'none',
  'Abbr',
  'Canvas',
  'caption',
  'code',
  'deletion',
  'insertion',
  'definition',
  'DescriptionList',
  'emphasis',
  'Figcaption',
  'contentinfo',
  'sectionfooter',
  'LabelText',
  'LayoutTable',
  'LayoutTableRow',
  'Legend',
  'list',
  'listitem',
  'mark',
  'paragraph',
  'region',
  'Ruby',
  'strong',
  'subscript',
  'superscript',
  'SvgRoot',
  'time',
]);

/** @param {Facts} facts @param {boolean} recursive */
function supportsContents(facts, recursive) {
  const role = semanticRole(facts);
  if (NAMED_BY_CONTENTS.has(role)) return true;
  if (role === 'row') return isInGrid(facts);
  if (PASSED_ON.has(role)) return recursive;
  return recursive && role === 'group' && (facts.plain || queryAllOf.call(facts.el, ITEMS).length === 0);
}

// A group of these belongs to an item that has a name of its own: the branch of a tree, a submenu.
const ITEMS = '[role=treeitem], [role^=menuitem], [role=option], [role=radio]';

/**
 * Whether a row is one of a grid; only there is it named by its cells.
 * @param {Facts} facts
 */
function isInGrid(facts) {
  for (let node = parentOf(facts); node; node = parentOf(node)) {
    const role = semanticRole(node);
    if (isGrid(role)) return true;
    if (!NEUTRAL_IN_TABLE.has(role) && role !== 'none') return false;
  }
  return false;
}

// WAI-ARIA 1.2, section 5.2.8.6: roles that cannot be named. Chrome keeps a name that ARIA gives them, and drops a title.
const NAME_PROHIBITED = new Set([
  'caption',
  'code',
  'definition',
  'deletion',
  'emphasis',
  'generic',
  'insertion',
  'mark',
  'none',
  'paragraph',
  'strong',
  'subscript',
  'suggestion',
  'superscript',
  'term',
  'time',
]);

// Of these, the ones that are pieces of text: what ARIA says of them is not what a person reads there. A label of an element without a role is
// kept, for it is often all that a page tells of a picture, and so is that of a term, as Chrome does.
const NAMELESS = new Set([...NAME_PROHIBITED].filter((role) => role !== 'generic' && role !== 'none' && role !== 'term'));

/** @param {Facts} facts @param {ReferredRoot|null} root @param {boolean} recursive */
function tooltip(facts, root, recursive) {
  const title = titleOf(facts);
  if (title === null || isBlank(title)) return '';
  // html-aam 4.1.10: alt="" means that there is no name. What refers to the image, or calls it presentational, makes accname decide.
  if (facts.html && facts.tag === 'img' && attrOf(facts, 'alt') === '' && root === null && explicitRole(facts) !== 'none') return '';
  const bare = !recursive && root === null;
  if (bare && NAME_PROHIBITED.has(semanticRole(facts)) && !isFocusable(facts) && !facts.tag.includes('-')) return '';
  return root === null && repeatsText(facts.el, title) ? '' : title;
}

// No title is as long as this; to lay out all the text of a page only to compare it would take long.
const TITLE_LIMIT = 10000;

/**
 * Whether a title only says what is written in the element.
 * @param {Element} el
 * @param {string} title
 */
export function repeatsText(el, title) {
  const text = textContentGet.call(el);
  if (text.length > TITLE_LIMIT || isBlank(text)) return false;
  return title.trim() === (isHTML(el) ? innerTextGet.call(el) : text).trim();
}

/**
 * Whether the element is left out of the name of what it is in.
 * @param {Facts} facts
 * @param {ReferredRoot|null} root
 */
export function isHiddenForName(facts, root) {
  if (facts.html && facts.tag === 'noscript') return true;
  if (root !== null && root.el === facts.el) return false;
  if (isShutOff(facts)) return true;
  if (root !== null && root.hidden) return false;
  if (isHiddenByARIA(facts)) return true;
  const shown = rendering(facts);
  if (shown === SHOWN) return false;
  if (facts.tag === 'option' && facts.html) return false;
  // What is merely skipped, as in closed details, has a name.
  if (shown === INVISIBLE) return isLeaf(facts) || root !== null;
  return computedOf(facts).display === 'none';
}

/** @type {Facts|null} the element whose name is asked for as if it had no title */
let untitled = null;

/** @param {Facts} facts */
export function titleOf(facts) {
  return facts === untitled ? null : saidBy(facts, 'title');
}

/**
 * Whether the element would have another name without its title.
 * @param {Facts} facts
 * @param {string} name
 */
export function isNamedByTitle(facts, name) {
  untitled = facts;
  try {
    return accessibleName(facts) !== name;
  } finally {
    untitled = null;
  }
}

/**
 * What an element without a name that can be clicked is called: the beginning of its text, as agent-browser does it.
 * @param {Facts} facts
 */
function substituteName(facts) {
  if (hintsOf(facts) === 0 && boxBehind(facts) === null) return '';
  // The control in a label has the label's text for its own name.
  const visited = new Set(facts.tag === 'label' && facts.html ? [labelControlGet.call(facts.el)] : []);
  const text = tidy(textOfContents(facts, { visited, root: null }));
  return text.length > LABEL_LIMIT ? text.slice(0, LABEL_LIMIT).trim() : text;
}
