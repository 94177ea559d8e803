// Mutation records, counted.

import { isConnected } from '../dom/access.js';
import {
  closestOf,
  firstChildGet,
  nextSiblingGet,
  nodeTypeGet,
  parentElementGet,
  parentNodeGet,
  styleOf,
  TEXT,
  textContentGet,
} from '../dom/builtins.js';
import { attr, composedParent, elementRoot, isElement, localName, queryAll } from '../dom/dom.js';
import { isInside, isVisible } from '../dom/geometry.js';
import { messagesOf } from './messages.js';
import { plain, shownStart } from '../dom/text.js';
import { ANNOUNCES, titleOfPart } from './notable.js';

/** @import { Message } from './messages.js' */

// How much of what changed is looked at for messages: what came, what is around a text that changed, and what is in an element that did.
const MOST_PARTS = 500;
const AROUND = 3;
const MOST_WITHIN = 30;
const BEGINNING = 120; // of a text, by which it is known again
const MAY_SAY = '[class], [id], [role=alert]';

/** Mutation records as one change: what was put in and taken out again does not count. */
export class Changes {
  /** @param {MutationRecord[]} records @param {Element | null} near @param {Element} el */
  constructor(records, near, el) {
    /** @type {Set<Element>} */
    this.added = new Set();
    /** @type {Set<Element>} */
    this.removed = new Set();
    /** @type {Set<Node>} */
    this.changed = new Set();
    /** @type {Set<Element>} those of which a text is another one */
    this.written = new Set();
    this.near = false;
    for (const record of records) {
      if (isInHead(record.target)) continue;
      this.read(record);
      this.near ||= near !== null && (isInside(elementAt(record.target), near) || record.target === near);
    }
    for (const node of this.added) {
      if (this.removed.delete(node) || !isConnected(node)) this.added.delete(node);
    }
    for (const node of this.removed) this.near ||= el !== null && isInside(el, node);
    for (const node of this.changed) if (!isConnected(node) || this.isNew(node)) this.changed.delete(node);
  }

  /** @param {MutationRecord} record */
  read(record) {
    if (record.type === 'attributes') {
      const el = /** @type {Element} */ (record.target);
      const name = /** @type {string} */ (record.attributeName);
      if (attr(el, name) !== null || name !== 'style') this.changed.add(el);
      return;
    }
    let texts = record.type === 'characterData';
    for (const node of record.addedNodes) {
      if (isElement(node)) this.added.add(node);
      else texts = true;
    }
    for (const node of record.removedNodes) {
      if (!isElement(node)) texts = true;
      else if (!this.added.delete(node)) this.removed.add(node);
    }
    const el = texts ? elementAt(record.target) : null;
    if (el) this.changed.add(el);
    if (el) this.written.add(el);
  }

  /** @param {Node} node */
  isNew(node) {
    for (let el = /** @type {Element|null} */ (node); el; el = composedParent(el)) if (this.added.has(el)) return true;
    return false;
  }

  /** @param {Node} node */
  isWritten(node) {
    return isElement(node) && this.written.has(node);
  }

  counts() {
    return { added: this.added.size, removed: this.removed.size, changed: this.changed.size, near: this.near };
  }

  /**
   * The messages that came, or say something else. Those that announce themselves are among what is notable.
   * @param {(text: string) => boolean} showedBefore whether the page showed a text before the action
   * @returns {Message[]}
   */
  messages(showedBefore) {
    /** @type {Set<Element>} */
    const parts = new Set();
    /** @type {Set<Element>} what only looks different, as it does when it fades out */
    const restyled = new Set();
    for (const el of this.added) {
      for (const part of [el, ...queryAll(el, MAY_SAY)]) {
        if (parts.size < MOST_PARTS) parts.add(part);
      }
    }
    for (const node of this.changed) {
      if (parts.size >= MOST_PARTS) break;
      const el = elementAt(node);
      const within = el === null ? [] : Array.from(queryAll(el, MAY_SAY));
      const around = [];
      for (let up = el, i = 0; up !== null && i < AROUND; up = composedParent(up), i++) around.push(up);
      for (const part of within.length <= MOST_WITHIN ? [...around, ...within] : around) {
        if (!parts.has(part) && !this.isWritten(node)) restyled.add(part);
        else if (this.isWritten(node)) restyled.delete(part);
        parts.add(part);
      }
    }
    const isNews = (/** @type {Element} */ el) => !restyled.has(el) || !showedBefore(shownStart(el, BEGINNING).replace(/…$/, ''));
    return messagesOf(parts, false, (el) => closestOf.call(el, ANNOUNCES) === null && isNews(el));
  }

  /**
   * The first things that came and can be seen, the texts that were written into what was there, and what went, each text once: elements within
   * each other, or beside each other, often have the same. A target that was drawn again as it was does not count.
   * @param {Element|null} target
   * @param {(text: string) => boolean} showedBefore whether the page showed a text before the action
   * @returns {{appeared: string[], texts: string[], gone: string[]}}
   */
  news(target, showedBefore) {
    /** @type {string[]} */
    const appeared = [];
    /** @type {string[]} */
    const texts = [];
    /** @type {Set<string>} */
    const told = new Set();
    const isNew = (/** @type {string} */ text) => text !== '' && !told.has(text) && told.add(text);
    const redrawn = target !== null && !isConnected(target) ? target : null;
    for (const el of this.added) {
      if (appeared.length === NEWS) break;
      if (!isVisible(el) || isEqualNodeOf.call(el, redrawn)) continue;
      const title = titleOfPart(el, '');
      const text = /"(.*)"/s.exec(title)?.[1] ?? '';
      if (isNew(text.replace(/\s+/g, ' ').trim())) appeared.push(title);
    }
    const written = Array.from(this.written).filter((el) => isConnected(el) && !this.isNew(el));
    for (const el of written.length <= WRITTEN ? written : []) {
      if (appeared.length + texts.length === NEWS) break;
      const text = isVisible(el) ? textAround(el) : '';
      if (isNew(text) && !(text.length >= TELLING && showedBefore(text))) texts.push(text);
    }
    return { appeared, texts, gone: this.gone(showedBefore) };
  }

  /** @param {string} text */
  addedWith(text) {
    return Array.from(this.added).some((el) =>
      plain(textContentGet.call(el) ?? '')
        .replace(/\s/g, '')
        .includes(text.replace(/\s/g, '')),
    );
  }

  /**
   * What went with a text that the page showed, and that nothing that came has.
   * @param {(text: string) => boolean} showedBefore
   */
  gone(showedBefore) {
    /** @type {string[]} */
    const titles = [];
    if (this.removed.size > WRITTEN) return titles;
    for (const el of this.removed) {
      if (titles.length === NEWS) break;
      if (queryAll(el, '*').length > PARTS) continue;
      const text = textsIn(el);
      if (text === '' || !showedBefore(text) || this.addedWith(text)) continue;
      titles.push(localName(el) === 'tr' ? `row ${JSON.stringify(text)}` : titleOfPart(el, text)); // outside of its table it has no role
    }
    return titles;
  }
}

const NEWS = 3; // are told
const WRITTEN = 5; // more than these are a list or a table that was filled again
const PARTS = 100; // so many elements are more than one thing
const TELLING = 12; // characters of a text that says something without what is around it
const LONGEST = 60;
const isEqualNodeOf = Node.prototype.isEqualNode;

/**
 * The text of an element, with that of the line around it where it is short: "Cart: 2 items" for the 2.
 * @param {Element} el
 */
function textAround(el) {
  let text = shownStart(el, LONGEST);
  for (let inner = el; text !== '' && text.length < TELLING && isInline(inner); ) {
    const line = parentElementGet.call(inner);
    if (line === null || queryAll(line, CONTROLS).length > 0) break;
    const more = shownStart(line, LONGEST + 1);
    if (more.length > LONGEST) break;
    inner = line;
    text = more;
  }
  return text;
}

/**
 * The texts in an element, which may be in no document, with a space between them.
 * @param {Node} node
 * @returns {string}
 */
function textsIn(node) {
  if (nodeTypeGet.call(node) === TEXT) return plain(textContentGet.call(node) ?? '');
  let all = '';
  for (let child = firstChildGet.call(node); child; child = nextSiblingGet.call(child)) all += ` ${textsIn(child)}`;
  return plain(all);
}

const CONTROLS = 'a, button, input, select, textarea';

/** @param {Element} el */
function isInline(el) {
  return styleOf(el).display.startsWith('inline');
}

/**
 * The element that a node of the tree is, or is a text of; null: the document has none any more.
 * @param {Node} node
 * @returns {Element | null}
 */
export function elementAt(node) {
  if (isElement(node)) return node;
  const parent = parentNodeGet.call(node);
  if (parent && isElement(parent)) return parent;
  return /** @type {ShadowRoot} */ (node).host ?? parent?.host ?? elementRoot();
}

/**
 * Styles and scripts that a page adds are not a visible change.
 * @param {Node} node
 */
function isInHead(node) {
  const el = elementAt(node);
  return el !== null && closestOf.call(el, 'head, script, style') !== null;
}
