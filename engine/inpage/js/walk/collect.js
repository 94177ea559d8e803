// Op collect: all items of a list of which the page may draw only those in view. It scrolls the list from its beginning to its end, reads what a person
// sees on the way, and puts it back where it was.

import { scrollingElement } from '../dom/access.js';
import { clientHeightGet, elementCountGet, firstElementGet, localNameGet, nodeTypeGet, scrollHeightGet, TEXT } from '../dom/builtins.js';
import { textDataGet } from '../ax/content.js';
import { Descent } from '../dom/descent.js';
import { attr, children, composedParent, isElement, queryAll } from '../dom/dom.js';
import { factsOf, remembering } from '../dom/facts.js';
import { rectOf, viewport } from '../dom/geometry.js';
import { SKIPPED } from '../dom/kinds.js';
import { located, withTarget } from '../find/locate.js';
import { tidy } from '../ax/name.js';
import { inputValueGet } from '../ax/native.js';
import { ops } from '../dom/ops.js';
import { statedTotal } from './partial.js';
import { atRest, painted, scrollPosition, scrollToOf } from '../act/rest.js';
import { inputType } from '../ax/role.js';
import { canScroll, edgesOf, scrollerFor, scrollRange } from '../act/scroll.js';
import { veilOf } from './unseen.js';
import { SEEN } from './veils.js';
import { holds, isRendered } from '../dom/visibility.js';
import { blockOf } from './words.js';

/**
 * @import { Target } from '../find/locate.js'
 */

/** What an item of a list is, by role or tag. */
const ITEMS = 'tr, li, article, option, [role=row], [role=listitem], [role=option], [role=article], [role=treeitem]';

/** The attributes by which an item says its place in the whole list: WAI-ARIA 1.2, 6.6, and those of widespread virtual lists. */
const PLACES = ['aria-rowindex', 'aria-posinset', 'data-index', 'data-item-index', 'data-row-index', 'row-index'];

const STEP = 0.8; // of what is in view
const FAR = 1e9;
const FILLS = 0.9; // of what scrolls: all items are there
const DRAWN_WITHIN = 400; // ms for items to be drawn behind a scroll
const GROWS_WITHIN = 1000; // ms for a list to fetch more at its end

/**
 * @typedef {Object} CollectArg
 * @property {Target} target
 * @property {number} most    items
 * @property {number} within  ms
 */

ops.collect = async (/** @type {CollectArg & {patience?: number}} */ arg) => {
  const found = await withTarget(arg, (one) => one);
  if (found.error) return found;
  const list = found.el;
  const end = performance.now() + arg.within;
  const items = new Items(list);
  const box = scrollerFor(list, 0, 1);
  items.read();
  if (items.count() === 0 || !canScroll(box, 0, 1) || !(holds(list, box) || holds(box, list)))
    return { ...located(found), ...items.result(arg.most), stopped: '' };
  items.forget();
  // Either way the elements begin where 0 is: a list that runs upwards has its first item at its lower end.
  const upwards = scrollRange(box).top < 0;
  const way = upwards ? -1 : 1;
  const before = scrollPosition(box);
  scrollToOf.call(box, { top: 0, behavior: 'instant' });
  await atRest([box]);
  let stopped = '';
  for (items.read(); ; ) {
    if (items.count() >= arg.most) stopped = 'items';
    else if (performance.now() > end) stopped = 'time';
    if (stopped !== '') break;
    const edges = edgesOf(box);
    const isEnd = upwards ? edges.top : edges.bottom;
    if (isEnd) await items.changed(GROWS_WITHIN);
    else {
      const far = items.fill(box) ? FAR : Math.max(20, STEP * clientHeightGet.call(box));
      scrollToOf.call(box, { top: scrollPosition(box).y + way * far, behavior: 'instant' });
      await painted();
      if (!items.reach(box, upwards)) await items.changed(DRAWN_WITHIN);
    }
    const grew = items.read();
    if (isEnd && !grew) break;
  }
  scrollToOf.call(box, { left: before.x, top: before.y, behavior: 'instant' });
  await atRest([box]);
  return { ...located(found), ...items.result(arg.most), stopped };
};

/** The items that were seen so far. */
class Items {
  /** @param {Element} list */
  constructor(list) {
    this.list = list;
    /** @type {Map<number, string>} of items that say their place, by that */
    this.placed = new Map();
    /** @type {string[]} of those that do not, in their order */
    this.texts = [];
    this.total = 0;
    this.height = 0; // of the items that are drawn, with what is in them
    this.hasGaps = false; // something was scrolled past
  }

  /** Begins again. */
  forget() {
    this.placed.clear();
    this.texts = [];
  }

  /** How many there are. */
  count() {
    return this.placed.size + this.texts.length;
  }

  /**
   * Takes what is drawn now.
   * @returns {boolean} whether there was anything new
   */
  read() {
    return remembering(() => {
      const before = this.count();
      this.total = Math.max(this.total, statedTotal(this.list));
      /** @type {Map<number, string[]>} an item may be drawn in several parts, one for the columns that do not scroll */
      const parts = new Map();
      const seen = [];
      this.height = 0;
      for (const el of itemsOf(this.list)) {
        const text = textOfItem(el);
        if (text === '') continue;
        this.height += rectOf(el).height;
        const place = placeOf(el);
        if (place === null) seen.push(text);
        else if (!this.placed.has(place)) parts.set(place, [...(parts.get(place) ?? []), text]);
      }
      for (const [place, texts] of parts) this.placed.set(place, texts.join(' · '));
      this.append(seen);
      return this.count() > before;
    });
  }

  /**
   * Appends items of which the first ones may be known: those with which the known ones end.
   * @param {string[]} seen
   */
  append(seen) {
    const { texts } = this;
    let fixed = 0; // a header stays in view
    while (fixed < seen.length && fixed < texts.length && seen[fixed] === texts[fixed]) fixed++;
    if (fixed === seen.length) return;
    const most = Math.min(texts.length, seen.length);
    for (let from = 0; from <= Math.min(fixed, MOST_FIXED); from++) {
      const rest = seen.slice(from);
      for (let known = Math.min(most, rest.length); known > 0; known--) {
        if (!rest.slice(0, known).every((text, i) => text === texts[texts.length - known + i])) continue;
        texts.push(...rest.slice(known));
        return;
      }
    }
    this.hasGaps ||= texts.length > 0;
    texts.push(...seen.slice(Math.min(fixed, MOST_FIXED)));
  }

  /**
   * Whether the items that are drawn fill what scrolls, so that there is nothing to see on the way to its end.
   * @param {Element} box
   */
  fill(box) {
    return this.height >= FILLS * scrollHeightGet.call(box);
  }

  /**
   * Whether there are items to the end of what is in view.
   * @param {Element} box
   * @param {boolean} upwards whether that end is the upper one
   */
  reach(box, upwards) {
    return remembering(() => {
      const screen = viewport();
      const view = box === scrollingElement() ? { top: screen.y, bottom: screen.y + screen.height } : rectOf(box);
      const last = itemsOf(this.list).findLast((el) => textOfItem(el) !== '');
      if (last === undefined) return false;
      const { top, bottom, height } = rectOf(last);
      return upwards ? top <= view.top + height : bottom >= view.bottom - height;
    });
  }

  /**
   * Resolves a paint after the items have changed, or at the limit.
   * @param {number} limit
   */
  changed(limit) {
    return new Promise((resolve) => {
      const done = () => {
        observer.disconnect();
        clearTimeout(late);
        painted().then(resolve);
      };
      const observer = new MutationObserver(done);
      const late = setTimeout(done, limit);
      observer.observe(this.list, { childList: true, characterData: true, subtree: true });
    });
  }

  /** @param {number} most */
  result(most) {
    const placed = [...this.placed].sort(([a], [b]) => a - b);
    const items = [...this.texts, ...placed.map(([, text]) => text)].slice(0, most);
    const hasGaps = this.hasGaps || placed.some(([place], i) => i > 0 && place > placed[i - 1][0] + 1);
    return { items, total: this.total, hasGaps };
  }
}

const MOST_FIXED = 3; // items that stay in view: a header, a search row

/** @param {Element} el */
function placeOf(el) {
  for (const name of PLACES) {
    const place = Number(attr(el, name) ?? NaN);
    if (Number.isInteger(place)) return place;
  }
  return null;
}

/**
 * The items that are drawn: those that a role or tag says to be items, else the children of the element that holds several.
 * @param {Element} list
 */
function itemsOf(list) {
  const items = new Set(Array.from(queryAll(list, ITEMS)).filter(isRendered));
  const outer = [...items].filter((el) => {
    for (let node = composedParent(el); node !== null && node !== list; node = composedParent(node)) if (items.has(node)) return false;
    return true;
  });
  if (outer.length > 0) return outer;
  let holder = list;
  while (elementCountGet.call(holder) === 1) holder = /** @type {Element} */ (firstElementGet.call(holder));
  return /** @type {Element[]} */ (children(holder).filter((node) => isElement(node) && isRendered(/** @type {Element} */ (node))));
}

const SHOWS_VALUE = new Set(['text', 'search', 'email', 'url', 'tel', 'number', 'date', 'time', 'datetime-local', 'month', 'week']);
const LONGEST = 500;

/**
 * What a person reads of an item: its visible texts and the values of its fields.
 * @param {Node} item
 */
function textOfItem(item) {
  /** @type {string[]} */
  const texts = [];
  /** @type {Element|null} */
  let block = null;
  const add = (/** @type {string} */ text, /** @type {Element} */ around) => {
    if (texts.length > 0 && around === block) texts[texts.length - 1] += text;
    else texts.push(text);
    block = around;
  };
  const descent = new Descent();
  const visit = (/** @type {Node} */ node, /** @type {Element} */ around) => {
    if (nodeTypeGet.call(node) === TEXT) {
      const data = textDataGet.call(node);
      if (/\S/.test(data) && veilOf(factsOf(around)) === SEEN) add(data, blockOf(around));
      return;
    }
    if (!isElement(node)) return;
    const el = /** @type {Element} */ (node);
    const tag = localNameGet.call(el);
    if (SKIPPED.has(tag) || !isRendered(el)) return;
    const isCell = attr(el, 'role') !== null; // with a text of its own, however it is laid out
    if (isCell) {
      block = null;
      descent.onLeave(() => (block = null));
    }
    if (tag === 'input' && SHOWS_VALUE.has(inputType(el))) add(inputValueGet.call(el), el);
    else descent.enter(children(el), (child) => visit(child, el));
  };
  visit(item, /** @type {Element} */ (item));
  descent.run();
  return texts.map(tidy).filter(Boolean).join(' · ').slice(0, LONGEST);
}
