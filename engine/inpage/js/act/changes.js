// Mutation records, counted.

import { isConnected } from '../dom/access.js';
import { closestOf, parentNodeGet } from '../dom/builtins.js';
import { attr, composedParent, elementRoot, isElement, queryAll } from '../dom/dom.js';
import { isInside, isVisible } from '../dom/geometry.js';
import { messagesOf } from './messages.js';
import { shownStart } from '../dom/text.js';
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
    /** @type {Set<Node>} those of which a text is another one */
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
        if (!parts.has(part) && !this.written.has(node)) restyled.add(part);
        else if (this.written.has(node)) restyled.delete(part);
        parts.add(part);
      }
    }
    const isNews = (/** @type {Element} */ el) => !restyled.has(el) || !showedBefore(shownStart(el, BEGINNING).replace(/…$/, ''));
    return messagesOf([...parts].filter((el) => closestOf.call(el, ANNOUNCES) === null && isNews(el)));
  }

  /** The first things that came and can be seen, each text once: elements within each other, or beside each other, often have the same. */
  news() {
    const titles = [];
    /** @type {Set<string>} */
    const told = new Set();
    for (const el of this.added) {
      if (titles.length === 3) break;
      if (!isVisible(el)) continue;
      const title = titleOfPart(el, '');
      const at = title.indexOf('"');
      const text = at < 0 ? '' : title.slice(at).replace(/\s+/g, ' ').replace(/" /g, '"');
      if (text === '' || told.has(text)) continue;
      told.add(text);
      titles.push(title);
    }
    return titles;
  }
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
