// What a document showed right before the last action, and what the page has written since: whether a text came with the action is asked only
// afterwards, by a wait.

import { getterOf } from '../dom/builtins.js';
import { bodyOf, isElement } from '../dom/dom.js';
import { elementAt } from './changes.js';
import { isConnected } from '../dom/access.js';
import { lower, plain, showsText } from '../dom/text.js';
import { knownRoots } from '../dom/shadow.js';

/** @typedef {'came'|'again'|'before'} Since  what a text is by the last action: new, written again, or as it was */

const innerTextGet = getterOf(HTMLElement.prototype, 'innerText');

const WRITTEN_FOR = 30_000;
// What a page that rebuilds itself has written is not known to the end.
const KEPT_WRITTEN = 2000;

/** @type {Before|null} the last action's */
let before = null;

class Before {
  constructor() {
    /** @type {string|null} null: not looked at yet */
    this.text = null;
    /** @type {string|null} the text without spaces, once it is asked for: a row's cells have none between them in the document */
    this.letters = null;
    /** @type {Set<Element>} */
    this.written = new Set();
    this.observer = new MutationObserver((records) => this.keep(records));
    for (const root of [document, ...(knownRoots?.roots ?? [])])
      this.observer.observe(root, { subtree: true, childList: true, characterData: true });
    this.timer = setTimeout(() => this.rest(), WRITTEN_FOR);
  }

  look() {
    const body = bodyOf();
    this.text ??= body ? (innerTextGet.call(body) ?? '') : '';
  }

  /** @param {MutationRecord[]} records */
  keep(records) {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') this.wrote(elementAt(target));
      for (const node of addedNodes) this.wrote(isElement(node) ? node : elementAt(target));
    }
    if (this.written.size >= KEPT_WRITTEN) this.rest();
  }

  /** @param {Element|null} el */
  wrote(el) {
    if (el && this.written.size < KEPT_WRITTEN) this.written.add(el);
  }

  rest() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  /** @param {string} text */
  showed(text) {
    if (this.text === null) return false;
    this.letters ??= lettersOf(this.text);
    return this.letters.includes(lettersOf(text));
  }

  /** @param {string} text */
  wroteAgain(text) {
    this.keep(this.observer.takeRecords());
    for (const el of this.written) if (isConnected(el) && showsText(el, text).shown) return true;
    return false;
  }
}

/** @param {string} text */
const lettersOf = (text) => lower(plain(text)).replace(/\s/g, '');

/** When the last action began, as performance.now() says it; 0 is when the document did. */
let actedAt = 0;

/** How many ms ago the last action began, or the document. */
export function sinceLastAction() {
  return performance.now() - actedAt;
}

/** An action begins: what the last one found is no longer asked for. The page is looked at with [lookBefore]. */
export function beginBefore() {
  actedAt = performance.now();
  before?.rest();
  before = new Before();
}

/** Looks at the page; nothing has acted on it yet. */
export function lookBefore() {
  before?.look();
}

/**
 * Whether the page showed a text before the action.
 * @param {string} text
 */
export function showedBefore(text) {
  return before !== null && text !== '' && before.showed(text);
}

/** What the page showed before the action; null when that was not looked at. */
export function textBefore() {
  return before?.text ?? null;
}

/** Begins as if an action did, unless one has. */
export function sinceNow() {
  if (before) return;
  beginBefore();
  lookBefore();
}

/**
 * What a text that is shown now is by the last action; undefined: none has been watched here.
 * @param {string} text
 * @returns {Since | undefined}
 */
export function textSince(text) {
  if (!before || before.text === null) return undefined;
  if (!before.showed(text)) return 'came';
  return before.wroteAgain(text) ? 'again' : 'before';
}

/**
 * The same of a text that is not shown now: whether it went.
 * @param {string} text
 * @returns {Since | undefined}
 */
export function goneSince(text) {
  if (!before || before.text === null) return undefined;
  return before.showed(text) ? 'came' : 'before';
}
