// What a control unfolds. Many a page says that a part is open before the part has its content, which comes from a module or a server.

import { innerTextGet, isConnected } from '../dom/access.js';
import { attr, bodyOf, byId, composedParent, isElement, localName, queryAll } from '../dom/dom.js';
import { isInside, isVisible, rectOf } from '../dom/geometry.js';
import { shownStart } from '../dom/text.js';
import { roleOf } from '../ax/role.js';
import { textBefore } from './before.js';
import { Changes } from './changes.js';
import { disclosureOf } from './read.js';

// Of these, what they unfold is in them.
const AROUND_THEIR_CONTENT = new Set(['treeitem', 'row', 'listitem', 'group', 'article']);
const CONTROLS = 'button, input, select, textarea, [role], [contenteditable], img, iframe, canvas, video, table';

// What makes a box higher by less, in pixels, is a border or another icon.
const LEAST_GROWTH = 8;

// In a page with more text than this, in characters, nothing is waited for: each look at it takes too long.
const MOST_TEXT = 300_000;

/** A control that may unfold something, as it is before the action. */
export class Folded {
  /** @param {Element} el */
  constructor(el) {
    this.el = el;
    this.disclosure = disclosureOf(el);
    this.selected = attr(el, 'aria-selected');
    /** @type {Map<Element, number>} */
    this.heights = new Map();
    if (this.disclosure === 'false') for (let up = composedParent(el); up; up = composedParent(up)) this.heights.set(up, rectOf(up).height);
  }

  /** Whether it says that something is open now. */
  isOpened() {
    if (!isConnected(this.el)) return false;
    if (this.disclosure === 'false') return disclosureOf(this.el) === 'true';
    return this.selected === 'false' && attr(this.el, 'aria-selected') === 'true' && this.controlled().length > 0;
  }

  /**
   * Whether something is to be seen that was not before.
   * @param {MutationRecord[]} records since then
   */
  isThere(records) {
    const controlled = this.controlled();
    if (controlled.length > 0) return controlled.some(showsContent);
    const before = textBefore();
    if (before === null || before.length > MOST_TEXT) return true;
    const added = [...new Changes(records, null, this.el).added].filter((el) => !this.isOwn(el));
    if (added.some(showsContent) || this.showsNews(before)) return true;
    return !added.some((el) => localName(el) !== 'svg') && this.hasGrown();
  }

  controlled() {
    const ids = `${attr(this.el, 'aria-controls') ?? ''} ${attr(this.el, 'aria-owns') ?? ''}`.split(/\s+/);
    return ids.map((id) => (id === '' ? null : byId(this.el, id))).filter((el) => el !== null);
  }

  /**
   * Whether an element is one of the control itself, such as its icon.
   * @param {Element} el
   */
  isOwn(el) {
    return isInside(el, this.el) && !AROUND_THEIR_CONTENT.has(roleOf(this.el));
  }

  /**
   * Whether the page shows a new line of text outside the control.
   * @param {string} before
   */
  showsNews(before) {
    const body = bodyOf();
    const known = new Set(linesOf(before));
    if (this.isOwn(this.el)) for (const line of linesOf(innerTextOf(this.el))) known.add(line);
    return body !== null && linesOf(innerTextOf(body)).some((line) => !known.has(line));
  }

  /** What is hidden by its height alone was there all along. */
  hasGrown() {
    for (const [el, height] of this.heights) if (isConnected(el) && rectOf(el).height > height + LEAST_GROWTH) return true;
    return false;
  }
}

/** @param {Element} el */
function showsContent(el) {
  if (!isVisible(el)) return false;
  return shownStart(el, 1) !== '' || [...queryAll(el, CONTROLS)].some((part) => isElement(part) && isVisible(part));
}

/** @param {Element} el */
function innerTextOf(el) {
  return el instanceof HTMLElement ? String(innerTextGet.call(el)) : '';
}

/** @param {string} text */
function linesOf(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
