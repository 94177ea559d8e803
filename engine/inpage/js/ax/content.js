// Names from contents (accname 1.2, step 2F): the texts of all that is in an element, with spaces where CSS sets them apart.

import { firstChildGet, getterOf, lastChildGet, nodeTypeGet, TEXT, textContentGet } from '../dom/builtins.js';
import { cased } from '../dom/casing.js';
import { children, isElement } from '../dom/dom.js';
import { explicitRole } from './explicitrole.js';
import { attrOf, ChildCursor, computedOf, factsOf, isLeaf, saidBy } from '../dom/facts.js';
import { generatedAfter, generatedBefore, locksContents, mayGenerate, replacedText } from '../dom/generated.js';
import { isNamedByARIA } from './included.js';
import {
  FROM_CONTENTS,
  FROM_ELSEWHERE,
  FROM_NOTHING,
  isHiddenForName,
  isPlainSign,
  NAME_LIMIT,
  setTextFrom,
  textAlternative,
  textFrom,
  titleOf,
} from './name.js';
import { buttonLabel, isAtomicTextField, textFieldValue, usedElement } from './native.js';
import { ownedElements } from './order.js';
import { semanticRole } from './role.js';
import { INVISIBLE, rendering } from '../dom/visibility.js';

/**
 * @import { Facts } from '../dom/facts.js'
 * @import { Generated } from '../dom/generated.js'
 * @import { Naming } from './name.js'
 */

export const textDataGet = getterOf(CharacterData.prototype, 'data');

// Elements whose children are not what they show.
const OPAQUE = new Set([
  'input',
  'textarea',
  'select',
  'meter',
  'progress',
  'iframe',
  'frame',
  'embed',
  'video',
  'audio',
  'img',
  'hr',
  'datalist',
  'object',
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'head',
]);

/**
 * A name as it grows.
 * @typedef {{text: string, last: Facts|null, lastFrom: number}} Flow
 */

/**
 * @param {Facts} facts
 * @param {Naming} naming
 * @returns {string}
 */
export function textOfContents(facts, naming) {
  const own = ownText(facts, naming);
  if (own !== null) return own;
  const outer = new Contents(facts, naming);
  /** @type {Contents[]} the presentational elements that are in each other: as many as the document is deep */
  const open = [outer];
  for (;;) {
    const top = open[open.length - 1];
    const inner = top.next(naming);
    if (inner !== null) open.push(new Contents(inner, naming));
    else if (top === outer) return outer.flow.text;
    else {
      open.pop();
      setTextFrom(FROM_CONTENTS);
      append(open[open.length - 1].flow, top.facts, top.flow.text);
    }
  }
}

/**
 * The text of what has not got it from its child nodes; else null.
 * @param {Facts} facts
 * @param {Naming} naming
 * @returns {string|null}
 */
function ownText(facts, naming) {
  const { el } = facts;
  if (naming.root?.empty || locksContents(facts)) return '';
  if (facts.html) {
    if (OPAQUE.has(facts.tag)) return naming.root?.el === el && isAtomicTextField(facts) ? textFieldValue(facts) : buttonLabel(facts);
    if (isLeaf(facts) && (facts.plain || saidBy(facts, 'aria-owns') === null))
      return leafText(facts, naming.root !== null && naming.root.hidden);
    return replacedText(facts);
  }
  if (facts.tag !== 'use') return null;
  const drawn = usedElement(el);
  return drawn === null || naming.visited.has(drawn) ? '' : textOfContents(factsOf(drawn), naming);
}

/** The text of an element as it grows by that of its child nodes. */
class Contents {
  /** @param {Facts} facts @param {Naming} naming */
  constructor(facts, naming) {
    this.facts = facts;
    /** @type {Flow} */
    this.flow = { text: '', last: null, lastFrom: FROM_NOTHING };
    this.closed = isClosedDetails(facts);
    this.unrendered = naming.root !== null && naming.root.hidden;
    this.unseen = !this.unrendered && rendering(facts) === INVISIBLE && naming.root === null;
    this.owned = ownedElements();
    this.children = new ChildCursor(facts);
    /** @type {Element[]|null} the elements that it owns, once its children are through */
    this.adopted = null;
    this.at = 0;
    addGenerated(this.flow, generatedBefore(facts));
  }

  /**
   * Adds what comes next, up to an element whose own text has to be known first, or to the end.
   * @param {Naming} naming
   * @returns {Facts|null} that element
   */
  next(naming) {
    const { children, facts, flow, owned } = this;
    if (this.adopted === null) {
      for (let node = children.next(); node !== null && naming.visited.size <= NAME_LIMIT; node = children.next()) {
        const child = nodeTypeGet.call(node) === TEXT ? null : children.factsOf(node);
        if (this.closed && child?.tag !== 'summary') continue;
        if (child === null) this.addTextNode(node);
        else if ((owned === null || !owned.has(child.el)) && !addElement(flow, child, naming)) return child;
      }
      addGenerated(flow, generatedAfter(facts));
      this.adopted = owned !== null && saidBy(facts, 'aria-owns') !== null ? this.adopt(owned) : NOTHING;
    }
    while (this.at < this.adopted.length) {
      const inner = factsOf(this.adopted[this.at++]);
      if (!addElement(flow, inner, naming)) return inner;
    }
    return null;
  }

  /** @param {Node} node */
  addTextNode(node) {
    const data = textDataGet.call(node);
    if (!this.unseen) addText(this.flow, this.unrendered ? data : cased(data, this.facts), FROM_CONTENTS);
  }

  /** @param {Map<Element, Element>} owned */
  adopt(owned) {
    const { facts, flow } = this;
    if (flow.last === null && flow.text !== '' && !SPACE.test(flow.text[flow.text.length - 1])) flow.text += ' ';
    return [...owned].filter(([, owner]) => owner === facts.el).map(([inner]) => inner);
  }
}

/** @type {Element[]} */
const NOTHING = [];

/** @param {Facts} facts */
export function isClosedDetails(facts) {
  return facts.tag === 'details' && facts.html && attrOf(facts, 'open') === null;
}

/**
 * The text of an element without element children. What is not rendered is in the case of its source.
 * @param {Facts} facts
 * @param {boolean} unrendered
 */
export function leafText(facts, unrendered) {
  return unrendered ? computeLeafText(facts, true) : (facts.words ??= computeLeafText(facts, false));
}

/** @param {Facts} facts @param {boolean} unrendered */
function computeLeafText(facts, unrendered) {
  const source = textContentGet.call(facts.el);
  const text = unrendered ? source : cased(source, facts);
  if (!mayGenerate(facts)) return text;
  if (locksContents(facts)) return '';
  const picture = replacedText(facts);
  if (picture !== null) return picture;
  /** @type {Flow} */
  const flow = { text: '', last: null, lastFrom: FROM_NOTHING };
  addGenerated(flow, generatedBefore(facts));
  addText(flow, text, FROM_CONTENTS);
  addGenerated(flow, generatedAfter(facts));
  return flow.text;
}

/** @param {Flow} flow @param {Generated | null} generated */
function addGenerated(flow, generated) {
  if (generated === null) return;
  if (generated.apart && joins(flow.text, generated.text)) flow.text += ' ';
  addText(flow, generated.text, generated.apart ? FROM_ELSEWHERE : FROM_CONTENTS);
}

/** @param {Flow} flow @param {string} text @param {number} from */
function addText(flow, text, from) {
  if (text === '') return;
  if (joins(flow.text, text) && needsSpace(flow, null, from)) flow.text += ' ';
  flow.text += text;
  flow.last = null;
  flow.lastFrom = from;
}

// Their text is told otherwise, or not at all.
const UNTOLD_IN_SVG = new Set(['title', 'desc', 'metadata', 'style', 'script']);

/**
 * @param {Flow} flow
 * @param {Facts} facts
 * @param {Naming} naming
 * @returns {boolean} whether it is done: a presentational element has no text but that of what is in it
 */
function addElement(flow, facts, naming) {
  if (isHiddenForName(facts, naming.root) || (!facts.html && UNTOLD_IN_SVG.has(facts.tag))) return true;
  let text = '';
  if (semanticRole(facts) === 'none' || (rendering(facts) === INVISIBLE && naming.root === null)) {
    const own = ownText(facts, naming);
    if (own === null) return false;
    text = own || presentationalTitle(facts);
    setTextFrom(text === own ? FROM_CONTENTS : FROM_ELSEWHERE);
  } else if (!naming.visited.has(facts.el) || naming.root !== null) text = textAlternative(facts, naming, true);
  append(flow, facts, text);
  return true;
}

/**
 * accname 1.2, step 2I: the tooltip of a picture that means nothing by its role, for steps 2E and 2F pass it over.
 * @param {Facts} facts
 */
function presentationalTitle(facts) {
  return facts.html && facts.tag === 'img' && !isHiddenForName(facts, null) ? (titleOf(facts) ?? '') : '';
}

/**
 * Appends the text of an element, which came from where textFrom says.
 * @param {Flow} flow
 * @param {Facts} facts
 * @param {string} text
 */
function append(flow, facts, text) {
  const from = textFrom;
  if (text !== '' && joins(flow.text, text) && needsSpace(flow, facts, from)) flow.text += ' ';
  flow.text += text;
  if (text === '' && isNothing(facts)) return;
  flow.last = facts;
  if (text !== '') flow.lastFrom = from;
}

/**
 * Whether an element without text is not even a gap between texts.
 * @param {Facts} facts
 */
function isNothing(facts) {
  if (!facts.plain) return false;
  if (facts.tag === 'img') return attrOf(facts, 'alt') === '';
  return semanticRole(facts) === 'generic' && isInline(facts) && !isAtomic(facts) && facts.tag !== 'wbr';
}

const SPACE = /\s/;

/**
 * Whether there is white space at an index of a text.
 * @param {string} text
 * @param {number} at
 */
function isSpaceAt(text, at) {
  return !isPlainSign(text, at) && SPACE.test(text[at]);
}

/**
 * Whether two texts would run into each other.
 * @param {string} before
 * @param {string} after
 */
function joins(before, after) {
  return before !== '' && !isSpaceAt(before, before.length - 1) && !isSpaceAt(after, 0);
}

/**
 * Whether a space belongs between what was added last and what comes next; null stands for text, which is always inline.
 * @param {Flow} flow
 * @param {Facts|null} next
 * @param {number} from
 */
function needsSpace(flow, next, from) {
  const { last } = flow;
  if (flow.lastFrom === FROM_ELSEWHERE || from === FROM_ELSEWHERE) return true;
  if (!isInline(last) || !isInline(next)) return true;
  return (
    isApart(edgeOf(last, false)) ||
    isApart(edgeOf(next, true)) ||
    (last !== null && holdsBlock(last)) ||
    (next !== null && holdsBlock(next))
  );
}

/** @param {Facts | null} facts */
function isApart(facts) {
  return facts !== null && (isAtomic(facts) || facts.tag === 'wbr' || isControl(facts) || isNamedByARIA(facts));
}

/**
 * What an element begins or ends with: itself, or what is at that end of an element that means nothing. Null stands for text.
 * @param {Facts|null} facts
 * @param {boolean} atStart
 * @returns {Facts|null}
 */
function edgeOf(facts, atStart) {
  for (;;) {
    if (facts === null || !facts.plain || !facts.html || isAtomic(facts) || facts.tag === 'wbr') return facts;
    if (attrOf(facts, 'id') !== null || semanticRole(facts) !== 'generic') return facts;
    const child = (atStart ? firstChildGet : lastChildGet).call(facts.el);
    if (child === null || !isElement(child)) return null;
    facts = factsOf(child);
  }
}

/**
 * Whether the element is part of the line of text around it; null stands for text.
 * @param {Facts|null} facts
 */
export function isInline(facts) {
  if (facts === null) return true;
  if (!facts.html && (facts.tag === 'text' || facts.tag === 'foreignObject')) return false;
  const { display } = computedOf(facts);
  return display.startsWith('inline') || display.startsWith('ruby') || (!facts.html && display !== 'none' && display !== 'contents');
}

const REPLACED = new Set([
  'img',
  'svg',
  'canvas',
  'video',
  'audio',
  'iframe',
  'object',
  'embed',
  'input',
  'select',
  'textarea',
  'meter',
  'progress',
]);

/**
 * Whether the element is an atomic inline, with a formatting context of its own.
 * @param {Facts} facts
 */
function isAtomic(facts) {
  return facts !== null && (REPLACED.has(facts.tag) || /^inline./.test(computedOf(facts).display));
}

/**
 * Whether a block in the inline element breaks the line.
 * @param {Facts} facts
 */
function holdsBlock(facts) {
  const inline = [facts];
  for (let at = inline.pop(); at !== undefined; at = inline.pop()) {
    if (isLeaf(at) || computedOf(at).display !== 'inline') continue;
    for (const node of children(at.el)) {
      if (!isElement(node)) continue;
      const inner = factsOf(node);
      if (computedOf(inner).display === 'none') continue;
      if (!isInline(inner)) return true;
      inline.push(inner);
    }
  }
  return false;
}

const CONTROL_TAGS = new Set(['button', 'input', 'select', 'textarea', 'fieldset', 'output']);
const CONTROL_ROLES = new Set([
  'button',
  'checkbox',
  'combobox',
  'listbox',
  'menu',
  'menubar',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'scrollbar',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'tree',
]);

/** @param {Facts} facts */
function isControl(facts) {
  return (facts.html && CONTROL_TAGS.has(facts.tag)) || (!facts.plain && CONTROL_ROLES.has(explicitRole(facts)));
}
