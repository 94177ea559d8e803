// Pictures of the page: the op depict remembers what is drawn where when one is taken, so that a point of it can be acted on later, and only
// while the page is there as it was pictured.

import { isConnected, matches } from '../dom/access.js';
import { firstChildGet, getAttributeOf, nextSiblingGet, nodeTypeGet, positionTo, styleOf, TEXT } from '../dom/builtins.js';
import { textDataGet } from '../ax/content.js';
import { composedParent, localName } from '../dom/dom.js';
import { FRAME_TAGS } from './frame.js';
import { toFrame } from './framebox.js';
import { fromScreen, hitAt, isInside, isWithin, overlap, rectOf, viewport } from '../dom/geometry.js';
import { elsewhere, named } from '../find/locate.js';
import { Clips, EVERYWHERE } from './marks.js';
import { ops } from '../dom/ops.js';
import { controlAt } from './parts.js';
import { queryEverywhere } from '../dom/shadow.js';
import { bare, failFinal } from '../dom/until.js';
import { checkVisibilityOf } from '../dom/visibility.js';

/**
 * @import { Box } from '../dom/geometry.js'
 * @import { Found } from '../find/locate.js'
 * @import { Failure } from '../dom/until.js'
 */

/**
 * A point of a picture: shot = the picture; x, y in this frame's viewport, or with page in its document, which is scrolled to it. Without a shot
 * it is what is at a point of the viewport now.
 * @typedef {{x: number, y: number, shot?: string, page?: boolean}} PicturePoint
 * @typedef {{el: WeakRef<Element>, part: Box, box: Box, mark: string, z: string}} Drawn  part = what of its box is shown; mark = what it says
 */

const WITH_ALL = Object.freeze({ visibilityProperty: true, opacityProperty: true });
const elementsAt = Document.prototype.elementsFromPoint;

/** @type {Map<string, Pictured>} */
const pictures = new Map();

/** What was drawn when a picture was taken. */
class Pictured {
  /** @param {boolean} whole whether the picture shows more than the viewport */
  constructor(whole) {
    this.whole = whole;
    this.from = { x: scrollX, y: scrollY };
    this.pan = panNow();
    this.size = sizeNow();
    /** @type {Drawn[]} in document order */
    this.drawn = [];
    /** @type {WeakMap<Element, number>} index in drawn */
    this.index = new WeakMap();
    const clips = new Clips(whole ? EVERYWHERE : viewport());
    for (const el of queryEverywhere('*')) this.add(el, clips);
  }

  /** @param {Element} el @param {Clips} clips */
  add(el, clips) {
    const box = rectOf(el);
    if (overlap(box, clips.outermost) === null || !checkVisibilityOf.call(el, WITH_ALL)) return;
    const style = styleOf(el);
    if (style.pointerEvents === 'none') return; // the pointer meets what is below it
    const around = clips.around(el);
    const part = around && overlap(box, around);
    if (!part) return;
    this.index.set(el, this.drawn.length);
    this.drawn.push({ el: new WeakRef(el), part, box, mark: markOf(el), z: style.zIndex });
  }

  /**
   * Where a box of the picture is by now, when nothing but the scroll position of the page has changed.
   * @param {Box} box
   */
  now(box) {
    const { x, y, width, height } = box;
    return this.whole ? { x: x + this.from.x - scrollX, y: y + this.from.y - scrollY, width, height } : box;
  }

  /**
   * Why the page is not as pictured where the pointer would meet an element at a point of the viewport; null: it is.
   * @param {Element} hit
   * @param {{x: number, y: number}} point
   * @returns {Failure|null}
   */
  differs(hit, point) {
    const there = this.drawn.filter(({ part }) => isWithin(point, this.now(part)));
    const same = this.entryOf(hit, there);
    const by = same && this.moved(hit, same);
    if (by) return by;
    // What reaches out of its box, as the root does and text may, is drawn where no part of it is known to be.
    if (!same || (!there.includes(same) && isWithin(point, rectOf(hit))))
      return failFinal('shot-stale', () => ({ why: 'other', ...told('on', hit), ...this.top(there) }));
    const own = controlAt(hit);
    for (const one of there) {
      const el = one.el.deref();
      if (el && (isInside(hit, el) || (own && isInside(el, own)))) continue;
      if (el && isConnected(el) && checkVisibilityOf.call(el, WITH_ALL)) {
        const away = this.moved(el, one);
        if (away) return away;
        if (this.isBefore(el, one, hit, same))
          return failFinal('shot-stale', () => ({ why: 'order', ...told('on', hit), ...told('was', el) }));
        continue;
      }
      if (!this.replaced(one, hit, point)) return failFinal('shot-stale', () => ({ why: 'gone', ...told('on', hit), ...gone(one, el) }));
    }
    return null;
  }

  /**
   * What an element at the point is in the picture: itself, or an equal one that it has taken the place of.
   * @param {Element} el
   * @param {Drawn[]} there
   */
  entryOf(el, there) {
    const own = this.drawn[this.index.get(el) ?? -1];
    if (own) return own;
    const mark = markOf(el);
    const box = rectOf(el);
    return there.find((one) => one.mark === mark && !isLive(one) && isNear(this.now(one.box), box)) ?? null;
  }

  /**
   * Whether an equal element stands for one that is gone, in the page around the point.
   * @param {Drawn} one
   * @param {Element} hit
   * @param {{x: number, y: number}} point
   */
  replaced(one, hit, point) {
    const box = this.now(one.box);
    const equals = (/** @type {Element} */ el) => !this.index.has(el) && markOf(el) === one.mark && isNear(rectOf(el), box);
    for (let node = /** @type {Element|null} */ (hit); node; node = composedParent(node)) if (equals(node)) return true;
    return elementsAt.call(document, point.x, point.y).some(equals);
  }

  /**
   * @param {Element} el
   * @param {Drawn} before
   * @returns {Failure|null} when it is elsewhere
   */
  moved(el, before) {
    const was = this.now(before.box);
    const is = rectOf(el);
    if (isNear(was, is)) return null;
    const by = { x: Math.round(is.x - was.x), y: Math.round(is.y - was.y) };
    return failFinal('shot-stale', () => ({ why: by.x === 0 && by.y === 0 ? 'size' : 'moved', by, ...told('was', el) }));
  }

  /**
   * Whether the page has put one element before another since: what decides about that has changed for them or what they are in.
   * @param {Element} a
   * @param {Drawn} wasA
   * @param {Element} b
   * @param {Drawn} wasB
   */
  isBefore(a, wasA, b, wasB) {
    if (this.isRaised(a) || this.isRaised(b)) return true;
    const order = positionTo.call(a, b);
    if ((order & Node.DOCUMENT_POSITION_DISCONNECTED) !== 0) return false; // in two shadow trees
    return ((order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0) !== this.drawn.indexOf(wasA) < this.drawn.indexOf(wasB);
  }

  /**
   * Whether the element, or what it is in, has another z-index than when the picture was taken.
   * @param {Element} el
   */
  isRaised(el) {
    for (let node = /** @type {Element|null} */ (el); node; node = composedParent(node)) {
      const before = this.drawn[this.index.get(node) ?? -1];
      if (before && before.z !== styleOf(node).zIndex) return true;
    }
    return false;
  }

  /**
   * The innermost of what was at a point.
   * @param {Drawn[]} there
   */
  top(there) {
    const one = there[there.length - 1];
    const el = one?.el.deref();
    return one ? gone(one, el) : {};
  }
}

/** What all of a picture depends on. */
function sizeNow() {
  return { width: innerWidth, height: innerHeight, ratio: devicePixelRatio, zoom: visualViewport?.scale ?? 1 };
}

/** Where the part that the screen shows is in the viewport. */
function panNow() {
  const { x, y } = viewport();
  return { x, y };
}

/** @param {Drawn} one */
function isLive(one) {
  const el = one.el.deref();
  return el !== undefined && isConnected(el);
}

/** @param {Box} a @param {Box} b */
function isNear(a, b) {
  return Math.abs(a.x - b.x) <= 1 && Math.abs(a.y - b.y) <= 1 && Math.abs(a.width - b.width) <= 1 && Math.abs(a.height - b.height) <= 1;
}

const MARK_LENGTH = 80;
const MARKS = ['aria-label', 'id', 'href', 'src', 'name'];

/**
 * What tells an element from another one in its place, cheaply: its kind, its label, the text in it without that of elements in it.
 * @param {Element} el
 */
function markOf(el) {
  let text = '';
  for (let node = firstChildGet.call(el); node !== null && text.length < MARK_LENGTH; node = nextSiblingGet.call(node))
    if (nodeTypeGet.call(node) === TEXT) text += textDataGet.call(node);
  const said = MARKS.map((name) => getAttributeOf.call(el, name) ?? '');
  return [localName(el), text.replace(/\s+/g, ' ').trim().slice(0, MARK_LENGTH), ...said].join('\n');
}

/**
 * @param {string} key
 * @param {Element} el
 */
function told(key, el) {
  const of = controlAt(el) ?? el;
  const { role, name, token } = named(of);
  return /** @type {any} */ ({ [key]: localName(of), [key + 'Role']: role, [key + 'Name']: name, [key + 'Token']: token });
}

/**
 * @param {Drawn} one
 * @param {Element|undefined} el
 */
function gone(one, el) {
  const [tag, text, label] = one.mark.split('\n');
  const facts = el && isConnected(el) ? told('was', el) : { was: tag, wasName: '' };
  return facts.wasName === '' ? { ...facts, wasRole: '', wasName: label || text } : facts;
}

/**
 * Remembers what is drawn. Kept are the pictures that the engine still knows.
 * @param {{shot: string, whole?: boolean, kept?: string[]}} arg
 */
ops.depict = ({ shot, whole = false, kept = [] }) => {
  for (const id of pictures.keys()) if (!kept.includes(id)) pictures.delete(id);
  const picture = new Pictured(whole);
  pictures.set(shot, picture);
  const { x, y, width, height } = viewport();
  return { scroll: picture.from, ...picture.size, view: { x: x + scrollX, y: y + scrollY, width, height } };
};

/**
 * The element at a point, if the page is there as it was pictured.
 * @param {PicturePoint} at
 * @returns {Found | Failure}
 */
function locateAt(at) {
  const picture = at.shot === undefined ? null : pictures.get(at.shot);
  if (picture === undefined) return failFinal('shot-stale', { why: 'unseen' });
  const changed = picture && otherView(picture, at.page === true);
  if (changed) return changed;
  const point = at.page ? scrollTo(at, picture) : at.shot === undefined ? fromScreen(at) : { x: at.x, y: at.y };
  if (!isWithin(point, viewport())) return failFinal('target-outside', () => ({ point, viewport: viewport() }));
  const hit = hitAt(point.x, point.y);
  if (hit === null) return failFinal('target-outside', () => ({ point, viewport: viewport() }));
  const stale = picture && picture.differs(hit, point);
  if (stale) return stale;
  return { el: controlAt(hit) ?? hit, count: 1, point };
}
elsewhere.at = locateAt;

/**
 * Whether the window shows another part of the page, or shows it otherwise, than the picture.
 * @param {Pictured} picture
 * @param {boolean} page
 * @returns {Failure|null}
 */
function otherView(picture, page) {
  const { size, from } = picture;
  const now = sizeNow();
  if (size.width !== now.width || size.height !== now.height || size.ratio !== now.ratio || size.zoom !== now.zoom)
    return failFinal('shot-stale', { why: 'resized', from: size, to: now });
  const pan = panNow();
  const by = { x: Math.round(scrollX - from.x + pan.x - picture.pan.x), y: Math.round(scrollY - from.y + pan.y - picture.pan.y) };
  return !page && (by.x !== 0 || by.y !== 0) ? failFinal('shot-stale', { why: 'scrolled', by }) : null;
}

/**
 * Scrolls a point of the document into view: to where it was when the picture was taken, since fixed elements cover the page there as in the
 * picture, else to the middle.
 * @param {{x: number, y: number}} at
 * @param {Pictured|null} picture
 */
function scrollTo({ x, y }, picture) {
  const from = picture?.from ?? { x: scrollX, y: scrollY };
  const pictured = isWithin({ x: x - from.x, y: y - from.y }, viewport());
  const inView = isWithin({ x: x - scrollX, y: y - scrollY }, viewport());
  if (pictured) scrollWindow(from.x, from.y);
  else if (!inView) scrollWindow(x - innerWidth / 2, y - innerHeight / 2);
  return { x: x - scrollX, y: y - scrollY };
}

/** @param {number} left @param {number} top */
function scrollWindow(left, top) {
  if (Math.round(left) !== Math.round(scrollX) || Math.round(top) !== Math.round(scrollY))
    window.scrollTo({ left, top, behavior: 'instant' });
}

/** As frameAt, of a point of a picture: what the pointer meets there, and the point in the viewport of the child frame when it is one. */
ops.pointAt = ({ at }) => {
  const found = locateAt(at);
  if (found.error) return bare(found);
  const { el } = found;
  const point = /** @type {{x: number, y: number}} */ (found.point);
  if (matches(el, FRAME_TAGS)) return { ...toFrame(el, point.x, point.y), ...named(el) };
  return { token: 0, ...point };
};
