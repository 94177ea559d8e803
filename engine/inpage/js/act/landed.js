// Whether the input that followed an aim reached its target. Aim arms capture listeners on the isolated world's window, which run before
// the page's handlers on anything below it, so that neither stopPropagation nor a handler that removes the target hides the event. What
// a page swallows in a capture listener that was on the window earlier shows in :hover, which the browser sets, not the page.

import { isConnected, matches } from '../dom/access.js';
import { refusesPointer } from './aim.js';
import { blame } from './cover.js';
import { attr, composedParent, deepQueryAll, focusedPart, innerRootOf, isElement } from '../dom/dom.js';
import { watchedAction, withEffects } from './effects.js';
import { remembering } from '../dom/facts.js';
import { boxOf, hitAt, isWithin, receivesFor } from '../dom/geometry.js';
import { locate, located } from '../find/locate.js';
import { whenHandled } from './handled.js';
import { ops } from '../dom/ops.js';
import { ItemParts } from './own.js';
import { checkedOf } from '../ax/state.js';
import { elementOf, tokenOf } from '../dom/tokens.js';

/** @import { Target } from '../find/locate.js' */
/** @import { LandingSaid, Looked, PointingSaid } from '../ops.js' */

/**
 * @typedef {{token: number, wait?: number, dialog?: boolean, behind?: boolean}} LandedArg dialog = one opened meanwhile, which keeps a release that
 *   comes then from the page; behind = the op was sent with the input
 */

const ARMED_FOR = 20_000;
const KEPT_EVENTS = 64;
// In quirks mode :hover alone matches links only; with any other condition beside it, it matches all.
const HOVERED = ':hover:not(html)';

// What a press of a button makes, in this order. All of it is kept from the page when the press lands on something else than the target.
const PRESS_EVENTS = ['pointerdown', 'mousedown', 'contextmenu', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick'];

// What tells of a press without its end, the furthest first: a double click has a click before.
const PRESSED_BY = ['click', 'mousedown', 'pointerdown'];

let pressesHeard = false;

/**
 * Once a document: listeners for the pointer that come and go make the browser compute again what every element does with it, which costs more
 * than the rest of an aim.
 */
function listenForPresses() {
  if (pressesHeard) return;
  pressesHeard = true;
  for (const name of PRESS_EVENTS) addEventListener(name, (event) => landing?.note(event), { capture: true, passive: false });
}

/** @type {Landing|null} the one armed aim; a later aim takes its place */
let landing = null;

/**
 * @typedef {{el: Element, receiver: Element, target: Target, points: {x: number, y: number}[], own: boolean}} Aimed receiver = what gets the
 *   pointer in the element's place; points = where it may be pressed; own = a control in the element is something else
 * @typedef {{names: string[], times?: number, presses?: number, guard?: boolean}} Armed names = the events, the one that ends the sequence
 *   last; times = how often that one is to come, for how many presses; guard = a press that lands elsewhere does nothing
 */

/** @param {Aimed} aimed @param {Armed} armed */
export function armLanding(aimed, armed) {
  landing?.disarm();
  landing = new Landing(aimed, armed);
}

class Landing {
  /** @param {Aimed} aimed @param {Armed} armed */
  constructor({ el, receiver, target, points, own }, { names, times = 1, presses = times, guard = false }) {
    this.el = el;
    this.token = tokenOf(el);
    this.receiver = receiver;
    this.target = target.ref ? { ref: { ...target.ref, token: this.token } } : target; // a ref may just have healed to it
    this.points = points;
    this.own = own;
    this.names = names;
    this.last = names[names.length - 1];
    this.times = times;
    this.presses = presses;
    this.guard = guard;
    this.was = actedState(el);
    /** @type {Object<string, number>} */
    this.counts = {};
    for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', this.last]) this.counts[name] = countOf(name);
    /** @type {{event: string, hit: boolean, el: Element, target: EventTarget}[]} */
    this.seen = [];
    this.adopted = null; // what was found in the place of an element that was replaced before it was pressed
    this.barred = null; // the press that lands elsewhere, while it goes on
    this.bars = 0;
    this.bar = null; // the last of those
    this.over = false;
    this.judged = false; // by pointerdown, so that mousedown is the same press
    /** @type {(() => void)|null} */
    this.whenLast = null;
    this.pointed = false; // the pointer is on it
    this.came = false; // the pointer has come to it; what moves may have left it since
    /** @type {(() => void)|null} */
    this.whenPointed = null;
    this.record = (/** @type {Event} */ event) => this.note(event);
    this.listened = new Set([...names, ...(guard ? PRESS_EVENTS : []), ...(names.includes('mousedown') ? ['mouseup'] : [])]);
    listenForPresses();
    for (const name of this.listened)
      if (!PRESS_EVENTS.includes(name)) addEventListener(name, this.record, { capture: true, passive: true });
    this.timer = setTimeout(() => this.disarm(), ARMED_FOR);
  }

  /** @param {Event} event */
  note(event) {
    watchedAction?.prepare();
    if (!event.isTrusted || this.over || !this.listened.has(event.type)) return;
    const path = pathOf(event);
    if (event.type === 'mousemove') {
      this.pointed = this.reached(path);
      if (this.pointed) {
        this.came = true;
        this.whenPointed?.();
      }
      return;
    }
    if (this.guard) this.judge(event, path);
    if (this.barred) {
      stop(event);
    } else if (this.seen.length < KEPT_EVENTS && event.type !== 'pointerup') {
      this.seen.push({ event: event.type, hit: this.received(path), el: this.el, target: path[0] });
    }
    if (event.type === this.last && this.ended()) this.whenLast?.();
  }

  ended() {
    return this.bars > 0 || this.seen.filter((one) => one.event === this.last).length >= this.times;
  }

  /**
   * A press at the point of the aim that would reach something else is kept from the page: the command did not ask for it.
   * @param {Event} event
   * @param {EventTarget[]} path
   */
  judge(event, path) {
    if (event.type !== 'pointerdown' && event.type !== 'mousedown') return;
    const again = event.type === 'mousedown' && this.judged;
    this.judged = event.type === 'pointerdown';
    if (again) return;
    this.barred = !this.received(path) && this.isAt(event) ? { on: path[0] } : null;
    if (this.barred) {
      this.bars++;
      this.bar = this.barred;
    }
  }

  /** @param {Event} event */
  isAt(event) {
    return this.points.some(
      ({ x, y }) =>
        Math.abs(/** @type {MouseEvent} */ (event).clientX - x) <= 2 && Math.abs(/** @type {MouseEvent} */ (event).clientY - y) <= 2,
    );
  }

  /** @param {EventTarget[]} path */
  received(path) {
    return this.reached(path) || this.adopt(path);
  }

  /** @param {EventTarget[]} path */
  reached(path) {
    if (path.includes(this.el) || path.includes(this.receiver)) return !this.own || !this.isInControl(path[0]);
    return isElement(path[0]) && receivesFor(path[0], this.el);
  }

  /**
   * Whether the first press would be one of a control in the element. What the page puts there at the press is its answer to that.
   * @param {EventTarget} on
   */
  isInControl(on) {
    if (on === this.el || !isElement(on) || this.seen.some((one) => one.hit)) return false;
    return new ItemParts(this.el).controlAt(on) !== null;
  }

  /**
   * Whether the page put another element in the target's place before anything was pressed, or after a click of several, which gets the input
   * now: what the target is found to be now, by the rules for refs that heal.
   * @param {EventTarget[]} path
   */
  adopt(path) {
    if (isConnected(this.el) || (this.seen.some((one) => one.hit) && !this.isBetweenClicks())) return false;
    const found = this.replacement();
    if (!found || !isElement(path[0]) || !receivesFor(path[0], found.el)) return false;
    this.el = this.receiver = found.el;
    this.adopted = found;
    return true;
  }

  /** Whether it got clicks of a sequence, and is not being pressed. */
  isBetweenClicks() {
    const clicks = this.hits('click');
    return clicks > 0 && Math.max(this.hits('pointerdown'), this.hits('mousedown')) <= clicks;
  }

  replacement() {
    try {
      const found = locate(this.target);
      return found.error || found.el === this.el ? null : found;
    } catch {
      return null; // a closed tree would have to be asked for
    }
  }

  /**
   * How often an event was dispatched since the aim, to whatever element, seen or not.
   * @param {string} name
   */
  dispatched(name) {
    return countOf(name) - this.counts[name];
  }

  /** Whether it was pressed and, as far as the document knows, never released. */
  isHeld() {
    return this.hits('mousedown') > 0 && this.dispatched('pointerup') + this.dispatched('mouseup') === 0;
  }

  /**
   * How often an event reached the target.
   * @param {string} name
   */
  hits(name) {
    return this.seen.filter((one) => one.event === name && one.hit).length;
  }

  disarm() {
    for (const name of this.listened) if (!PRESS_EVENTS.includes(name)) removeEventListener(name, this.record, { capture: true });
    clearTimeout(this.timer);
    this.over = true;
  }
}

/**
 * How many events of a type the browser has dispatched in this document. That tells of those as well which the page keeps to itself.
 * @param {string} name
 */
export function countOf(name) {
  return performance.eventCounts.get(name) ?? 0;
}

/** @param {Event} event */
function stop(event) {
  event.stopImmediatePropagation();
  // Without its pointerdown, the page would get no mousedown, and we no chance to keep that from giving the focus.
  if (!event.type.startsWith('pointer')) event.preventDefault();
}

/**
 * What of the element's own state a press may change.
 * @param {Element} el
 */
function actedState(el) {
  return ['aria-expanded', 'aria-pressed', 'aria-selected', 'aria-checked', 'open'].map((name) => attr(el, name)).join() + checkedOf(el);
}

/**
 * Everything that the event passes through, also in the trees that composedPath keeps to itself.
 * @param {Event} event
 */
export function pathOf(event) {
  const path = event.composedPath();
  const host = path[0];
  if (!isElement(host) || innerRootOf(host) === null) return path;
  const inner = event instanceof MouseEvent ? hitAt(event.clientX, event.clientY) : focusedPart();
  const above = [];
  for (let node = inner; node && node !== host; node = composedParent(node)) {
    above.push(node);
    if (composedParent(node) === host) return [...above, ...path];
  }
  return path;
}

// What was sent with the input has to wait for it.
ops.landed = (arg) => withEffects(arg, arg.behind ? landedBehind(arg) : whatLanded(arg));

/**
 * @param {LandedArg} arg
 * @returns {Promise<Looked<LandingSaid>>}
 */
function landedBehind(arg) {
  const watched = landing;
  if (!watched || watched.token !== arg.token || watched.over) return Promise.resolve(whatLanded(arg));
  return whenHandled((came) => {
    watched.whenLast = came;
    if (watched.ended()) came();
  }).then((said) => whatLanded({ ...arg, dialog: said?.dialog }));
}

/**
 * @param {LandedArg} arg
 * @returns {Looked<LandingSaid>|Promise<Looked<LandingSaid>>}
 */
function whatLanded({ token, wait = 0, dialog = false }) {
  const watched = landing;
  if (!watched || watched.token !== token || (watched.over && watched.seen.length === 0)) {
    const el = elementOf(token);
    return { hit: false, removed: !el || !isConnected(el), armed: false };
  }
  const answer = () => {
    watched.disarm();
    landing = null;
    return remembering(() => landedAnswer(watched));
  };
  // After the browser has acknowledged the input, the handlers have run. A task of its own would wait for the next frame then, since
  // Chromium puts tasks off after discrete input until it has painted.
  if (watched.ended()) return answer();
  if (dialog && watched.isHeld()) return { hit: false, unreleased: true };
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(late);
      try {
        resolve(answer());
      } catch (thrown) {
        reject(thrown);
      }
    };
    const late = setTimeout(finish, wait);
    watched.whenLast = () => afterHandlers(finish);
  });
}

/** Ends what an aim armed when no input follows. */
ops.disarm = () => {
  landing?.disarm();
  landing = null;
  return {};
};

/**
 * Whether the pointer that was moved to the point of the last aim, which armed mousemove, came to the element, within `wait` ms. The
 * browser looks for the frame below a point in what it painted last, which may show frames of other processes where they were before.
 */
ops.pointed = (arg) => withEffects(arg, arg.behind ? pointedBehind(arg) : pointed(arg));

/**
 * @param {{token: number, wait?: number}} arg
 * @returns {Promise<Looked<PointingSaid>>}
 */
function pointedBehind(arg) {
  const watched = landing;
  if (!watched || watched.token !== arg.token) return Promise.resolve(pointed(arg));
  return whenHandled((came) => {
    watched.whenPointed = came;
    if (watched.came) came();
  }).then(() => pointed(arg));
}

/**
 * @param {{token: number, wait?: number}} arg
 * @returns {Looked<PointingSaid>|Promise<Looked<PointingSaid>>}
 */
function pointed({ token, wait = 0 }) {
  const watched = landing;
  if (!watched || watched.token !== token) return { pointed: false, armed: false };
  const there = () => watched.pointed || isUnderPointer(watched);
  const answer = () => ({ pointed: there(), came: watched.came });
  if (there() || watched.came || wait === 0) return answer();
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(answer()), wait);
    watched.whenPointed = () => {
      clearTimeout(late);
      resolve({ pointed: true, came: true });
    };
  });
}

/**
 * Whether the pointer is over it, or over what took its place when the pointer came.
 * @param {Landing} watched
 */
function isUnderPointer(watched) {
  if (isConnected(watched.el)) return matches(watched.receiver, HOVERED);
  const found = watched.replacement();
  if (found === null) return false;
  const hit = hitAt(watched.points[0].x, watched.points[0].y);
  return hit !== null && receivesFor(hit, found.el);
}

/**
 * Calls back in a task of its own, after the handlers of the event that is being dispatched.
 * @param {(value?: any) => void} callback
 */
export function afterHandlers(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

/**
 * hit = the target got what was asked for; event = by which event that is known, when not by the last one; clicked = something else got that one; on = what got it instead; blocked =
 * the press was kept from it; lost = the document got no press at all; received = what the target got of it.
 * @param {Landing} watched
 */
function landedAnswer(watched) {
  const { el, last, times, presses, adopted } = watched;
  const removed = !isConnected(el);
  /** @type {LandingSaid & {error?: undefined}} */
  const answer = { hit: false, removed };
  if (adopted) answer.now = located(adopted);
  const checked = answer.removed ? null : checkedOf(el);
  if (checked !== null) answer.checked = checked;
  const hits = watched.hits(last);
  if (hits >= times) return { ...answer, hit: true, event: last };
  const press = PRESSED_BY.find((name) => name !== last && watched.hits(name) > 0);
  const missed = watched.seen.findLast((one) => !one.hit)?.target ?? watched.bar?.on;
  if (watched.bars > 0 && !press) return { ...answer, blocked: true, ...onto(/** @type {Element} */ (missed)) };
  if (watched.seen.length === 0) return { ...answer, ...bySight(watched, removed) };
  if (!press && watched.dispatched('pointerdown') + watched.dispatched('mousedown') === 0) return { ...answer, lost: true };
  // The page kept the last event to itself: an element that was pressed and released got it, if there was one at all.
  const ended = watched.seen.some((one) => !one.hit || one.event === last);
  if (!ended && watched.hits('mouseup') >= presses && watched.dispatched(last) >= times) {
    return { ...answer, hit: true, event: 'mouseup' };
  }
  const replaced = answer.removed && watched.replacement() !== null;
  if (replaced) answer.replaced = true;
  // The page acted on the press: a menu is gone, or open, before there is a click; what was pressed is covered or replaced. What merely has
  // moved away could be clicked where it is now, and was not.
  if (press && hits === 0 && (answer.removed || actedState(el) !== watched.was || !hasMoved(watched))) {
    const clicked = watched.seen.some((one) => one.event === last);
    return { ...answer, hit: true, event: press === 'click' ? 'first click' : press, clicked, ...onto(/** @type {Element} */ (missed)) };
  }
  if (hits > 0 || press) answer.received = hits > 0 ? `${hits} × ${last}` : press;
  return { ...answer, event: watched.seen[watched.seen.length - 1].event, ...onto(/** @type {Element} */ (missed)) };
}

/**
 * Whether the element is to be seen, and no longer where it was pressed.
 * @param {Landing} watched
 */
function hasMoved({ el, points }) {
  const box = boxOf(el);
  return box !== null && !points.some((point) => isWithin(point, box));
}

/**
 * What got the input in place of the target.
 * @param {Element} target
 */
function onto(target) {
  return isElement(target) ? blame('on', target) : {};
}

/**
 * No event was seen: there was none, or the page kept all of them to itself. Then the browser says where the pointer is.
 * @param {Landing} watched
 * @param {boolean} removed
 */
function bySight(watched, removed) {
  if (!removed && refusesPointer(watched.el)) return { disabled: true };
  if (watched.dispatched('pointerdown') + watched.dispatched('mousedown') === 0) return { lost: true };
  const there = !removed && matches(watched.receiver, HOVERED);
  if (there && watched.dispatched(watched.last) >= watched.times) return { hit: true, event: 'hover' };
  const under = there ? null : deepHovered();
  return under ? onto(under) : {};
}

/** The innermost element under the pointer. */
function deepHovered() {
  const els = deepQueryAll(document, HOVERED);
  return els.length > 0 ? els[els.length - 1] : null;
}
