// Op stable: until the document has been at rest for a while: loaded, without changes of the tree, without scrolling, and without animations
// that move things. The engine asks several frames, and asks again to see whether they were at rest at the same time; so the watching goes on
// for a moment after an answer.

import { readyStateGet } from '../dom/access.js';
import { parentNodeGet } from '../dom/builtins.js';
import { animationsIn, describe, isElement } from '../dom/dom.js';
import { LAYOUT_PROPERTIES, leftToRun, propertiesOf, SOON, STILL_PROPERTIES } from '../dom/motion.js';
import { ops } from '../dom/ops.js';
import { rootsAdded, shadowRoots, unwatchRoots, watchRoots } from '../dom/shadow.js';
import { tokenOf } from '../dom/tokens.js';

/** How long after an answer the watching goes on. */
const LINGER = 1000;

/** How long an animation may be looked away from. */
const ANIMATION_LOOK = 100;

/** @type {Stillness|null} */
let stillness = null;

/** @param {{quiet: number, patience?: number}} arg */
ops.stable = ({ quiet, patience = 0 }) => {
  stillness ??= new Stillness();
  return stillness.hold(quiet, performance.now() + patience);
};

/** Watches for changes, for as long as a caller waits and a little longer. */
class Stillness {
  constructor() {
    this.waiting = 0;
    this.since = performance.now();
    this.began = this.since;
    this.changes = 0;
    /** @type {Element|null} */
    this.last = null;
    this.linger = 0;
    this.roots = new WeakSet();
    this.observer = new MutationObserver((records) => this.mutated(records));
    this.stirred = (/** @type {Event} */ event) => this.noted(/** @type {Node} */ (event.target));
    watchRoots();
    this.followAll();
    for (const name of ['scroll', 'load', 'error']) addEventListener(name, this.stirred, { capture: true, passive: true });
  }

  followAll() {
    for (const root of [document, ...shadowRoots()]) {
      if (this.roots.has(root)) continue;
      this.roots.add(root);
      this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  }

  /** @param {MutationRecord[]} records */
  mutated(records) {
    for (const { target, addedNodes } of records) {
      for (const node of addedNodes) rootsAdded(node);
      this.changes++;
      this.noted(target);
    }
    this.followAll();
  }

  /** @param {Node} node */
  noted(node) {
    this.since = performance.now();
    const el = isElement(node) || /** @type {unknown} */ (node) === window ? node : parentNodeGet.call(node);
    if (isElement(el)) this.last = el;
  }

  /**
   * Answers when nothing has happened for `quiet` ms; waited says that this was not so at once.
   * @param {number} quiet
   * @param {number} deadline
   */
  async hold(quiet, deadline) {
    this.waiting++;
    clearTimeout(this.linger);
    const asked = performance.now();
    let waited = false;
    try {
      for (;;) {
        const unrest = this.unrest();
        const now = performance.now();
        if (unrest) this.since = now;
        const rest = this.since + quiet - now;
        if (rest <= 0) return { waited };
        if (now >= deadline) return { error: { code: 'timeout', facts: { ...unrest, ...this.changing(asked) } } };
        waited = true;
        await pause(Math.min(unrest ? ANIMATION_LOOK : rest, deadline - now));
      }
    } finally {
      this.waiting--;
      if (this.waiting === 0) this.linger = setTimeout(() => this.end(), LINGER);
    }
  }

  /** What keeps the document from being at rest although nothing changes in the tree, or null. */
  unrest() {
    if (readyStateGet.call(document) !== 'complete') return { loading: true };
    for (const root of [document, ...shadowRoots()]) {
      for (const animation of animationsIn(root)) {
        const property = movingProperty(animation);
        if (property !== null) return { moving: describe(moved(animation)), property };
      }
    }
    return null;
  }

  /** @param {number} asked */
  changing(asked) {
    if (!this.last || this.since < asked) return {};
    return {
      changed: describe(this.last),
      token: tokenOf(this.last),
      changes: this.changes,
      ms: Math.round(performance.now() - this.began),
    };
  }

  end() {
    stillness = null;
    unwatchRoots();
    this.observer.disconnect();
    for (const name of ['scroll', 'load', 'error']) removeEventListener(name, this.stirred, { capture: true });
  }
}

/**
 * A property by which a running animation moves what it is on, or what is around that; null: it moves nothing, or it goes on for ever in its place.
 * @param {Animation} animation
 */
function movingProperty(animation) {
  const left = leftToRun(animation);
  if (left === null) return null;
  const moves = left > SOON ? LAYOUT_PROPERTIES : { test: (/** @type {string} */ name) => !STILL_PROPERTIES.test(name) };
  return propertiesOf(animation).find((name) => moves.test(name)) ?? null;
}

/**
 * What an animation moves that has something left to run: it has an effect, with a target.
 * @param {Animation} animation
 */
function moved({ effect }) {
  return /** @type {Element} */ (/** @type {KeyframeEffect} */ (effect).target);
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
