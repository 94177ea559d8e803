// Accessible descriptions (accname 1.2 section 4.3.1, html-aam 4.1 and svg-aam 8.2 on what the markup describes), as Chrome computes them:
// of what could describe an element, the first that is there, unless the name was taken from it.

import { matchesOfElement, namespaceGet, queryAllOf, SVG_NS, textContentGet } from '../dom/builtins.js';
import { textOfContents } from './content.js';
import { attr } from '../dom/dom.js';
import { attrOf, factsOf, saidBy, TELLS_DESCRIPTION, TELLS_NAME } from '../dom/facts.js';
import { isNamedByARIA } from './included.js';
import { elementsById, isNamedByTitle, referredRoot, repeatsText, textAlternative, tidy, titleOf } from './name.js';
import { BUTTON_INPUTS, childWithTag } from './native.js';
import { OPEN_POPOVER } from '../dom/older.js';
import { inputType, semanticRole } from './role.js';
import { tableCaptionGet } from './table.js';

/** @import { Facts } from '../dom/facts.js' */

/**
 * Whether there may be a description: nearly no element has one.
 * @param {Facts} facts
 */
export function isDescribed(facts) {
  if ((facts.tells & TELLS_DESCRIPTION) !== 0) return true;
  if (!facts.html) return namespaceGet.call(facts.el) === SVG_NS;
  switch (facts.tag) {
    case 'button':
      return attrOf(facts, 'popovertarget') !== null;
    case 'input':
      return BUTTON_INPUTS.has(inputType(facts.el));
    case 'table':
    case 'summary':
      return (facts.tells & TELLS_NAME) !== 0;
  }
  return false;
}

/**
 * The accessible description, white space collapsed; "" when nothing describes it.
 * @param {Facts} facts
 * @param {string} role
 * @param {string} name
 */
export function descriptionOfFacts(facts, role, name) {
  if (!facts.plain) {
    const described = describingText(facts) ?? saidBy(facts, 'aria-description');
    if (described !== null) return tidy(described);
  }
  const text = facts.html ? markupDescription(facts, role, name) || hintOf(facts) : drawnDescription(facts, name);
  return tidy(text || titleDescription(facts, name));
}

/**
 * The text of what aria-describedby refers to, also of what is hidden; null when it refers to nothing.
 * @param {Facts} facts
 */
function describingText(facts) {
  const elements = describingElements(facts);
  if (elements.length === 0) return null;
  const texts = [];
  for (const el of elements) {
    const text = textAlternative(factsOf(el), { visited: new Set(), root: referredRoot(el) }, true);
    if (text !== '') texts.push(text);
  }
  return texts.join(' ');
}

/**
 * The elements that aria-describedby refers to, by id or set by script.
 * @param {Facts} facts
 */
function describingElements(facts) {
  const value = saidBy(facts, 'aria-describedby');
  if (value === null) return [];
  return value.trim() === '' ? (facts.el.ariaDescribedByElements ?? []) : elementsById(facts.el, value);
}

/**
 * What would name the element had not something else done so: the value of a button, the caption of a table, the text of a summary.
 * @param {Facts} facts
 * @param {string} role
 * @param {string} name
 */
function markupDescription(facts, role, name) {
  if (role === 'Ruby') return annotation(facts);
  if (facts.tag === 'input') return BUTTON_INPUTS.has(inputType(facts.el)) ? unlessName(attrOf(facts, 'value'), name) : '';
  if (facts.plain) return '';
  switch (facts.tag) {
    case 'table': {
      const caption = tableCaptionGet.call(facts.el);
      return caption === null || !isNamedByARIA(facts) ? '' : textOfContents(factsOf(caption), { visited: new Set(), root: null });
    }
    case 'summary':
      return isNamedByARIA(facts) ? textOfContents(facts, { visited: new Set(), root: null }) : '';
  }
  return '';
}

/** @param {string | null} text @param {string} name */
function unlessName(text, name) {
  return text === null || tidy(text) === name ? '' : text;
}

/**
 * The annotation of a ruby, which is shown beside its text.
 * @param {Facts} facts
 */
function annotation(facts) {
  const rt = childWithTag(facts.el, 'rt');
  return rt === null ? '' : textContentGet.call(rt);
}

/**
 * The text of an open popover of the kind "hint" that a button shows, when nothing in it means more than its text.
 * @param {Facts} facts
 */
function hintOf(facts) {
  if (!facts.html || (facts.tag !== 'button' && facts.tag !== 'input') || attrOf(facts, 'popovertarget') === null) return '';
  const popover = /** @type {HTMLButtonElement} */ (facts.el).popoverTargetElement;
  if (!popover || attr(popover, 'popover')?.toLowerCase() !== 'hint' || !matchesOfElement.call(popover, OPEN_POPOVER)) return '';
  for (const el of queryAllOf.call(popover, '*')) if (semanticRole(factsOf(el)) !== 'generic') return '';
  return textAlternative(factsOf(popover), { visited: new Set(), root: referredRoot(popover) }, true);
}

/**
 * The title, unless it is the name, or only says what is written in the element.
 * @param {Facts} facts
 * @param {string} name
 */
function titleDescription(facts, name) {
  const title = titleOf(facts);
  if (title === null || title.trim() === '') return '';
  if (tidy(title) === name && isNamedByTitle(facts, name)) return '';
  return repeatsText(facts.el, title) ? '' : title;
}

/**
 * The desc of a drawing, else its title; the tooltip of a link in it that has a title.
 * @param {Facts} facts
 * @param {string} name
 */
function drawnDescription(facts, name) {
  if (namespaceGet.call(facts.el) !== SVG_NS) return '';
  const desc = childWithTag(facts.el, 'desc');
  if (desc !== null) return textContentGet.call(desc);
  const title = childWithTag(facts.el, 'title');
  if (facts.tag === 'a' && title !== null && !isNamedByARIA(facts)) return attrOf(facts, 'xlink:title') ?? '';
  if (title === null) return '';
  const text = textContentGet.call(title);
  return isNamedByARIA(facts) ? text : unlessName(text, name);
}
