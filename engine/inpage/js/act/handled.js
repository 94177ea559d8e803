// When the page has handled input. An op that is sent together with input may run before or behind it: scripts and input reach the page by two
// queues. It waits for the last event that the input makes, then for the handlers of that and for what they put off to a task or a timer of 0 ms. A
// page may keep an event to itself, or the event comes to another document: the engine says when the browser has acknowledged the input, which ends
// the waiting.

import { afterHandlers } from './landed.js';
import { ops } from '../dom/ops.js';

/**
 * @typedef {{event: string, count: number}} InputEnd the last event of the input, and how many of its kind there are
 * @typedef {{dialog?: boolean}} Acknowledged dialog = one opened and was closed meanwhile
 */

/** How many events of a kind the browser has sent to the document. @type {Object<string, number>} */
const counts = { keyup: 0, mousemove: 0 };
/** How many there were when the last action began. */
let before = { ...counts };

/** What ends the one wait. @type {((said: Acknowledged|null) => void)|null} */
let end = null;
/** Looks whether it is over. @type {(() => void)|null} */
let look = null;

/** @param {Event} event */
function count({ type, isTrusted }) {
  if (!isTrusted) return;
  counts[type]++;
  look?.();
}

/** Counts input from now on. Who still waits for that of an earlier action was given up, and must not take what the next one leads to. */
export function expectInput() {
  // They stay: listeners for the pointer that come and go cost more than the input. They are added again since document.open() takes listeners away.
  for (const name of Object.keys(counts)) addEventListener(name, count, { capture: true, passive: true });
  before = { ...counts };
  end = look = null;
}

/**
 * Resolves when the input has been handled that the caller watches for itself: it calls the function that `watch` gets when the last event comes, or came.
 * null = the input has been handled, else the engine's word.
 * @param {(came: () => void) => void} watch
 * @returns {Promise<Acknowledged|null>}
 */
export function whenHandled(watch) {
  return new Promise((resolve) => {
    const mine = (/** @type {Acknowledged|null} */ said) => {
      if (end !== mine) return;
      end = look = null;
      resolve(said);
    };
    end = mine;
    watch(() => afterHandlers(() => setTimeout(() => mine(null))));
  });
}

/**
 * Runs the rest of an op when the input has been handled that it was sent with, which the rest is told; at once without any.
 * @template R
 * @param {{behind?: InputEnd}} arg
 * @param {(handled: boolean) => R|Promise<R>} rest
 * @returns {R|Promise<R>}
 */
export function behindInput({ behind }, rest) {
  if (!behind) return rest(false);
  const { event, count: wanted } = behind;
  return whenHandled((came) => {
    look = () => {
      if (counts[event] - before[event] < wanted) return;
      look = null;
      came();
    };
    look();
  }).then((said) => rest(said === null));
}

/** The browser has acknowledged the input that an op waits for. */
ops.acknowledged = (said) => {
  end?.(said);
  return {};
};
