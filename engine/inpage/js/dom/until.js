// The one way of waiting: look, and look again each time the page may have changed. There is no polling timer. A look is caused by a
// mutation (MutationObserver, so it happens in the microtask after the change), by an event that changes state without a mutation, or by
// an animation frame, which also shows what scripts set through properties, stylesheets or animations. The longer nothing has changed, the fewer
// frames are looked at: each costs the browser some 1 ms, and a wait may last for minutes.

import { readyStateGet } from './access.js';
import { animationsIn } from './dom.js';
import { leftToRun, SOON } from './motion.js';
import { rootsAdded, shadowRoots, unwatchRoots, watchRoots } from './shadow.js';

/**
 * @import { FactsByCode } from '../ops.js'
 *
 * What a probe returns. Without `error` the wait is over. With `error` it goes on, unless `final` says that more waiting is pointless;
 * `frame` says that the next frame must be looked at, `rest` that nothing is to be expected of a page at rest. They are taken off before the
 * result leaves, as `lasts` is: how many ms it takes until what is under way, such as an animation, has ended; 0 where nothing is. `again` says that the
 * engine has to say after a while whether waiting goes on; it stays. `stays` reports whether only a person can cure it: then a page in which nothing changes
 * for a while ends the wait.
 * @typedef {{error: {code: string, facts: any}, final?: boolean, frame?: boolean, rest?: boolean, again?: boolean, lasts?: () => number,
 *   stays?: () => boolean}} Failure
 * @typedef {{error?: undefined, [key: string]: any}} Answer
 * @typedef {Failure | Answer} Probed
 */

/**
 * @template {keyof FactsByCode} C
 * @param {C} code
 * @param {FactsByCode[C] | (() => FactsByCode[C])} facts a function when they are costly: it is called for the failure that is returned only
 * @returns {Failure} an expected failure; waiting may cure it
 */
export function fail(code, facts = {}) {
  return { error: { code, facts } };
}

/**
 * @template {keyof FactsByCode} C
 * @param {C} code
 * @param {FactsByCode[C] | (() => FactsByCode[C])} facts a function when they are costly: it is called for the failure that is returned only
 * @returns {Failure} an expected failure that waiting cannot cure
 */
export function failFinal(code, facts = {}) {
  return { error: { code, facts }, final: true };
}

/**
 * @template {keyof FactsByCode} C
 * @param {C} code
 * @param {FactsByCode[C] | (() => FactsByCode[C])} facts a function when they are costly: it is called for the failure that is returned only
 * @returns {Failure} a failure that ends with the next animation frame: the probe needs to see two frames
 */
export function nextFrame(code, facts = {}) {
  return { error: { code, facts }, frame: true };
}

// Events after which a condition can be true although nothing in the tree was mutated.
const WAKING_EVENTS = [
  'input',
  'change',
  'toggle',
  'scroll',
  'resize',
  'load',
  'error',
  'focusin',
  'focusout',
  'slotchange',
  'readystatechange',
  'DOMContentLoaded',
  'transitionend',
  'transitioncancel',
  'animationend',
  'animationcancel',
];

// A probe may take at most about a fifth of the page's time after mutations, and a tenth when frames pass without any.
const BUSY_SHARE = 4;
const IDLE_SHARE = 10;

// How long a wait goes on without a word of the engine, when it has one in it, in ms.
const ASK_AGAIN = 40;

// How long no frame is looked at: a tenth of the time in which nothing has changed, in ms.
const QUIET_SHARE = 10;
const SHORTEST_PAUSE = 20; // every frame is looked at until then
const LONGEST_PAUSE = 100;

// How long what ended is looked at before it is given up, in ms: its last frame is to come.
const AFTER_END = 100;

// How long a page has to be unchanged, in ms, until a lasting obstacle is given up on.
const STILL_FOR = 300;

// For how many frames nothing may change in a page that is at rest.
const FRAMES_AT_REST = 2;

/** Whether the document has loaded and nothing in it is under way that a script may wait for. */
function isAtRest() {
  if (readyStateGet.call(document) !== 'complete') return false;
  return animationsIn(document).every((animation) => (leftToRun(animation) ?? Infinity) > SOON);
}

// Counts animation frames while something waits, so that a probe can tell whether two looks belong to the same frame.
export let frameCount = 0;

/**
 * Runs probe until it settles or `patience` milliseconds passed. The first look is synchronous, and when it settles no promise is made:
 * on a page that is ready an op costs one task. The last look, at the deadline, gives the failure that is returned.
 * @template {Probed} R
 * @param {number} patience
 * @param {() => R} probe
 * @param {number} [longest] how many ms it may take altogether where more than the patience is known to be needed
 * @returns {R | Promise<R>}
 */
export function until(patience, probe, longest = patience) {
  const first = probe();
  if (settled(first) || !(patience > 0)) return bare(first);
  return new Promise((resolve, reject) => new Watch(patience, probe, resolve, reject, first, longest));
}

/** @param {Probed} result */
function settled(result) {
  return !result.error || result.final === true;
}

/**
 * @template {Probed} R
 * @param {R} result
 * @returns {R}
 */
export function bare(result) {
  if (typeof result.error?.facts === 'function') result.error.facts = result.error.facts();
  delete result.final;
  delete result.frame;
  delete result.rest;
  delete result.lasts;
  delete result.stays;
  return result;
}

/**
 * One wait in progress: owns its observer, listeners, frame request and deadline, and lets go of all of them when it ends.
 * @template {Probed} R
 */
class Watch {
  /**
   * @param {number} patience @param {() => R} probe @param {((value: R | PromiseLike<R>) => void)} resolve
   * @param {(reason: any) => void} reject @param {R} first what the first look gave @param {number} longest
   */
  constructor(patience, probe, resolve, reject, first, longest) {
    this.probe = probe;
    this.resolve = resolve;
    this.reject = reject;
    this.over = false;
    this.rests = first.rest === true;
    this.still = 0; // frames in a row in which nothing changed
    this.dirty = false;
    this.cost = 0;
    this.lookedAt = performance.now();
    this.trailing = 0;
    this.pause = 0; // until the next frame is asked for
    this.roots = new WeakSet();
    this.observer = new MutationObserver((records) => this.mutated(records));
    this.woken = false;
    this.wake = () => this.afterScript();
    watchRoots();
    this.follow(document);
    for (const root of shadowRoots()) this.follow(root);
    for (const name of WAKING_EVENTS) addEventListener(name, this.wake, { capture: true, passive: true });
    this.began = performance.now();
    this.changedAt = this.began;
    this.longest = longest;
    this.deadline = setTimeout(() => this.expire(), patience);
    this.frame = requestAnimationFrame(() => this.onFrame());
  }

  /** @param {Node} root */
  follow(root) {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** @param {MutationRecord[]} records */
  mutated(records) {
    for (const record of records) {
      for (const node of record.addedNodes) for (const root of rootsAdded(node)) this.follow(root);
    }
    this.changed();
  }

  /**
   * Looks when the page's script has ended. It may be in the midst of a change that shows by such an event: what replaces a field that has the focus
   * takes it out first, and what is neither here nor there must not be told.
   */
  afterScript() {
    if (this.woken) return;
    this.woken = true;
    queueMicrotask(() => {
      this.woken = false;
      this.changed();
    });
  }

  /** Looks at once, unless looks have taken too much of the page's time lately: then once after a while, however much changes until then. */
  changed() {
    if (this.over) return;
    this.still = 0;
    this.changedAt = performance.now();
    this.goOn();
    const rest = this.lookedAt + BUSY_SHARE * this.cost - performance.now();
    if (rest <= 0) {
      this.look();
      return;
    }
    this.dirty = true;
    // The frame normally comes first. Frames stop in hidden pages and in off-screen frames of other processes, so that one look
    // is also put on a timer of its own.
    if (!this.trailing) {
      this.trailing = setTimeout(() => {
        this.trailing = 0;
        if (this.dirty) this.look();
      }, rest);
    }
  }

  onFrame() {
    if (this.over) return;
    frameCount++;
    const share = this.dirty ? BUSY_SHARE : IDLE_SHARE;
    if (this.rests && ++this.still > FRAMES_AT_REST && isAtRest()) {
      this.look(true); // what was put back since the last look is not at rest yet
    } else if (this.wantsFrame || performance.now() >= this.lookedAt + share * this.cost) {
      this.look();
    }
    if (!this.over) this.nextFrame();
  }

  /** Asks for the next frame, at once or after a while. */
  nextFrame() {
    const pause = Math.min((performance.now() - this.changedAt) / QUIET_SHARE, LONGEST_PAUSE);
    if (pause < SHORTEST_PAUSE || this.wantsFrame || this.rests) this.frame = requestAnimationFrame(() => this.onFrame());
    else this.pause = setTimeout(() => this.goOn(), pause);
  }

  /** Ends a pause between frames. */
  goOn() {
    if (!this.pause) return;
    clearTimeout(this.pause);
    this.pause = 0;
    this.frame = requestAnimationFrame(() => this.onFrame());
  }

  /** @param {boolean} [atRest] whether what a page at rest will not cure ends the wait */
  look(atRest) {
    if (this.over) return;
    this.dirty = false;
    for (const root of shadowRoots()) this.follow(root);
    const began = performance.now();
    const result = this.probeOrReject();
    if (!result) return;
    this.lookedAt = performance.now();
    this.cost = this.lookedAt - began;
    this.wantsFrame = result.frame === true;
    this.rests = result.rest === true;
    if (this.wantsFrame || this.rests) this.goOn();
    const asks = result.again === true && this.lookedAt >= this.began + ASK_AGAIN;
    const stays = result.stays !== undefined && this.isStill() && isAtRest() && result.stays();
    if (settled(result) || (atRest && this.rests) || asks || stays) this.finish(result);
    // What the look itself changed (scrolling, focus) must not cause the next one.
    else this.observer.takeRecords();
  }

  /** Whether nothing has changed for a while. Where that is not so yet, it is looked at then. */
  isStill() {
    const left = this.changedAt + STILL_FOR - performance.now();
    if (left <= 0) return true;
    this.trailing ||= setTimeout(() => {
      this.trailing = 0;
      this.look();
    }, left);
    return false;
  }

  expire() {
    const result = this.probeOrReject();
    if (!result) return;
    const more = settled(result) ? 0 : (result.lasts?.() ?? 0);
    const left = this.began + this.longest - performance.now();
    // What ends only after that is not worth waiting for.
    if (more > 0 && more < left) this.deadline = setTimeout(() => this.expire(), Math.min(more + AFTER_END, left));
    else this.finish(result);
  }

  probeOrReject() {
    try {
      return this.probe();
    } catch (thrown) {
      this.end();
      this.reject(thrown);
      return null;
    }
  }

  /** @param {R} result */
  finish(result) {
    this.end();
    this.resolve(bare(result));
  }

  end() {
    if (this.over) return;
    this.over = true;
    unwatchRoots();
    this.observer.disconnect();
    for (const name of WAKING_EVENTS) removeEventListener(name, this.wake, { capture: true });
    clearTimeout(this.deadline);
    clearTimeout(this.trailing);
    clearTimeout(this.pause);
    cancelAnimationFrame(this.frame);
  }
}
