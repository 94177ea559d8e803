// What a page made of a wheel or of a finger: who received it, whether a script took it, and what it scrolled.

import { isConnected, scrollingElement } from '../dom/access.js';
import { Aim } from './aim.js';
import { blame } from './cover.js';
import { describe, isElement } from '../dom/dom.js';
import { fromScreen, hitAt, receivesFor, viewport } from '../dom/geometry.js';
import { afterHandlers, pathOf } from './landed.js';
import { withTarget } from '../find/locate.js';
import { nameOf } from '../ax/name.js';
import { ops } from '../dom/ops.js';
import { atRest, movedBoxes, samePosition, scrollChain, shownPosition } from './rest.js';
import { roleOf } from '../ax/role.js';
import { shadowRoots } from '../dom/shadow.js';
import { elementOf } from '../dom/tokens.js';

const WATCHED_GESTURES = ['wheel', 'touchstart', 'touchmove', 'touchend', 'touchcancel', 'click'];
const GESTURE_WATCHED_FOR = 30_000;
const SCROLL_END_LIMIT = 1000;

/** @type {Gesture|null} the one that is watched for */
let gesture = null;

class Gesture {
  /** @param {Element|null} el where it begins */
  constructor(el) {
    gesture?.end();
    this.el = el;
    /** @type {Map<string, {event: Event, path: EventTarget[], count: number}>} */
    this.seen = new Map();
    this.boxes = el ? scrollChain(el) : [];
    this.from = this.boxes.map(shownPosition);
    /** @type {Set<Element>} the boxes that have said that they came to rest */
    this.ended = new Set();
    this.scrollEnds = this.boxes.map((box) => {
      const target = box === scrollingElement() ? document : box;
      const note = () => {
        this.ended.add(box);
        this.whenEnded?.();
      };
      target.addEventListener('scrollend', note);
      return () => target.removeEventListener('scrollend', note);
    });
    /** @type {(() => void)|null} */
    this.whenEnded = null;
    this.mutations = 0;
    /** @type {(() => void)|null} */
    this.whenClicked = null;
    this.record = (/** @type {Event} */ event) => this.note(event);
    for (const name of WATCHED_GESTURES) addEventListener(name, this.record, { capture: true, passive: true });
    this.observer = new MutationObserver((records) => {
      this.mutations += records.length;
    });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    this.observer.observe(document, all);
    for (const root of shadowRoots()) this.observer.observe(root, all);
    this.timer = setTimeout(() => this.end(), GESTURE_WATCHED_FOR);
  }

  /** @param {Event} event */
  note(event) {
    if (!event.isTrusted) return;
    const before = this.seen.get(event.type);
    // Whether a script prevented it is known after its handlers only, so that it is kept.
    this.seen.set(event.type, { event, path: pathOf(event), count: (before?.count ?? 0) + 1 });
    if (event.type === 'click') afterHandlers(() => this.whenClicked?.());
  }

  /**
   * Whether the event came to the element; undefined when no such event came.
   * @param {string} name
   */
  reached(name) {
    const one = this.seen.get(name);
    if (!one) return undefined;
    const first = one.path[0];
    return this.el !== null && (one.path.includes(this.el) || (isElement(first) && receivesFor(first, this.el)));
  }

  /** @param {string} name */
  prevented(name) {
    return this.seen.get(name)?.event.defaultPrevented === true;
  }

  end() {
    for (const name of WATCHED_GESTURES) removeEventListener(name, this.record, { capture: true });
    for (const stopListening of this.scrollEnds) stopListening();
    this.observer.disconnect();
    clearTimeout(this.timer);
    if (gesture === this) gesture = null;
  }

  /** Resolves when what a finger has scrolled has come to rest: snapping begins some frames after the finger is lifted. */
  async scrollsEnded() {
    const going = () => this.boxes.some((box, i) => !this.ended.has(box) && !samePosition(shownPosition(box), this.from[i]));
    if (!going()) return;
    await new Promise((resolve) => {
      const late = setTimeout(resolve, SCROLL_END_LIMIT);
      this.whenEnded = () => {
        if (going()) return;
        clearTimeout(late);
        resolve(null);
      };
    });
  }

  /** @param {string} first */
  answer(first) {
    const target = this.seen.get(first)?.path[0];
    const on = isElement(target) ? target : null;
    return {
      hit: this.reached(first) ?? false,
      ...(!on ? {} : isConnected(on) ? blame('on', on) : { on: describe(on) }),
      count: Object.fromEntries([...this.seen].map(([name, { count }]) => [name, count])),
      prevented: [...this.seen.keys()].filter((name) => this.prevented(name)),
      scrolled: movedBoxes(this.boxes, this.from),
      changed: this.mutations + this.observer.takeRecords().length > 0,
    };
  }
}

/** Watches for a gesture that begins at a point of the screen, or of this frame's viewport, or in a frame of it, whose element has the token. */
ops.watchGesture = ({ x, y, token = 0 }) => {
  const at = token > 0 ? null : fromScreen({ x, y });
  const hit = at === null ? elementOf(token) : hitAt(at.x, at.y);
  gesture = new Gesture(hit);
  return hit ? { on: describe(hit), role: roleOf(hit), name: nameOf(hit) } : {};
};

/** Op aim for a finger, which is watched for from then on. */
ops.aimTouch = (arg) => {
  const aim = new Aim(arg);
  return withTarget(arg, (found) => {
    const answer = aim.attempt(found);
    if (!answer.error) gesture = new Gesture(found.el);
    return answer;
  });
};

/**
 * The result of the gesture, once what it scrolled is at rest; `first` is the event that it began with. After a tap the click is waited
 * for, unless a script took the touch.
 */
ops.gestureSeen = async ({ first, click = 0 }) => {
  const watched = gesture;
  if (!watched) return { armed: false, hit: false, scrolled: [], prevented: [], count: {} };
  const taken = () => watched.prevented('touchstart') || watched.prevented('touchend') || watched.seen.has('touchcancel');
  if (click > 0 && !watched.seen.has('click') && !taken()) {
    await new Promise((resolve) => {
      const late = setTimeout(resolve, click);
      watched.whenClicked = () => {
        clearTimeout(late);
        resolve(null);
      };
    });
  }
  if (click === 0 && watched.boxes.length > 0) await atRest(watched.boxes, 3);
  if (first === 'touchstart' && click === 0) await watched.scrollsEnded();
  watched.end();
  return watched.answer(first);
};

/** How much of the page the screen shows. */
ops.viewportSize = () => {
  const { width, height } = viewport();
  return { width, height };
};
